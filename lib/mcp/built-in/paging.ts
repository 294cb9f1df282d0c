import type { JsonSchema } from '../../contracts/tools.ts';
import type { PageRequest } from '../../contracts/member-data.ts';

/** The arguments of a tool that answers a list, page by page. */
export interface PageArguments {
  readonly first: number;
  readonly after?: string | undefined;
}

/** `PageArguments` as properties of a JSON Schema. */
export const pageProperties: JsonSchema = {
  first: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many at most.' },
  after: {
    type: 'string',
    minLength: 1,
    maxLength: 1000,
    description: 'The endCursor of the page before; leave it out for the first page.',
  },
};

/** The page that these arguments ask for. */
export function pageRequest({ first, after }: PageArguments): PageRequest {
  return after === undefined ? { first } : { first, after };
}
