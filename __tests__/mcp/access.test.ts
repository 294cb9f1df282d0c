import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../helpers/responses.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { getJson } from '../conformance/probes.ts';
import { type JsonResponse, memberApp, reports } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { breakableStore, storeFault } from '../helpers/stores.ts';
import { accessToken, callTool, listedNames, post, resultOf, revisions, rpc } from './rpc.ts';
import { accessTools } from './tools.ts';

const breakable = breakableStore();
let schools: Schools;
let member: string;
let operator: string;
let platformFails = false;

beforeAll(async () => {
  schools = await startSchools({
    campus: { store: breakable.store },
    mcp: { tools: accessTools },
    wrapPlatform: (platform) => ({
      ...platform,
      findMember: (...args) =>
        platformFails ? Promise.reject(new Error('database away')) : platform.findMember(...args),
    }),
  });
  member = await accessToken(schools, 'sam', memberApp);
  operator = await accessToken(schools, 'olivia', reports);
});
afterEach(() => {
  breakable.break();
  platformFails = false;
  resetClock();
});
afterAll(() => schools.close());

function challengeOf({ headers }: JsonResponse): Record<string, string | undefined> {
  const challenge = headers.get('www-authenticate') ?? '';
  expect(challenge).toMatch(/^Bearer /);
  return Object.fromEntries(
    [...challenge.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
  );
}

describe.each(revisions)('at revision %s', (revision) => {
  const call = (name: string, token?: string, args = {}): Promise<JsonResponse> =>
    callTool(schools.harbour, name, args, { revision, token });

  /** Tool, then what an anonymous caller, a member's token and an operator's token get. */
  test.each([
    ['open', 200, 200, 200],
    ['any_token', 401, 200, 200],
    ['inbox', 401, 200, 403],
    ['report', 401, 403, 403],
    ['courses', 401, 403, 200],
  ])('%s returns %d without a token, %d to a member client, %d to an operator client', async (name, ...statuses) => {
    const responses = await Promise.all([call(name), call(name, member), call(name, operator)]);
    expect(responses.map(({ status }) => status)).toEqual(statuses);
    for (const { headers } of responses) expect(headers.get('cache-control')).toBe('no-store');
  });

  test('an anonymous call of a private tool is challenged with all its scopes', async () => {
    const response = await call('report');
    expectError(response, 401, 'invalid_token');
    expect(challengeOf(response)).toMatchObject({ error: 'invalid_token', scope: 'courses:read orders:read' });
    const { body } = await getJson(challengeOf(response)['resource_metadata'] ?? '');
    expect(body['resource']).toBe(`${schools.harbour}/mcp`);
  });

  test('a token that lacks a scope gets 403, with the scopes that it has and those that the call needs', async () => {
    const response = await call('report', operator);
    expectError(response, 403, 'insufficient_scope');
    const { error, scope } = challengeOf(response);
    expect([error, scope]).toEqual(['insufficient_scope', `${reports.scope} orders:read`]);
  });

  test('a call needs the scopes of what it would do, as its checked arguments say', async () => {
    expect((await call('courses', operator, { action: 'list' })).status).toBe(200);
    const publish = await call('courses', operator, { action: 'publish' });
    expectError(publish, 403, 'insufficient_scope');
    expect(challengeOf(publish)['scope']).toBe(`${reports.scope} courses:write`);
    const anonymous = await call('courses', undefined, { action: 'publish' });
    expect(challengeOf(anonymous)['scope']).toBe('courses:read courses:write');
  });

  test.each(['destroy', 'toString', '__proto__', 'PUBLISH', 'publish ', ''])(
    'an action that is not declared, %j, is refused, whatever its scopes might be',
    async (action) => {
      const { status, body } = await call('courses', operator, { action });
      expect([status, resultOf(body)['isError']]).toEqual([200, true]);
      expect(JSON.stringify(body)).toContain('action must be one of list, publish');
    },
  );

  test('clients that know sign-in only in band get the challenge in a result, too', async () => {
    for (const response of [await call('inbox'), await call('inbox', operator), await call('inbox', 'no-token')]) {
      const { isError, _meta: meta } = resultOf(response.body);
      expect(isError).toBe(true);
      expect(meta).toEqual({ 'mcp/www_authenticate': [response.headers.get('www-authenticate')] });
    }
  });

  test('of a message without a proper id, the id is not echoed', async () => {
    const params = { name: 'inbox', arguments: {} };
    const deep = `${'['.repeat(99)}${']'.repeat(99)}`;
    for (const id of ['{"a":1}', deep, 'true']) {
      const text = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${JSON.stringify(params)}}`;
      const response = await post(schools.harbour, text);
      expectError(response, 401, 'invalid_token');
      expect(response.body['id']).toBeNull();
    }
  });

  test.each(['open', 'inbox', 'nothing of this name'])(
    'a token that is no good is 401 for %s, never anonymous',
    async (name) => {
      for (const authorization of ['Bearer nonsense', 'Bearer', 'Basic YTpi', `Bearer ${member} x`, 'bearer ?']) {
        const response = await callTool(schools.harbour, name, {}, { revision, headers: { authorization } });
        expectError(response, 401, 'invalid_token');
        expect(challengeOf(response)['scope']).toBe(name === 'inbox' ? 'account:read' : undefined);
      }
    },
  );

  test('a token that is no good is 401 for lists and other methods, too', async () => {
    for (const method of ['tools/list', 'ping', 'initialize', 'server/discover', 'resources/read']) {
      expectError(await rpc(schools.harbour, method, {}, { revision, token: 'x' }), 401, 'invalid_token');
    }
  });

  test('a token of the other school, and one that has expired, are 401', async () => {
    expectError(await callTool(schools.summit, 'open', {}, { revision, token: member }), 401, 'invalid_token');
    // One of its own: the store throws it away.
    const token = await accessToken(schools, 'sam', memberApp);
    setClockAhead(3 * 60 * 60);
    expectError(await call('open', token), 401, 'invalid_token');
  });

  test('a fault is 503 without a challenge, and never anonymous', async () => {
    breakable.break('find');
    const responses = [await call('open', member), await call('inbox', member), await call('open', 'x')];
    breakable.break();
    platformFails = true;
    responses.push(await call('open', member));
    for (const response of responses) {
      expectError(response, 503, 'temporarily_unavailable');
      expect(response.headers.get('www-authenticate')).toBeNull();
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(JSON.stringify(response.body)).not.toContain(storeFault);
    }
    platformFails = false;
    expect((await call('open')).status).toBe(200);
  });

  test('an anonymous caller sees the public tools, a token also those whose scopes its client can have', async () => {
    const of = (token?: string): Promise<string[]> => listedNames(schools.harbour, { revision, token });
    expect(await of()).toEqual(['open']);
    expect(await of(member)).toEqual(['open', 'any_token', 'inbox']);
    expect(await of(operator)).toEqual(['open', 'any_token', 'report', 'courses']);
  });

  test('the tool receives the member and the client of the token; without a token, only the site', async () => {
    const structured = async (token?: string): Promise<unknown> =>
      resultOf((await call('open', token)).body)['structuredContent'];
    expect(await structured()).toEqual({ site: 'harbour' });
    expect(await structured(member)).toEqual({ member: 'sam', client: 'member-app', site: 'harbour' });
  });
});

test('a token in the address is refused', async () => {
  const url = `${schools.harbour}/mcp?access_token=${member}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ error: 'invalid_token' });
});

test('who loses their role loses the tools at once', async () => {
  const { harbour: people = {} } = schools.people;
  const { olivia } = people;
  if (!olivia) throw new Error('no Olivia');
  people['olivia'] = { ...olivia, roles: ['student'] };
  expectError(await callTool(schools.harbour, 'any_token', {}, { token: operator }), 401, 'invalid_token');
  people['olivia'] = olivia;
  expect((await callTool(schools.harbour, 'any_token', {}, { token: operator })).status).toBe(200);
});
