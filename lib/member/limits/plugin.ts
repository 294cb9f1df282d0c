import {
  type DocumentNode,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  parse,
  type ParseOptions,
  Source,
  TokenKind,
  validate,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { MemberApiLimits } from '../../contracts/member-api.ts';
import { limitRules, overLimit } from './rules.ts';

/**
 * Checks the limits before work that grows with the document: tokens before parsing, and the limit rules before graphql's
 * rules, some of which compare all pairs of fields.
 */
export function limitsPlugin(limits: MemberApiLimits, introspection: boolean): Plugin {
  const rules = limitRules(limits);
  return {
    onParse: ({ setParseFn }) => {
      setParseFn((source: string | Source, options) => parseWithin(source, limits.tokens, options));
    },
    onValidate: ({ validateFn, setValidationFn, addValidationRule }) => {
      if (!introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema, document, ...rest) => {
        const broken = validate(schema, document, rules);
        return broken.length > 0 ? broken : validateFn(schema, document, ...rest);
      });
    },
  };
}

/**
 * Parses a text with at most `most` tokens. The tokens are counted before parsing.
 *
 * @throws GraphQLError `LIMIT_EXCEEDED`, or the syntax error of graphql
 */
export function parseWithin(text: string | Source, most: number, options?: ParseOptions): DocumentNode {
  const source = typeof text === 'string' ? new Source(text) : text;
  const lexer = new Lexer(source);
  let count = 0;
  while (lexer.advance().kind !== TokenKind.EOF) count += 1;
  if (count > most) throw overLimit(`has ${count} tokens`, 'tokens', most);
  return parse(source, options);
}
