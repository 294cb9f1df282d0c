import type { Site } from '../../host/school-platform.ts';

/** What logout adds to `Campus`. */
export interface LogoutMethods {
  /**
   * Tells the applications of a person that they have signed out of the platform, with the option `logout`: a logout token is sent to each that
   * the person has connected and that has a `backchannelLogoutUri`. Returns how many that are, 0 after 60 sign-outs of the person in an hour; nothing
   * waits for them. With `sessionId`, which
   * is that of `signedInMember`, each signs out that session, otherwise all of the person. Call it where your platform ends a session,
   * but not in `logout.endSession`. Connections stay: `connections.revokeAll` ends them, and tells the applications too.
   *
   * @throws TypeError for an argument, or without the option `logout`; TemporarilyUnavailable if the store fails
   */
  signedOut(site: Site, memberId: string, sessionId?: string): Promise<{ readonly told: number }>;
}

declare module '../feature-methods.ts' {
  interface FeatureMethods extends LogoutMethods {}
}
