import type { ErrorHeader } from '../error-codes.ts';

export type HeaderName = ErrorHeader | 'ETag' | 'Location';

interface Header {
  /** Its name in the HTTP response. */
  readonly field: string;
  readonly description: string;
  readonly schema: object;
}

const text = { type: 'string' } as const;

const table: Readonly<Record<HeaderName, Header>> = {
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
  Allow: { field: 'Allow', description: 'The supported methods.', schema: text },
  ETag: { field: 'ETag', description: 'The entity tag of the document.', schema: text },
  Location: {
    field: 'Location',
    description: 'Where the browser continues.',
    schema: { type: 'string', format: 'uri-reference' },
  },
};

/** Components: a response that refers to one always has the header. */
export const headerComponents: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(table).map(([name, { description, schema }]) => [name, { description, schema, required: true }]),
);

/** A header that the response always has. */
export function requiredHeader(name: HeaderName): object {
  return { [table[name].field]: { $ref: `#/components/headers/${name}` } };
}

/** A header that the response has only in these cases. */
export function optionalHeader(name: HeaderName, cases: readonly string[]): object {
  const { field, description, schema } = table[name];
  return { [field]: { description: `${description} Only ${cases.join('; ')}.`, schema } };
}
