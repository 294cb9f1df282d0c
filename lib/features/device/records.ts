export const deviceRecords = {
  /** What a device asked for, and how a person decided. It has no grant before that, so the code that is redeemed is a record of its own. */
  DeviceRequest: {
    key: 'h',
    secret: true,
    people: ['accountId', 'params.id_token_hint'],
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
    people: ['accountId'],
    unread: ['iat', 'sessionUid', 'params', 'userCode', 'inFlight', 'deviceInfo'],
    members: { accountId: 'string', clientId: 'string' },
  },
} as const;
