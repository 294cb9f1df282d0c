/** Members of clients that give them a grant type of a feature. Each feature adds its own (`declare module`). */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface GrantMembers {}

/** Properties of clients that belong to features, and give no grant type. Each feature adds its own (`declare module`). */
export interface ClientProperties {
  /**
   * `pairwise`: the client knows each person by a pseudonym, which no other client can join with its own. It gets `openid` alone, and as an
   * application of a school the `profile` and `email` that were chosen for it; its tokens are good for UserInfo only: the option
   * `pseudonyms`. OIDC Core section 8.1. @default the id of the member
   */
  readonly subject?: 'pairwise' | undefined;
}

/** What features add to clients, in options and applications. */
export interface ClientMembers extends GrantMembers, ClientProperties {}
