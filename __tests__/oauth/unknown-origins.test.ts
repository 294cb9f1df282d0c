import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { metadataChecks } from '../../lib/cli/doctor/documents.ts';
import type { Check } from '../../lib/cli/doctor/exam.ts';
import type { Probe } from '../../lib/cli/doctor/probe.ts';
import type { Campus, FaultEvent, Site } from '../../lib/index.ts';
import { resetClock, passTime } from '../helpers/clock.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

const origin = 'https://harbour.example';
const site = harbourSite(origin);
const discovery = '/.well-known/openid-configuration';

let schools: Schools;
afterEach(async () => {
  resetClock();
  await schools.close();
});

interface Started {
  readonly findSite?: (asked: string) => Site | undefined;
  /** Whether the proxy is trusted. */
  readonly proxy?: boolean;
  /** What the host has for every path. */
  readonly body?: string;
}

async function start({ findSite, proxy = true, body }: Started = {}): Promise<readonly FaultEvent[]> {
  schools = await startSchools({
    platform: { findSite: findSite ?? ((asked) => (asked === origin ? site : undefined)) },
    app: (campus: Campus) => {
      const app = new Koa({ proxy }).use(campus.middleware());
      if (body !== undefined)
        app.use((ctx) => {
          ctx.body = body;
        });
      return app;
    },
  });
  return schools.faults;
}

/** What arrives behind a proxy: the name that the client used, and no TLS. */
async function send(path: string, headers: Record<string, string> = {}, host = 'harbour.example') {
  const response = await new Promise<IncomingMessage>((done, fail) => {
    request(`${schools.harbour}${path}`, { headers: { host, ...headers } }, done)
      .on('error', fail)
      .end();
  });
  const received = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: response.statusCode ?? 0, headers: new Headers(received), text: await textOf(response) };
}

test.each([
  ['is missing', true, {}, 'X-Forwarded-Proto is missing'],
  ['is wrong', true, { 'x-forwarded-proto': 'http' }, 'X-Forwarded-Proto is "http"'],
  ['is missing, and the proxy is not trusted', false, {}, 'X-Forwarded-Proto is missing'],
])('X-Forwarded-Proto %s: a fault once an hour, which names both origins', async (_name, proxy, headers, says) => {
  const faults = await start({ proxy });
  for (let i = 0; i < 3; i += 1) expect((await send(discovery, headers)).status).toBe(404);
  expect(faults.map(({ message }) => message)).toEqual([
    `no school was found at http://harbour.example, because the school is at ${origin}`,
  ]);
  expect(String(faults[0]?.cause)).toContain(says);
  passTime(3601);
  await send(discovery, headers);
  expect(faults).toHaveLength(2);
  // A server of the store has a clock of its own, and says that ours is ahead.
  const finding = (await schools.campus.diagnose()).find(({ id }) => id === 'proxy-protocol');
  expect(finding?.text).toBe(`requests arrived as requests to http://harbour.example, but the school is at ${origin}`);
});

test('an OAuth path at an origin without a school: one fault an hour, and diagnose lists the origins', async () => {
  const faults = await start();
  for (const host of ['a.example', 'b.example', 'a.example']) await send(discovery, {}, host);
  expect(faults.map(({ message }) => message)).toEqual(['no school was found at http://a.example']);
  expect(String(faults[0]?.cause)).toContain(`a request for ${discovery} at http://a.example got 404`);
  const findings = await schools.campus.diagnose();
  expect(findings.map(({ id }) => id)).not.toContain('school-none');
  expect(findings.filter(({ id }) => id === 'origin-unknown').map(({ text }) => text)).toEqual([
    'clients sent requests to http://a.example, where there is no school',
    'clients sent requests to http://b.example, where there is no school',
  ]);
});

test('diagnose lists the last twenty of them', async () => {
  await start();
  for (let i = 0; i < 30; i += 1) await send('/oauth/authorize', {}, `h${i}.example`);
  const findings = await schools.campus.diagnose();
  expect(findings.filter(({ id }) => id === 'origin-unknown')).toHaveLength(20);
});

test.each([
  ['the host answers itself, as another authorization server does', discovery, 'the host'],
  ['a path that other origins have too', '/openapi.json', undefined],
])('%s: neither a fault nor a finding', async (_name, path, body) => {
  const faults = await start(body === undefined ? {} : { body });
  expect((await send(path, {}, 'other.example')).headers.has('campus-protocol')).toBe(false);
  expect(faults).toEqual([]);
  expect((await schools.campus.diagnose()).map(({ id }) => id)).toContain('school-none');
});

/** What `doctor` says of the metadata, through a proxy that ends TLS and says nothing of it. */
async function examine(headers: Record<string, string>): Promise<Check[]> {
  const probe: Probe = async (path) => {
    const response = await send(path, headers);
    return { ...response, json: response.status === 200 ? JSON.parse(response.text) : {} };
  };
  const checks: Check[] = [];
  for await (const check of metadataChecks(origin, probe)) checks.push(check);
  return checks;
}

const byHost = (asked: string): Site => ({ ...site, origin: asked });

test.each<[string, Started, Record<string, string>, string]>([
  ['the school is not found', {}, {}, 'the proxy answered as http (status 404)'],
  ['findSite looks at the host alone', { findSite: () => site }, {}, 'the proxy answered as http (status 503)'],
  ['findSite takes any protocol', { findSite: byHost }, {}, 'the proxy answered as http: the issuer is http://harbour'],
  [
    'the proxy is not trusted',
    { proxy: false },
    { 'x-forwarded-proto': 'https' },
    'the proxy answered as http (status 404)',
  ],
])('doctor says that the proxy answered as http, where %s', async (_name, started, headers, says) => {
  await start(started);
  const wrong = (await examine(headers)).filter(({ text }) => text.includes(says));
  expect(wrong.length).toBeGreaterThan(0);
  expect(wrong[0]).toMatchObject({ mark: 'error', fix: expect.stringContaining('X-Forwarded-Proto: https') });
});
