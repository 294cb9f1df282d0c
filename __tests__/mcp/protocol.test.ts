import { bodyParser } from '@koa/bodyparser';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import Koa2 from 'koa-2';
import type { Campus } from '../../lib/index.ts';
import { jsonResponse } from '../helpers/flow.ts';
import { type HostApp, type Schools, startSchools } from '../helpers/schools.ts';
import { callTool, message, post, resultOf, revisions, rpc, textOf } from './rpc.ts';
import { accessTools } from './tools.ts';

const echo = {
  name: 'echo',
  description: 'Says what it was told.',
  access: 'public',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }: { text: string }) => text,
} as const;

const regional = {
  name: 'region',
  description: 'Has an argument that proxies can see.',
  access: 'public',
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  run: () => 'done',
} as const;

function behind(makeApp: () => Koa, ...middleware: Koa.Middleware[]): (campus: Campus) => HostApp {
  return (campus) => {
    const app = makeApp();
    app.silent = true;
    for (const each of middleware) app.use(each);
    return app.use(campus.middleware());
  };
}

const hosts: [string, (campus: Campus) => HostApp][] = [
  ['Koa 3', behind(() => new Koa())],
  ['Koa 2', behind(() => new Koa2())],
  ['Koa 3 behind a body parser', behind(() => new Koa(), bodyParser({ jsonLimit: '5mb' }))],
];

describe.each(hosts)('under %s', (_name, app) => {
  let schools: Schools;
  beforeAll(async () => {
    schools = await startSchools({ app, mcp: { tools: [echo, ...accessTools] } });
  });
  afterAll(() => schools.close());

  test.each(revisions)('a call at revision %s returns JSON', async (revision) => {
    const response = await callTool(schools.harbour, 'echo', { text: 'héllo 👋' }, { revision });
    expect([response.status, textOf(response.body)]).toEqual([200, 'héllo 👋']);
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  });

  test('initialize needs no session and gives none', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const { status, headers, body } = await rpc(schools.harbour, 'initialize', params);
    expect([status, headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(resultOf(body)).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'campus-oidc', title: 'Harbour School' },
      instructions: expect.stringContaining(`${schools.harbour}/auth.md`),
    });
  });

  test('notifications and posted responses are accepted: 202 and no body', async () => {
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(`${schools.harbour}/mcp`, init);
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
  });

  test.each([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], 400, -32_600],
    ['an empty batch', [], 400, -32_600],
    [
      'a call of a private tool in a batch',
      [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }],
      400,
      -32_600,
    ],
    ['no message', { hello: 'world' }, 400, -32_600],
    [
      'a body over the limit',
      { jsonrpc: '2.0', id: 1, method: 'x', params: { a: 'x'.repeat(1024 * 1024) } },
      413,
      -32_000,
    ],
  ])('%s is refused', async (_what, body, status, code) => {
    const response = await post(schools.harbour, body);
    expect([response.status, response.body]).toMatchObject([status, { error: { code } }]);
  });
});

describe('what is no message', () => {
  let schools: Schools;
  beforeAll(async () => {
    schools = await startSchools({ mcp: { tools: [echo, ...accessTools] } });
  });
  afterAll(() => schools.close());

  const type = { 'content-type': 'application/json' };
  test.each([
    ['malformed JSON', '{"jsonrpc"', type, 400, -32_700],
    ['no body', '', type, 400, -32_700],
    ['text', '{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'content-type': 'text/plain' }, 415, -32_000],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, -32_000],
    ['another charset', '{}', { 'content-type': 'application/json; charset=utf-16' }, 400, -32_700],
    ['a compressed body', '{}', { ...type, 'content-encoding': 'gzip' }, 400, -32_700],
    ['null', 'null', type, 400, -32_600],
    ['a string', '"ping"', type, 400, -32_600],
  ])('%s is refused with an error of JSON-RPC', async (_what, body, headers, status, code) => {
    const response = await post(schools.harbour, body, headers);
    expect([response.status, response.body]).toMatchObject([status, { jsonrpc: '2.0', error: { code } }]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('extremely deep nesting gets a response, and so does the next request', async () => {
    for (const text of ['['.repeat(60_000), `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`]) {
      expect((await post(schools.harbour, text)).status).toBe(400);
    }
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":${deep}}}}`;
    const { status, body } = await post(schools.harbour, call);
    expect([status, body['error']]).toEqual([
      400,
      { code: -32_600, message: 'the message has more levels of nesting than 100' },
    ]);
    expect(schools.faults).toEqual([]);
    expect((await callTool(schools.harbour, 'echo', { text: 'still there' })).status).toBe(200);
  });

  test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('%s is 405: there are no sessions and no streams', async (method) => {
    const response = await fetch(`${schools.harbour}/mcp`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test.each(['toString', '__proto__', 'constructor', 'hasOwnProperty', '', 'ECHO', 'echo '])(
    'a tool named %j is not there',
    async (name) => {
      const { status, body } = await callTool(schools.harbour, name);
      expect([status, body['error']]).toMatchObject([200, { code: -32_602 }]);
    },
  );

  test('what we do not serve is not there: prompts, resources, subscriptions to them', async () => {
    for (const method of ['resources/list', 'resources/read', 'prompts/list', 'logging/setLevel', 'nonsense']) {
      const old = await rpc(schools.harbour, method, { uri: 'x://y', level: 'info' });
      expect([old.status, old.body['error']]).toMatchObject([200, { code: -32_601 }]);
      const { status } = await rpc(schools.harbour, method, { uri: 'x://y' }, { revision: '2026-07-28' });
      expect(status).toBe(404);
    }
    const { body, headers } = message('2026-07-28', 'subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    const stream = await fetch(`${schools.harbour}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) });
    // There is nothing to wait for, so it ends at once and holds no connection.
    expect(await stream.text()).toContain('"resultType":"complete"');
  });
});

describe('revision 2026-07-28', () => {
  let schools: Schools;
  beforeAll(async () => {
    schools = await startSchools({ mcp: { tools: [echo, regional, ...accessTools] } });
  });
  afterAll(() => schools.close());

  const sent = message('2026-07-28', 'tools/call', { name: 'echo', arguments: { text: 'x' } });
  test.each([
    ['another method', { 'mcp-method': 'tools/list' }],
    ['another tool', { 'mcp-name': 'inbox' }],
    ['no method', { 'mcp-method': undefined }],
    ['no name', { 'mcp-name': undefined }],
    ['no revision', { 'mcp-protocol-version': undefined }],
    ['another revision', { 'mcp-protocol-version': '2026-07-29' }],
    ['a name that is no Base64', { 'mcp-name': '=?base64?%%%?=' }],
    ['another name in Base64', { 'mcp-name': '=?base64?aW5ib3g=?=' }],
  ])('headers that name %s are refused: 400, -32020', async (_what, changes) => {
    const headers = Object.entries({ ...sent.headers, ...changes }).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    );
    const response = await post(schools.harbour, sent.body, Object.fromEntries(headers));
    expect([response.status, response.body]).toMatchObject([400, { error: { code: -32_020 } }]);
  });

  test('the name may come in Base64', async () => {
    const response = await post(schools.harbour, sent.body, { ...sent.headers, 'mcp-name': '=?base64?ZWNobw==?=' });
    expect([response.status, textOf(response.body)]).toEqual([200, 'x']);
  });

  test('the body decides which tool it is, whatever the headers say', async () => {
    const inbox = message('2026-07-28', 'tools/call', { name: 'inbox', arguments: {} });
    expect((await post(schools.harbour, inbox.body, { ...inbox.headers, 'mcp-name': 'echo' })).status).toBe(401);
  });

  test('an argument that a tool wants in a header, too, must be there and agree', async () => {
    const { body, headers } = message('2026-07-28', 'tools/call', { name: 'region', arguments: { region: 'eu' } });
    const statuses = ['eu', 'us', undefined].map(async (region) => {
      const more = region === undefined ? {} : { 'mcp-param-region': region };
      return (await post(schools.harbour, body, { ...headers, ...more })).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 400, 400]);
  });

  test('a revision that is not served is refused, and the ones that are named', async () => {
    const text = JSON.stringify(sent.body).replace('2026-07-28', '2030-01-01');
    const response = await jsonResponse(
      await fetch(`${schools.harbour}/mcp`, {
        method: 'POST',
        headers: { ...sent.headers, 'mcp-protocol-version': '2030-01-01' },
        body: text,
      }),
    );
    expect([response.status, response.body]).toMatchObject([400, { error: { data: { supported: ['2026-07-28'] } } }]);
  });
});
