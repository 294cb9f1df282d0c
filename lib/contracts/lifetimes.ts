/** How long things live, in seconds. An ID token lives 600 s; the specification fixes that. */
export interface Lifetimes {
  /** @default 60 */
  readonly authorizationCode: number;
  /** @default 7200 (2 hours) */
  readonly accessToken: number;
  /** Sliding: every refresh starts it anew. @default 2592000 (30 days) */
  readonly refreshToken: number;
  /** A person's consent to a client. @default 15552000 (180 days) */
  readonly grant: number;
  /** From the authorization request to the person's answer. @default 3600 (1 hour) */
  readonly interaction: number;
  /** How long a redeemed refresh token gets the same answer again. 0 turns it off. @default 10 */
  readonly refreshGrace: number;
}
