import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { errorCode, type ErrorName } from '../../lib/describe/error-codes.ts';
import * as errors from '../../lib/kernel/errors.ts';
import { paths } from '../../lib/http/paths.ts';
import { allScopes } from '../helpers/scopes.ts';
import { signingKey } from '../helpers/keys.ts';
import { type Schools, startSchools, type SchoolsOptions } from '../helpers/schools.ts';
import { withServices } from '../helpers/services.ts';
import { harbourSite } from '../helpers/sites.ts';
import { acme, everything, little } from './configurations.ts';
import { expectValid } from './described.ts';
import { type Description, describedOperations, readDescription } from './description.ts';

const redocly = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'campus-oidc-openapi-'));
const published = await signingKey('next');

/** Checks Redocly's recommended rules and returns its report. */
function lint(name: string, description: Description): Promise<string> {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(description));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [redocly, 'lint', '--extends', 'recommended', '--format', 'json', file];
  return new Promise((done) => {
    execFile(process.execPath, args, { encoding: 'utf8', env, cwd: folder }, (_error, stdout) => done(stdout));
  });
}

/** Every object of a document that has a `type`, with its JSON pointer. */
function schemasIn(value: unknown, pointer = ''): [string, { readonly type: unknown; readonly items?: unknown }][] {
  if (typeof value !== 'object' || value === null) return [];
  const members: [string, unknown][] = Object.entries(value);
  const inside = members.flatMap(([name, member]) => schemasIn(member, `${pointer}/${name.replaceAll('/', '~1')}`));
  return 'type' in value ? [[pointer, value], ...inside] : inside;
}

/** One school at an `https:` origin, since linters reject localhost. */
async function start(options: SchoolsOptions): Promise<Schools & { description: Description }> {
  const schools = await startSchools({
    ...options,
    wrapPlatform: (platform) => ({
      ...platform,
      findSite: (origin) => (origin === 'https://harbour.school' ? harbourSite(origin) : platform.findSite(origin)),
    }),
    app: (made) => {
      const app = new Koa();
      app.proxy = true;
      return app.use(made.middleware());
    },
  });
  const headers = { 'x-forwarded-host': 'harbour.school', 'x-forwarded-proto': 'https' };
  return { ...schools, description: await readDescription(schools.harbour, headers) };
}

const silent = { signing: [], published: [published], cookies: ['a secret of the tests'] };
const configurations: [string, SchoolsOptions][] = [
  ['every feature enabled', everything()],
  ['every feature disabled', little],
  [
    'every grant type and client authentication',
    {
      ...everything(),
      campus: { ...everything().campus, ...withServices, clientAuthentication: ['client_secret_basic'] },
    },
  ],
  ['no signing key', { ...everything(), campus: { ...everything().campus, keys: silent } }],
];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(configurations)('/openapi.json with %s', (name, options) => {
  let schools: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    schools = await start(options);
  });
  afterAll(() => schools.close());

  test('has no lint problems (Redocly)', async () => {
    const found = JSON.parse(await lint(name.replaceAll(' ', '-'), schools.description));
    expect(found.problems).toEqual([]);
    expect(found.totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  test('every operation has a summary and a description', () => {
    const bare = describedOperations(schools.description).filter(
      ({ operation: { summary, description = '' } }) => summary === '' || description.trim() === '',
    );
    expect(bare.map(({ path, method }) => `${method} ${path}`)).toEqual([]);
  });

  test('every array schema has items', () => {
    const arrays = schemasIn(schools.description).filter(([, { type }]) => [type].flat().includes('array'));
    expect(arrays.length).toBeGreaterThan(5);
    expect(arrays.filter(([, { items }]) => typeof items !== 'object').map(([pointer]) => pointer)).toEqual([]);
  });

  test('describes only operations that exist', async () => {
    for (const { path, method } of describedOperations(schools.description)) {
      const { status } = await fetch(`${schools.harbour}${path}`, { method, redirect: 'manual' });
      expect([method, path, status]).not.toContain(404);
      expect([method, path, status]).not.toContain(405);
    }
  });

  test('contains only URLs of this school', () => {
    const text = JSON.stringify(schools.description);
    expect(text).not.toMatch(/localhost(?!:PORT)|127\.0\.0\.1:(?!8123|PORT)/);
    expect(text).toContain('https://harbour.school');
  });
});

describe('/openapi.json content', () => {
  let full: Awaited<ReturnType<typeof start>>;
  let less: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    [full, less] = await Promise.all([start(everything()), start(little)]);
  });
  afterAll(() => Promise.all([full.close(), less.close()]));

  test('describes every path except the pages for browsers', () => {
    const { interaction: _page, pageScript: _script, ...table } = paths;
    const all = Object.values(table).filter((path) => !/developers|connected|connections|asset/.test(path));
    const inserted = ['/mcp', '/member/graphql'].map((path) => `${paths.protectedResource}${path}`);
    expect(Object.keys(full.description.paths)).toEqual(expect.arrayContaining([...all, ...inserted]));
  });

  test('lists every scope', () => {
    const { scopes } = full.description.components.securitySchemes.oauth.flows.authorizationCode;
    expect(Object.keys(scopes)).toEqual(allScopes);
  });

  test('lists every OAuthError class with its status', () => {
    const codes = Object.values(errors)
      .filter((made) => made.prototype instanceof errors.OAuthError)
      .map((Made): errors.OAuthError => Reflect.construct(Made, ['words', ['openid']]));
    expect(codes.length).toBeGreaterThan(10);
    const listed = full.description.components.schemas['Error']?.properties?.['error']?.enum ?? [];
    for (const { error, status } of codes) {
      // Only a route of the host, or a tool, that asks how somebody has signed in sends it.
      if (error === 'insufficient_user_authentication') continue;
      expect(listed).toContain(error);
      // Without a status it is sent to the redirect URI.
      if (error === 'access_denied') continue;
      const { status: described } = errorCode(listed.find((code): code is ErrorName => code === error) ?? 'slow_down');
      expect([error, described]).toEqual([error, status]);
    }
  });

  test('omits disabled features', () => {
    expect(less.description.paths).not.toHaveProperty([paths.register]);
    expect(less.description.paths).not.toHaveProperty([paths.memberSchema]);
    expect(JSON.stringify(less.description)).not.toContain('my_courses');
    expect(JSON.stringify(less.description)).not.toContain(acme.clientName);
    expect(JSON.stringify(full.description)).toContain(acme.clientName);
  });

  test('describes 429 at limited endpoints, and nowhere if limits are off', () => {
    const limited = (description: Description) =>
      describedOperations(description)
        .filter(({ operation }) => operation.responses['429'])
        .map(({ path }) => path);
    const { authorize, token, register, userinfo, memberGraphql, mcp, mcpOperator, mcpMember } = paths;
    expect(limited(full.description).toSorted()).toEqual(
      [authorize, token, register, userinfo, userinfo, memberGraphql, mcp, mcpOperator, mcpMember].toSorted(),
    );
    expect(limited(less.description)).toEqual([]);
  });

  test('Member API: describes NOT_SERVED without memberApi({ data }), and GraphiQL if enabled', () => {
    const of = ({ description }: typeof full) => description.paths[paths.memberGraphql];
    expect(of(full)?.['post']?.description).not.toContain('NOT_SERVED');
    expect(of(less)?.['post']?.description).toContain('only `id`, `name` and `email`');
    expect(of(full)?.['get']?.responses['200']?.content).toHaveProperty(['text/html']);
    expect(of(less)).not.toHaveProperty('get');
  });

  test('JsonRpcRequest accepts a request, a notification or a response, and nothing else', () => {
    const validate = (members: object) => () =>
      expectValid(full.description, full.description.components.schemas['JsonRpcRequest'] ?? {}, {
        jsonrpc: '2.0',
        ...members,
      });
    expect(validate({ id: 1, method: 'tools/list' })).not.toThrow();
    expect(validate({ method: 'notifications/initialized' })).not.toThrow();
    expect(validate({ id: 1, result: {} })).not.toThrow();
    expect(validate({ error: { code: 1, message: 'no' } })).not.toThrow();
    for (const wrong of [{ id: 1 }, { result: {} }, { id: 1, result: 5 }]) expect(validate(wrong)).toThrow();
    expect(full.description.paths[paths.memberGraphql]?.['post']?.responses['400']?.description).toContain('1 to 100');
  });

  test('x-tools lists the tools with their scopes', () => {
    const tools = full.description.paths[paths.mcp]?.['post']?.['x-tools'];
    expect(tools).toContainEqual(expect.objectContaining({ name: 'school_info', public: true }));
    expect(tools).toContainEqual(expect.objectContaining({ name: 'my_courses', scopes: ['account:read'] }));
  });
});
