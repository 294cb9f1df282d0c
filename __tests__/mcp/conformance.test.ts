import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { mcpRoute } from '../../lib/mcp/serve/route.ts';
import { sendError } from '../../lib/http/send.ts';
import { createRouter } from '../../lib/http/router.ts';
import type { Campus, Site } from '../../lib/index.ts';
import { memberApp } from '../helpers/flow.ts';
import { type HostApp, type Schools, startSchools } from '../helpers/schools.ts';
import { serveFixtures } from './fixtures/serve.ts';
import { accessToken, revisions } from './rpc.ts';
import { accessTools } from './tools.ts';

const suite = new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url).pathname;
/** The suite asks a server dozens of things, some of them with pauses. */
const patience = 60_000;

/** Runs the suite's program; answers its exit code and what it wrote, without colours. */
function run(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [suite, ...args], { encoding: 'utf8' }, (error, stdout, stderr) => {
      const text = `${stdout}\n${stderr}`.replaceAll(new RegExp(`${String.fromCodePoint(27)}\\[[\\d;]*m`, 'g'), '');
      done({ code: error ? Number(error.code) : 0, text });
    });
  });
}

/** The suite's server scenarios, each with the revisions that it is for. */
const list = (await run('list', '--server')).text.matchAll(/^ +- ([\w-]+) \[([^\]]+)\]/gm);
const scenarios = [...list].map(([, name = '', known = '']) => ({ name, known: known.split(',') }));

/** Those that want nothing of a server but that it speaks MCP. */
const plain = [
  'server-initialize',
  'ping',
  'tools-list',
  'dns-rebinding-protection',
  'http-header-validation',
  'server-sse-multiple-streams',
  'sep-2164-resource-not-found',
  'input-required-result-unsupported-methods',
  'input-required-result-validate-input',
];
const plainRuns = scenarios
  .filter(({ name }) => plain.includes(name))
  .flatMap(({ name, known }) => known.map((revision) => [name, revision] as const))
  .filter(([, revision]) => revision >= '2025-11-25')
  // At that revision it needs a session, and checks nothing without one.
  .filter(([name, revision]) => name !== 'server-sse-multiple-streams' || revision !== '2025-11-25');

/** All of a revision. */
const sets = revisions.map((revision) => ['--requirements', revision]);

let token: string | undefined;

/** Every request carries the token of the moment: the suite has none of its own. */
const addToken: Koa.Middleware = (ctx, next) => {
  if (token !== undefined) {
    ctx.req.headers.authorization = `Bearer ${token}`;
    ctx.req.rawHeaders.push('Authorization', ctx.req.headers.authorization);
  }
  return next();
};

function appOf(...middleware: Koa.Middleware[]): HostApp {
  const app = new Koa();
  app.silent = true;
  for (const each of [addToken, ...middleware]) app.use(each);
  return app;
}

/** Our endpoint with the fixtures behind it, in front of everything else. */
function withFixtures(campus: Campus): HostApp {
  const free = async (): Promise<void> => undefined;
  const serve = serveFixtures();
  const quotas = { anonymous: free, token: free };
  const verify = (site: Site, known: string) => campus.verify(site, known);
  const route = mcpRoute({ tools: new Map(), verify, quotas, origins: [], toolTimeout: 30, serve: () => serve });
  const onFault = (message: string, cause: unknown): never => {
    throw new Error(message, { cause });
  };
  return appOf(
    createRouter([route], { findSite, sendPageError: (ctx, _site, error) => sendError(ctx, error), onFault }),
    campus.middleware(),
  );
}

async function findSite(origin: string): Promise<Site | undefined> {
  const harbour = new URL(origin).hostname === 'localhost';
  return harbour ? { id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true } : undefined;
}

describe.each([
  [
    'our tools',
    (campus: Campus) => appOf(campus.middleware()),
    plainRuns.map(([name, revision]) => ['--scenario', name, '--spec-version', revision]),
  ],
  ['the suite’s fixtures', withFixtures, sets],
])('with %s', (_what, app, runs) => {
  let schools: Schools;
  beforeAll(async () => {
    schools = await startSchools({ app, mcp: { tools: accessTools } });
  });
  afterAll(() => schools.close());

  test.each(runs.flatMap((args) => [['nobody', args] as const, ['a member', args] as const]))(
    'for %s, the suite is content: %j',
    async (who, args) => {
      token = undefined;
      if (who === 'a member') token = await accessToken(schools, 'sam', memberApp);
      const { code, text } = await run('server', '--url', `${schools.harbour}/mcp`, ...args);
      if (code !== 0) throw new Error(text);
      expect(text).toMatch(/[1-9]\d* passed|Passed: [1-9]/);
    },
    patience,
  );
});

test('there are scenarios to run', () => {
  expect(plainRuns.length).toBeGreaterThan(3);
});
