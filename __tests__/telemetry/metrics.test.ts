import { context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa, { type Middleware } from 'koa';
import type { Campus, SchoolPlatform } from '../../lib/index.ts';
import { features } from '../../lib/features/features.ts';
import { errorCodes } from '../../lib/describe/error-codes.ts';
import {
  client as documentClient,
  clientId as documentId,
  documentSchools,
} from '../features/metadata-documents/document-schools.ts';
import {
  authorizeUrl,
  clientFields,
  connect,
  exchange,
  getCode,
  memberApp,
  pkce,
  postForm,
  refresh,
  userinfo,
} from '../helpers/flow.ts';
import { approve, poll, startDevice, withDevices } from '../features/device/devices.ts';
import { serviceToken, syncApp, withServices } from '../helpers/services.ts';
import { plugins, type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { crowdedStore } from '../helpers/stores.ts';
import { type Sdk, startSdk, sumOf } from './observed-schools.ts';

let sdk: Sdk;
let schools: Schools | undefined;
beforeEach(async () => {
  sdk = await startSdk();
});
afterEach(async () => {
  await schools?.close();
  schools = undefined;
  await sdk.close();
});
async function start(campus: SchoolsOptions['campus'] = {}, platform: Partial<SchoolPlatform> = {}): Promise<Schools> {
  schools = await startSchools({ ...plugins, campus: { ...campus, telemetry: sdk.telemetry }, platform });
  return schools;
}

/** The value of a metric. */
async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number> {
  return sumOf(await sdk.samples(), name, labels);
}

const requests = 'http_server_request_duration_count';
const grant = (type: string): Record<string, string> => ({ campus_oidc_grant_type: type });

test('requests by route and outcome, with the error code of a refusal', async () => {
  const started = await start();
  const { harbour } = started;
  const { body } = await connect(started.browser('sam'), harbour, memberApp);
  await userinfo(harbour, body['access_token']);
  await userinfo(harbour, 'unknown');
  const route = { http_route: '/api/oauth/userinfo', http_request_method: 'GET', url_scheme: 'http' };
  const ok = { ...route, campus_oidc_outcome: 'ok', http_response_status_code: '200' };
  const refused = { campus_oidc_outcome: 'refused', http_response_status_code: '401', error_type: 'invalid_token' };
  expect([await valueOf(requests, ok), await valueOf(requests, { ...route, ...refused })]).toEqual([1, 1]);
});

test('the error code of a redirect to the client, and of an error page', async () => {
  const started = await start();
  const { harbour } = started;
  await started.browser('sam').follow(authorizeUrl(harbour, memberApp, pkce(), { scope: 'courses:write' }));
  await started.browser('sam').follow(authorizeUrl(harbour, memberApp, pkce(), { client_id: 'unknown' }));
  const refused = { http_route: '/oauth/authorize', campus_oidc_outcome: 'refused' };
  const codes = (await sdk.samples())
    .filter(({ name, labels }) => name === requests && labels['campus_oidc_outcome'] === 'refused')
    .map(({ labels: of }) => `${of['http_route']} ${of['http_response_status_code']} ${of['error_type']}`);
  expect(await valueOf(requests, refused)).toBe(2);
  expect(codes.sort()).toEqual(['/oauth/authorize 303 invalid_scope', '/oauth/authorize 400 invalid_client']);
});

test('tokens issued, refused and revoked', async () => {
  const started = await start();
  const { harbour } = started;
  const { body } = await connect(started.browser('sam'), harbour, memberApp);
  await refresh(harbour, memberApp, body['refresh_token']);
  await refresh(harbour, memberApp, body['refresh_token']);
  await refresh(harbour, memberApp, 'unknown');
  await postForm(`${harbour}/api/oauth/revoke`, { client_id: memberApp.id, token: String(body['access_token']) });
  const [issued, refused] = ['campus_oidc_tokens_issued_total', 'campus_oidc_tokens_refused_total'];
  expect([
    await valueOf(issued, grant('authorization_code')),
    await valueOf(issued, grant('refresh_token')),
    await valueOf(issued, { ...grant('refresh_token'), campus_oidc_reason: 'replayed' }),
    await valueOf(refused, { ...grant('refresh_token'), campus_oidc_reason: 'invalid_grant' }),
    await valueOf('campus_oidc_tokens_revoked_total'),
  ]).toEqual([1, 2, 1, 1, 1]);
});

test('connections ended, with the reason', async () => {
  const started = await start();
  const { harbour, campus } = started;
  await connect(started.browser('sam'), harbour, memberApp);
  await connect(started.browser('sam'), harbour, memberApp);
  const site = harbourSite(harbour);
  const { ended } = await campus.apps.set(site, { clientId: memberApp.id }, { access: 'blocked' });
  expect(await valueOf('campus_oidc_tokens_revoked_total', { campus_oidc_reason: 'client_blocked' })).toBe(ended);
  expect(ended).toBeGreaterThan(0);
});

test('tokens of services, by grant type', async () => {
  const { harbour } = await start(withServices);
  await serviceToken(harbour);
  await serviceToken(harbour, syncApp, { scope: 'openid' });
  expect(await valueOf('campus_oidc_tokens_issued_total', grant('client_credentials'))).toBe(1);
  expect(await valueOf('campus_oidc_tokens_refused_total', grant('client_credentials'))).toBe(1);
});

test('tokens of devices, by grant type; a poll is not a refusal', async () => {
  const started = await start(withDevices);
  const codes = await startDevice(started.harbour);
  await poll(codes);
  await poll(codes);
  await approve(started.browser('sam'), codes);
  await poll(codes);
  const type = grant('urn:ietf:params:oauth:grant-type:device_code');
  expect(await valueOf('campus_oidc_tokens_issued_total', type)).toBe(1);
  expect((await sdk.samples()).filter(({ name }) => name === 'campus_oidc_tokens_refused_total')).toEqual([]);
});

test('races lost', async () => {
  const crowded = crowdedStore();
  const started = await start({ store: crowded.store });
  const { harbour } = started;
  const code = await getCode(started.browser('sam'), harbour, memberApp);
  crowded.gather(3);
  await Promise.all([exchange(code), exchange(code), exchange(code)]);
  expect(await valueOf('campus_oidc_races_lost_total', grant('authorization_code'))).toBe(2);
  expect(await valueOf('campus_oidc_tokens_refused_total', { campus_oidc_reason: 'lost_race' })).toBe(2);
});

test('quotas exceeded, by route', async () => {
  const { harbour } = await start({ limits: { anonymousCalls: { perAddress: 1, perSite: 100 } } });
  const query = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const statuses: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    statuses.push((await fetch(`${harbour}/mcp`, { method: 'POST', headers, body: query })).status);
  }
  expect(statuses.slice(1)).toEqual([429, 429]);
  expect(await valueOf('campus_oidc_quotas_exceeded_total', { http_route: '/mcp' })).toBe(2);
});

describe('documents', () => {
  const documents = documentSchools();
  const name = 'campus_oidc_document_duration_count';

  async function authorizeDocument(): Promise<void> {
    const started = documents.schools();
    const { harbour } = started;
    await started.browser('olivia').follow(authorizeUrl(harbour, documentClient, pkce()));
  }

  test('fetched', async () => {
    await documents.start(undefined, { telemetry: sdk.telemetry });
    documents.publish();
    await authorizeDocument();
    expect([await valueOf(name), await valueOf(name, { error_type: 'temporarily_unavailable' })]).toEqual([1, 0]);
  });

  test('whose address, the id of the client, is in no span and no metric', async () => {
    await documents.start(undefined, { telemetry: sdk.telemetry });
    documents.publish();
    const started = documents.schools();
    const { harbour } = started;
    const { body } = await connect(started.browser('olivia'), harbour, documentClient);
    await userinfo(harbour, body['access_token']);
    const spans = sdk.spans().map(({ attributes, events, status }) => ({ attributes, events, status }));
    const clients = spans.flatMap(({ attributes }) => attributes['campus_oidc.client.id'] ?? []);
    expect(new Set(clients)).toEqual(new Set([expect.stringMatching(/^document:[\da-f]{16}$/)]));
    expect(`${JSON.stringify(spans)}${await sdk.text()}`).not.toContain(new URL(documentId).host);
  });

  test('failed, of which neither span nor metric has the address', async () => {
    await documents.start(undefined, { telemetry: sdk.telemetry });
    documents.fail(500);
    await authorizeDocument();
    expect([await valueOf(name), await valueOf(name, { error_type: 'temporarily_unavailable' })]).toEqual([1, 1]);
    const spans = sdk.spans().map(({ attributes, events, status }) => [attributes, events, status]);
    expect(`${JSON.stringify(spans)}${await sdk.text()}`).not.toContain(new URL(documentId).host);
  });
});

test('engines in memory: one for each site in use, within the limit', async () => {
  const { harbour, summit } = await start({ engines: 1 });
  for (const origin of [harbour, summit, harbour])
    await postForm(`${origin}/api/oauth/token`, { grant_type: 'refresh_token' });
  expect(await valueOf('campus_oidc_engines')).toBe(1);
  await schools?.close();
  const { harbour: first, summit: second } = await start();
  for (const origin of [first, second, first])
    await postForm(`${origin}/api/oauth/token`, { grant_type: 'refresh_token' });
  expect(await valueOf('campus_oidc_engines')).toBe(3);
});

test('calls of a store and of a platform that fail, and the request that fails because of them', async () => {
  const started = await start();
  const { harbour } = started;
  const { body } = await connect(started.browser('sam'), harbour, memberApp);
  await schools?.close();
  const broken = await start({}, { findSite: () => Promise.reject(new Error('sam@example.com')) });
  expect((await userinfo(broken.harbour, body['access_token'])).status).toBe(503);
  const failed = { error_type: 'temporarily_unavailable' };
  expect(await valueOf('campus_oidc_platform_duration_count', { campus_oidc_operation: 'findSite', ...failed })).toBe(
    1,
  );
  expect(await valueOf(requests, { campus_oidc_outcome: 'failed', http_response_status_code: '503', ...failed })).toBe(
    1,
  );
  expect(await valueOf('campus_oidc_store_duration_count', { campus_oidc_operation: 'redeem' })).toBe(1);
});

test('a span of the host around the request is its parent, and stays as it was', async () => {
  const host = sdk.tracer.startSpan('host');
  const around: Middleware = (_ctx, next) => context.with(trace.setSpan(ROOT_CONTEXT, host), next);
  const app = (campus: Campus): Koa => new Koa().use(around).use(campus.middleware());
  schools = await startSchools({ ...plugins, campus: { telemetry: sdk.telemetry }, app });
  await postForm(`${schools.harbour}/api/oauth/token`, { grant_type: 'refresh_token', ...clientFields(memberApp) });
  host.end();
  const [own, request] = ['host', 'POST /api/oauth/token'].map((name) =>
    sdk.spans().find((span) => span.name === name),
  );
  expect([request?.parentSpanContext?.spanId, request?.kind]).toEqual([own?.spanContext().spanId, SpanKind.INTERNAL]);
  expect([request?.attributes['campus_oidc.client.id'], own?.attributes]).toEqual(['member-app', {}]);
});

test('every error code of this service is told apart; others are not', async () => {
  const observed = { method: 'GET', route: '/', scheme: 'http', siteId: 'harbour', started: 0 } as const;
  const codes = [
    ...new Set(
      [...errorCodes, ...features.flatMap(({ described }) => described?.errors ?? [])].map(({ error }) => error),
    ),
  ];
  for (const error of [...codes, 'made_up']) {
    await sdk.telemetry.request(observed, async () => ({ status: 400, error }));
  }
  const samples = (await sdk.samples()).filter(({ name }) => name === requests);
  expect(samples.map(({ labels }) => String(labels['error_type'])).sort()).toEqual([...codes, '_OTHER'].sort());
});
