/** The headers of responses that the API description has. */
export const responseHeaders = {
  Challenge: {
    field: 'WWW-Authenticate',
    description:
      'A challenge (RFC 6750) with the error, the scopes that the call requires and the address of the metadata.',
    schema: { type: 'string', pattern: '^Bearer ' },
  },
  BasicChallenge: {
    field: 'WWW-Authenticate',
    description: 'The authentication scheme that the client used (RFC 6749 section 5.2).',
    schema: { type: 'string', pattern: '^Basic ' },
  },
  RetryAfter: {
    field: 'Retry-After',
    description: 'How long to wait, in seconds.',
    schema: { type: 'integer', minimum: 1 },
  },
  Allow: { field: 'Allow', description: 'The supported methods.', schema: { type: 'string' } },
  ETag: { field: 'ETag', description: 'The entity tag of the document.', schema: { type: 'string' } },
  Location: {
    field: 'Location',
    description: 'Where the browser continues.',
    schema: { type: 'string', format: 'uri-reference' },
  },
} as const;

export type HeaderName = keyof typeof responseHeaders;
