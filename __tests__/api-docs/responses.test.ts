import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { Campus } from '../../lib/index.ts';
import { authorizeUrl, memberApp, pkce, reports } from '../helpers/flow.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { breakableStore } from '../helpers/stores.ts';
import { accessToken } from '../mcp/rpc.ts';
import { authorizeRows } from './authorize-requests.ts';
import { everything } from './configurations.ts';
import { expectDescribed, expectValid, readText } from './described.ts';
import { describedOperations, readDescription } from './description.ts';
import { type Row, rows, type TokenOf, type World } from './requests.ts';
import { signedInToolRows, toolRows } from './tool-requests.ts';

const nothing = { perAddress: 0, perSite: 0 };
const noLimitLeft = {
  // One for the token that the tests use, and one for strangers: `beforeAll` uses both up.
  authorizations: { perAddress: 1, perSite: 1 },
  registrations: nothing,
  documents: nothing,
  anonymousCalls: nothing,
  tokenCalls: { perMember: 0 },
  memberCalls: { perMember: 0 },
};
const full = everything();
const failing = breakableStore();

const settings: readonly [World, SchoolsOptions][] = [
  ['normal', full],
  ['findSite fails', { ...full, platform: { findSite: () => Promise.reject(new Error('database unavailable')) } }],
  [
    'findSite returns another origin',
    {
      ...full,
      platform: { findSite: () => ({ id: 'x', origin: 'https://x.example', name: 'x', connectionsEnabled: true }) },
    },
  ],
  ['the context is broken', { ...full, app: brokenApp }],
  ['store unavailable', { ...full, campus: { ...full.campus, store: failing.store } }],
  ['no quota left', { ...full, campus: { ...full.campus, limits: noLimitLeft } }],
];

/** A host in front of which something throws when the method of a request is read first. */
function brokenApp(campus: Campus): Koa {
  const app = new Koa();
  app.silent = true;
  app.use((ctx, next) => {
    let reads = 0;
    const get = (): string | undefined => {
      reads += 1;
      if (reads === 1) throw new Error('unexpected');
      return ctx.req.method;
    };
    Object.defineProperty(ctx, 'method', { get });
    return next();
  });
  app.use(campus.middleware());
  return app;
}

const started = new Map<World, Schools>();
for (const [world, options] of settings) started.set(world, await startSchools(options));
failing.break('find', 'save');

function schoolIn(world: World = 'normal'): Schools {
  const schools = started.get(world);
  if (!schools) throw new Error(world);
  return schools;
}

const usual = schoolIn();
const description = await readDescription(usual.harbour);
const operations = describedOperations(description);
const seen = new Set<string>();
const tokens: Record<TokenOf, string> = {
  member: '',
  operator: '',
  withoutOpenid: '',
  limited: '',
  unknown: 'x'.repeat(43),
};

beforeAll(async () => {
  tokens.member = await accessToken(usual, 'sam', memberApp);
  tokens.operator = await accessToken(usual, 'olivia', reports);
  const limited = schoolIn('no quota left');
  tokens.limited = await accessToken(limited, 'olivia', reports);
  await limited.browser().fetch(authorizeUrl(limited.harbour, reports, pkce()));
  tokens.withoutOpenid = await accessToken(usual, 'olivia', reports, 'courses:read');
});
afterAll(() => Promise.all([...started.values()].map((schools) => schools.close())));

/** Sends a request and checks that the response conforms to the description of this operation. */
async function send(
  { world, path, query, method }: Pick<Row, 'world' | 'path' | 'query'> & { readonly method: string },
  init: RequestInit = {},
  describedAs = method,
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const url = new URL(path, schoolIn(world).harbour);
  if (query) url.search = new URLSearchParams(query).toString();
  const response = await readText(await fetch(url, { ...init, method, redirect: 'manual' }));
  const { place, body } = expectDescribed(description, path, describedAs, response);
  seen.add(place);
  return { ...response, body };
}

const named = (row: Row) => [`${row.method} ${row.path}`, row.what, row] as const;

test.each([...rows, ...toolRows, ...signedInToolRows, ...authorizeRows(usual.harbour)].map(named))(
  'OpenAPI: the response to %s with %s conforms to the description',
  async (_where, _what, row) => {
    const { token, headers, body: sent } = row;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${tokens[token]}` };
    const bytes = sent === undefined ? null : new TextEncoder().encode(sent);
    const response = await send(row, { headers: { ...headers, ...authorization }, body: bytes });
    expect([response.status, response.body]).toEqual([row.status, response.body]);
    expect(response.headers.get('www-authenticate')?.split(' ', 1)[0]).toBe(row.challenge);
    if (row.error !== undefined) expect(response.body).toMatchObject({ error: row.error });
    const schema = row.error === undefined ? row.schema : (row.schema ?? 'Error');
    if (schema !== undefined) expectValid(description, description.components.schemas[schema] ?? {}, response.body);
  },
);

const places = operations.map(({ method, path }) => [method, path] as const);

test.each(places)(
  'OpenAPI: %s %s describes 405, a failing platform, a wrong site (503) and an unexpected error (500)',
  async (method, path) => {
    const other = await send({ path, method: 'PUT' }, {}, method);
    expect([other.status, other.headers.get('allow')]).toEqual([405, expect.stringContaining(method)]);
    const gone = await send({ world: 'findSite fails', path, method });
    expect(gone.status).toBe(503);
    const wrong = await send({ world: 'findSite returns another origin', path, method });
    expect(wrong.status).toBe(503);
    const broken = await send({ world: 'the context is broken', path, method });
    expect(broken.status).toBe(500);
  },
);

const documents = operations
  .filter(({ operation }) => operation.responses['304'])
  .map(({ method, path, operation }) => {
    const accept = Object.keys(operation.responses['200']?.content ?? {}).join();
    return [method, path, { accept }] as const;
  });

test.each(documents)('OpenAPI: %s %s describes 200 and 304', async (method, path, accept) => {
  const first = await send({ path, method }, { headers: accept });
  const headers = { ...accept, 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
  const again = await send({ path, method }, { headers });
  expect([first.status, again.status]).toEqual([200, 304]);
});

test('OpenAPI: every described response occurred here, except those that replay.test.ts covers', () => {
  const all = operations.flatMap(({ method, path, operation }) =>
    Object.keys(operation.responses).map((status) => `${method} ${path} ${status}`),
  );
  expect(all.filter((response) => !seen.has(response))).toEqual(['POST /api/oauth/token 200']);
});
