// Compiles only if `access` is there where a tool demands scopes.
import type { VerifiedToken, VerifiedServiceToken } from 'campus-oidc';
import { defineTool, mcp } from 'campus-oidc/mcp';
import { same } from './support.ts';

const about = { name: 'report', description: 'A report of the school.' };

mcp({
  tools: [
    defineTool({
      ...about,
      access: { scopes: ['orders:read'] },
      run: (args, { token }) => {
        same<typeof args, Readonly<Record<string, unknown>>>(true);
        same<typeof token, VerifiedToken>(true);
        return token.member.id;
      },
    }),
    defineTool<{ readonly year: number }>({
      ...about,
      access: { scopes: [], actions: { argument: 'year', scopes: { 2031: ['orders:read'] } } },
      run: ({ year }, { token }) => `${year} ${token.member.name}`,
    }),
    defineTool({
      ...about,
      access: { scopes: ['orders:read'], audience: ['service'] },
      run: (_args, { token }) => {
        same<typeof token, VerifiedServiceToken>(true);
        return token.clientId;
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
