import { InvalidRequest } from 'campus-oidc';
import { builtInTools, defineTool, type PublicCatalogue } from 'campus-oidc/mcp';
import type { MemberData } from 'campus-oidc/member-api';
import type { Courses } from './courses.ts';

/** The tools of `/mcp`: those of campus-oidc that the platform has the data for, and one of its own. */
export function schoolTools(data: MemberData, courses: Courses) {
  const createCourse = defineTool<{ readonly slug: string; readonly name: string }>({
    name: 'create_course',
    title: 'Create a course',
    description: 'Creates a course of this school. It has no lectures at first.',
    inputSchema: {
      type: 'object',
      properties: {
        slug: {
          type: 'string',
          pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
          maxLength: 80,
          description: 'For addresses; unique.',
        },
        name: { type: 'string', minLength: 1, maxLength: 200 },
      },
      required: ['slug', 'name'],
      additionalProperties: false,
    },
    access: { scopes: ['courses:write'] },
    annotations: { destructiveHint: false, openWorldHint: false },
    run(course, { site }) {
      if (!courses.add(site.id, course))
        throw new InvalidRequest(`there is a course with the slug ${course.slug} already`);
      return { structuredContent: { created: course }, about: course.name };
    },
  });
  const catalogue: PublicCatalogue = { courses: (site, request) => courses.page(site.id, request) };
  return [...builtInTools({ data, catalogue }), createCourse];
}
