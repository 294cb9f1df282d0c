import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineTool } from '../../lib/mcp/index.ts';
import { webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { accessToken, callTool, resultOf, revisions } from './rpc.ts';

/** Ends in another order than it began. */
const diary = defineTool<{ n: number }>({
  name: 'diary',
  description: 'Whose diary it is.',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  access: { scopes: ['account:read'] },
  run: async ({ n }, { site, token }) => {
    for (let i = 0; i < (n * 7) % 11; i += 1) await turn();
    return { structuredContent: { n, site: site.id, member: token?.member.id, name: token?.member.name } };
  },
});

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({ mcp: { tools: [diary] } });
});
afterAll(() => schools.close());

test('60 calls at once for two people at two schools never see each other’s data', async () => {
  const callers = await Promise.all(
    [
      { origin: schools.harbour, site: 'harbour', member: 'sam', name: 'Sam Student' },
      { origin: schools.harbour, site: 'harbour', member: 'olivia', name: 'Olivia Owner' },
      { origin: schools.summit, site: 'summit', member: 'sam', name: 'Sam Student' },
      { origin: schools.summit, site: 'summit', member: 'tess', name: 'Tess Teacher' },
    ].map(async (caller) => ({
      ...caller,
      token: await accessToken(schools, caller.member, webMemberApp, 'openid account:read', caller.origin),
    })),
  );
  const rounds = Array.from({ length: 15 }, (_, round) => round);
  const calls = rounds.flatMap((round) =>
    callers.map(async ({ origin, token, ...caller }, i) => {
      const n = round * callers.length + i;
      const response = await callTool(origin, 'diary', { n }, { token, revision: revisions[n % 3 === 0 ? 1 : 0] });
      return { expected: { n, ...caller }, got: resultOf(response.body)['structuredContent'] };
    }),
  );
  expect(calls).toHaveLength(60);
  for (const { expected, got } of await Promise.all(calls)) expect(got).toEqual(expected);
});
