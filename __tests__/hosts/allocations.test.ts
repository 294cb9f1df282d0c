import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Schools } from '../helpers/schools.ts';

const made = { errors: 0, controllers: 0, requests: 0 };

/** The class, which counts what is made of it. Objects that Node makes itself are not counted. */
function counted<T extends object>(type: T, what: keyof typeof made): T {
  return new Proxy(type, {
    construct: (target, args, newTarget) => {
      made[what] += 1;
      return Reflect.construct(Object(target), args, newTarget);
    },
  });
}

let schools: Schools;
let token: string;
beforeAll(async () => {
  // In front of the first import: classes of errors extend it.
  globalThis.Error = counted(Error, 'errors');
  globalThis.AbortController = counted(AbortController, 'controllers');
  globalThis.Request = counted(Request, 'requests');
  const { startMemberSchools } = await import('../member-api/graphql.ts');
  const { connect, memberApp } = await import('../helpers/flow.ts');
  const { accessTools } = await import('../mcp/tools.ts');
  schools = await startMemberSchools({ mcp: { tools: accessTools } });
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
  token = String(body['access_token']);
});
afterAll(() => schools.close());

interface Allocations {
  readonly timers: number;
  readonly controllers: number;
  readonly requests: number;
  readonly errors: number;
}

/** What one request makes, after some that fill the caches. The cache's clock, a timer of a millisecond, is not counted. */
async function allocationsOf(path: string, body?: object): Promise<Allocations> {
  // fetch() makes a controller and a timer of its own.
  const options = {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
  };
  const send = async (): Promise<void> => {
    const sent = request(`${schools.harbour}${path}`, options).end(body && JSON.stringify(body));
    const [response]: IncomingMessage[] = await once(sent, 'response');
    const received = response ? await text(response) : '';
    expect([response?.statusCode, received]).toEqual([200, expect.not.stringContaining('"errors"')]);
  };
  for (let i = 0; i < 3; i += 1) await send();
  const timers = jest.spyOn(globalThis, 'setTimeout');
  Object.assign(made, { errors: 0, controllers: 0, requests: 0 });
  await send();
  const slow = timers.mock.calls.filter(([, delay = 0]) => delay >= 1000);
  timers.mockRestore();
  return { timers: slow.length, ...made };
}

const query = '{ viewer { id enrolledCourses(first: 5) { nodes { slug } } } }';
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'inbox', arguments: {} } };

// For the deadline of the request or of the tool. A member that is there at once needs none, nor does a body.
test.each([
  ['discovery', '/.well-known/openid-configuration', undefined, 0],
  ['UserInfo', '/api/oauth/userinfo', undefined, 0],
  ['the Member API', '/member/graphql', { query }, 1],
  ['tools/list', '/mcp', list, 0],
  ['tools/call', '/mcp', call, 1],
])('a request of %s makes no errors, abort controllers or needless timers', async (_what, path, body, most) => {
  const { timers, ...others } = await allocationsOf(path, body);
  expect(timers).toBeLessThanOrEqual(most);
  expect(others).toEqual({ controllers: 0, requests: 0, errors: 0 });
});

test('what a request makes is counted', async () => {
  // A message that is not plain goes through the SDK.
  const { controllers, requests } = await allocationsOf('/mcp', { ...list, params: { _meta: {} } });
  expect([controllers > 0, requests > 0]).toEqual([true, true]);
  made.errors = 0;
  expect((await fetch(`${schools.harbour}/api/oauth/userinfo`)).status).toBe(401);
  expect(made.errors).toBe(1);
});
