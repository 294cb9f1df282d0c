import type { JsonSchema } from '../../contracts/tools.ts';
import type { DataPage, PageRequest } from '../../contracts/member-data.ts';
import { checkPage, cursorCap } from '../../host/platform-responses.ts';

/** The arguments of a tool that answers a list, page by page. */
export interface PageArguments {
  readonly first: number;
  readonly after?: string | undefined;
}

/** `PageArguments` as JSON Schema. */
export const pageArguments: JsonSchema & { readonly properties: JsonSchema } = {
  type: 'object',
  properties: {
    first: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many at most.' },
    after: {
      type: 'string',
      minLength: 1,
      maxLength: cursorCap,
      description: 'The endCursor of the page before; leave it out for the first page.',
    },
  },
  additionalProperties: false,
};

/** The page that these arguments ask for. */
export function pageRequest({ first, after }: PageArguments): PageRequest {
  return after === undefined ? { first } : { first, after };
}

/** How a list leaves by a tool. */
export interface Listing<T> {
  /** The platform's method that answers it, for example `memberData.notifications`. */
  readonly method: string;
  /** What the list is called in the answer. */
  readonly name: string;
  /** What leaves of a node. */
  readonly node: (node: T) => object;
}

/** A page as structured content. */
export function listed<T>({ method, name, node }: Listing<T>, { first }: PageArguments, page: DataPage<T>): object {
  const { nodes, totalCount, hasNextPage, endCursor } = checkPage(method, first, page);
  return { [name]: nodes.map(node), totalCount, hasNextPage, endCursor };
}
