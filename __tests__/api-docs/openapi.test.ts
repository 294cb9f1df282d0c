import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { errorCode, type ErrorName } from '../../lib/describe/error-codes.ts';
import * as errors from '../../lib/protocol/errors.ts';
import type { CampusOptions, SchoolPlatform } from '../../lib/index.ts';
import { paths, protectedPaths } from '../../lib/protocol/paths.ts';
import { allScopes } from '../../lib/protocol/scopes.ts';
import { signingKey } from '../helpers/keys.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { acme, everything, fullPlatform, little } from './configurations.ts';
import { expectValid } from './described.ts';
import { type Description, describedOperations, readDescription } from './description.ts';

const redocly = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'campus-oidc-openapi-'));
const published = await signingKey('next');

/** Redocly's recommended rules; answers what it found. */
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

/** One school, at an address that linters like. */
async function start(
  campus: Partial<CampusOptions>,
  more: Partial<SchoolPlatform> = {},
): Promise<Schools & { description: Description }> {
  const schools = await startSchools({
    campus,
    platform: more,
    wrapPlatform: (platform) => ({
      ...platform,
      findSite: (origin) =>
        origin === 'https://harbour.school'
          ? { id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true }
          : platform.findSite(origin),
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
const configurations: [string, Partial<CampusOptions>][] = [
  ['everything on', everything()],
  ['little on', little],
  ['no key that signs', { ...everything(), keys: silent }],
];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(configurations)('with %s', (name, campus) => {
  let schools: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    schools = await start(campus);
  });
  afterAll(() => schools.close());

  test('it lints clean', async () => {
    const found = JSON.parse(await lint(name.replaceAll(' ', '-'), schools.description));
    expect(found.problems).toEqual([]);
    expect(found.totals).toMatchObject({ errors: 0, warnings: 0 });
  }, 30_000);

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

  test('every operation that it describes is there', async () => {
    for (const { path, method } of describedOperations(schools.description)) {
      const { status } = await fetch(`${schools.harbour}${path}`, { method, redirect: 'manual' });
      expect([method, path, status]).not.toContain(404);
      expect([method, path, status]).not.toContain(405);
    }
  });

  test('every address in it is of this school', () => {
    const text = JSON.stringify(schools.description);
    expect(text).not.toMatch(/localhost|127\.0\.0\.1:(?!8123|PORT)/);
    expect(text).toContain('https://harbour.school');
  });
});

describe('what it describes', () => {
  let full: Awaited<ReturnType<typeof start>>;
  let less: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    [full, less] = await Promise.all([start(everything(), fullPlatform), start(little)]);
  });
  afterAll(() => Promise.all([full.close(), less.close()]));

  test('every path of the service is there, but for the pages that only browsers see', () => {
    const { interaction: _page, ...table } = paths;
    const all = Object.values(table).filter((path) => !/developers|connected|connections|asset/.test(path));
    const inserted = protectedPaths.map((path) => `${paths.protectedResource}${path}`);
    expect(Object.keys(full.description.paths)).toEqual(expect.arrayContaining([...all, ...inserted]));
  });

  test('every scope is there, with the words of the consent page', () => {
    const { scopes } = full.description.components.securitySchemes.oauth.flows.authorizationCode;
    expect(Object.keys(scopes)).toEqual(allScopes);
  });

  test('every error that the code can throw is there, with its status', () => {
    const codes = Object.values(errors)
      .filter((made) => made.prototype instanceof errors.OAuthError)
      .map((Made): errors.OAuthError => Reflect.construct(Made, ['words', ['openid']]));
    expect(codes.length).toBeGreaterThan(10);
    const listed = full.description.components.schemas['Error']?.properties?.['error']?.enum ?? [];
    for (const { error, status } of codes) {
      expect(listed).toContain(error);
      // Where it is thrown without a status, it goes to the redirect URI.
      if (error === 'access_denied') continue;
      const { status: described } = errorCode(listed.find((code): code is ErrorName => code === error) ?? 'slow_down');
      expect([error, described]).toEqual([error, status]);
    }
  });

  test('what is off is not described', () => {
    expect(less.description.paths).not.toHaveProperty([paths.register]);
    expect(less.description.paths).not.toHaveProperty([paths.memberSchema]);
    expect(JSON.stringify(less.description)).not.toContain('my_courses');
    expect(JSON.stringify(less.description)).not.toContain(acme.clientName);
    expect(JSON.stringify(full.description)).toContain(acme.clientName);
  });

  test('where there are no limits, nothing is answered with 429', () => {
    const limited = (description: Description) =>
      describedOperations(description)
        .filter(({ operation }) => operation.responses['429'])
        .map(({ path }) => path);
    const { authorize, token, revoke, introspect, register, mcp } = paths;
    expect(limited(full.description).toSorted()).toEqual(
      [authorize, token, revoke, introspect, register, mcp].toSorted(),
    );
    expect(limited(less.description)).toEqual([]);
  });

  test('the Member API, as far as the platform serves it, and its page where there is one', () => {
    const of = ({ description }: typeof full) => description.paths[paths.memberGraphql];
    expect(of(full)?.['post']?.description).not.toContain('NOT_SERVED');
    expect(of(less)?.['post']?.description).toContain('`id`, `name`, `email`');
    expect(of(full)?.['get']?.responses['200']?.content).toHaveProperty(['text/html']);
    expect(of(less)).not.toHaveProperty('get');
  });

  test('a message to the tool endpoint: a request, a notification or a response, and nothing else', () => {
    const takes = (members: object) => () =>
      expectValid(full.description, full.description.components.schemas['JsonRpcRequest'] ?? {}, {
        jsonrpc: '2.0',
        ...members,
      });
    expect(takes({ id: 1, method: 'tools/list' })).not.toThrow();
    expect(takes({ method: 'notifications/initialized' })).not.toThrow();
    expect(takes({ id: 1, result: {} })).not.toThrow();
    expect(takes({ error: { code: 1, message: 'no' } })).not.toThrow();
    for (const wrong of [{ id: 1 }, { result: {} }, { id: 1, result: 5 }]) expect(takes(wrong)).toThrow();
    expect(full.description.paths[paths.memberGraphql]?.['post']?.responses['400']?.description).toContain('1 to 100');
  });

  test('tools are there with their scopes', () => {
    const tools = full.description.paths[paths.mcp]?.['post']?.['x-tools'];
    expect(tools).toContainEqual(expect.objectContaining({ name: 'school_info', public: true }));
    expect(tools).toContainEqual(expect.objectContaining({ name: 'my_courses', scopes: ['account:read'] }));
  });
});
