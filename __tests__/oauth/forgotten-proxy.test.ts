import { afterEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { FaultEvent } from '../../lib/index.ts';
import { resetClock, passTime } from '../helpers/clock.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

const origin = 'https://harbour.example';
const site = harbourSite(origin);
const summit = { ...site, id: 'summit', origin: 'https://summit.example' };
const discovery = '/.well-known/openid-configuration';

let schools: Schools;
let asked: string[] = [];
afterEach(async () => {
  resetClock();
  await schools.close();
});

/** A school that is reached through a proxy which terminates TLS. */
async function start(proxy = false, fails = false): Promise<FaultEvent[]> {
  asked = [];
  schools = await startSchools({
    platform: {
      findSite: (address) => {
        asked.push(address);
        if (fails) throw new Error('database away');
        if (address === summit.origin) return summit;
        const isOpen = address.endsWith('.harbour.example');
        return address === origin || isOpen ? { ...site, origin: address } : undefined;
      },
    },
    app: (campus) => {
      const app = new Koa({ proxy });
      return app.use(campus.middleware()).use((ctx) => {
        ctx.body = 'the host';
      });
    },
  });
  return schools.faults;
}

const send = async (headers: Record<string, string>, path = discovery): Promise<string> =>
  (await fetch(`${schools.harbour}${path}`, { headers })).text();
const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'harbour.example' };

test('a request through a proxy, app.proxy not set: one fault that says what to set, and the request falls through', async () => {
  const faults = await start();
  for (let i = 0; i < 5; i += 1) expect(await send(forwarded)).toBe('the host');
  expect(faults).toHaveLength(1);
  expect(faults[0]?.message).toBe(`no school was found for a request for ${origin}, because app.proxy is not set`);
  expect(String(faults[0]?.cause)).toContain(`was read as ${schools.harbour}`);
  expect(String(faults[0]?.cause)).toContain('set app.proxy = true, or new Koa({ proxy: true })');
  expect(asked.filter((address) => address === origin)).toHaveLength(1);
});

test.each([
  ['X-Forwarded-Proto with the school’s own Host', ['Host: harbour.example', 'X-Forwarded-Proto: https']],
  [
    'a Host that no address can have',
    ['Host: back_end:3000', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: harbour.example'],
  ],
  [
    'lists of two proxies',
    ['Host: inner', 'X-Forwarded-Proto: https, http', 'X-Forwarded-Host: harbour.example, outer'],
  ],
])('%s: the fault', async (_name, headers) => {
  const faults = await start();
  const lines = [`GET ${discovery} HTTP/1.1`, ...headers, 'Connection: close'];
  expect(await rawRequest(Number(new URL(schools.harbour).port), lines)).toContain('the host');
  expect(faults).toHaveLength(1);
});

test.each([
  ['app.proxy is set', true, forwarded, discovery],
  ['another path', false, forwarded, '/courses'],
  ['no such headers', false, {}, discovery],
  ['a host that is no school', false, { ...forwarded, 'x-forwarded-host': 'other.example' }, discovery],
  ['a malformed host', false, { ...forwarded, 'x-forwarded-host': 'a b@harbour.example' }, discovery],
  ['another protocol', false, { ...forwarded, 'x-forwarded-proto': 'ws' }, discovery],
])('%s: no fault', async (_name, proxy, headers, path) => {
  const faults = await start(proxy);
  await send(headers, path);
  expect(faults).toEqual([]);
});

test('a platform that fails at the second look-up does not keep the request from falling through', async () => {
  await start();
  const failing = { ...forwarded };
  await schools.close();
  let calls = 0;
  schools = await startSchools({
    platform: {
      findSite: () => {
        calls += 1;
        if (calls > 1) throw new Error('database away');
        return undefined;
      },
    },
    app: (campus) =>
      new Koa().use(campus.middleware()).use((ctx) => {
        ctx.body = 'the host';
      }),
  });
  expect(await send(failing)).toBe('the host');
  expect(schools.faults.map(({ message }) => message)).toEqual(['platform.findSite failed']);
});

test('who makes it up for one school hides no other, nor the school for longer than an hour', async () => {
  const faults = await start();
  const sendFor = (host: string): Promise<string> => send({ ...forwarded, 'x-forwarded-host': host });
  for (let i = 0; i < 3; i += 1) await sendFor('made-up.harbour.example');
  await send(forwarded);
  const named = (): (string | undefined)[] => faults.map(({ message }) => /https:[^,]+/.exec(message)?.[0]);
  expect(named()).toEqual(['https://made-up.harbour.example', origin]);
  expect(String(faults[1]?.cause)).toMatch(/the proxy at \S*(?:127\.0\.0\.1|::1) /);
  for (let i = 0; i < 20; i += 1) await sendFor(`${i}.harbour.example`);
  // Ten, and one that says that more are left out; the share of another school is its own.
  expect(faults).toHaveLength(11);
  expect(faults[10]?.message).toMatch(/app\.proxy is not set; more of these are not reported in this hour$/);
  await sendFor('summit.example');
  expect(named().slice(11)).toEqual([summit.origin]);
  passTime(3601);
  for (let i = 0; i < 3; i += 1) await send(forwarded);
  expect(named().slice(12)).toEqual([origin]);
});
