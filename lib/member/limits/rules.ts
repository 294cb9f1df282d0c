import {
  type DocumentNode,
  type GraphQLError,
  Kind,
  Lexer,
  parse,
  Source,
  TokenKind,
  type ValidationRule,
} from 'graphql';
import type { MemberApiLimits } from '../../plugin-contract/member-api.ts';
import { isPageSize, pageArgument, pageSizeProblem, refused } from '../schema/page.ts';
import { measure, type Measures } from './measures.ts';

const descriptions: readonly (readonly [keyof Measures, (count: number) => string])[] = [
  ['depth', (count) => `is ${count} levels deep`],
  ['fields', (count) => `has ${count} fields`],
  ['aliases', (count) => `has ${count} aliases`],
  ['directives', (count) => `has ${count} directives`],
];

/** The limits that no host needs to change. */
const fixedLimits = { fields: 500, aliases: 30, directives: 50 };

/** The limits of one operation. */
export type OperationLimits = MemberApiLimits & Partial<typeof fixedLimits>;

/** The error for an operation that exceeds a limit: status 400 in both media types. */
export function overLimit(what: string, limit: keyof OperationLimits, max: number): GraphQLError {
  return refused(`this operation ${what}; the limit is ${max}`, { code: 'LIMIT_EXCEEDED', limit });
}

/**
 * Parses a text with at most `max` tokens. The tokens are counted before parsing.
 *
 * @throws GraphQLError `LIMIT_EXCEEDED`, or the syntax error of graphql
 */
export function parseWithin(text: string, max: number): DocumentNode {
  const source = new Source(text);
  const lexer = new Lexer(source);
  let count = 0;
  while (lexer.advance().kind !== TokenKind.EOF) count += 1;
  if (count > max) throw overLimit(`has ${count} tokens`, 'tokens', max);
  return parse(source);
}

/**
 * The validation rule for the limits that depend on the document only, and for documents that cannot be measured. Page
 * sizes in variables are checked by `checkNodes`.
 */
export function limitRule(given: OperationLimits): ValidationRule {
  const limits = { ...fixedLimits, ...given };
  return (context) => ({
    Document: (document) => {
      const { sizes, cycle } = measure(document);
      if (cycle) {
        const message = `the fragment ${cycle[0]} spreads itself: ${cycle.join(' → ')}`;
        context.reportError(refused(message, { code: 'LIMIT_EXCEEDED' }));
      }
      for (const counted of sizes) {
        const over = descriptions.find(([name]) => counted[name] > limits[name]);
        if (!over) continue;
        const [name, describe] = over;
        context.reportError(overLimit(describe(counted[name]), name, limits[name]));
      }
    },
    VariableDefinition: ({ variable: { name } }) => {
      // GraphQL reserves these names, and implementations treat a variable `__proto__` differently.
      if (!name.value.startsWith('__')) return;
      const message = `a variable must not begin with "__", as $${name.value} does`;
      context.reportError(refused(message, { code: 'GRAPHQL_VALIDATION_FAILED' }));
    },
    Argument: (argument) => {
      const { name, value } = argument;
      if (name.value !== pageArgument || value.kind !== Kind.INT) return;
      const size = Number(value.value);
      if (!isPageSize(size)) context.reportError(pageSizeProblem(size, argument));
    },
  });
}
