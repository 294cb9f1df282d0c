import type { DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Plan } from './plan/plan.ts';

const cachedBytes = 64 * 1024 * 1024;

/** Upper estimate of the memory for one token with its node and locations, from measurements. */
const bytesPerToken = 600;

export interface Analysis {
  /** Why the operation is not run, with any token. */
  readonly problem: GraphQLError | undefined;
  readonly scopes: readonly string[];
  /** Whether the result depends on the variables. */
  readonly depends: boolean;
}

/** Upper estimate of the memory for one field of a plan. */
const bytesPerField = 500;

interface PreparedQuery {
  readonly document: DocumentNode;
  /** Absent for unusual documents. */
  readonly plan: Plan | undefined;
  /** Validation errors; if there are any, the document is not run. */
  readonly problems: readonly GraphQLError[];
  /** Analyses by operation name, if they do not depend on variables. */
  readonly analyses: Map<string | undefined, Analysis>;
}

interface Preparation {
  readonly parse: (query: string) => DocumentNode;
  readonly validate: (document: DocumentNode) => readonly GraphQLError[];
  /** Called for a valid document. @default no document has a plan */
  readonly compile?: (document: DocumentNode) => Plan | undefined;
}

/**
 * Parses and validates queries, and caches the valid ones for all schools, since clients repeat a few queries. The cache is
 * bounded by the estimated size of text and syntax tree.
 *
 * @throws GraphQLError if the query cannot be parsed
 */
export function createQueryCache({
  parse,
  validate,
  compile = () => undefined,
}: Preparation): (query: string) => PreparedQuery {
  const cache = new LRUCache<string, PreparedQuery>({
    maxSize: cachedBytes,
    // A string takes at most two bytes per character. The key and the document's source are the same string.
    sizeCalculation: ({ document, plan }, query) =>
      tokensOf(document) * bytesPerToken + query.length * 2 + (plan?.size ?? 0) * bytesPerField,
  });
  return (query) => {
    const known = cache.get(query);
    if (known) return known;
    const document = parse(query);
    const problems = validate(document);
    const plan = problems.length === 0 ? compile(document) : undefined;
    const prepared = { document, plan, problems, analyses: new Map() };
    if (problems.length === 0) cache.set(query, prepared);
    return prepared;
  };
}

function tokensOf({ loc }: DocumentNode): number {
  let tokens = 1;
  for (let token = loc?.startToken.next; token; token = token.next) tokens += 1;
  return tokens;
}
