import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { mcpRoute } from '../../lib/mcp/serve/route.ts';
import { sendError } from '../../lib/http/send.ts';
import { createRouter } from '../../lib/http/router.ts';
import type { Campus, Site } from '../../lib/index.ts';
import { RequestTime } from '../../lib/kernel/request-time.ts';
import { memberApp } from '../helpers/flow.ts';
import { type HostApp, type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { passingScenarios, plainScenarios } from './fixtures/scenarios.ts';
import { serveFixtures } from './fixtures/serve.ts';
import { accessToken, revisions } from './rpc.ts';
import { accessTools } from './tools.ts';

const suite = new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url).pathname;
/** The suite has dozens of scenarios, and some of them wait. */
const timeLimit = 60_000;

/** Runs the suite's app; returns its exit code and its output, without colours. */
function run(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [suite, ...args], { encoding: 'utf8' }, (error, stdout, stderr) => {
      const text = `${stdout}\n${stderr}`.replaceAll(new RegExp(`${String.fromCodePoint(27)}\\[[\\d;]*m`, 'g'), '');
      done({ code: error ? Number(error.code) : 0, text });
    });
  });
}

/** Who calls, and what the suite's app is told. */
type SuiteRun = readonly [who: 'an anonymous caller' | 'a member', args: readonly string[]];

const plainRuns = Object.entries(plainScenarios).flatMap(([name, known]) =>
  known.map((revision): SuiteRun => ['a member', ['--scenario', name, '--spec-version', revision]]),
);

/** All that a revision requires. */
const requirements = revisions.flatMap((revision): SuiteRun[] => [
  ['an anonymous caller', ['--requirements', revision]],
  ['a member', ['--requirements', revision]],
]);

/** The scenarios of a summary that checked something and found nothing wrong. */
function passedIn(text: string): string[] {
  const summary = text.slice(text.indexOf('=== SUMMARY ==='));
  return [...summary.matchAll(/✓ ([\w-]+): [1-9]\d* passed, 0 failed/g)].map(([, name = '']) => name).sort();
}

let token: string | undefined;

/** Adds the current token to every request: the suite sends none. */
const addToken: Koa.Middleware = (ctx, next) => {
  if (token !== undefined) {
    ctx.req.headers.authorization = `Bearer ${token}`;
    ctx.req.rawHeaders.push('Authorization', ctx.req.headers.authorization);
  }
  return next();
};

function appKey(...middleware: Koa.Middleware[]): HostApp {
  const app = new Koa();
  app.silent = true;
  for (const each of [addToken, ...middleware]) app.use(each);
  return app;
}

/** Our endpoint with the fixtures behind it, in front of everything else. */
function withFixtures(campus: Campus): HostApp {
  const free = async (): Promise<void> => undefined;
  const serve = serveFixtures();
  const quotas = { anonymous: free, token: free, refusals: { count: () => {}, isUsedUp: () => false } };
  const verify = async (site: Site, known: string) => ({ token: await campus.verify(site, known), headers: {} });
  const endpoint = { path: '/mcp', audience: 'operator', anonymous: true, scopes: [] } as const;
  const options = {
    tools: new Map(),
    bearer: { verify },
    quotas,
    onAudit: () => {},
    origins: [],
    toolTimeout: 30,
    server: { serve: () => serve, plainResult: async () => undefined },
  };
  const route = mcpRoute(endpoint, options);
  const onFault = (message: string, cause: unknown): never => {
    throw new Error(message, { cause });
  };
  return appKey(
    createRouter([route], {
      findSite,
      proxyCheck: async () => undefined,
      storeTime: new RequestTime(Infinity),
      sendPageError: async (ctx, _site, error) => sendError(ctx, error),
      sendPageHead: () => {},
      onFault,
    }),
    campus.middleware(),
  );
}

async function findSite(origin: string): Promise<Site | undefined> {
  const harbour = new URL(origin).hostname === 'localhost';
  return harbour ? harbourSite(origin) : undefined;
}

describe.each([
  ['our tools', (campus: Campus) => appKey(campus.middleware()), plainRuns],
  ['the suite’s fixtures', withFixtures, requirements],
])('with %s', (_what, app, runs) => {
  let schools: Schools;
  beforeAll(async () => {
    schools = await startSchools({ app, mcp: { tools: accessTools } });
  });
  afterAll(() => schools.close());

  test.each(runs)(
    'for %s, the conformance suite passes: %j',
    async (who, args) => {
      token = undefined;
      if (who === 'a member') token = await accessToken(schools, 'sam', memberApp);
      const { code, text } = await run('server', '--url', `${schools.harbour}/mcp`, ...args);
      if (code !== 0) throw new Error(text);
      expect(text).toMatch(/[1-9]\d* passed|Passed: [1-9]/);
      const revision = revisions.find((each) => args[0] === '--requirements' && args[1] === each);
      if (revision) expect(passedIn(text)).toEqual([...passingScenarios[revision]].sort());
    },
    timeLimit,
  );
});

test('the scenarios without fixtures run at every revision that we speak and the suite has them for', async () => {
  const list = (await run('list', '--server')).text.matchAll(/^ +- ([\w-]+) \[([^\]]+)\]/gm);
  const known = new Map([...list].map(([, name = '', of = '']) => [name, of.split(',').filter(isSpoken)]));
  // At 2025-11-25 it needs a session, and checks nothing without one.
  known.set('server-sse-multiple-streams', ['2026-07-28']);
  expect(Object.keys(plainScenarios).map((name) => [name, known.get(name)])).toEqual(Object.entries(plainScenarios));
});

function isSpoken(revision: string): boolean {
  return revision >= revisions[0];
}
