import type { EventEmitter } from 'node:events';
import { inspect } from 'node:util';

/** A failure on the server's side, such as the store, the platform or a listener. A caller may have got 500 or 503. */
export interface FaultEvent {
  /** What failed, for example `platform.findMember failed`. */
  readonly message: string;
  /** What was thrown. */
  readonly cause: unknown;
}

/** One decision of the service. It holds no credential. */
export interface AuditEvent {
  /**
   * `authorization`: a code; `token`: an exchange; `refresh`: a refresh; `revocation`: the end of a token
   * family or of a connection; `registration`: a new client; `document`: a metadata document was shown, reviewed or fetched;
   * `client`: a school has blocked or unblocked a client.
   */
  readonly what: 'authorization' | 'token' | 'refresh' | 'revocation' | 'registration' | 'document' | 'client';
  readonly decision: 'allowed' | 'refused';
  /**
   * - Refused: the error code; `reused` for a code or refresh token that was sent again, which ends its token family;
   *   `lost_race` for one that another request redeemed or revoked first.
   * - Of a document, allowed: `seen`, `approved`, `changed`, also if another version was approved there, or `stale` if its last good copy serves because it cannot be
   *   fetched. Refused: `rejected`, `unreachable`, or the error code if its copy no longer serves.
   * - Allowed: the policy that admitted a registration; `replayed` for a repeated refresh that got the first response;
   *   `first_party` for an authorization without the consent page, because the client is part of the platform;
   *   `narrowed` for a revocation of some scopes of a connection, which goes on without them.
   * Of a client: `blocked` (refused) or `unblocked` (allowed).
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

export type OnAudit = (event: AuditEvent) => void;

/** Reports a fault, with its cause, before the caller gets 500 or 503. */
export type OnFault = (message: string, cause: unknown) => void;

/** Reports a fault; one that nothing listens to becomes a process warning, so that it is not lost. */
export function emitFault(events: CampusEmitter, fault: FaultEvent): void {
  if (events.listenerCount('fault') === 0) return warn(fault);
  notify(events, 'fault', fault, warn);
}

/** A listener that fails is a fault, and changes no response. */
export function emitAudit(events: CampusEmitter, event: AuditEvent): void {
  notify(events, 'audit', event, (failure) => emitFault(events, failure));
}

/**
 * Calls every listener, even after one has failed. `EventEmitter.emit` would stop at the first that throws, and a
 * promise that a listener returns and that rejects would end the process.
 */
function notify<N extends keyof CampusEvents>(
  events: CampusEmitter,
  name: N,
  event: CampusEvents[N][0],
  onFailure: (failure: FaultEvent) => void,
): void {
  for (const listener of events.rawListeners(name)) {
    const call = async (): Promise<unknown> => Reflect.apply(listener, events, [event]);
    call().catch((cause: unknown) => onFailure({ message: `a listener of campus.events "${name}" failed`, cause }));
  }
}

function warn({ message, cause }: FaultEvent): void {
  const detail = 'To handle faults yourself, listen to campus.events "fault".';
  // String() throws for an object without a prototype.
  const thrown = cause instanceof Error ? String(cause) : inspect(cause, { depth: 0 });
  process.emitWarning(`${message}: ${thrown}`, { type: 'CampusWarning', detail });
}
