import { builtInTools, defineTool, InvalidRequest, type SchoolPlatform } from 'campus-oidc';
import type { Courses } from './courses.ts';

/** The tools of `/mcp`: the built-in ones that the platform has data for, and one of its own. */
export function schoolTools(platform: SchoolPlatform, courses: Courses) {
  const createCourse = defineTool<{ readonly slug: string; readonly name: string }>({
    name: 'create_course',
    title: 'Create a course',
    description: 'Creates a course at this school, without lectures.',
    inputSchema: {
      type: 'object',
      properties: {
        slug: {
          type: 'string',
          pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
          maxLength: 80,
          description: 'Used in URLs; unique.',
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
        throw new InvalidRequest(`there is already a course with the slug ${course.slug}`);
      return { structuredContent: { created: course } };
    },
  });
  return [...builtInTools(platform), createCourse];
}
