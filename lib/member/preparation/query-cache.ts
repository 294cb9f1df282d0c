import type { DocumentNode, GraphQLError, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequiredScopes } from '../scopes/required-scopes.ts';
import type { Execute } from '../executor/execute.ts';

const cachedBytes = 64 * 1024 * 1024;

/** Upper estimate of the memory for one token with its node, its locations and one selected field, from measurements. */
const bytesPerToken = 1200;

export interface Analysis {
  /** Why the operation is not run, with any token; or the operation. */
  readonly operation: OperationDefinitionNode | GraphQLError;
  readonly required: readonly RequiredScopes[];
  /** Whether the result depends on the variables. */
  readonly depends: boolean;
}

export interface PreparedQuery {
  readonly document: DocumentNode;
  readonly execute: Execute;
  /** Validation errors; if there are any, the document is not run. */
  readonly problems: readonly GraphQLError[];
  /** Analyses by operation name, if they do not depend on variables. */
  readonly analyses: Map<string | undefined, Analysis>;
}

interface Preparation {
  readonly parse: (query: string) => DocumentNode;
  readonly validate: (document: DocumentNode) => readonly GraphQLError[];
  /** Prepares a document to run, and to keep that many selected fields. */
  readonly compile: (document: DocumentNode, fields: number) => Execute;
}

/**
 * Parses and validates queries, and caches the valid ones for all schools, since clients repeat a few queries. The cache is
 * bounded by the estimated size of text, syntax tree and selections.
 *
 * @throws GraphQLError if the query cannot be parsed
 */
export function createQueryCache({ parse, validate, compile }: Preparation): (query: string) => PreparedQuery {
  const cache = new LRUCache<string, PreparedQuery>({ maxSize: cachedBytes });
  return (query) => {
    const known = cache.get(query);
    if (known) return known;
    const document = parse(query);
    const problems = validate(document);
    const tokens = tokensOf(document);
    const prepared = { document, execute: compile(document, tokens), problems, analyses: new Map() };
    // A string takes at most two bytes per character. The key and the document's source are the same string.
    if (problems.length === 0) cache.set(query, prepared, { size: tokens * bytesPerToken + query.length * 2 });
    return prepared;
  };
}

function tokensOf({ loc }: DocumentNode): number {
  let tokens = 1;
  for (let token = loc?.startToken.next; token; token = token.next) tokens += 1;
  return tokens;
}
