// Compiles only if the arguments of a tool have the type of its schema.
import type { VerifiedToken, VerifiedServiceToken } from 'campus-oidc';
import { defineTool, mcp } from 'campus-oidc/mcp';
import * as v from 'valibot';
import * as z from 'zod';
import { same } from './support.ts';

const about = { name: 'report', description: 'A report of the school.' };

mcp({
  tools: [
    defineTool({
      ...about,
      inputSchema: z.object({ year: z.number() }),
      access: { scopes: ['orders:read'], audience: ['service'] },
      run({ year }, { token }) {
        same<typeof token, VerifiedServiceToken>(true);
        return `${year} ${token.clientId}`;
      },
    }),
    defineTool({
      ...about,
      inputSchema: v.object({ year: v.number() }),
      access: { scopes: ['orders:read'], audience: ['operator', 'service'] },
      run: ({ year }, { token }) => {
        same<typeof token, VerifiedToken | VerifiedServiceToken>(true);
        return `${year} ${token.member?.name}`;
      },
    }),
    defineTool({
      ...about,
      inputSchema: z.object({ year: z.number() }),
      access: 'public',
      run: ({ year }, { token }) => {
        same<typeof token, VerifiedToken | undefined>(true);
        return `${year}`;
      },
    }),
  ],
});
