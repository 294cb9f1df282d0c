/**
 * Lifetimes in whole seconds, at least 1. The lifetime of an ID token is always 600 seconds. Specification: Limits.
 */
export interface Lifetimes {
  /** An authorization code. @default 60 */
  readonly authorizationCode: number;
  /** An access token. @default 7200 (2 hours) */
  readonly accessToken: number;
  /** A refresh token. Every refresh starts the time again. @default 2592000 (30 days) */
  readonly refreshToken: number;
  /** A person's consent to a client. @default 15552000 (180 days) */
  readonly grant: number;
  /** The time between the authorization request and the person's decision. @default 3600 (1 hour) */
  readonly interaction: number;
  /** How long a redeemed refresh token returns the same response again. 0 disables this. @default 10 */
  readonly refreshGrace: number;
}
