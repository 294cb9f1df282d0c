import type { Site } from '../../host/school-platform.ts';

/** An application that was to learn that a person has signed out, and did not. */
export interface UndeliveredSignOut {
  readonly siteId: string;
  readonly clientId: string;
  readonly address: string;
  /** In words that follow the address: `answered 500, three times`. */
  readonly reason: string;
}

/** How applications learn that a person is signed out at a school. Features make it. */
export interface SignOuts {
  /** Sends notices to the applications of a person, later. Returns how many. Absent where no application gets one. */
  readonly signedOut: ((site: Site, memberId: string, sessionId: string | undefined) => Promise<number>) | undefined;
  /** The applications whose last notice failed, some at most. */
  readonly undelivered: () => readonly UndeliveredSignOut[];
  /** Resolves when nobody waits to be told. What waits to be tried again is tried at once. */
  readonly close: () => Promise<void>;
}

/** Where no feature tells applications. */
export const noSignOuts: SignOuts = {
  signedOut: undefined,
  undelivered: () => [],
  close: async () => {},
};
