import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  getCode,
  memberApp,
  pkce,
  postForm,
  refresh,
  reports,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
const heard: AuditEvent[] = [];
beforeAll(async () => {
  schools = await startSchools({ campus: { registration: [loopbackClients()] } });
  schools.campus.events.on('audit', (event) => heard.push(event));
});
afterAll(() => schools.close());
beforeEach(() => {
  heard.splice(0);
});

const who = { siteId: 'harbour', clientId: 'member-app', memberId: 'sam' };

test('a connection is told step by step, and holds no credential', async () => {
  const tokens = await connect(schools.browser('sam'), schools.harbour, memberApp);
  const refreshed = await refresh(schools.harbour, memberApp, tokens.body['refresh_token']);
  await postForm(`${schools.harbour}/api/oauth/revoke`, {
    client_id: memberApp.id,
    token: String(refreshed.body['access_token']),
  });
  expect(heard).toMatchObject([
    { what: 'authorization', decision: 'allowed', ...who },
    { what: 'token', decision: 'allowed', ...who },
    { what: 'refresh', decision: 'allowed', ...who },
    { what: 'revocation', decision: 'allowed', ...who },
  ]);
  for (const secret of [tokens, refreshed].flatMap(({ body }) => [
    body['access_token'],
    body['refresh_token'],
    body['id_token'],
  ])) {
    if (secret) expect(JSON.stringify(heard)).not.toContain(secret);
  }
});

test('a refusal is told with its error code', async () => {
  await schools.browser('sam').follow(authorizeUrl(schools.harbour, reports, pkce()));
  const code = await getCode(schools.browser('sam'), schools.harbour, memberApp);
  heard.splice(0, 2);
  await exchange(code, { code_verifier: 'x'.repeat(43) });
  expect(heard).toMatchObject([
    { what: 'token', decision: 'refused', reason: 'invalid_grant', clientId: 'member-app' },
  ]);
});

test('a registration is told with the policy that decided', async () => {
  const body = (uri: string): string => JSON.stringify({ redirect_uris: [uri] });
  for (const uri of ['http://127.0.0.1/', 'https://evil.example/']) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: body(uri) };
    await fetch(`${schools.harbour}/api/oauth/register`, init);
  }
  expect(heard).toMatchObject([
    { what: 'registration', decision: 'allowed', reason: 'loopbackClients' },
    { what: 'registration', decision: 'refused', reason: 'invalid_redirect_uri' },
  ]);
});

test('a listener that throws disturbs nobody', async () => {
  schools.campus.events.once('audit', () => {
    throw new Error('log disk full');
  });
  expect((await connect(schools.browser('sam'), schools.harbour, memberApp)).status).toBe(200);
  expect(schools.faults).toMatchObject([{ message: 'a listener of campus.events "audit" failed' }]);
});
