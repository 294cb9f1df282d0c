import { EventEmitter } from 'node:events';

/** Something that is not as it should be on this side: a caller got 500 or 503 for it. */
export interface FaultEvent {
  /** What failed, for example `platform.findMember failed`. */
  readonly message: string;
  /** What was thrown. */
  readonly cause: unknown;
}

/** One decision of the service. It holds no credential. */
export interface AuditEvent {
  /**
   * `authorization`: a code; `token`: an exchange; `refresh`: a refresh; `revocation`: the end of a connection;
   * `registration`: a new client.
   */
  readonly what: 'authorization' | 'token' | 'refresh' | 'revocation' | 'registration';
  readonly decision: 'allowed' | 'refused';
  /**
   * - Refused: the error code; `reused` for a code or refresh token that was sent again, which revokes its connection;
   *   `lost_race` for one that another request redeemed or revoked first.
   * - Allowed: the policy that admitted a registration; `replayed` for a repeated refresh that got the first response.
   */
  readonly reason?: string | undefined;
  readonly siteId: string;
  readonly clientId?: string | undefined;
  readonly memberId?: string | undefined;
}

/** The events of a campus, by name. */
export interface CampusEvents {
  fault: [FaultEvent];
  audit: [AuditEvent];
}

/** The emitter of `campus.events`. */
export type CampusEmitter = EventEmitter<CampusEvents>;

/** Told of everything that belongs into an audit log. */
export type OnAudit = (event: AuditEvent) => void;

/** Makes the emitter. */
export function createEvents(): CampusEmitter {
  return new EventEmitter<CampusEvents>();
}

/** Tells of a fault; one that nobody listens to is a warning of the process, so that it is not silent. */
export function emitFault(events: CampusEmitter, fault: FaultEvent): void {
  if (events.listenerCount('fault') === 0) return warn(fault);
  try {
    events.emit('fault', fault);
  } catch (cause) {
    warn({ message: 'a listener of campus.events "fault" threw', cause });
  }
}

/** Tells what was allowed or refused; what a listener throws is a fault, and never an answer to a client. */
export function emitAudit(events: CampusEmitter, event: AuditEvent): void {
  try {
    events.emit('audit', event);
  } catch (cause) {
    emitFault(events, { message: 'a listener of campus.events "audit" threw', cause });
  }
}

function warn({ message, cause }: FaultEvent): void {
  const detail = 'Listen to campus.events "fault" to hear of this yourself.';
  process.emitWarning(`${message}: ${String(cause)}`, { type: 'CampusWarning', detail });
}
