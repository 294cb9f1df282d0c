import { afterEach, describe, expect, test } from '@jest/globals';
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

  test('without a token: it is counted before it is read', async () => {
    await start({ anonymousCalls: { perAddress: 2, perSite: 100 } });
    expect([await malformed(), await malformed(), await malformed()]).toEqual([400, 400, 429]);
    expect(await unsent(['Content-Length: 900000'])).toBe('HTTP/1.1 429');
    expect(await unsent(['Transfer-Encoding: chunked'])).toBe('HTTP/1.1 429');
  });

  test('with a token: it is counted before it is read', async () => {
    await start({ tokenCalls: { perMember: 2 } });
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
    await start({ anonymousCalls: { perAddress: 50, perSite: 500 } });
    const padding = 'x'.repeat(100_000);
    const poor = await accessToken(schools, 'sam', memberApp, 'openid');
    expect((await callTool(schools.harbour, 'open', { padding })).status).toBe(200);
    const refused = await callTool(schools.harbour, 'inbox', { padding });
    expectError(refused, 401, 'invalid_token');
    expect(refused.headers.get('www-authenticate')).toContain('account:read');
    expectError(await callTool(schools.harbour, 'inbox', { padding }, { token: poor }), 403, 'insufficient_scope');
    expect((await post(schools.harbour, [padding])).status).toBe(400);
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
