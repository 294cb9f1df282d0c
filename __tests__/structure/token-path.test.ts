import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Redis } from 'ioredis';
import Koa from 'koa';
import { redisStore } from '../../adapters/redis/index.ts';
import type { Stop } from '../helpers/browser.ts';
import { authorizeUrl, connect, pkce, refresh, webMemberApp } from '../helpers/flow.ts';
import { type RedisNode, startRedis } from '../helpers/redis.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { importsOf, type Source, sourcesOf } from './sources.ts';

const root = resolve(import.meta.dirname, '../..');

const tokenPath = [
  'adapters/redis/format.ts',
  'adapters/redis/index.ts',
  'adapters/redis/records.ts',
  'adapters/redis/session.ts',
  'adapters/shared/server.ts',
  'lib/core/bearer/guard.ts',
  'lib/core/bearer/verify.ts',
  'lib/core/clients/allowance.ts',
  'lib/records/record.ts',
  'lib/core/clients/access-rule.ts',
  'lib/observe/faults.ts',
  'lib/host/platform.ts',
  'lib/host/site-finder.ts',
  'lib/http/cors.ts',
  'lib/http/origin.ts',
  'lib/http/router.ts',
  'lib/core/clients/client-id.ts',
  'lib/core/scopes/scopes.ts',
  'lib/records/codec.ts',
  'lib/records/record-store.ts',
  'lib/kernel/clock.ts',
  'lib/kernel/crypto.ts',
  'lib/kernel/request-time.ts',
  'lib/records/observed-store.ts',
  'lib/observe/request-trace.ts',
  'lib/kernel/timeout.ts',
];

let server: RedisNode;
let client: Redis;
let schools: Schools;
beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.port);
  schools = await startSchools({
    campus: { store: redisStore(client, { deadline: 10_000 }), siteCache: 3600 },
    app: (campus) => {
      const app = new Koa();
      app.use(campus.middleware());
      app.use(campus.requireAccess({ scopes: ['account:read'] }));
      app.use((ctx) => {
        ctx.body = 'admitted';
      });
      return app;
    },
  });
});
afterAll(async () => {
  await schools?.close();
  client?.disconnect();
  await server?.stop();
});

/** The scripts of which a function runs meanwhile: paths from the root for files of ours, else the whole URL. */
async function scriptsRunBy(run: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  // The files of tests that ran before in this process may have timers left; their modules were loaded before this file.
  const own = Math.max(
    ...result.filter(({ url }) => url.endsWith('/token-path.test.ts')).map(({ scriptId }) => +scriptId),
  );
  const hasRun = ({ ranges }: Profiler.FunctionCoverage): boolean => ranges.some(({ count }) => count > 0);
  const scripts = result.filter(({ scriptId, functions }) => +scriptId >= own && functions.some(hasRun));
  return scripts.map(({ url }) => url.replace(/^file:\/\//, '').replace(`${root}/`, '')).sort();
}

/** `lib/testing` has the platform of the test schools. */
function oursIn(scripts: readonly string[]): string[] {
  return scripts.filter((script) => /^(?:lib\/(?!testing\/)|adapters\/|policies\/)/.test(script));
}

test('from an access token to Redis and back these files of ours run, and nothing of the engine', async () => {
  const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  const scripts = await scriptsRunBy(async () => {
    const response = await fetch(`${schools.harbour}/courses`, { headers });
    expect([response.status, await response.text()]).toEqual([200, 'admitted']);
  });
  const ours = oursIn(scripts);
  expect(ours).toEqual(expect.arrayContaining(['lib/core/bearer/verify.ts', 'adapters/redis/index.ts']));
  // The result of `findSite` may be cached: then fewer run.
  expect(ours.filter((path) => !tokenPath.includes(path))).toEqual([]);
  expect(scripts.filter((script) => /^lib\/engine\/|\/oidc-provider\//.test(script))).toEqual([]);
});

test('a find gets from the Redis store to the client through at most 7 functions', async () => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  let stack = '';
  const call = jest.spyOn(client, 'call').mockImplementation(async () => {
    stack = new Error().stack ?? '';
    return null;
  });
  for (const kind of ['AccessToken', 'Session'] as const) await redisStore(client).find('harbour', kind, 'id');
  call.mockRestore();
  Error.stackTraceLimit = stackTraceLimit;
  expect(stack.match(/\/adapters\/redis\//g)?.length).toBeLessThanOrEqual(7);
});

/** What runs both times: not what a timer runs in between. */
async function filesOf(run: () => Promise<void>): Promise<string[]> {
  const first = new Set(await scriptsRunBy(run));
  return oursIn(await scriptsRunBy(run)).filter((path) => first.has(path));
}

test('a refresh, the way to the consent page and its answer run files of ours', async () => {
  const browser = schools.browser('sam');
  let { body } = await connect(browser, schools.harbour, webMemberApp);
  const refreshed = await filesOf(async () => {
    ({ body } = await refresh(schools.harbour, webMemberApp, body['refresh_token']));
    expect(body).toHaveProperty('access_token');
  });
  const pages: Stop[] = [];
  await filesOf(async () => {
    const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'consent' });
    pages.push(await browser.follow(url));
  });
  const answered = await filesOf(async () => {
    const page = pages.pop();
    const answer = page && (await browser.decide(page, 'allow'));
    expect(answer?.url.searchParams.has('code')).toBe(true);
  });
  expect(refreshed).toContain('lib/core/grants/redemption.ts');
  expect(answered).toContain('lib/core/grants/consent.ts');
});

test('docs/architecture.md names every file of the path', () => {
  const text = readFileSync(resolve(root, 'docs/architecture.md'), 'utf8');
  expect(tokenPath.filter((path) => !text.includes(path.replace(/^lib\/(?:kernel|observe)\//, '')))).toEqual([]);
});

/** What Node loads for a file, besides the file itself: all but type-only imports. */
function loadedBy({ path, text }: Source): string[] {
  return importsOf({ path, text: text.replace(/^(?:import|export) type [^;]*;/gm, '') });
}

test('verifying a token loads nothing of the engine', () => {
  const imports = new Map(sourcesOf('lib', 'adapters').map((source) => [source.path, loadedBy(source)]));
  const loaded = new Set(['lib/core/bearer/guard.ts', 'lib/core/bearer/verify.ts', 'adapters/redis/index.ts']);
  for (const path of loaded) for (const imported of imports.get(path) ?? []) loaded.add(imported);
  expect(loaded).toContain('lib/records/codec.ts');
  expect([...loaded].filter((path) => /^lib\/engine\/|^oidc-provider$/.test(path))).toEqual([]);
});
