// Compiles only if `access` is there where a tool demands scopes.
import type { Access, ServiceAccess } from 'campus-oidc';
import { defineTool, mcp } from 'campus-oidc/mcp';
import { same } from './support.ts';

const about = { name: 'report', description: 'A report of the school.' };

mcp({
  tools: [
    defineTool({
      ...about,
      access: { scopes: ['orders:read'] },
      run: (args, { access }) => {
        same<typeof args, Readonly<Record<string, unknown>>>(true);
        same<typeof access, Access>(true);
        return access.member.id;
      },
    }),
    defineTool<{ readonly year: number }>({
      ...about,
      access: { scopes: [], actions: { argument: 'year', scopes: { 2031: ['orders:read'] } } },
      run: ({ year }, { access }) => `${year} ${access.member.name}`,
    }),
    defineTool({
      ...about,
      access: { scopes: ['orders:read'], audience: ['service'] },
      run: (_args, { access }) => {
        same<typeof access, ServiceAccess>(true);
        return access.clientId;
      },
    }),
    defineTool({
      ...about,
      access: 'public',
      // @ts-expect-error anyone may call it
      run: (_args, { access }) => access.clientId,
    }),
  ],
});
