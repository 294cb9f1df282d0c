/** Members of clients that give them a grant type of a feature. Each feature adds its own (`declare module`). */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface GrantMembers {}

/** Properties of clients that belong to features, and give no grant type. Each feature adds its own (`declare module`). */
export interface ClientProperties {
  /**
   * With `pairwise`, the client knows each person by a pseudonym that other clients cannot link to theirs. It gets only `openid`, and as an
   * application of a school also the `profile` and `email` that were chosen for it. Its tokens only work at UserInfo. Requires the option
   * `pseudonyms`. OIDC Core section 8.1. @default the id of the member
   */
  readonly subject?: 'pairwise' | undefined;
}

/** What features add to clients, in options and applications. */
export interface ClientMembers extends GrantMembers, ClientProperties {}
