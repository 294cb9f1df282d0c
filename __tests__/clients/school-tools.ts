import { defineTool, type Tool } from '../../lib/mcp/index.ts';

const courseArguments = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
  additionalProperties: false,
};

/** Tools of a school: for everybody, for operators and for members. */
export const schoolTools: readonly Tool<unknown>[] = [
  {
    name: 'school_info',
    description: 'What the school is called.',
    access: 'public',
    run: (_args, { site }) => site.name,
  },
  defineTool({
    name: 'create_course',
    description: 'Creates a course.',
    inputSchema: courseArguments,
    access: { scopes: ['courses:write'] },
    run: ({ title }, { token, site }) => ({
      structuredContent: { created: title, at: site.id, by: token?.member.id },
    }),
  }),
  {
    name: 'list_orders',
    description: 'Lists orders.',
    access: { scopes: ['orders:read'] },
    run: () => ({ structuredContent: { orders: [] } }),
  },
  {
    name: 'my_inbox',
    description: 'Lists your notifications.',
    access: { scopes: ['account:read'] },
    run: (_args, { token }) => ({ structuredContent: { inboxOf: token?.member.id } }),
  },
];

/** The tool that every operator's app is to call. */
export const createCourse = { name: 'create_course', arguments: { title: 'Knots' } } as const;
