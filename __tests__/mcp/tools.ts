import type { Tool } from '../../lib/mcp/index.ts';

/** Who calls, as the tools of these tests tell it. */
function who({ token, site }: Parameters<Tool['run']>[1]) {
  return { structuredContent: { member: token?.member.id, client: token?.clientId, site: site.id } };
}

/** One tool of each kind of access. */
export const accessTools: readonly Tool<unknown>[] = [
  { name: 'open', description: 'For everybody.', access: 'public', run: (_args, call) => who(call) },
  { name: 'any_token', description: 'For any token.', access: { scopes: [] }, run: (_args, call) => who(call) },
  {
    name: 'inbox',
    description: 'For member clients.',
    access: { scopes: ['account:read'] },
    run: (_args, call) => who(call),
  },
  {
    name: 'report',
    description: 'Needs two scopes.',
    access: { scopes: ['courses:read', 'orders:read'] },
    run: (_args, call) => who(call),
  },
  {
    name: 'courses',
    description: 'Does several things.',
    inputSchema: {
      type: 'object',
      properties: { action: { type: 'string', default: 'list' } },
      additionalProperties: false,
    },
    access: {
      scopes: ['courses:read'],
      actions: { argument: 'action', scopes: { list: [], publish: ['courses:write'] } },
    },
    run: (args) => ({ structuredContent: { did: args } }),
  },
];
