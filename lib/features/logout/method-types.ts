import type { Site } from '../../host/school-platform.ts';

/** What logout adds to `Campus`. */
export interface LogoutMethods {
  /**
   * Tells a person's applications that they have signed out of the platform, with the option `logout`. Each connected application with a
   * `backchannelLogoutUri` gets a logout token in the background. Returns the number of these applications, or 0 after 60 sign-outs of the
   * person in an hour. With `sessionId` from `signedInMember`, each ends that session, otherwise all sessions of the person. Call it where
   * your platform ends a session, but not in `logout.endSession`. It does not end connections: `connections.revokeAll` does, and also tells
   * the applications.
   *
   * @throws TypeError for a wrong argument, or without the option `logout`
   * @throws TemporarilyUnavailable if the store fails
   */
  signedOut(site: Site, memberId: string, sessionId?: string): Promise<{ readonly told: number }>;
}

declare module '../feature-methods.ts' {
  interface FeatureMethods extends LogoutMethods {}
}
