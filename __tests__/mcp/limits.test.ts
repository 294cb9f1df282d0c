import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/server';
import type { CampusOptions } from '../../lib/index.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { expectError } from '../helpers/responses.ts';
import { memberApp, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { breakableStore } from '../helpers/stores.ts';
import { accessToken, callTool, post, rpc } from './rpc.ts';
import { accessTools } from './tools.ts';

let schools: Schools;
afterEach(() => schools.close());
const start = async (limits: CampusOptions['limits']): Promise<void> => {
  schools = await startSchools({ mcp: { tools: accessTools }, campus: { limits } });
};

test('anonymous calls and those with a token are counted apart', async () => {
  await start({ anonymousCalls: { perAddress: 2, perSite: 100 }, tokenCalls: { perMember: 3 } });
  const token = await accessToken(schools, 'sam', memberApp);
  const statuses = async (times: number, known?: string): Promise<number[]> => {
    const found = [];
    for (let i = 0; i < times; i += 1)
      found.push((await callTool(schools.harbour, 'open', {}, { token: known })).status);
    return found;
  };
  expect(await statuses(3)).toEqual([200, 200, 429]);
  expect(await statuses(4, token)).toEqual([200, 200, 200, 429]);
  const refused = await rpc(schools.harbour, 'tools/list', {}, { token });
  expectError(refused, 429, 'slow_down');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  expect(refused.headers.get('www-authenticate')).toBeNull();
});

test('each person and client has a count of their own, at each school', async () => {
  await start({ tokenCalls: { perMember: 1 } });
  const tokens = [
    [schools.harbour, await accessToken(schools, 'sam', memberApp)],
    [schools.harbour, await accessToken(schools, 'olivia', memberApp)],
    [schools.harbour, await accessToken(schools, 'sam', webMemberApp)],
    [schools.summit, await accessToken(schools, 'sam', webMemberApp, webMemberApp.scope, schools.summit)],
  ] as const;
  for (const [origin, token] of tokens) {
    expect((await callTool(origin, 'open', {}, { token })).status).toBe(200);
    expect((await callTool(origin, 'open', {}, { token })).status).toBe(429);
  }
});

test('a new token of the same person and client does not start the count again', async () => {
  await start({ tokenCalls: { perMember: 1 } });
  const [first, second] = [await accessToken(schools, 'sam', memberApp), await accessToken(schools, 'sam', memberApp)];
  expect((await callTool(schools.harbour, 'open', {}, { token: first })).status).toBe(200);
  expect((await callTool(schools.harbour, 'open', {}, { token: second })).status).toBe(429);
});

test('what is refused does not count as a call', async () => {
  await start({ anonymousCalls: { perAddress: 1, perSite: 1 }, tokenCalls: { perMember: 1 } });
  const token = await accessToken(schools, 'sam', memberApp, 'openid');
  for (let i = 0; i < 2; i += 1) {
    expect((await callTool(schools.harbour, 'inbox')).status).toBe(401);
    expect((await callTool(schools.harbour, 'open', {}, { token: 'nonsense' })).status).toBe(401);
    expect((await callTool(schools.harbour, 'inbox', {}, { token })).status).toBe(403);
    expect((await callTool(schools.harbour, 'open', {}, { headers: { origin: 'https://evil.example' } })).status).toBe(
      403,
    );
    expect((await post(schools.harbour, [])).status).toBe(400);
  }
  expect((await callTool(schools.harbour, 'open')).status).toBe(200);
  expect((await callTool(schools.harbour, 'open', {}, { token })).status).toBe(200);
});

test('after ten times as many refused messages as calls, messages from there are counted before they are read', async () => {
  await start({ anonymousCalls: { perAddress: 3, perSite: 100 } });
  const malformed = '{'.repeat(10_000);
  const send = async (): Promise<number> =>
    (await post(schools.harbour, malformed, { 'content-type': 'application/json' })).status;
  for (let i = 0; i < 30; i += 1) expect(await send()).toBe(400);
  expect([await send(), await send()]).toEqual([400, 400]);
  // Who behaves is still served, within the same limit.
  expect((await callTool(schools.harbour, 'open')).status).toBe(200);
  expect([await send(), (await callTool(schools.harbour, 'open')).status]).toEqual([429, 429]);
  const token = await accessToken(schools, 'sam', memberApp);
  expect((await callTool(schools.harbour, 'open', {}, { token })).status).toBe(200);
});

test.each([
  ['a call that needs a token', () => callTool(schools.harbour, 'inbox'), 401],
  ['a bad token', () => callTool(schools.harbour, 'open', {}, { token: 'nonsense' }), 401],
])('%s is counted as refused', async (_name, call, status) => {
  await start({ anonymousCalls: { perAddress: 1, perSite: 100 } });
  for (let i = 0; i < 10; i += 1) expect((await call()).status).toBe(status);
  expect((await post(schools.harbour, [])).status).toBe(400);
  expect((await post(schools.harbour, [])).status).toBe(429);
});

describe('a message of more than 64 KiB is read only for who is within the limit', () => {
  const large = `{ "jsonrpc": "2.0", "padding": "${'x'.repeat(500_000)}`;
  /** As many as it is worth. */
  const calls = Math.ceil(large.length / (16 * 1024));
  const malformed = async (token?: string): Promise<number> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return (await post(schools.harbour, large, { 'content-type': 'application/json', ...authorization })).status;
  };
  /** Announces a large body and sends nothing of it. */
  const unsent = async (headers: readonly string[]): Promise<string> => {
    const { port, host } = new URL(schools.harbour);
    const lines = ['POST /mcp HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json', 'Connection: close'];
    return (await rawRequest(Number(port), [...lines, ...headers])).slice(0, 12);
  };

  test('without a token: it is refused, and a body of unknown length is counted before it is read', async () => {
    await start({ anonymousCalls: { perAddress: 1, perSite: 100 } });
    expect([await malformed(), await unsent(['Content-Length: 65537'])]).toEqual([413, 'HTTP/1.1 413']);
    expect((await callTool(schools.harbour, 'open')).status).toBe(200);
    expect(await unsent(['Transfer-Encoding: chunked'])).toBe('HTTP/1.1 429');
    const { body } = await callTool(schools.harbour, 'open', { padding: 'x'.repeat(65_536) });
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
    expect(JSON.stringify(body)).toContain('must not be larger than 65536 bytes; with an access token, 1048576');
  });

  test('with a token: it is counted before it is read', async () => {
    await start({ tokenCalls: { perMember: 2 * calls } });
    const token = await accessToken(schools, 'sam', memberApp);
    expect([await malformed(token), await malformed(token), await malformed(token)]).toEqual([400, 400, 429]);
    expect(await unsent(['Content-Length: 900000', `Authorization: Bearer ${token}`])).toBe('HTTP/1.1 429');
  });

  test('a bad token is refused before anything is read or counted', async () => {
    await start({ anonymousCalls: { perAddress: 1, perSite: 9 } });
    for (let i = 0; i < 3; i += 1) expect(await malformed('nonsense')).toBe(401);
    expect(await unsent(['Content-Length: 900000', 'Authorization: Bearer nonsense'])).toBe('HTTP/1.1 401');
    expect((await callTool(schools.harbour, 'open')).status).toBe(200);
  });

  test('within the limit it has the same rules as a small one', async () => {
    await start({});
    const padding = 'x'.repeat(100_000);
    const poor = await accessToken(schools, 'sam', memberApp, 'openid');
    const rich = await accessToken(schools, 'sam', memberApp);
    expect((await callTool(schools.harbour, 'inbox', { padding }, { token: rich })).status).toBe(200);
    expectError(await callTool(schools.harbour, 'inbox', { padding }, { token: 'nonsense' }), 401, 'invalid_token');
    expectError(await callTool(schools.harbour, 'inbox', { padding }, { token: poor }), 403, 'insufficient_scope');
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${rich}` };
    expect((await post(schools.harbour, [padding], headers)).status).toBe(400);
  });
});

describe('a message counts as one call for each 16 KiB that it begins', () => {
  const kib = 1024;
  /** A call of exactly this size. */
  const sized = (bytes: number): string => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { padding: '' } });
    return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`);
  };
  const send = async (bytes: number, token?: string, chunked = false): Promise<number> => {
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const body = chunked ? new Blob([sized(bytes)]).stream() : sized(bytes);
    const init = { method: 'POST', headers, body, duplex: 'half' };
    return (await fetch(`${schools.harbour}/mcp`, init)).status;
  };

  test.each([
    ['without a token', false],
    ['with a token', true],
  ])('%s', async (_who, hasToken) => {
    await start({ anonymousCalls: { perAddress: 8, perSite: 100 }, tokenCalls: { perMember: 8 } });
    const token = hasToken ? await accessToken(schools, 'sam', memberApp) : undefined;
    expect(await send(16 * kib, token)).toBe(200);
    expect(await send(16 * kib + 1, token)).toBe(200);
    expect(await send(64 * kib, token)).toBe(200);
    // One is left.
    expect([await send(17 * kib, token), await send(1 * kib, token)]).toEqual([429, 200]);
    expect(await send(1 * kib, token)).toBe(429);
  });

  test('or for each 250 members and items that it begins', async () => {
    await start({ anonymousCalls: { perAddress: 4, perSite: 100 } });
    const ping = (items: number) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { items: Array(items).fill(0) },
    });
    // Five are members of the message.
    for (const items of [245, 495]) expect((await post(schools.harbour, ping(items))).status).toBe(200);
    const statuses = [];
    for (const items of [246, 245, 0]) statuses.push((await post(schools.harbour, ping(items))).status);
    expect(statuses).toEqual([429, 200, 429]);
  });

  test('of unknown length, too', async () => {
    await start({ tokenCalls: { perMember: 8 } });
    const token = await accessToken(schools, 'sam', memberApp);
    expect(await send(100 * kib, token, true)).toBe(200);
    expect([await send(17 * kib, token, true), await send(1 * kib, token)]).toEqual([429, 429]);
  });

  test('a refused one counts as as many refused ones', async () => {
    await start({ anonymousCalls: { perAddress: 1, perSite: 100 } });
    const refused = async (): Promise<number> =>
      (await post(schools.harbour, '['.repeat(64 * kib), { 'content-type': 'application/json' })).status;
    // Ten are free. The fourth is counted before it is read.
    expect([await refused(), await refused(), await refused(), await refused()]).toEqual([400, 400, 400, 429]);
  });
});

describe('the members and the depth of a message are counted before a schema sees it', () => {
  let made: jest.SpiedFunction<typeof McpServer.prototype.connect>;
  beforeEach(() => {
    made = jest.spyOn(McpServer.prototype, 'connect');
  });
  afterEach(() => made.mockRestore());

  const initialize = (experimental: unknown): object => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: { experimental }, clientInfo: { name: 'x', version: '1' } },
  });
  /** How many values `initialize` has besides those of `experimental`. */
  const others = 10;
  const many = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [i, {}]));
  const deep = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1));

  test.each([
    ['1,000 members without a token', false, many(1000 - others), 200],
    ['1,001 members without a token', false, many(1001 - others), 400],
    ['4,000 members without a token', false, many(4000), 400],
    ['10,000 members with a token', true, many(10_000 - others), 200],
    ['10,001 members with a token', true, many(10_001 - others), 400],
    ['80,000 members with a token', true, many(80_000), 400],
    ['100 levels of nesting', false, deep(97), 200],
    ['101 levels', false, deep(98), 400],
    ['1,000 levels with a token', true, deep(1000), 400],
  ])('%s', async (_what, hasToken, experimental, status) => {
    await start({});
    const token = hasToken ? await accessToken(schools, 'sam', memberApp) : undefined;
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const response = await post(schools.harbour, initialize(experimental), headers);
    expect([response.status, made.mock.calls.length]).toEqual([status, status === 200 ? 1 : 0]);
    if (status === 400) expect(response.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_600 } });
  });

  test('an address that sends nothing else is not even parsed in the end, at any school', async () => {
    await start({ anonymousCalls: { perAddress: 6, perSite: 1000 } });
    const parse = jest.spyOn(JSON, 'parse');
    const text = JSON.stringify(initialize(many(4000)));
    const parsed = (): number => parse.mock.calls.filter(([given]) => given === text).length;
    const statuses = new Map<number, number>();
    for (let i = 0; i < 60; i += 1) {
      const origin = i % 2 === 0 ? schools.harbour : schools.summit;
      const { status } = await fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const found = [parsed(), made.mock.calls.length];
    parse.mockRestore();
    // Each is worth three: 20 refused ones are free, and two calls are within the limit.
    expect(Object.fromEntries(statuses)).toEqual({ 400: 22, 429: 38 });
    expect(found).toEqual([22, 0]);
    expect((await fetch(`${schools.harbour}/.well-known/openid-configuration`)).status).toBe(200);
  });
});

test('a count that fails is a fault, not a verdict', async () => {
  const breakable = breakableStore();
  schools = await startSchools({ mcp: { tools: accessTools }, campus: { store: breakable.store } });
  const token = await accessToken(schools, 'sam', memberApp);
  breakable.break('consumeQuota');
  for (const known of [undefined, token]) {
    const response = await callTool(schools.harbour, 'open', {}, { token: known });
    expectError(response, 503, 'temporarily_unavailable');
    expect(response.headers.get('www-authenticate')).toBeNull();
  }
});

test('limits: false lifts them', async () => {
  await start(false);
  const responses = await Promise.all(Array.from({ length: 50 }, () => callTool(schools.harbour, 'open')));
  expect(responses.every(({ status }) => status === 200)).toBe(true);
});
