import type { PublicCatalogue } from '../../contracts/public-catalogue.ts';
import type { Tool, ToolCall, ToolResult } from '../../contracts/tools.ts';
import { publicCourse } from './nodes.ts';
import { listed, type PageArguments, pageArguments, pageRequest } from './paging.ts';

const listing = { method: 'catalogue.courses', name: 'courses', node: publicCourse } as const;
const annotations = { readOnlyHint: true, openWorldHint: false } as const;

/** The public courses of a school. */
export function listCourses(catalogue: PublicCatalogue): Tool<PageArguments> {
  return {
    name: 'list_courses',
    title: 'Courses of this school',
    description: 'Lists the public courses of the school, page by page.',
    inputSchema: pageArguments,
    access: 'public',
    annotations,
    run: (args, call) => courses(catalogue, undefined, args, call),
  };
}

/** The public courses of a school that match a search text. */
export function searchCourses(catalogue: PublicCatalogue): Tool<PageArguments & { readonly query: string }> {
  const query = { type: 'string', minLength: 1, maxLength: 200, description: 'The search text.' };
  return {
    name: 'search_courses',
    title: 'Search the courses of this school',
    description: 'Finds public courses of the school by words in their name or summary.',
    inputSchema: { ...pageArguments, properties: { query, ...pageArguments.properties }, required: ['query'] },
    access: 'public',
    annotations,
    run: (args, call) => courses(catalogue, args.query, args, call),
  };
}

async function courses(
  catalogue: PublicCatalogue,
  search: string | undefined,
  args: PageArguments,
  { site, signal }: ToolCall,
): Promise<ToolResult> {
  const request = search === undefined ? pageRequest(args) : { ...pageRequest(args), search };
  const page = await catalogue.courses(site, request, { signal });
  return { structuredContent: listed(listing, args, page) };
}
