import { GraphQLScalarType } from 'graphql';
import { DateTimeISOResolver } from 'graphql-scalars';

/**
 * The scalar `DateTime` of graphql-scalars. A value that it cannot serialize is a fault of the platform, so the error is a
 * `TypeError`, which is masked.
 */
export const dateTime: GraphQLScalarType = new GraphQLScalarType({
  name: 'DateTime',
  specifiedByURL: DateTimeISOResolver.specifiedByURL,
  serialize: (value) => {
    try {
      return DateTimeISOResolver.serialize(value);
    } catch (cause) {
      throw new TypeError(`a DateTime must be a Date or an RFC 3339 string, not ${JSON.stringify(value)}`, {
        cause,
      });
    }
  },
  parseValue: (value) => DateTimeISOResolver.parseValue(value),
  parseLiteral: (node, variables) => DateTimeISOResolver.parseLiteral(node, variables),
});
