import { SpanKind } from '@opentelemetry/api';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OAuthError } from '../../lib/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import { testClients } from '../helpers/clients.ts';
import {
  authorizeUrl,
  connect,
  introspect,
  memberApp,
  pkce,
  postForm,
  refresh,
  reports,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { documented } from './documented.ts';
import { type Sdk, startSdk } from './observed-schools.ts';

const email = 'sam@example.com';
let sdk: Sdk;
let schools: Schools;
/** What must not be found. */
const secrets = [email, '127.0.0.1', '203.0.113.7', 'sam', 'olivia', 'Student', 'a secret of the tests'];
secrets.push(...testClients.map(({ clientName }) => clientName));

beforeAll(async () => {
  sdk = await startSdk();
  const refusing = {
    name: 'refusing',
    decide: () => {
      throw new OAuthError(`no_${email}`, `not for ${email}`);
    },
  };
  schools = await startSchools({
    ...plugins,
    campus: { telemetry: sdk.telemetry, registration: [loopbackClients(), refusing] },
  });
  await visitEverything();
});
afterAll(async () => {
  await schools.close();
  await sdk.close();
});

/** Requests of all kinds, by people and clients, and by others. */
async function visitEverything(): Promise<void> {
  const { harbour } = schools;
  for (const client of [memberApp, webMemberApp]) {
    const { body } = await connect(schools.browser('sam'), harbour, client);
    const refreshed = await refresh(harbour, client, body['refresh_token']);
    await userinfo(harbour, refreshed.body['access_token']);
    await introspect(harbour, reports, refreshed.body['access_token']);
    await mcp(harbour, refreshed.body['access_token']);
    await postForm(`${harbour}/api/oauth/revoke`, {
      client_id: client.id,
      token: String(refreshed.body['access_token']),
    });
    for (const { body: issued } of [{ body }, refreshed]) {
      const tokens = [issued['access_token'], issued['refresh_token'], issued['id_token']];
      const issuedTokens = tokens.filter((token) => typeof token === 'string');
      // The first part of a refresh token is the same for months.
      secrets.push(...issuedTokens, ...issuedTokens.flatMap((token) => token.split('~', 1)));
    }
    if (client.secret !== undefined) secrets.push(client.secret);
  }
  await connect(schools.browser('olivia'), harbour, reports);
  await schools
    .browser('sam')
    .follow(authorizeUrl(harbour, memberApp, pkce(), { client_id: email, login_hint: email }));
  await userinfo(harbour, email);
  await fetch(`${harbour}/.well-known/openid-configuration?${email}`, {
    headers: { 'x-forwarded-for': '203.0.113.7' },
  });
  const redirects = { redirect_uris: ['https://app.example/callback'], client_name: 'Member App' };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${harbour}/api/oauth/register`, { method: 'POST', headers, body: JSON.stringify(redirects) });
  await schools.campus.connections.revokeAll(harbourSite(harbour), 'sam');
}

async function mcp(origin: string, token: unknown): Promise<void> {
  const headers = {
    authorization: `Bearer ${String(token)}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  await fetch(`${origin}/mcp`, { method: 'POST', headers, body });
}

function spansAsText(): string {
  return JSON.stringify(
    sdk.spans().map(({ name, attributes, events, links, status }) => ({ name, attributes, events, links, status })),
  );
}

/** The row of the documentation for a span of this name. */
function rowOf(name: string): string {
  const prefix = /^(store|platform)\./.exec(name)?.[1];
  if (prefix !== undefined) return `${prefix}.{method}`;
  return name === 'document.fetch' ? name : '{method} {route}';
}

test('spans have the attributes that docs/reference/metrics.md lists, and no others', () => {
  const rows = documented('Spans');
  expect([...rows.keys()]).toEqual(['{method} {route}', 'store.{method}', 'platform.{method}', 'document.fetch']);
  const undocumented = sdk.spans().flatMap(({ name, attributes }) => {
    const listed = rows.get(rowOf(name)) ?? [];
    return Object.keys(attributes).filter((attribute) => !listed.includes(attribute));
  });
  expect(undocumented).toEqual([]);
  const seen = sdk
    .spans()
    .flatMap(({ name, attributes }) => (rowOf(name).startsWith('{') ? Object.keys(attributes) : []));
  expect([...new Set(seen)].sort()).toEqual([...(rows.get('{method} {route}') ?? [])].sort());
  expect(sdk.spans().flatMap(({ events, links }) => [...events, ...links])).toEqual([]);
});

test('metrics have the attributes that docs/reference/metrics.md lists, and neither school nor client', async () => {
  const label = (attribute: string): string => attribute.replaceAll('.', '_');
  const rows = new Map([...documented('Metrics')].map(([name, attributes]) => [label(name), attributes.map(label)]));
  const undocumented = (await sdk.samples()).flatMap(({ name, labels }) => {
    const listed = rows.get(name.replace(/_(?:total|count|sum|bucket)$/, ''));
    if (!listed) return name === 'target_info' ? [] : [name];
    const known = [...listed, 'le', 'otel_scope_name'];
    return Object.keys(labels).filter((each) => !known.includes(each));
  });
  expect(undocumented).toEqual([]);
  expect([...rows.values()].flat()).not.toContain('campus_oidc_site_id');
});

test('no span and no metric has a credential, a member, an address or the name of a client', async () => {
  const text = `${spansAsText()}${await sdk.text()}`;
  expect(secrets.length).toBeGreaterThan(15);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(text).toContain('_OTHER');
});

test('a span has the client only once the client was found', () => {
  const clients = sdk.spans().map(({ attributes }) => attributes['campus_oidc.client.id'] ?? 'none');
  expect(new Set(clients)).toEqual(new Set(['member-app', 'none', 'reports', 'web-member-app']));
});

test('the calls of a request are in its span', () => {
  const spans = sdk.spans();
  const refreshes = spans.filter(({ name }) => name === 'POST /api/oauth/token');
  const inside = spans.filter(({ parentSpanContext: parent }) =>
    refreshes.some((span) => span.spanContext().spanId === parent?.spanId),
  );
  expect(new Set(inside.map(({ name }) => name))).toContain('store.redeem');
  expect(refreshes.every(({ kind }) => kind === SpanKind.SERVER)).toBe(true);
});

test('unknown paths and methods make no new time series', async () => {
  const { harbour } = schools;
  const series = async (): Promise<string[]> => (await sdk.samples()).map(({ labels }) => JSON.stringify(labels));
  await fetch(`${harbour}/api/oauth/token`, { method: 'PROPFIND' });
  const before = await series();
  const spansBefore = sdk.spans().length;
  for (let i = 0; i < 20; i += 1) await fetch(`${harbour}/unknown-${i}`);
  expect(sdk.spans().length).toBe(spansBefore);
  for (const method of ['MKCOL', 'PURGE', 'LOCK', 'SEARCH']) await fetch(`${harbour}/api/oauth/token`, { method });
  for (let i = 0; i < 20; i += 1) await fetch(`${harbour}/oauth/interaction/unknown-${i}`);
  const added = (await series()).filter((each) => !before.includes(each));
  expect(added.filter((each) => !each.includes('/oauth/interaction/:id'))).toEqual([]);
  expect(before.filter((each) => each.includes('"http_request_method":"_OTHER"')).length).toBeGreaterThan(0);
});
