/** Rows of the records that the engine writes, under its own names. */
export const engineRecordKinds = {
  Session: { key: 's', secret: true, engine: true, unread: ['iat', 'authorizations'], members: {} },
  Interaction: { key: 'i', secret: true, engine: true, unread: ['returnTo', 'trusted', 'cid'], members: {} },
  Grant: {
    key: 'g',
    engine: true,
    members: {
      accountId: 'string',
      clientId: 'string',
      scope: 'string',
      iat: 'number',
      exp: 'number',
      /** The site's origin when the person consented. */
      resource: 'string',
    },
    optional: {
      /** When the person last consented. Absent: once, at `iat`. */
      at: 'number',
      /** Scopes that are not granted, although they were asked for. */
      rejected: 'string',
      /** Those that the person declined. Absent: all; otherwise a rule or a consent policy refused the others. */
      declined: 'string',
    },
  },
  AuthorizationCode: {
    key: 'a',
    secret: true,
    token: 'redeemable',
    engine: true,
    unread: ['iat', 'sessionUid'],
    members: { accountId: 'string', clientId: 'string' },
  },
  AccessToken: {
    key: 't',
    secret: true,
    token: 'reusable',
    engine: true,
    unread: ['gty', 'sessionUid'],
    members: {
      accountId: 'string',
      clientId: 'string',
      scope: 'string',
      iat: 'number',
      exp: 'number',
      /** The site's origin when the token was issued. */
      aud: 'string',
      audience: ['operator', 'member'],
      /** Whether the client is configured in code. */
      isStatic: 'boolean',
    },
    /** The program of a client that registered itself; the roles of which the person needs one, by the school's rule. */
    optional: { program: 'object', roles: 'strings' },
  },
  /** An access token of a service. It has no grant: each use looks up the client. */
  ClientCredentials: {
    key: 'e',
    secret: true,
    engine: true,
    unread: [],
    members: { clientId: 'string', scope: 'string', iat: 'number', exp: 'number', aud: 'string' },
    /** The mark of the secret with which it was requested. */
    optional: { secret: 'string' },
  },
  RefreshToken: {
    key: 'r',
    secret: true,
    token: 'redeemable',
    engine: true,
    unread: ['gty', 'sessionUid', 'nonce', 'claims', 'authTime', 'amr', 'iiat', 'rotations'],
    members: { accountId: 'string', clientId: 'string' },
  },
  /** What a device asked for, and how a person decided. It has no grant before that, so the code that is redeemed is a record of its own. */
  DeviceRequest: {
    key: 'h',
    secret: true,
    members: { exp: 'number' },
    optional: {
      /** In the record of a user code, which has nothing else: the id of the record of its device. */
      device: 'string',
      clientId: 'string',
      params: 'object',
      deviceInfo: 'object',
      /** The person who has allowed it. */
      accountId: 'string',
      error: 'string',
      /** When it was decided. */
      at: 'number',
      /** Which request has decided: another one does not count as the same. */
      attempt: 'string',
    },
  },
  /** A device code that a person has allowed. */
  DeviceCode: {
    key: 'j',
    secret: true,
    token: 'redeemable',
    engine: true,
    unread: ['iat', 'sessionUid', 'params', 'userCode', 'inFlight', 'deviceInfo'],
    members: { accountId: 'string', clientId: 'string' },
  },
} as const;
