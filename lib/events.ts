import { EventEmitter } from 'node:events';

/** Something that is not as it should be on this side: a caller got 500 or 503 for it. */
export interface FaultEvent {
  /** What failed, for example `platform.findMember failed`. */
  readonly message: string;
  /** What was thrown. */
  readonly cause: unknown;
}

/** The events of a campus, by name. */
export interface CampusEvents {
  fault: [FaultEvent];
}

/** The emitter of `campus.events`. */
export type CampusEmitter = EventEmitter<CampusEvents>;

/** Makes the emitter. */
export function createEvents(): CampusEmitter {
  return new EventEmitter<CampusEvents>();
}
