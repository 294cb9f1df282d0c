import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Router } from '@koa/router';
import { decodeJwt } from 'jose';
import Koa from 'koa';
import * as oidc from 'openid-client';
import type { AuditEvent, Site, StaticClient } from '../../../lib/index.ts';
import { loopbackClients } from '../../../policies/index.ts';
import {
  authorize,
  authorizeUrl,
  connect,
  exchange,
  getCode,
  introspect,
  jsonResponse,
  type JsonResponse,
  memberApp,
  pkce,
  refresh,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { type ClientKey, clientKey, keyFields, serviceTokenWith } from '../../helpers/client-keys.ts';
import { type MovingSchool, movingSchool } from '../../helpers/moving.ts';
import { plugins, type Schools, startSchools } from '../../helpers/schools.ts';
import { withServices } from '../../helpers/services.ts';

let schools: Schools;
let tokens: JsonResponse;

const keyedService = ({ publicJwk }: ClientKey): StaticClient => ({
  clientId: 'keyed',
  clientName: 'Keyed',
  audience: 'service',
  redirectUris: [],
  scopes: ['courses:read'],
  publicKeys: { keys: [publicJwk] },
});

const gateway: TestClient = { id: 'gateway', redirectUri: '', secret: 'gateway-secret', scope: '' };

/** One school that is reached at two origins, as before and after it moved. */
describe('a school that does not say where it was', () => {
  beforeAll(async () => {
    schools = await startSchools({
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => {
          const site = await platform.findSite(origin);
          return site && { ...site, id: 'harbour' };
        },
      }),
    });
    tokens = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  });
  afterAll(() => schools.close());

  test('an access token of the old origin is refused at the new one, and so is its refresh', async () => {
    expect((await userinfo(schools.summit, tokens.body['access_token'])).status).toBe(401);
    expect((await refresh(schools.summit, webMemberApp, tokens.body['refresh_token'])).status).toBe(400);
    expect((await userinfo(schools.harbour, tokens.body['access_token'])).status).toBe(200);
  });

  // The introspection endpoint says `active`, with the new origin as `aud` and `iss`.
  test.each([
    ['access_token', webMemberApp],
    ['access_token', gateway],
    ['refresh_token', webMemberApp],
  ])('its %s is inactive at introspection by $id: it is bound to the old origin', async (name, client) => {
    const { body } = await introspect(schools.summit, client, tokens.body[name]);
    expect(body).toEqual({ active: false });
  });
});

describe('a school with formerOrigins', () => {
  const events: AuditEvent[] = [];
  let moving: MovingSchool;
  beforeEach(async () => {
    moving = movingSchool();
    schools = await startSchools({
      ...plugins,
      campus: { siteCache: moving.siteCache, registration: [loopbackClients()] },
      wrapPlatform: moving.wrapPlatform,
      app: (campus) => {
        const router = new Router();
        router.get('/api/me', campus.requireAccess({ scopes: ['account:read'] }), (ctx) => {
          ctx.body = ctx.state.token.site.origin;
        });
        return new Koa().use(campus.middleware()).use(router.routes());
      },
    });
    events.splice(0);
    schools.campus.events.on('audit', (event) => events.push(event));
    tokens = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  });
  afterEach(() => schools.close());

  const old = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${schools.harbour}${path}`, { redirect: 'manual', ...init });
  const site = (): Site => ({
    id: 'harbour',
    origin: schools.summit,
    formerOrigins: [schools.harbour],
    name: 'Harbour School',
    connectionsEnabled: true,
  });

  test('connections and refresh tokens go on at both origins; access tokens of the old one have ended', async () => {
    const [before] = await schools.campus.connections.list({ ...site(), origin: schools.harbour }, 'sam');
    moving.move();
    expect((await schools.campus.diagnose({ origins: [schools.summit] })).map(({ id }) => id)).not.toContain(
      'origin-unanswered',
    );
    const [after] = await schools.campus.connections.list(site(), 'sam');
    expect(after).toEqual(before);
    expect(after?.scopes).toContain('account:read');
    for (const origin of [schools.harbour, schools.summit]) {
      expect((await userinfo(origin, tokens.body['access_token'])).status).toBe(401);
      const inactive = await introspect(origin, webMemberApp, tokens.body['access_token']);
      expect(inactive.body).toEqual({ active: false });
    }
    expect(events.filter(({ reason }) => reason === 'other_origin')).toHaveLength(2);
    let refreshToken = tokens.body['refresh_token'];
    // As a client does it that knows the old address only, one that has read the new metadata, and one that mixes both.
    for (const [origin, resource] of [
      [schools.harbour, schools.harbour],
      [schools.summit, schools.summit],
      [schools.summit, `${schools.harbour}/mcp`],
      [schools.harbour, undefined],
    ] as const) {
      const { status, body } = await refresh(origin, webMemberApp, refreshToken, { resource });
      expect([status, body['scope']]).toEqual([200, webMemberApp.scope]);
      refreshToken = body['refresh_token'];
      for (const at of [schools.harbour, schools.summit]) {
        expect((await userinfo(at, body['access_token'])).status).toBe(200);
        const { body: active } = await introspect(at, webMemberApp, body['access_token']);
        expect(active).toMatchObject({ active: true, aud: schools.summit, iss: schools.summit });
      }
      const me = await old('/api/me', { headers: { authorization: `Bearer ${String(body['access_token'])}` } });
      expect(await me.text()).toBe(schools.summit);
    }
    const state = await introspect(schools.summit, webMemberApp, refreshToken);
    expect(state.body).toMatchObject({ active: true, aud: schools.summit });
  });

  test('once the school no longer says where it was, what was not used since has ended, and the rest goes on', async () => {
    const unused = await connect(schools.browser('sam'), schools.harbour, memberApp);
    moving.move();
    const used = await refresh(schools.harbour, webMemberApp, tokens.body['refresh_token']);
    moving.forget();
    expect((await refresh(schools.summit, memberApp, unused.body['refresh_token'])).status).toBe(400);
    const { status, body } = await refresh(schools.summit, webMemberApp, used.body['refresh_token']);
    expect([status, body['scope']]).toEqual([200, webMemberApp.scope]);
    const connections = await schools.campus.connections.list({ ...site(), formerOrigins: [] }, 'sam');
    expect(new Map(connections.map(({ clientId, scopes }) => [clientId, scopes.length]))).toEqual(
      new Map([
        [webMemberApp.id, 4],
        [memberApp.id, 0],
      ]),
    );
    expect((await old('/.well-known/oauth-protected-resource')).status).toBe(404);
  });

  test('a code that was on its way is exchanged for tokens of the new origin', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    moving.move();
    const { status, body } = await exchange(code);
    expect(status).toBe(200);
    expect(decodeJwt(String(body['id_token'])).iss).toBe(schools.summit);
    expect((await userinfo(schools.summit, body['access_token'])).status).toBe(200);
  });

  test('a service goes on at both origins with assertions for the old issuer', async () => {
    await schools.close();
    const key = await clientKey();
    const options = {
      ...withServices,
      clients: [keyedService(key)],
      clientAuthentication: ['private_key_jwt'],
    } as const;
    schools = await startSchools({ campus: { ...options, siteCache: 0 }, wrapPlatform: moving.wrapPlatform });
    const ask = async (at: string, aud: string): Promise<number> =>
      (await serviceTokenWith(at, await keyFields('keyed', schools.summit, key, { claims: { aud } }))).status;
    moving.move();
    for (const at of [schools.harbour, schools.summit]) {
      expect([await ask(at, schools.harbour), await ask(at, schools.summit)]).toEqual([200, 200]);
      expect(await ask(at, `${schools.harbour}/api/oauth/token`)).toBe(401);
    }
    moving.forget();
    expect(await ask(schools.summit, schools.harbour)).toBe(401);
  });

  test('a new consent keeps what was allowed at the old origin, and ends no more than it takes away', async () => {
    moving.move();
    const again = await connect(schools.browser('sam'), schools.summit, webMemberApp, {
      scope: 'openid account:read',
      prompt: 'consent',
    });
    expect(again.status).toBe(200);
    const connections = await schools.campus.connections.list(site(), 'sam');
    expect(connections.map(({ scopes }) => scopes.toSorted())).toEqual([webMemberApp.scope.split(' ').toSorted()]);
    expect((await refresh(schools.harbour, webMemberApp, tokens.body['refresh_token'])).status).toBe(200);
  });

  test('what is sent to the old origin by an authorization request goes on at the new one, with its iss', async () => {
    moving.move();
    const pair = pkce();
    const request = authorizeUrl(schools.harbour, webMemberApp, pair);
    const to = (await fetch(request, { redirect: 'manual' })).headers.get('location') ?? '';
    const { url } = await authorize(schools.browser('sam'), new URL(to));
    expect(url.searchParams.get('iss')).toBe(schools.summit);
    const code = url.searchParams.get('code') ?? '';
    const tokensThere = await exchange({
      origin: schools.harbour,
      client: webMemberApp,
      code,
      verifier: pair.verifier,
    });
    expect(decodeJwt(String(tokensThere.body['id_token'])).iss).toBe(schools.summit);
  });

  test('an ID token of the old origin as a hint locks nobody out: the person is asked, and with prompt=none nobody gets a code', async () => {
    moving.move();
    const hint = { id_token_hint: String(tokens.body['id_token']) };
    const sam = schools.browser('sam');
    const asked = await sam.follow(authorizeUrl(schools.summit, webMemberApp, pkce(), hint));
    expect(asked.url.pathname).toMatch(/^\/oauth\/interaction\//);
    expect((await sam.decide(asked, 'allow')).url.searchParams.has('code')).toBe(true);
    const silent = authorizeUrl(schools.summit, webMemberApp, pkce(), { ...hint, prompt: 'none' });
    expect((await sam.follow(silent)).url.searchParams.get('error')).toBe('login_required');
  });

  test.each([
    '/oauth/authorize?client_id=web-member-app&state=a%26b',
    '/oauth/interaction/abc',
    '/account/apps',
    '/developers/oauth-applications/new?x=1',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/openapi.json',
    '/auth.md',
    '/member/graphql/schema.graphql',
  ])('GET %s at the old origin is sent to the same address at the new one, and no longer', async (path) => {
    moving.move();
    for (const method of ['GET', 'HEAD']) {
      const response = await old(path, { method });
      expect([response.status, response.headers.get('location')]).toEqual([307, `${schools.summit}${path}`]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    moving.forget();
    expect((await old(path)).status).toBe(404);
  });

  test('a form of the old origin is 410 and says where the school is, and nothing is done', async () => {
    moving.move();
    const response = await old('/account/apps', {
      method: 'POST',
      body: new URLSearchParams({ action: 'end' }),
    });
    expect(response.status).toBe(410);
    expect(await response.text()).toContain(schools.summit);
    expect(await schools.campus.connections.list(site(), 'sam')).toHaveLength(1);
  });

  test('the metadata of a resource at the old origin names that resource, and the new authorization server', async () => {
    moving.move();
    for (const path of ['', '/mcp', '/member/graphql']) {
      const { body } = await jsonResponse(await old(`/.well-known/oauth-protected-resource${path}`));
      expect(body).toMatchObject({ resource: `${schools.harbour}${path}`, authorization_servers: [schools.summit] });
    }
    const challenge = (await old('/member/graphql', { method: 'POST' })).headers.get('www-authenticate') ?? '';
    expect(challenge).toContain(
      `resource_metadata="${schools.harbour}/.well-known/oauth-protected-resource/member/graphql"`,
    );
    const own = (await old('/api/me')).headers.get('www-authenticate');
    expect(own).toContain(`resource_metadata="${schools.harbour}/.well-known/oauth-protected-resource"`);
    const keys = await jsonResponse(await old('/.well-known/jwks.json'));
    expect([keys.status, Array.isArray(keys.body['keys'])]).toEqual([200, true]);
  });

  test('openid-client, which was set up before, refreshes and revokes; it must be told the new issuer to authorize', async () => {
    const insecure = { execute: [oidc.allowInsecureRequests] };
    const auth = oidc.ClientSecretPost('buddy-secret');
    const config = await oidc.discovery(new URL(schools.harbour), webMemberApp.id, undefined, auth, insecure);
    moving.move();
    const refreshed = await oidc.refreshTokenGrant(config, String(tokens.body['refresh_token']));
    expect(await oidc.fetchUserInfo(config, refreshed.access_token, 'sam')).toMatchObject({ sub: 'sam' });
    const discovering = oidc.discovery(new URL(schools.harbour), webMemberApp.id, undefined, auth, insecure);
    await expect(discovering).rejects.toThrow();
    const there = await oidc.discovery(new URL(schools.summit), webMemberApp.id, undefined, auth, insecure);
    expect(there.serverMetadata().issuer).toBe(schools.summit);
    await oidc.tokenRevocation(config, refreshed.refresh_token ?? '');
    expect(await oidc.tokenIntrospection(there, refreshed.access_token)).toEqual({ active: false });
  });
});

describe('two schools claim one origin', () => {
  const findSite = (origins: Readonly<Record<string, Site>>) => (origin: string) => origins[origin];
  const school = (id: string, origin: string, formerOrigins: string[] = []): Site => ({
    id,
    origin,
    name: id,
    connectionsEnabled: true,
    formerOrigins,
  });
  const [a, b, c] = ['https://a.example', 'https://b.example', 'https://c.example'];

  test.each<[string, Record<string, Site>, string, string]>([
    [
      'one is there, and another was',
      { [a]: school('one', a), [b]: school('two', b, [a]) },
      b,
      'two schools claim https://a.example: two, by its formerOrigins, and one, which platform.findSite returns for it',
    ],
    [
      'both were there',
      { [a]: school('one', a, [c]), [b]: school('two', b, [c]), [c]: school('one', a, [c]) },
      b,
      'two schools claim https://c.example: two, by its formerOrigins, and one,',
    ],
    [
      'one is where another one says that it is now',
      { [c]: school('two', a, [c]), [a]: school('one', a) },
      c,
      'two schools claim https://a.example: two, by its formerOrigins, and one,',
    ],
  ])('%s: the one that claims it gets 503, the other one is served', async (_what, origins, claiming, message) => {
    schools = await startSchools({
      platform: { findSite: findSite(origins) },
      app: (campus) => new Koa({ proxy: true }).use(campus.middleware()),
    });
    const at = (origin: string): Promise<Response> =>
      fetch(`${schools.harbour}/.well-known/openid-configuration`, {
        headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': new URL(origin).host },
        redirect: 'manual',
      });
    expect((await at(claiming)).status).toBe(503);
    expect((await at(a)).status).toBe(200);
    const [fault] = schools.faults;
    expect(fault?.message).toBe('platform.findSite failed');
    expect(String(fault?.cause)).toContain(message);
    const findings = await schools.campus.diagnose({ origins: [claiming] });
    expect(findings.find(({ id }) => id === 'origin-claimed')?.text).toContain(message);
    await schools.close();
  });

  test('a former origin that is not answered is a finding, and no more', async () => {
    schools = await startSchools({ platform: { findSite: findSite({ [b]: school('two', b, [a]) }) } });
    const findings = await schools.campus.diagnose({ origins: [b] });
    expect(findings.find(({ id }) => id === 'origin-unanswered')?.text).toBe(
      `two was at ${a}, where no school is found now`,
    );
    await schools.close();
  });

  test.each([
    ['not a list', 'https://a.example'],
    ['an address with a path', ['https://a.example/x']],
    ['another scheme', ['ftp://a.example']],
    ['the current one', ['https://b.example']],
    ['eleven', Array.from({ length: 11 }, (_, i) => `https://a${i}.example`)],
  ])('formerOrigins: %s is a fault', async (_what, formerOrigins) => {
    const wrong = JSON.parse(JSON.stringify({ ...school('two', b), formerOrigins }));
    schools = await startSchools({ platform: { findSite: findSite({ [b]: wrong }) } });
    const findings = await schools.campus.diagnose({ origins: [b] });
    expect(findings.find(({ id }) => id === 'school-failing')?.text).toContain(
      'it must be an array of at most 10 origins',
    );
    await schools.close();
  });

  test.each(['https://b.example/', 'b.example', 'javascript:alert(1)', 5])(
    'the current origin %p, as a former one is asked for, is a fault',
    async (origin) => {
      const wrong = JSON.parse(JSON.stringify({ ...school('two', b, [a]), origin }));
      schools = await startSchools({ platform: { findSite: findSite({ [a]: wrong }) } });
      const findings = await schools.campus.diagnose({ origins: [a] });
      expect(findings.find(({ id }) => id === 'school-failing')?.text).toContain('it must be an origin such as');
      await schools.close();
    },
  );
});
