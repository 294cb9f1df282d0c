import { GraphQLScalarType } from 'graphql';
import { DateTimeISOResolver } from 'graphql-scalars';

/**
 * The scalar `DateTime`: that of graphql-scalars. What the host answers and it cannot read is a mistake of the host, so
 * its message is not the caller's to see.
 */
export const dateTime: GraphQLScalarType = new GraphQLScalarType({
  name: 'DateTime',
  specifiedByURL: DateTimeISOResolver.specifiedByURL,
  serialize: (value) => {
    try {
      return DateTimeISOResolver.serialize(value);
    } catch (cause) {
      throw new TypeError(`a moment must be a Date, or a string as in RFC 3339, not ${JSON.stringify(value)}`, {
        cause,
      });
    }
  },
  parseValue: (value) => DateTimeISOResolver.parseValue(value),
  parseLiteral: (node, variables) => DateTimeISOResolver.parseLiteral(node, variables),
});
