import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { metadataDocuments } from '../../../policies/index.ts';
import { authorizeUrl, pkce } from '../../helpers/flow.ts';
import { message } from '../../mcp/rpc.ts';
import { accessTools } from '../../mcp/tools.ts';
import { type RedisCampus, startRedisCampus } from './campus.ts';

const limit = { perAddress: 2, perSite: 6 };

let campus: RedisCampus;
beforeAll(async () => {
  campus = await startRedisCampus({
    store: { deadline: 10_000 },
    mcp: { tools: accessTools },
    campus: {
      metadataDocuments: metadataDocuments({ open: true }),
      limits: { anonymousCalls: limit, registrations: limit, documents: limit },
      testing: { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
    },
    app: (running) => new Koa({ proxy: true }).use(running.middleware()),
  });
});
afterAll(() => campus.close());
/** The process counts addresses for an hour, so each test has others. */
let first = 0;
beforeEach(async () => {
  first += 1;
  await campus.admin.flushall();
});

/** A limited request without a token: from this address, for the i-th time. */
type Act = (address: string, i?: number) => Promise<Response>;

const call: Act = (address) => {
  const { body, headers } = message('2025-11-25', 'tools/call', { name: 'open', arguments: {} });
  return send('/mcp', body, { ...headers, 'x-forwarded-for': address });
};
const register: Act = (address, i = 0) => {
  const body = { client_name: 'CLI', redirect_uris: [`http://127.0.0.1/${i}`] };
  return send('/api/oauth/register', body, { 'content-type': 'application/json', 'x-forwarded-for': address });
};
let lookUps = 0;
const lookUp: Act = (address) => {
  // A document that could not be fetched is not looked up again at once.
  const client = {
    id: `https://docs${(lookUps += 1)}.example/c.json`,
    redirectUri: 'http://127.0.0.1/',
    scope: 'openid',
  };
  return fetch(authorizeUrl(campus.schools.harbour, client, pkce()), { headers: { 'x-forwarded-for': address } });
};

function send(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(`${campus.schools.harbour}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, headers } = await response;
  expect(Number(headers.get('retry-after')) > 3500).toBe(status === 429);
  return status;
}

async function statuses(act: Act, address: string, times: number): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i += 1) found.push(await statusOf(act(address, i)));
  return found;
}

/** The counters in Redis, by name. */
async function counters(): Promise<Record<string, string | null>> {
  const keys = (await campus.admin.keys('campus:{harbour}:n:*')).sort();
  const values = await Promise.all(keys.map((key) => campus.admin.get(key)));
  return Object.fromEntries(keys.map((key, i) => [decodeURIComponent(key.split(':n:')[1] ?? ''), values[i] ?? null]));
}

describe.each([
  ['anonymousCalls', call, 200],
  ['registrations', register, 201],
  // The look-up fails: there is no such server.
  ['documents', lookUp, 503],
] as const)('%s', (what, act, served) => {
  test('an address that has used up its quota does not affect other addresses', async () => {
    expect(await statuses(act, `${first}.1.1.1`, 8)).toEqual([served, served, ...Array<number>(6).fill(429)]);
    expect(await statuses(act, `${first}.2.2.2`, 2)).toEqual([served, served]);
    expect(await counters()).toEqual({
      [`${what}:${first}.1.1.1`]: '2',
      [`${what}:${first}.2.2.2`]: '2',
      [`${what}:site`]: '2',
      [`${what}:site:${first}.1.1`]: '1',
      [`${what}:site:${first}.2.2`]: '1',
      [`${what}:shared`]: '2',
      [`${what}:shared:${first}.1.1`]: '1',
      [`${what}:shared:${first}.2.2`]: '1',
    });
  });

  test('when the quota of the site is used up, another address is refused and gets no counter', async () => {
    for (const i of [1, 2, 3, 5]) await statuses(act, `${first}.${i}.1.1`, 2);
    const before = await counters();
    expect([before[`${what}:site`], before[`${what}:shared`]]).toEqual(['3', '3']);
    const sprayed = await Promise.all(Array.from({ length: 20 }, (_, i) => statusOf(act(`${first}.4.${i}.4`))));
    expect(new Set(sprayed)).toEqual(new Set([429]));
    expect(await counters()).toEqual(before);
  });

  test('of 20 concurrent requests, from one address and from many, no more are served than the limit', async () => {
    const count = async (address: (i: number) => string): Promise<number> => {
      const found = await Promise.all(Array.from({ length: 20 }, (_, i) => statusOf(act(address(i), i))));
      return found.filter((status) => status === served).length;
    };
    expect(await count(() => `${first}.1.1.1`)).toBe(2);
    expect(await count((i) => `${first}.2.${i}.2`)).toBe(4);
    // Two for the site, one for each address, and one for each half that a network got something of.
    expect(Object.keys(await counters())).toHaveLength(2 + 5 + 6);
  });
});

test('a quota takes 1 round trip: the only one of an anonymous call, and one of three of a registration', async () => {
  for (const act of [call, register]) await act(`${first}.1.1.1`);
  const measure = async (act: Act, address: string): Promise<[string | undefined, number, number]> => {
    campus.proxy.forget();
    await act(address);
    return [campus.proxy.commands[0]?.[0], campus.proxy.trips, campus.proxy.commands.length];
  };
  expect(await measure(call, `${first}.2.2.2`)).toEqual(['EVALSHA', 1, 1]);
  expect(await measure(register, `${first}.2.2.2`)).toEqual(['HGET', 3, 3]);
  await statuses(call, `${first}.2.2.2`, 1);
  // The process refuses an address that has had its hour here; a site that has is two round trips.
  expect(await measure(call, `${first}.2.2.2`)).toEqual([undefined, 0, 0]);
  for (const i of [3, 4, 5]) await call(`${first}.${i}.1.1`);
  expect(await measure(call, `${first}.6.1.1`)).toEqual(['EVALSHA', 2, 2]);
});

test('a quota is counted once when the server lost the script (NOSCRIPT)', async () => {
  await campus.admin.script('FLUSH');
  expect(await statuses(call, `${first}.1.1.1`, 3)).toEqual([200, 200, 429]);
});
