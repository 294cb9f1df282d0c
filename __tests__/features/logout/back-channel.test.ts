import { afterEach, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { Finding } from '../../../lib/index.ts';
import { storedProperties } from '../../../lib/core/enabled/client-property.ts';
import { logoutOf, logoutProperties } from '../../../lib/features/logout/options.ts';
import { connect, introspect, refresh, userinfo, webMemberApp } from '../../helpers/flow.ts';
import { passTime, resetClock } from '../../helpers/clock.ts';
import { siteOf } from '../../helpers/sites.ts';
import { inSession, lab, library, type LogoutSchools, startLogoutSchools } from './logout-schools.ts';

let started: LogoutSchools[] = [];
afterEach(async () => {
  for (const each of started) await each.close();
  started = [];
});

async function start(...given: Parameters<typeof startLogoutSchools>): Promise<LogoutSchools> {
  const schools = await startLogoutSchools(...given);
  started.push(schools);
  return schools;
}

const session = 'the-session-of-sam';

describe('a logout token', () => {
  test('is signed by the school, for one application, about one session', async () => {
    const schools = await start();
    const { harbour, campus } = schools;
    const { body } = await connect(inSession(schools.browser('sam'), session), harbour, library);
    const { sid } = decodeJwt(String(body['id_token']));
    const site = siteOf(schools);
    expect(await campus.signedOut(site, 'sam', session)).toEqual({ told: 1 });
    await schools.delivered();

    const [notice] = schools.received;
    expect(schools.received).toHaveLength(1);
    expect(notice?.address).toBe('apps.example/logout');
    const token = notice?.form.get('logout_token') ?? '';
    expect([...(notice?.form.keys() ?? [])]).toEqual(['logout_token']);
    const keys = createLocalJWKSet(JSON.parse(await (await fetch(`${harbour}/.well-known/jwks.json`)).text()));
    const { payload } = await jwtVerify(token, keys, { issuer: harbour, audience: library.id, typ: 'logout+jwt' });
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'logout+jwt', kid: 'key-1' });
    expect(Object.keys(payload).sort()).toEqual(['aud', 'events', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']);
    expect(payload).toMatchObject({
      sub: 'sam',
      sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(120);
    expect(typeof sid).toBe('string');
    expect(schools.events.filter(({ action }) => /^(?:session|logout)\./.test(action))).toEqual([
      expect.objectContaining({ action: 'session.ended', memberId: 'sam', actor: { kind: 'member', id: 'sam' } }),
      expect.objectContaining({ action: 'logout.delivered', memberId: 'sam', clientId: library.id, siteId: 'harbour' }),
    ]);
  });

  test('names the session of the platform differently to each application, and tells nobody its id', async () => {
    const schools = await start();
    const browser = inSession(schools.browser('sam'), session);
    const sidFor = async (client: typeof library): Promise<unknown> =>
      decodeJwt(String((await connect(browser, schools.harbour, client)).body['id_token']))['sid'];
    const [one, other] = [await sidFor(library), await sidFor(lab)];
    expect(one).not.toBe(other);
    const again = await connect(inSession(schools.browser('sam'), session), schools.harbour, library);
    expect(decodeJwt(String(again.body['id_token']))['sid']).toBe(one);
    const elsewhere = await connect(
      inSession(schools.browser('sam'), 'another-session-of-sam'),
      schools.harbour,
      library,
    );
    expect(decodeJwt(String(elsewhere.body['id_token']))['sid']).not.toBe(one);
    expect(JSON.stringify([one, other])).not.toContain(session);
  });

  test('without the session, it is about all sessions of the person', async () => {
    const schools = await start();
    await connect(inSession(schools.browser('sam'), session), schools.harbour, library);
    await schools.campus.signedOut(siteOf(schools), 'sam');
    await schools.delivered();
    expect(schools.received.map(({ claims }) => [claims['sub'], 'sid' in claims])).toEqual([['sam', false]]);
  });

  test('sid is in the ID token of an application that is told, and nowhere else', async () => {
    const schools = await start();
    const told = await connect(inSession(schools.browser('sam'), session), schools.harbour, library);
    expect((await introspect(schools.harbour, library, told.body['access_token'])).body).not.toHaveProperty('sid');
    expect((await userinfo(schools.harbour, told.body['access_token'])).body).not.toHaveProperty('sid');
    const refreshed = await refresh(schools.harbour, library, told.body['refresh_token']);
    expect((await introspect(schools.harbour, library, refreshed.body['access_token'])).body).not.toHaveProperty('sid');
    const other = await connect(inSession(schools.browser('sam'), session), schools.harbour, webMemberApp);
    expect(decodeJwt(String(other.body['id_token']))).not.toHaveProperty('sid');
    const nameless = await connect(schools.browser('sam'), schools.harbour, library);
    expect(decodeJwt(String(nameless.body['id_token']))).not.toHaveProperty('sid');
  });

  test('signing out of the platform leaves the connection as it is', async () => {
    const schools = await start();
    const { body } = await connect(schools.browser('sam'), schools.harbour, library);
    await schools.campus.signedOut(siteOf(schools), 'sam');
    expect((await refresh(schools.harbour, library, body['refresh_token'])).status).toBe(200);
  });
});

describe('who is told', () => {
  test('the applications of this person at this school, each once', async () => {
    const schools = await start();
    const { harbour, summit } = schools;
    await connect(schools.browser('sam'), harbour, library);
    await connect(schools.browser('sam'), harbour, lab);
    await connect(schools.browser('sam'), harbour, webMemberApp);
    await connect(schools.browser('olivia'), harbour, library);
    await connect(schools.browser('sam'), summit, library).catch(() => undefined);
    expect(await schools.campus.signedOut(siteOf(schools), 'sam')).toEqual({ told: 2 });
    await schools.delivered();
    const told = schools.received.map(({ address, claims }) => [address, claims['iss'], claims['aud'], claims['sub']]);
    expect(new Set(told.map((each) => each.join(' ')))).toEqual(
      new Set([`apps.example/logout ${harbour} library sam`, `docs.example/logout ${harbour} lab sam`]),
    );
  });

  test('one that is disconnected, and no other', async () => {
    const schools = await start();
    const { campus, harbour } = schools;
    await connect(schools.browser('sam'), harbour, library);
    await connect(schools.browser('sam'), harbour, lab);
    const site = siteOf(schools);
    const { id = '' } = (await campus.connections.list(site, 'sam')).find(({ clientId }) => clientId === lab.id) ?? {};
    expect(await campus.connections.revoke(site, 'nora', id)).toBe(false);
    expect(await campus.connections.revoke(site, 'sam', id)).toBe(true);
    await schools.delivered();
    expect(schools.received.map(({ claims }) => [claims['aud'], claims['sub'], 'sid' in claims])).toEqual([
      [lab.id, 'sam', false],
    ]);
  });

  test.each(['revokeAll', 'erase'] as const)('all, when the connections end by %s', async (how) => {
    const schools = await start();
    const { campus, harbour } = schools;
    await connect(schools.browser('sam'), harbour, library);
    await connect(schools.browser('sam'), harbour, lab);
    const site = siteOf(schools);
    if (how === 'revokeAll') await campus.connections.revokeAll(site, 'sam');
    else await campus.members.erase(site, 'sam');
    await schools.delivered();
    expect(new Set(schools.received.map(({ claims }) => claims['aud']))).toEqual(new Set([lab.id, library.id]));
    expect(schools.received).toHaveLength(2);
    expect(await campus.signedOut(site, 'sam')).toEqual({ told: 0 });
  });
});

describe('an application that does not answer', () => {
  test('has three tries, an event and a finding, and holds up nobody', async () => {
    const schools = await start();
    const { campus, harbour } = schools;
    await connect(schools.browser('sam'), harbour, library);
    const site = siteOf(schools);
    schools.answer(500);
    expect(await campus.signedOut(site, 'sam')).toEqual({ told: 1 });
    // Nothing waits for the pauses any more.
    await schools.delivered();
    expect(schools.received).toHaveLength(3);
    expect(new Set(schools.received.map(({ claims }) => claims['jti'])).size).toBe(3);
    expect(schools.events.at(-1)).toMatchObject({
      action: 'logout.undelivered',
      outcome: 'refused',
      reason: 'status_500',
      clientId: library.id,
      memberId: 'sam',
    });
    const findings = await campus.diagnose();
    const [finding]: readonly Finding[] = findings.filter(({ id }) => id === 'logout-undelivered');
    expect(finding?.text).toBe(
      'library at harbour was not told of a sign-out: https://apps.example/logout answered 500, three times',
    );
    expect(schools.faults).toEqual([]);
  });

  test('is not told of more than 60 sign-outs of one person in an hour', async () => {
    const schools = await start();
    await connect(schools.browser('sam'), schools.harbour, library);
    await connect(schools.browser('olivia'), schools.harbour, library);
    const site = siteOf(schools);
    const told: number[] = [];
    for (let i = 0; i < 61; i += 1) told.push((await schools.campus.signedOut(site, 'sam')).told);
    expect(told).toEqual([...Array(60).fill(1), 0]);
    expect(schools.events.filter(({ action }) => action === 'quota.exceeded')).toMatchObject([
      { reason: 'sign_outs', memberId: 'sam', siteId: 'harbour' },
    ]);
    expect(await schools.campus.signedOut(site, 'olivia')).toEqual({ told: 1 });
    await schools.delivered();
    passTime(3600);
    expect(await schools.campus.signedOut(site, 'sam')).toEqual({ told: 1 });
    await schools.delivered();
    resetClock();
  });

  test('a redirect is not followed, and is no answer', async () => {
    const schools = await start();
    await connect(schools.browser('sam'), schools.harbour, library);
    let requests = 0;
    schools.server.respond((request, response) => {
      request.resume();
      requests += 1;
      response.writeHead(307, { Location: 'https://docs.example/elsewhere' }).end();
    });
    await schools.campus.signedOut(siteOf(schools), 'sam');
    await schools.delivered();
    expect(requests).toBe(3);
    expect(schools.events.at(-1)).toMatchObject({ action: 'logout.undelivered', reason: 'status_307' });
  });

  test('no address that is not public is called', async () => {
    const schools = await startLogoutSchools();
    started.push(schools);
    const strict = await start({
      ...({
        testing: { resolve: async () => [{ address: '127.0.0.1', family: 4 }], port: schools.server.port },
      } as object),
    });
    await connect(strict.browser('sam'), strict.harbour, library);
    await strict.campus.signedOut(siteOf(strict), 'sam');
    await strict.delivered();
    expect([schools.server.connections(), strict.server.connections()]).toEqual([0, 0]);
    expect(strict.events.at(-1)).toMatchObject({ action: 'logout.undelivered', reason: 'unreachable' });
  });
});

describe('without the option', () => {
  test('nobody can be told, and a client in code cannot have the addresses', async () => {
    const schools = await startLogoutSchools({ logout: undefined, clients: [] });
    started.push(schools);
    await expect(schools.campus.signedOut(siteOf(schools), 'sam')).rejects.toThrow(
      new TypeError('campus.signedOut needs the option logout; set it or remove the call'),
    );
    await expect(startLogoutSchools({ logout: undefined })).rejects.toThrow(
      'clients[3].postLogoutRedirectUris must not be set without the option logout',
    );
  });
});

test.each(['short', 'x'.repeat(513)])('a session id of %j is a fault that does not show it', async (sessionId) => {
  const schools = await start({}, { signedInMember: () => ({ memberId: 'sam', sessionId }) });
  const { response, html } = await schools.browser('sam').follow(`${schools.harbour}/oauth/logout`);
  expect(response.status).toBe(503);
  expect(schools.faults.map(({ cause }) => String(cause))).toEqual([
    expect.stringMatching(/sessionId: "a string"; it must be a string of 16 to 512 characters$/),
  ]);
  expect(html).not.toContain('sessionId');
});

test('a metadata document brings none of the addresses, nor an app that registers itself', () => {
  const stored = storedProperties(logoutProperties, {
    postLogoutRedirectUris: ['https://evil.example/'],
    backchannelLogoutUri: 'https://evil.example/logout',
  });
  expect(Object.keys(logoutOf(stored))).toEqual(['postLogoutRedirectUris', 'backchannelLogoutUri']);
  for (const source of ['document', 'registered']) expect(logoutOf({ ...stored, campus_source: source })).toEqual({});
});
