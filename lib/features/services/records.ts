export const servicesRecords = {
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
} as const;
