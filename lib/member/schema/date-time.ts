import { type ASTNode, GraphQLError, GraphQLScalarType, Kind, print } from 'graphql';

const date = /\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/;
const time = /(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?/;
const zone = /Z|[+-](?:[01]\d|2[0-3]):[0-5]\d/;
/** RFC 3339 section 5.6 without leap seconds, which a `Date` cannot represent. */
const rfc3339 = new RegExp(`^${date.source}T${time.source}(?:${zone.source})$`, 'i');

/** Input is RFC 3339 with a time zone; output is ISO 8601 in UTC with milliseconds. */
export const dateTime = new GraphQLScalarType({
  name: 'DateTime',
  serialize: (value) => {
    const instant = typeof value === 'number' ? valid(new Date(value)) : instantOf(value);
    if (instant) return instant.toISOString();
    // A fault of the platform: unlike a GraphQLError, a TypeError is masked.
    throw new TypeError(`a DateTime must be a Date or an RFC 3339 string, not ${JSON.stringify(value)}`);
  },
  parseValue: (value) => instantOf(value) ?? refuse(value, JSON.stringify(value)),
  parseLiteral: (node) => {
    const value = node.kind === Kind.STRING ? node.value : undefined;
    return instantOf(value) ?? refuse(value, print(node), node);
  },
});

function instantOf(value: unknown): Date | undefined {
  if (value instanceof Date) return valid(value);
  if (typeof value !== 'string' || !rfc3339.test(value)) return undefined;
  // `Date` reads February 30 as March 2.
  const day = value.slice(0, 10);
  return new Date(day).getUTCDate() === Number(day.slice(8)) ? new Date(value.toUpperCase()) : undefined;
}

function valid(instant: Date): Date | undefined {
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

function refuse(value: unknown, shown: string, nodes?: ASTNode): never {
  const what =
    value instanceof Date
      ? 'an invalid Date instance'
      : typeof value === 'string'
        ? `an invalid date-time-string ${value}.`
        : `non string or Date type ${shown}`;
  throw new GraphQLError(`DateTime cannot represent ${what}`, { nodes });
}
