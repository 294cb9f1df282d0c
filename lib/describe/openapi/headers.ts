import type { ErrorHeader } from '../error-codes.ts';

/** A header of answers, among the components. */
export type HeaderName = ErrorHeader | 'ETag' | 'Location';

interface Header {
  /** Its name in the answer. */
  readonly field: string;
  readonly description: string;
  readonly schema: object;
}

const text = { type: 'string' } as const;

const table: Readonly<Record<HeaderName, Header>> = {
  Challenge: {
    field: 'WWW-Authenticate',
    description: 'A challenge (RFC 6750): the error, the scopes that the call needs, and where the metadata is.',
    schema: { type: 'string', pattern: '^Bearer ' },
  },
  BasicChallenge: {
    field: 'WWW-Authenticate',
    description: 'The scheme that was tried (RFC 6749 section 5.2).',
    schema: { type: 'string', pattern: '^Basic ' },
  },
  RetryAfter: { field: 'Retry-After', description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  Allow: { field: 'Allow', description: 'The methods that are possible.', schema: text },
  ETag: { field: 'ETag', description: 'The entity tag.', schema: text },
  Location: { field: 'Location', description: 'Where to go on.', schema: { type: 'string', format: 'uri-reference' } },
};

/** The headers that are always there where an answer refers to them, as components. */
export const headerComponents: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(table).map(([name, { description, schema }]) => [name, { description, schema, required: true }]),
);

/** A header of an answer that always has it. */
export function headerOf(name: HeaderName): object {
  return { [table[name].field]: { $ref: `#/components/headers/${name}` } };
}

/** A header of an answer that has it in these cases alone. */
export function someHeader(name: HeaderName, cases: readonly string[]): object {
  const { field, description, schema } = table[name];
  return { [field]: { description: `${description} Only ${cases.join('; ')}.`, schema } };
}
