import type { JsonSchema } from '../../contracts/tools.ts';
import type { DataPage, PageRequest } from '../../contracts/member-data.ts';
import { checkPage, cursorCap } from '../../host/platform-responses.ts';

/** The arguments of a tool that returns a list page by page. */
export interface PageArguments {
  /** The maximum number of items, 1 to 100. */
  readonly first: number;
  /** The `endCursor` of the previous page; absent for the first page. */
  readonly after?: string | undefined;
}

export const pageArguments: JsonSchema & { readonly properties: JsonSchema } = {
  type: 'object',
  properties: {
    first: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'The maximum number of items.' },
    after: {
      type: 'string',
      minLength: 1,
      maxLength: cursorCap,
      description: 'The endCursor of the previous page; omit it for the first page.',
    },
  },
  additionalProperties: false,
};

export function pageRequest({ first, after }: PageArguments): PageRequest {
  return after === undefined ? { first } : { first, after };
}

export interface Listing<T> {
  /** The platform's method that returns the list, for example `memberData.notifications`. */
  readonly method: string;
  /** The name of the list in the result. */
  readonly name: string;
  /** Selects the fields of a node that are returned. */
  readonly node: (node: T) => object;
}

export function listed<T>({ method, name, node }: Listing<T>, { first }: PageArguments, page: DataPage<T>): object {
  const { nodes, totalCount, hasNextPage, endCursor } = checkPage(method, first, page);
  return { [name]: nodes.map(node), totalCount, hasNextPage, endCursor };
}
