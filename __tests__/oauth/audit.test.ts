import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import { resetClock, setClockAhead, stopClock } from '../helpers/clock.ts';
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
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { type CrowdedStore, crowdedStore } from '../helpers/stores.ts';

let crowded: CrowdedStore;
let schools: Schools;
const events: AuditEvent[] = [];
beforeAll(async () => {
  crowded = crowdedStore();
  schools = await startSchools({ campus: { store: crowded.store, registration: [loopbackClients()] } });
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterAll(() => schools.close());
beforeEach(() => {
  events.splice(0);
});
afterEach(resetClock);

const parties = { siteId: 'harbour', clientId: 'member-app', memberId: 'sam' };

test('audit events report each step of a connection, and hold no credential', async () => {
  const tokens = await connect(schools.browser('sam'), schools.harbour, memberApp);
  const refreshed = await refresh(schools.harbour, memberApp, tokens.body['refresh_token']);
  await postForm(`${schools.harbour}/api/oauth/revoke`, {
    client_id: memberApp.id,
    token: String(refreshed.body['access_token']),
  });
  expect(events).toMatchObject([
    { action: 'consent.given', ...parties },
    { action: 'authorization.granted', ...parties },
    { action: 'token.issued', ...parties },
    { action: 'token.refreshed', ...parties },
    { action: 'token.revoked', ...parties },
  ]);
  const [consent, ...others] = events;
  const { connectionId } = consent ?? {};
  const [{ familyId } = {}] = others;
  expect([typeof connectionId, typeof familyId]).toEqual(['string', 'string']);
  for (const event of others) expect(event).toMatchObject({ connectionId, familyId });
  for (const secret of [tokens, refreshed].flatMap(({ body }) => [
    body['access_token'],
    body['refresh_token'],
    body['id_token'],
  ])) {
    if (secret) expect(JSON.stringify(events)).not.toContain(secret);
  }
});

test('at two schools at the same time each event names its own', async () => {
  const { harbour, summit } = schools;
  await Promise.all(
    [harbour, summit].map(async (origin) => {
      const { body } = await connect(schools.browser('sam'), origin, webMemberApp);
      await refresh(origin, webMemberApp, body['refresh_token']);
      await refresh(origin, webMemberApp, 'none');
    }),
  );
  const actionsAt = (siteId: string) => events.filter((event) => event.siteId === siteId).map(({ action }) => action);
  const all = ['consent.given', 'authorization.granted', 'token.issued', 'token.refreshed', 'token.refused'];
  expect([actionsAt('harbour'), actionsAt('summit')]).toEqual([all, all]);
});

test('the audit event of a refusal has its error code as reason', async () => {
  await schools.browser('sam').follow(authorizeUrl(schools.harbour, reports, pkce()));
  const code = await getCode(schools.browser('sam'), schools.harbour, memberApp);
  events.splice(0);
  await exchange(code, { code_verifier: 'x'.repeat(43) });
  expect(events).toMatchObject([{ action: 'token.refused', reason: 'invalid_grant', clientId: 'member-app' }]);
});

describe('a code or refresh token sent again', () => {
  test('a refresh token within the grace window: token.replayed', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    events.splice(0);
    await refresh(schools.harbour, memberApp, body['refresh_token']);
    await refresh(schools.harbour, memberApp, body['refresh_token']);
    expect(events).toMatchObject([
      { action: 'token.refreshed', ...parties },
      { action: 'token.replayed', outcome: 'allowed', ...parties },
    ]);
  });

  test('a refresh token within the grace window for another scope: token.lost_race', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    await refresh(schools.harbour, memberApp, body['refresh_token']);
    events.splice(0);
    await refresh(schools.harbour, memberApp, body['refresh_token'], { scope: 'openid' });
    expect(events).toMatchObject([{ action: 'token.lost_race', outcome: 'refused', ...parties }]);
  });

  test('a refresh token after the grace window: token.reused, and its family is revoked', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    await refresh(schools.harbour, memberApp, body['refresh_token']);
    events.splice(0);
    setClockAhead(31);
    await refresh(schools.harbour, memberApp, body['refresh_token']);
    expect(events).toMatchObject([
      { action: 'token.revoked', reason: 'reused', ...parties },
      { action: 'token.reused', outcome: 'refused', ...parties },
    ]);
  });

  test('a code: token.reused, and its family is revoked', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, memberApp);
    await exchange(code);
    events.splice(0);
    setClockAhead(3);
    await exchange(code);
    expect(events).toMatchObject([
      { action: 'token.revoked', reason: 'reused', clientId: 'member-app' },
      { action: 'token.reused', clientId: 'member-app' },
    ]);
  });

  test('a code in two requests at once: one token.issued, the other token.lost_race', async () => {
    stopClock();
    const code = await getCode(schools.browser('sam'), schools.harbour, memberApp);
    events.splice(0);
    crowded.gather(2);
    await Promise.all([exchange(code), exchange(code)]);
    expect(events).toMatchObject([
      { action: 'token.issued', ...parties },
      { action: 'token.lost_race', ...parties },
    ]);
  });
});

test('the audit event of a registration has the policy that decided as reason', async () => {
  const body = (uri: string): string => JSON.stringify({ redirect_uris: [uri] });
  for (const uri of ['http://127.0.0.1/', 'https://evil.example/']) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: body(uri) };
    await fetch(`${schools.harbour}/api/oauth/register`, init);
  }
  expect(events).toMatchObject([
    { action: 'registration.admitted', reason: 'loopbackClients', clientId: expect.stringMatching(/^reg-/) },
    { action: 'registration.refused', reason: 'invalid_redirect_uri' },
  ]);
});

test('an audit listener that throws is a fault, and the request succeeds', async () => {
  schools.campus.events.once('audit', () => {
    throw new Error('log disk full');
  });
  expect((await connect(schools.browser('sam'), schools.harbour, memberApp)).status).toBe(200);
  expect(schools.faults).toMatchObject([{ message: 'a listener of campus.events "audit" failed' }]);
});
