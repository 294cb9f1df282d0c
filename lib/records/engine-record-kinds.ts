/** Rows of the records that the engine writes, under its own names. */
export const engineRecordKinds = {
  /**
   * A browser session: the person, and when and how they signed in.
   *
   * Kept 24 hours, and `lifetimes.pendingSignIn` while no one is signed in.
   */
  Session: {
    key: 's',
    secret: true,
    engine: true,
    people: ['accountId'],
    unread: ['iat', 'authorizations'],
    members: {},
  },
  /**
   * An authorization request that waits for the person.
   *
   * Kept `lifetimes.pendingSignIn`, and after sign-in `lifetimes.interaction`. Removed when it is complete.
   */
  Interaction: {
    key: 'i',
    secret: true,
    engine: true,
    people: ['session.accountId', 'result.login.accountId', 'params.id_token_hint'],
    unread: ['returnTo', 'trusted', 'cid'],
    members: {},
  },
  /**
   * A consent: the client, granted and refused scopes, dates and token families.
   *
   * Kept `lifetimes.grant` after the last consent, or until it is revoked.
   */
  Grant: {
    key: 'g',
    engine: true,
    people: ['accountId'],
    members: {
      accountId: 'string',
      clientId: 'string',
      scope: 'string',
      iat: 'number',
      exp: 'number',
      /** The school's origin when the person consented. */
      resource: 'string',
      /** Scopes that the person declined. */
      declined: 'string',
    },
    optional: {
      /** When the person last consented. Absent: once, at `iat`. */
      at: 'number',
      /** When the person last changed it without a consent. */
      changed: 'number',
      /** Scopes that are not granted, although they were asked for: the person, a rule or a policy refused them. */
      rejected: 'string',
      /** The pseudonym under which the person allowed it. Absent: their id. */
      sub: 'string',
      /** What the person has limited the client to: ids by the type of boundary. */
      only: 'lists',
      /** Scopes that the person has added later, by the token families that there were then. */
      added: 'lists',
      /** The app for which the client counts. Absent: it counts alone. */
      app: 'string',
      /** When a decision of the school ended its access tokens and left the person to the next refresh. Absent: no decision has. */
      unjudged: 'number',
    },
  },
  /**
   * The digest of a code.
   *
   * Kept `lifetimes.authorizationCode`.
   */
  AuthorizationCode: {
    key: 'a',
    secret: true,
    token: 'redeemable',
    engine: true,
    people: ['accountId'],
    unread: ['iat', 'sessionUid'],
    members: { accountId: 'string', clientId: 'string' },
  },
  /**
   * The digest of a token, its scopes and client.
   *
   * Kept `lifetimes.accessToken`, even when its connection has ended.
   */
  AccessToken: {
    key: 't',
    secret: true,
    token: 'reusable',
    engine: true,
    people: ['accountId'],
    unread: ['gty', 'sessionUid', 'sid'],
    members: {
      accountId: 'string',
      clientId: 'string',
      scope: 'string',
      iat: 'number',
      exp: 'number',
      /** The school's origin when the token was issued. */
      aud: 'string',
      audience: ['operator', 'member'],
      /** Whether the client is configured in code. */
      isStatic: 'boolean',
      /** What its client was then as an app, in a short code without any name that the app chose. */
      app: 'string',
    },
    /**
     * The roles of which the person needs one, by the rules that applied; when and how strongly the person has signed in; what the grant was limited to when the token was issued; the pseudonym by which the client knows the person; the thumbprint of the key that its sender must have.
     */
    optional: { roles: 'strings', authTime: 'number', acr: 'string', only: 'lists', sub: 'string', jkt: 'string' },
  },
  /**
   * The digest of a token, its scopes and client.
   *
   * Kept `lifetimes.refreshToken` after the last refresh, even when its connection has ended. A SQL store keeps it until the connection
   * ends.
   */
  RefreshToken: {
    key: 'r',
    secret: true,
    token: 'redeemable',
    engine: true,
    people: ['accountId'],
    unread: ['iat', 'gty', 'sessionUid', 'sid', 'nonce', 'claims', 'amr', 'iiat', 'rotations'],
    members: { accountId: 'string', clientId: 'string' },
  },
  // It has no grant: each use looks up the client.
  /**
   * The digest of a token of a service, which acts for the school.
   *
   * Kept `lifetimes.accessToken`.
   */
  ClientCredentials: {
    key: 'e',
    secret: true,
    engine: true,
    unread: [],
    members: { clientId: 'string', scope: 'string', iat: 'number', exp: 'number', aud: 'string' },
    /** The mark of the secret with which it was requested; the thumbprint of the key that its sender must have. */
    optional: { secret: 'string', jkt: 'string' },
  },
} as const;
