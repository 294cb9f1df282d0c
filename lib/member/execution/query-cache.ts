import { type DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Analysis } from './analysis.ts';

/** How much memory the cache may take, in bytes. */
const cachedBytes = 64 * 1024 * 1024;

/** What a document takes for each of its tokens, measured with room to spare: the token, its node and their places. */
const bytesPerToken = 600;

/** A document that was looked through. */
export interface PreparedQuery {
  readonly document: DocumentNode;
  /** Why it is not run. */
  readonly problems: readonly GraphQLError[];
  /** What is known of its operations, by name, where that does not depend on variables. */
  readonly analyses: Map<string | undefined, Analysis>;
}

/** Parses and validates. Both are costly, and clients send the same few texts. */
export interface Preparation {
  readonly parse: (query: string) => DocumentNode;
  readonly validate: (document: DocumentNode) => readonly GraphQLError[];
}

/**
 * Prepares documents, and keeps those that are valid. The cache is bounded by what it holds, text and tree: a document
 * of one school is the same at another.
 *
 * @throws GraphQLError for a text that is no document
 */
export function createQueryCache({ parse, validate }: Preparation): (query: string) => PreparedQuery {
  const cache = new LRUCache<string, PreparedQuery>({
    maxSize: cachedBytes,
    // A text has two bytes a character at most. The key and the document's source are one text.
    sizeCalculation: ({ document }, query) => tokensOf(document) * bytesPerToken + query.length * 2,
  });
  return (query) => {
    const known = cache.get(query);
    if (known) return known;
    const document = parse(query);
    const prepared = { document, problems: validate(document), analyses: new Map() };
    if (prepared.problems.length === 0) cache.set(query, prepared);
    return prepared;
  };
}

function tokensOf({ loc }: DocumentNode): number {
  let tokens = 1;
  for (let token = loc?.startToken.next; token; token = token.next) tokens += 1;
  return tokens;
}
