import type { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import type { AuditEvent } from './audit-event.ts';

/** A failure on the server's side, such as the store, the platform or a listener. A caller may have got 500 or 503. */
export interface FaultEvent {
  /** What failed, for example `platform.findMember failed`. */
  readonly message: string;
  /** What was thrown. */
  readonly cause: unknown;
}

/** The events of a campus, by name. */
export interface CampusEvents {
  fault: [FaultEvent];
  audit: [AuditEvent];
}

/** The emitter of `campus.events`. */
export type CampusEmitter = EventEmitter<CampusEvents>;

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
