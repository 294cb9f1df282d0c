import type { PageRequest } from '../../host/member-data.ts';
import type { CatalogueRequest, PublicCatalogue } from '../../host/public-catalogue.ts';
import type { PersonAudience } from '../../core/clients/client.ts';
import type { Site } from '../../host/school-platform.ts';
import type { Tool, ToolCall } from '../../plugin-contract/tools.ts';
import { paths } from '../../http/paths.ts';
import { listed, pageArguments } from './listing.ts';
import { publicCourse } from './nodes.ts';

const publicReading = {
  access: 'public',
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const satisfies Partial<Tool>;

/** The school's name, address and logo, and the address of the guide for developers. */
export function schoolInfo(): Tool {
  return {
    name: 'school_info',
    title: 'About this school',
    description: 'Returns the name, address and logo of this school and the address of its guide for developers.',
    ...publicReading,
    run: (_args, { site: { name, origin, logoUrl } }) => ({
      structuredContent: { name, origin, logoUrl, guide: `${origin}${paths.guide}` },
    }),
  };
}

/** The public courses of a school. */
export function listCourses<School extends Site = Site>(
  catalogue: PublicCatalogue<School>,
): Tool<PageRequest, PersonAudience, School> {
  return {
    name: 'list_courses',
    title: 'Courses of this school',
    description: 'Lists the public courses of the school, page by page.',
    inputSchema: pageArguments,
    ...publicReading,
    run: (args, call) => courses(catalogue, args, call),
  };
}

/** The public courses of a school that match a search text. */
export function searchCourses<School extends Site = Site>(
  catalogue: PublicCatalogue<School>,
): Tool<PageRequest & { readonly query: string }, PersonAudience, School> {
  const query = { type: 'string', minLength: 1, maxLength: 200, description: 'The search text.' };
  return {
    name: 'search_courses',
    title: 'Search the courses of this school',
    description: 'Finds public courses of the school by words in their name or summary.',
    inputSchema: { ...pageArguments, properties: { query, ...pageArguments.properties }, required: ['query'] },
    ...publicReading,
    run: ({ query: search, ...args }, call) => courses(catalogue, { ...args, search }, call),
  };
}

async function courses<School extends Site>(
  catalogue: PublicCatalogue<School>,
  request: CatalogueRequest,
  { site, signal }: ToolCall<PersonAudience, School>,
) {
  const page = await catalogue.courses(site, request, { signal });
  const listing = { method: 'catalogue.courses', name: 'courses', node: publicCourse };
  return { structuredContent: listed(listing, request, page) };
}
