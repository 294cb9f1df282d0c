// Compiles only if `access` is there where a tool demands scopes.
import type { Access, ServiceAccess } from 'campus-oidc';
import { defineTool, mcp } from 'campus-oidc/mcp';
import * as v from 'valibot';
import * as z from 'zod';
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
        return access.member.name;
      },
    }),
    defineTool<{ readonly year: number }>({
      ...about,
      access: { scopes: [], actions: { argument: 'year', scopes: { 2031: ['orders:read'] } } },
      run: ({ year }, { access }) => `${year} ${access.member.name}`,
    }),
    defineTool({
      ...about,
      inputSchema: z.object({ year: z.number() }),
      access: { scopes: ['orders:read'], audience: ['service'] },
      run({ year }, { access }) {
        same<typeof access, ServiceAccess>(true);
        return `${year} ${access.clientId}`;
      },
    }),
    defineTool({
      ...about,
      inputSchema: v.object({ year: v.number() }),
      access: { scopes: ['orders:read'], audience: ['operator', 'service'] },
      run: ({ year }, { access }) => {
        same<typeof access, Access | ServiceAccess>(true);
        return `${year} ${access.member?.name}`;
      },
    }),
    defineTool({
      ...about,
      access: 'public',
      // @ts-expect-error anyone may call it
      run: (_args, { access }) => access.clientId,
    }),
    defineTool({
      ...about,
      inputSchema: z.object({ year: z.number() }),
      access: 'public',
      run: ({ year }, { access }) => {
        same<typeof access, Access | undefined>(true);
        return `${year}`;
      },
    }),
  ],
});
