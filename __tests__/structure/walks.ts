import assert from 'node:assert/strict';
import { type Profiler, Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import Koa from 'koa';
import { redisStore } from '../../adapters/redis/index.ts';
import type { Stop } from '../helpers/browser.ts';
import type { ScopedTool } from '../../lib/plugin-contract/tools.ts';
import { authorizeUrl, connect, pkce, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { startRedis } from '../helpers/redis.ts';
import { startSchools } from '../helpers/schools.ts';
import { callTool, textOf } from '../mcp/rpc.ts';

const root = resolve(import.meta.dirname, '../..');

/** Requests of which it is told what runs for them, at schools on Redis. */
export interface Walks {
  /** Scripts that run when an API verifies an access token: paths from the root for files of ours, else the whole URL. */
  accessToken(): Promise<readonly string[]>;
  /** The files of ours that run for each walk, by its name. */
  all(): Promise<Readonly<Record<WalkName, readonly string[]>>>;
  close(): Promise<void>;
}

export const walkNames = ['access token', 'refresh', 'authorize to page', 'answer', 'UserInfo', 'tools/call'] as const;
export type WalkName = (typeof walkNames)[number];

const account: ScopedTool = {
  name: 'account',
  description: 'Says whose account it is.',
  access: { scopes: ['account:read'] },
  run: (_args, { token }) => token.member.id,
};

/** Starts the schools. `entry` is the file that was loaded first: its path. */
export async function startWalks(entry: string): Promise<Walks> {
  const server = await startRedis();
  const client = new Redis(server.port);
  const schools = await startSchools({
    campus: { store: redisStore(client, { deadline: 10_000 }), siteCache: 3600 },
    mcp: { tools: [account] },
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
  const browser = schools.browser('sam');
  /** What runs both times: not what a timer runs in between. */
  const scriptsOf = async (run: () => Promise<void>): Promise<string[]> => {
    const first = new Set(await scriptsRunBy(run, entry));
    return (await scriptsRunBy(run, entry)).filter((path) => first.has(path));
  };
  const filesOf = async (run: () => Promise<void>): Promise<string[]> => oursIn(await scriptsOf(run));
  const api = (accessToken: unknown) => async (): Promise<void> => {
    const headers = { authorization: `Bearer ${String(accessToken)}` };
    const response = await fetch(`${schools.harbour}/courses`, { headers });
    assert.deepEqual([response.status, await response.text()], [200, 'admitted']);
  };
  return {
    accessToken: async () => {
      const { body } = await connect(browser, schools.harbour, webMemberApp);
      return scriptsOf(api(body['access_token']));
    },
    all: async () => {
      let { body } = await connect(browser, schools.harbour, webMemberApp);
      const pages: Stop[] = [];
      return {
        'access token': await filesOf(api(body['access_token'])),
        refresh: await filesOf(async () => {
          ({ body } = await refresh(schools.harbour, webMemberApp, body['refresh_token']));
          assert.ok('access_token' in body);
        }),
        'authorize to page': await filesOf(async () => {
          const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'consent' });
          pages.push(await browser.follow(url));
        }),
        answer: await filesOf(async () => {
          const page = pages.pop();
          const answer = page && (await browser.decide(page, 'allow'));
          assert.ok(answer?.url.searchParams.has('code'));
        }),
        UserInfo: await filesOf(async () => {
          assert.equal((await userinfo(schools.harbour, body['access_token'])).status, 200);
        }),
        'tools/call': await filesOf(async () => {
          const called = await callTool(schools.harbour, 'account', {}, { token: String(body['access_token']) });
          assert.equal(textOf(called.body), 'sam');
        }),
      };
    },
    close: async () => {
      await schools.close();
      client.disconnect();
      await server.stop();
    },
  };
}

/** The scripts of which a function runs meanwhile. */
async function scriptsRunBy(run: () => Promise<void>, entry: string): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  // The files of tests that ran before in this process may have timers left; their modules were loaded before this file.
  const isEntry = (url: string): boolean => url === entry || url === pathToFileURL(entry).href;
  const own = Math.max(...result.filter(({ url }) => isEntry(url)).map(({ scriptId }) => +scriptId));
  const hasRun = ({ ranges }: Profiler.FunctionCoverage): boolean => ranges.some(({ count }) => count > 0);
  const scripts = result.filter(({ scriptId, functions }) => +scriptId >= own && functions.some(hasRun));
  return scripts.map(({ url }) => url.replace(/^file:\/\//, '').replace(`${root}/`, '')).sort();
}

/** `lib/testing` has the platform of the test schools. */
export function oursIn(scripts: readonly string[]): string[] {
  return scripts.filter((script) => /^(?:lib\/(?!testing\/)|adapters\/|policies\/)/.test(script));
}
