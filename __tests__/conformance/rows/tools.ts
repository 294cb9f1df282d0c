import assert from 'node:assert/strict';
import type { Tool } from '../../../lib/mcp/index.ts';
import { connect, type JsonResponse, memberApp, reports } from '../../helpers/flow.ts';
import { breakableStore } from '../../helpers/stores.ts';
import { callTool, listedNames } from '../../mcp/rpc.ts';
import { assertChallenge, assertError, text } from '../probes.ts';
import type { CheckContext, Row, RowSchools } from '../row.ts';

const tools: readonly Tool<unknown>[] = [
  { name: 'hours', description: 'When the school is open.', access: 'public', run: () => 'always' },
  {
    name: 'inbox',
    description: 'News.',
    access: { scopes: ['account:read'] },
    run: (_args, { token }) => text(token?.member.id),
  },
  { name: 'catalogue', description: 'Drafts.', access: { scopes: ['courses:read'] }, run: () => 'drafts' },
];

function withTools({ start }: CheckContext): Promise<RowSchools> {
  return start({ mcp: { tools } });
}

async function accessTokenOf(
  { harbour, browser }: RowSchools,
  person: string,
  client: typeof memberApp,
): Promise<string> {
  return text((await connect(browser(person), harbour, client)).body['access_token']);
}

function assertResult({ status, body }: JsonResponse, expected: string): void {
  assert.equal(status, 200);
  assert.ok(JSON.stringify(body['result']).includes(expected), JSON.stringify(body));
}

/** The tool endpoint. */
export const toolRows: readonly Row[] = [
  {
    id: '90cb',
    section: 'What the service does 4',
    sentence: 'MUST offer a tool endpoint at /mcp',
    check: async (context) => {
      const { harbour, summit } = await withTools(context);
      for (const origin of [harbour, summit]) assertResult(await callTool(origin, 'hours'), 'always');
    },
  },
  {
    id: 'ac6c',
    section: 'Endpoints: Tool endpoint',
    sentence: 'MUST accept requests with and without a token',
    check: async (context) => {
      const schools = await withTools(context);
      assertResult(await callTool(schools.harbour, 'hours'), 'always');
      const sam = await accessTokenOf(schools, 'sam', memberApp);
      assertResult(await callTool(schools.harbour, 'hours', {}, { token: sam }), 'always');
      assertResult(await callTool(schools.harbour, 'inbox', {}, { token: sam }), 'sam');
    },
  },
  {
    id: 'db09',
    section: 'Endpoints: Admin API',
    sentence: 'MUST use tokens that are also accepted at /mcp',
    check: async (context) => {
      const schools = await withTools(context);
      const olivia = await accessTokenOf(schools, 'olivia', reports);
      assertResult(await callTool(schools.harbour, 'catalogue', {}, { token: olivia }), 'drafts');
    },
  },
  {
    id: '4282',
    section: 'Authentication: Anonymous and missing tokens 1',
    sentence: 'MUST serve a request without a token as anonymous: public tools only',
    check: async (context) => {
      const { harbour } = await withTools(context);
      assert.deepEqual(await listedNames(harbour), ['hours']);
      assertResult(await callTool(harbour, 'hours'), 'always');
      for (const name of ['inbox', 'catalogue']) assert.equal((await callTool(harbour, name)).status, 401);
    },
  },
  {
    id: '0c17',
    section: 'Authentication: Anonymous and missing tokens 3',
    sentence: 'MUST respond with 401 and 403 at /mcp to invalid tokens and missing scopes, with `WWW-Authenticate`',
    check: async (context) => {
      const schools = await withTools(context);
      const bad = await callTool(schools.harbour, 'hours', {}, { token: 'nonsense' });
      assertError(bad, 'invalid_token', 401);
      await assertChallenge(bad, schools.harbour, 'invalid_token', '/mcp');
      const sam = await accessTokenOf(schools, 'sam', memberApp);
      const lacking = await callTool(schools.harbour, 'catalogue', {}, { token: sam });
      assertError(lacking, 'insufficient_scope', 403);
      await assertChallenge(lacking, schools.harbour, 'insufficient_scope', '/mcp');
    },
  },
  {
    id: '17b9',
    section: 'Errors, 503 temporarily_unavailable',
    sentence: 'MUST be returned at /mcp when no verdict on the token can be reached, without `WWW-Authenticate`',
    check: async ({ start }) => {
      const breakable = breakableStore();
      const schools = await start({ campus: { store: breakable.store }, mcp: { tools } });
      const sam = await accessTokenOf(schools, 'sam', memberApp);
      breakable.break('find');
      for (const known of [sam, 'nonsense']) {
        const response = await callTool(schools.harbour, 'hours', {}, { token: known });
        assertError(response, 'temporarily_unavailable', 503);
        assert.equal(response.headers.get('www-authenticate'), null);
      }
    },
  },
];
