import { type DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Verdict } from './verdict.ts';

/** How many tokens the documents in the cache have in all: about 60 MB at the very worst. */
const cachedTokens = 100_000;

/** A document that was looked through. */
export interface Prepared {
  readonly document: DocumentNode;
  /** Why it is not run. */
  readonly problems: readonly GraphQLError[];
  /** What is known of its operations, by name, where that does not depend on variables. */
  readonly verdicts: Map<string | undefined, Verdict>;
}

/** Parses and validates. Both are costly, and clients send the same few texts. */
export interface Preparation {
  readonly parse: (query: string) => DocumentNode;
  readonly validate: (document: DocumentNode) => readonly GraphQLError[];
}

/**
 * Prepares documents, and keeps those that are valid. The cache is bounded by tokens, since memory is: a document of
 * one school is the same at another.
 *
 * @throws GraphQLError for a text that is no document
 */
export function createDocuments({ parse, validate }: Preparation): (query: string) => Prepared {
  const cache = new LRUCache<string, Prepared>({
    maxSize: cachedTokens,
    sizeCalculation: ({ document }) => tokensOf(document),
  });
  return (query) => {
    const known = cache.get(query);
    if (known) return known;
    const document = parse(query);
    const prepared = { document, problems: validate(document), verdicts: new Map() };
    if (prepared.problems.length === 0) cache.set(query, prepared);
    return prepared;
  };
}

function tokensOf({ loc }: DocumentNode): number {
  let tokens = 1;
  for (let token = loc?.startToken.next; token; token = token.next) tokens += 1;
  return tokens;
}
