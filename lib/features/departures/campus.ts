import type { MemberData, Sites } from './leaving.ts';

/** What departures add to `Campus`. */
export interface DepartureMethods {
  /** Schools that leave: what is stored of them, and its removal. */
  readonly sites: Sites;
  /** What is stored of a person, and its removal. */
  readonly members: MemberData;
}
