import type { CallOptions, DataPage, PageRequest } from '../../host/member-data.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import type { PersonAudience } from '../../core/clients/client.ts';
import type { JsonSchema, ScopedTool, ScopedToolCall } from '../../plugin-contract/tools.ts';
import { checkPage, cursorCap } from '../../host/paged-data.ts';

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

export type MemberToolCall<School extends Site, Person extends Member> = ScopedToolCall<PersonAudience, School, Person>;

/** Access and annotations of the tools that read the member's data. */
export const reading: Pick<ScopedTool, 'access' | 'annotations'> = {
  access: { scopes: ['account:read'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** The arguments for a `data` method about the calling member. */
export function memberCall<A extends unknown[], School extends Site, Person extends Member>(
  { token, site, signal }: MemberToolCall<School, Person>,
  ...args: A
): [viewer: Person, site: School, ...A, CallOptions] {
  return [token.member, site, ...args, { signal }];
}

interface Listing<T> {
  /** The platform's method that returned the page, for example `data.notifications`. */
  readonly method: string;
  /** The name of the list in the result. @default 'nodes' */
  readonly name?: string;
  readonly node: (node: T) => object;
}

export function listed<T>(
  { method, name = 'nodes', node }: Listing<T>,
  { first }: PageRequest,
  page: DataPage<T>,
): object {
  const { nodes, totalCount, hasNextPage, endCursor } = checkPage(method, first, page);
  return { [name]: nodes.map(node), totalCount, hasNextPage, endCursor };
}
