import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { knownToClients } from '../../lib/core/enabled/enabled.ts';
import { features } from '../../lib/features/features.ts';
import { deviceAuthorization } from '../../lib/grant-types.ts';
import * as tables from '../../lib/public/argument-schemas.ts';
import { loopbackClients } from '../../policies/index.ts';
import { authorizeUrl, connect, memberApp, pkce, webMemberApp } from '../helpers/flow.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { countedStore } from '../helpers/stores.ts';

const half = 'a\ud800b';

let schools: Schools;
let calls: string[];
afterEach(() => schools.close());

async function start(parsed?: object): Promise<void> {
  const { store, calls: made } = countedStore();
  calls = made;
  schools = await startSchools({
    campus: {
      store,
      registration: [loopbackClients()],
      grants: [deviceAuthorization()],
    },
    ...plugins,
    app: (campus) => {
      const app = new Koa();
      if (parsed) app.use(bodyReader(parsed));
      return app.use(campus.middleware());
    },
  });
}

/** A body parser of a host, which decodes in its own way. */
const bodyReader =
  (parsed: object): Koa.Middleware =>
  async (ctx, next) => {
    await text(ctx.req);
    Object.assign(ctx.request, { body: parsed });
    await next();
  };

/** In JSON it is an escape, so the body itself is UTF-8. */
const json = (value: unknown): string => JSON.stringify(value);

const bodies: readonly [path: string, body: unknown][] = [
  ['/api/oauth/register', { redirect_uris: ['http://127.0.0.1/'], client_name: 'App', software_id: half }],
  ['/api/oauth/register', { redirect_uris: ['http://127.0.0.1/'], [half]: 1 }],
  ['/member/graphql', { query: '{ me { id } }', operationName: half }],
  ['/member/graphql', { query: 'query($a: ID!) { course(id: $a) { id } }', variables: { a: half } }],
  ['/member/graphql', { query: `{ me { id } } # ${half}` }],
  ['/mcp', { jsonrpc: '2.0', id: half, method: 'tools/list' }],
  [
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'open', arguments: { deep: [{ [half]: 1 }] } } },
  ],
];

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

test.each(bodies)(
  '%s refuses a JSON body with half of a surrogate pair before it asks the store: %j',
  async (path, body) => {
    await start();
    const { body: tokens } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    const authorization = `Bearer ${String(tokens['access_token'])}`;
    const sent = { method: 'POST', headers: { ...headers, authorization }, body: json(body) };
    const response = await fetch(`${schools.harbour}${path}`, sent);
    expect([response.status, schools.faults]).toEqual([400, []]);
    expect(await response.text()).toContain('surrogate pair');
  },
);

test.each(['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/introspect', '/api/oauth/device_authorization'])(
  '%s refuses a field with half of a surrogate pair that a body parser of the host let through',
  async (path) => {
    await start({ client_id: half, token: 'x', grant_type: 'refresh_token', refresh_token: 'x' });
    const body = new URLSearchParams({ client_id: 'x' });
    const response = await fetch(`${schools.harbour}${path}`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('client_id must be well-formed Unicode text'),
    });
    expect([calls, schools.faults]).toEqual([[], []]);
  },
);

test('half of a pair as bytes becomes U+FFFD in a query, is refused in a form, and is no fault', async () => {
  await start();
  const bytes = '%ED%A0%80';
  const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { state: 'x' }).href.replace(
    'state=x',
    `state=${bytes}`,
  );
  const sent = await fetch(`${url}&prompt=none`, { redirect: 'manual' });
  expect(new URL(sent.headers.get('location') ?? '').searchParams.get('state')).toBe('\ufffd\ufffd\ufffd');
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const body = `grant_type=refresh_token&refresh_token=${bytes}&client_id=${bytes}`;
  expect((await fetch(`${schools.harbour}/api/oauth/token`, { ...form, body })).status).toBe(400);
  expect(schools.faults).toEqual([]);
});

/** For each argument a right value, and one with such a text. */
const samples: Readonly<Record<string, readonly [right: unknown, wrong: unknown]>> = {
  only: [{ class: ['7b'] }, { class: [half] }],
  details: [{ by: 'olivia' }, { by: half }],
  memberId: ['sam', half],
  id: ['x', half],
  deviceId: ['x', half],
  clientId: ['app', half],
  scopes: [['openid'], [half]],
  query: [{}, { search: half }],
  app: [{ clientId: 'app' }, { clientId: half }],
  of: [{ app: 'claude' }, { app: half }],
  question: [{ clientId: 'app' }, { clientId: half }],
  rule: [{ access: 'allowed' }, { access: 'allowed', roles: [half] }],
  application: [undefined, { clientName: half, redirectUris: [], scopes: [], confidential: true }],
  changes: [{}, { clientName: half }],
  options: [{}, { version: half }],
  expected: [undefined, { version: half }],
  decision: [{}, { by: half }],
  request: [undefined, { app: 'other', clientName: { deep: [half] } }],
  answer: [undefined, half],
  after: [undefined, { removed: {}, next: half }],
};

/** `overlap` is a number, `accepted`, `ctx`, the request of `siteOf` and the options of `health` have no text. */
const withoutText = ['site', 'token', 'body', 'accepted', 'ctx', 'siteOf.request', 'health.'];

describe('an argument with half of a surrogate pair is a TypeError of', () => {
  const { campus: own, applications, ...others } = tables;
  const groups = { ...others, applications: applications(knownToClients(features)) };
  const methods = [
    ...Object.entries(groups).flatMap(([group, table]) =>
      Object.entries(table).map(([method, args]) => [group, method, Object.keys(args)] as const),
    ),
    ...Object.entries(own).map(([method, args]) => ['', method, Object.keys(args)] as const),
  ];
  const cases = methods.flatMap(([group, method, args]) =>
    args
      .filter((name) => !withoutText.includes(name) && !withoutText.includes(`${method}.${name}`))
      .map((name) => [`${group}${group && '.'}${method}`, name, args] as const),
  );

  test.each(cases)('%s: %s', async (path, name, args) => {
    await start();
    const site = harbourSite(schools.harbour);
    const given = args.map((each) => {
      if (each === 'site') return site;
      if (each === '') return { origins: [half] };
      return samples[each]?.[each === name ? 1 : 0];
    });
    const method: unknown = path
      .split('.')
      .reduce<unknown>((at, member) => Reflect.get(Object(at), member), schools.campus);
    if (typeof method !== 'function') throw new Error(`there is no ${path}`);
    calls.splice(0);
    const returned: unknown = Reflect.apply(method, undefined, given);
    await expect(returned).rejects.toThrow(TypeError);
    await expect(returned).rejects.toThrow(/must be well-formed Unicode text/);
    expect([calls, schools.faults]).toEqual([[], []]);
  });

  test('verify, whose token is unknown; explainRegistration says what the endpoint would', async () => {
    await start();
    const site = harbourSite(schools.harbour);
    await expect(schools.campus.verify(site, half)).rejects.toMatchObject({ status: 401 });
    await expect(schools.campus.verify({ ...site, id: half }, 'x')).rejects.toThrow(TypeError);
    const body = { redirect_uris: ['http://127.0.0.1/'], software_id: half };
    expect(await schools.campus.explainRegistration(site, body)).toMatchObject({ outcome: 'refused', status: 400 });
    expect(schools.faults).toEqual([]);
  });
});
