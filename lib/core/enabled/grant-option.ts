/** A grant type to turn on, which a function of `campus-oidc/grants` returns. */
export interface OptionalGrant {
  readonly grantType: string;
  /** Whether clients that register themselves can have it. */
  readonly registered?: boolean;
}
