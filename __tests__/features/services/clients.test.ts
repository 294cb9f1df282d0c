import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type {
  VerifiedToken,
  AuditEvent,
  Campus,
  AccessRule,
  Question,
  Explanation,
  Service,
  VerifiedServiceToken,
  Site,
} from '../../../lib/index.ts';
import { resetClock, setClockAhead } from '../../helpers/clock.ts';
import {
  authorizeUrl,
  type Changes,
  introspect,
  type JsonResponse,
  jsonResponse,
  pkce,
  postForm,
  refresh,
  type TestClient,
  userinfo,
} from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { plugins, type Schools, type SchoolsOptions, startSchools } from '../../helpers/schools.ts';
import { serviceToken, sync, syncApp, withServices } from '../../helpers/services.ts';
import { harbourSite } from '../../helpers/sites.ts';

let schools: Schools;
let events: AuditEvent[];
/** What `findService` returns, or throws. */
let findService: (clientId: string) => Service | undefined;
let connectionsEnabled: boolean;
/** Whether the other origin is this school's, too. */
let moved: boolean;
let apps: 'allowed' | 'blocked';
afterEach(async () => {
  resetClock();
  await schools.close();
});

/** The host's API takes tokens of people at `/people`, of operators and services at `/both`, and of services at `/services`. */
function api(campus: Campus): Koa {
  const app = new Koa();
  app.silent = true;
  app.use(campus.middleware());
  const guards = {
    '/people': campus.requireAccess({ scopes: ['courses:read'] }),
    '/both': campus.requireAccess({ scopes: ['courses:read'], audience: ['operator', 'service'] }),
    '/services': campus.requireAccess({ audience: ['service'] }),
  };
  app.use(async (ctx, next) => {
    const guard = Object.entries(guards).find(([path]) => path === ctx.path)?.[1];
    if (guard) await guard(ctx, next);
  });
  return app.use((ctx) => {
    const { clientId, audience, member, service, scopes } = ctx.state.token;
    ctx.body = { clientId, audience, member: member?.id, service, scopes };
  });
}

async function start(options: SchoolsOptions['campus'] = {}): Promise<void> {
  events = [];
  findService = () => ({ roles: ['integration'] });
  connectionsEnabled = true;
  moved = false;
  apps = 'allowed';
  schools = await startSchools({
    ...plugins,
    campus: { ...withServices, siteCache: 0, access: [() => ({ access: apps })], ...options },
    wrapPlatform: (platform) => ({
      ...platform,
      findSite: async (origin) => {
        const site = await platform.findSite(origin);
        return site && { ...site, id: moved ? 'harbour' : site.id, connectionsEnabled };
      },
      findService: (_site, clientId) => findService(clientId),
    }),
    app: api,
  });
  schools.campus.events.on('audit', (event) => events.push(event));
}

const at = (): Site => harbourSite(schools.harbour);

/** Calls the host's API. */
async function call(path: string, token: unknown, origin = schools.harbour): Promise<JsonResponse> {
  return jsonResponse(await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${String(token)}` } }));
}

async function application(): Promise<TestClient & { readonly secret: string }> {
  const { application: made, clientSecret: secret = '' } = await schools.campus.applications.create(at(), {
    audience: 'service',
    clientName: 'Library',
    scopes: ['courses:read', 'students:read'],
    createdBy: 'olivia',
  });
  return { id: made.clientId, redirectUri: '', secret, scope: made.scopes.join(' ') };
}

describe('a token of a service', () => {
  test('comes without a member, a refresh token and an ID token', async () => {
    await start();
    const { status, headers, body } = await serviceToken(schools.harbour);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: 7200,
      scope: sync.scopes.join(' '),
      token_type: 'Bearer',
    });
    expect(events).toMatchObject([
      { action: 'token.issued', actor: { kind: 'client', id: 'sync' }, clientId: 'sync', siteId: 'harbour' },
    ]);
    expect(events[0]).not.toHaveProperty('memberId');
  });

  test.each<[scope: Changes, granted: string]>([
    [{ scope: 'students:read' }, 'students:read'],
    [{ scope: 'students:read offline_access courses:read' }, 'courses:read students:read'],
    [{}, 'courses:read courses:write students:read'],
  ])('for %j has the scopes %s', async (changes, granted) => {
    await start();
    const { body } = await serviceToken(schools.harbour, syncApp, { ...changes, resource: `${schools.harbour}/mcp` });
    expect(String(body['scope']).split(' ').sort()).toEqual(granted.split(' '));
  });

  test.each<[what: string, changes: Changes, status: number, error: string]>([
    ['openid', { scope: 'openid' }, 400, 'invalid_scope'],
    ['a scope of people', { scope: 'account:write' }, 400, 'invalid_scope'],
    ['a scope that it does not have', { scope: 'orders:read' }, 400, 'invalid_scope'],
    ['an unknown scope', { scope: 'courses:read nothing:read' }, 400, 'invalid_scope'],
    ['another resource', { resource: 'https://other.example' }, 400, 'invalid_target'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['no secret', { client_secret: undefined }, 401, 'invalid_client'],
    ['another client’s secret', { client_secret: 'reports-secret' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['a client for people', { client_id: 'reports', client_secret: 'reports-secret' }, 400, 'unauthorized_client'],
    ['a grant type that is off', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('is refused with %s', async (_what, changes, status, error) => {
    await start();
    expectError(await serviceToken(schools.harbour, syncApp, changes), status, error);
  });

  test('is what the school’s own service gets, too, and nobody can authorize it', async () => {
    await start();
    const own = await application();
    expect((await serviceToken(schools.harbour, own)).body['scope']).toBe('courses:read students:read');
    const page = await schools
      .browser('olivia')
      .follow(authorizeUrl(schools.harbour, own, pkce(), { redirect_uri: 'https://x.example/' }));
    expect(page.response.status).toBe(400);
    const code = { grant_type: 'authorization_code', code: 'x', client_id: own.id, client_secret: own.secret };
    expectError(await postForm(`${schools.harbour}/api/oauth/token`, code), 400, 'unauthorized_client');
    expectError(await refresh(schools.harbour, own, 'x'), 400, 'unauthorized_client');
  });

  test('is limited for each client', async () => {
    await start({ limits: { refreshes: { perFamily: 2 } } });
    const own = await application();
    for (const status of [200, 200, 429]) expect((await serviceToken(schools.harbour)).status).toBe(status);
    expect((await serviceToken(schools.harbour, own)).status).toBe(200);
    expect(events.at(-2)).toMatchObject({ action: 'quota.exceeded', reason: 'refreshes', clientId: 'sync' });
  });
});

describe('the policies of access', () => {
  let asked: Question[];
  let verdict: AccessRule | undefined;
  beforeEach(async () => {
    [asked, verdict] = [[], undefined];
    const policy = (question: Question): AccessRule | undefined => {
      asked.push(question);
      return verdict;
    };
    await start({ access: [() => ({ access: apps }), policy] });
  });

  test('are asked when a service requests a token, and when it uses it', async () => {
    const { body } = await serviceToken(schools.harbour, syncApp, { scope: 'courses:read students:read' });
    const app = { source: 'platform', kind: 'service', verified: true, reviewed: true };
    const client = { id: sync.clientId, audience: 'service' };
    const question = { app, client, member: undefined, service: { roles: ['integration'] } };
    const scopes = ['courses:read', 'students:read'];
    expect(asked).toMatchObject([{ ...question, at: 'connect', scopes }]);
    expect((await call('/both', body['access_token'])).status).toBe(200);
    expect((await introspect(schools.harbour, syncApp, body['access_token'])).body).toMatchObject({ active: true });
    await schools.campus.explain(at(), { clientId: sync.clientId, scopes });
    expect(asked.at(1)).toMatchObject({ ...question, at: 'use', scopes });
    expect(asked.at(-1)).toMatchObject({ ...question, at: 'connect', scopes });
  });

  test('narrow a token, and explain says so', async () => {
    verdict = { scopes: ['courses:read'], text: 'Reads courses alone.' };
    const { status, body } = await serviceToken(schools.harbour);
    expect([status, body['scope']]).toEqual([200, 'courses:read']);
    expect(await schools.campus.explain(at(), { clientId: sync.clientId })).toMatchObject({
      outcome: 'view_only',
      scopes: ['courses:read'],
      reasons: [{ code: 'policy', from: 'platform' }],
    });
  });

  test.each<[string, AccessRule, string]>([
    ['a block', { access: 'blocked' }, 'client_blocked'],
    ['scopes that are none', { scopes: [] }, 'policy'],
  ])('refuse a token by %s', async (_what, rule, code) => {
    verdict = rule;
    const response = await serviceToken(schools.harbour);
    expectError(response, 401, 'invalid_client');
    const explained = await schools.campus.explain(at(), { clientId: sync.clientId });
    expect(explained).toMatchObject({
      outcome: 'blocked',
      scopes: [],
      reasons: [{ code, policy: 'access[1] policy' }],
    });
    expect(response.body['error_description']).toBe(explained.reasons[0]?.text);
    expect(events).toMatchObject([{ action: 'token.refused', reason: 'invalid_client', clientId: 'sync' }]);
  });

  test('explain themselves to a service in the characters that an error may have', async () => {
    verdict = { access: 'blocked', text: '請聯絡 “Office” \\ "IT"\n' };
    const { body } = await serviceToken(schools.harbour);
    expect(body['error_description']).toBe("the platform has blocked the client at this school: ? 'Office' / 'IT' ");
  });

  test('are not asked about what the school has blocked', async () => {
    await schools.campus.apps.set(at(), { clientId: sync.clientId }, { access: 'blocked' });
    expectError(await serviceToken(schools.harbour), 401, 'invalid_client');
    expect(asked).toEqual([]);
  });

  test('that fail are a fault: neither yes nor no', async () => {
    await schools.close();
    await start({
      access: [
        () => {
          throw new Error('the list of contracts is away');
        },
      ],
    });
    expectError(await serviceToken(schools.harbour), 503, 'temporarily_unavailable');
    expect(schools.faults).toMatchObject([{ message: 'access[0] failed' }]);
  });
});

describe('where a token of a service is used', () => {
  test('an API that takes services gets no member', async () => {
    await start();
    const { body } = await serviceToken(schools.harbour, syncApp, { scope: 'courses:read' });
    const access = {
      clientId: 'sync',
      audience: 'service',
      service: { roles: ['integration'] },
      scopes: ['courses:read'],
    };
    for (const path of ['/both', '/services']) {
      expect(await call(path, body['access_token'])).toMatchObject({ status: 200, body: access });
    }
  });

  test.each(['/people', '/api/oauth/userinfo'])('%s refuses it', async (path) => {
    await start();
    const { body } = await serviceToken(schools.harbour);
    const response = await call(path, body['access_token']);
    expectError(response, 403, 'insufficient_scope');
    const challenge = response.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(/^Bearer error="insufficient_scope"/);
    expect(challenge).not.toContain('scope="openid');
  });

  test('the Member API refuses it, also for fields that need no scope', async () => {
    await start();
    const { body } = await serviceToken(schools.harbour);
    const response = await fetch(`${schools.harbour}/member/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(body['access_token'])}`, 'content-type': 'application/json' },
      body: '{"query":"{ viewer { id } }"}',
    });
    expectError(await jsonResponse(response), 403, 'insufficient_scope');
  });

  test('an API for services refuses a token of a person', async () => {
    await start();
    const { body } = await serviceToken(schools.harbour);
    const { campus } = schools;
    await expect(campus.verify(at(), String(body['access_token']))).rejects.toMatchObject({
      error: 'insufficient_scope',
    });
    const service: VerifiedServiceToken = await campus.verify(at(), String(body['access_token']), {
      audience: ['service'],
    });
    expect([service.member, service.service.roles]).toEqual([undefined, ['integration']]);
    // @ts-expect-error a service has no member
    const wrong = (access: VerifiedServiceToken): string => access.member.id;
    const right = (access: VerifiedToken | VerifiedServiceToken): string => access.member?.id ?? access.clientId;
    expect([right(service), typeof wrong]).toEqual(['sync', 'function']);
  });

  test('another school does not know it', async () => {
    await start();
    const { body } = await serviceToken(schools.harbour);
    expectError(await call('/both', body['access_token'], schools.summit), 401, 'invalid_token');
    expectError(await serviceToken(schools.summit), 401, 'invalid_client');
    expect((await introspect(schools.summit, syncApp, body['access_token'])).status).toBe(401);
  });

  test('the origin that the school had before does not, and neither does introspection there', async () => {
    await start();
    const { body } = await serviceToken(schools.harbour);
    moved = true;
    expectError(await call('/both', body['access_token'], schools.summit), 401, 'invalid_token');
    expect((await introspect(schools.summit, syncApp, body['access_token'])).body).toEqual({ active: false });
    expect(events.at(-1)).toMatchObject({ action: 'token.rejected', reason: 'other_origin', clientId: 'sync' });
  });

  test('introspection names the client as its subject', async () => {
    await start();
    const { body } = await serviceToken(schools.harbour);
    const gateway = { id: 'gateway', secret: 'gateway-secret', redirectUri: '', scope: '' };
    for (const client of [syncApp, gateway]) {
      const { body: state } = await introspect(schools.harbour, client, body['access_token']);
      expect(state).toEqual({
        active: true,
        aud: schools.harbour,
        client_audience: 'service',
        client_id: 'sync',
        exp: expect.any(Number),
        iat: expect.any(Number),
        iss: schools.harbour,
        scope: sync.scopes.join(' '),
        sub: 'sync',
        token_type: 'Bearer',
        ...(client === gateway && {
          org_id: 'harbour',
          site: { id: 'harbour', origin: schools.harbour, name: 'Harbour School' },
        }),
      });
    }
    const reports = { id: 'reports', secret: 'reports-secret', redirectUri: '', scope: '' };
    expect((await introspect(schools.harbour, reports, body['access_token'])).body).toEqual({ active: false });
  });
});

describe('a token of a service ends at once', () => {
  interface Ending {
    readonly end: (client: TestClient, token: string) => unknown;
    /** What the client gets that asks for the next one. @default another token */
    readonly next?: [status: number, error: string];
  }

  test.each<[what: string, ending: Ending]>([
    [
      'when it is revoked',
      {
        end: (client, token) =>
          postForm(`${schools.harbour}/api/oauth/revoke`, {
            token,
            client_id: client.id,
            client_secret: client.secret,
          }),
      },
    ],
    ['when it expires', { end: () => setClockAhead(7201) }],
    [
      'when the client is blocked',
      {
        end: ({ id }) => schools.campus.apps.set(at(), { clientId: id }, { access: 'blocked' }),
        next: [401, 'invalid_client'],
      },
    ],
    [
      'when the school’s rule demands a role that it does not have',
      {
        end: ({ id: clientId }) => schools.campus.apps.set(at(), { clientId }, { access: 'allowed', roles: ['owner'] }),
        next: [401, 'invalid_client'],
      },
    ],
    ['when the platform’s rule blocks it', { end: () => (apps = 'blocked'), next: [401, 'invalid_client'] }],
    [
      'when the application is removed',
      { end: ({ id }) => schools.campus.applications.remove(at(), id), next: [401, 'invalid_client'] },
    ],
    [
      'when its secret is rotated',
      { end: ({ id }) => schools.campus.applications.rotateSecret(at(), id), next: [401, 'invalid_client'] },
    ],
    [
      'when the time of its old secret ends',
      {
        end: async ({ id }) => {
          await schools.campus.applications.rotateSecret(at(), id, { overlap: 60 });
          setClockAhead(61);
        },
        next: [401, 'invalid_client'],
      },
    ],
    ['when connections are disabled', { end: () => (connectionsEnabled = false), next: [401, 'invalid_client'] }],
    [
      'when the platform does not know the service any more',
      { end: () => (findService = () => undefined), next: [401, 'invalid_client'] },
    ],
  ])('%s', async (_what, { end, next }) => {
    await start();
    const own = await application();
    const { body } = await serviceToken(schools.harbour, own);
    const token = String(body['access_token']);
    expect((await call('/both', token)).status).toBe(200);
    await end(own, token);
    expectError(await call('/both', token), 401, 'invalid_token');
    if (next) expectError(await serviceToken(schools.harbour, own), ...next);
    else expect((await serviceToken(schools.harbour, own)).status).toBe(200);
    if (next?.[1] !== 'invalid_client') {
      expect((await introspect(schools.harbour, own, token)).body).toEqual({ active: false });
    }
  });

  test('with the scopes that a rule, or a change of the application, takes away', async () => {
    await start();
    const own = await application();
    const { body } = await serviceToken(schools.harbour, own);
    await schools.campus.applications.update(at(), own.id, { scopes: ['students:read'] });
    expectError(await call('/both', body['access_token']), 403, 'insufficient_scope');
    expect((await introspect(schools.harbour, own, body['access_token'])).body).toMatchObject({
      scope: 'students:read',
    });
    await schools.campus.apps.set(at(), { clientId: own.id }, { access: 'allowed', scopes: ['courses:read'] });
    expectError(await serviceToken(schools.harbour, own), 400, 'invalid_scope');
    expect((await introspect(schools.harbour, own, body['access_token'])).body).toMatchObject({
      active: true,
      scope: '',
    });
  });

  test('only with the secret that it was requested with', async () => {
    await start();
    const own = await application();
    const { body: before } = await serviceToken(schools.harbour, own);
    const { clientSecret } = await schools.campus.applications.rotateSecret(at(), own.id, { overlap: 60 });
    const { body: after } = await serviceToken(schools.harbour, { ...own, secret: String(clientSecret) });
    for (const { access_token: token } of [before, after]) expect((await call('/both', token)).status).toBe(200);
    setClockAhead(61);
    expectError(await call('/both', before['access_token']), 401, 'invalid_token');
    expect((await call('/both', after['access_token'])).status).toBe(200);
  });

  test('and what only another client may do does not end it', async () => {
    await start();
    const own = await application();
    const { body } = await serviceToken(schools.harbour);
    const token = String(body['access_token']);
    const form = { token, client_id: own.id, client_secret: own.secret };
    expectError(await postForm(`${schools.harbour}/api/oauth/revoke`, form), 400, 'invalid_grant');
    expect((await call('/both', token)).status).toBe(200);
  });
});

test('what the platform cannot tell is neither yes nor no', async () => {
  await start();
  const { body } = await serviceToken(schools.harbour);
  findService = () => {
    throw new Error('the database is away');
  };
  const responses = [await call('/both', body['access_token']), await serviceToken(schools.harbour)];
  for (const response of responses) {
    expectError(response, 503, 'temporarily_unavailable');
    expect([response.headers.get('retry-after'), response.headers.get('www-authenticate')]).toEqual(['1', null]);
  }
  expect(schools.faults.map(({ message }) => message)).toEqual([
    'platform.findService failed',
    'platform.findService failed',
  ]);
});

test('the events of a service name it, and the token that is refused', async () => {
  await start();
  const own = await application();
  const { body } = await serviceToken(schools.harbour, own);
  await schools.campus.applications.rotateSecret(at(), own.id);
  await call('/both', body['access_token']);
  const { body: gone } = await serviceToken(schools.harbour);
  await postForm(`${schools.harbour}/api/oauth/revoke`, {
    token: String(gone['access_token']),
    client_id: 'sync',
    client_secret: 'sync-secret',
  });
  expect(events.map(({ action, reason, clientId }) => [action, reason, clientId])).toEqual([
    ['application.created', undefined, own.id],
    ['token.issued', undefined, own.id],
    ['application.secret_rotated', undefined, own.id],
    ['token.rejected', 'secret_ended', own.id],
    ['token.issued', undefined, 'sync'],
    ['token.revoked', undefined, 'sync'],
  ]);
});

test('userinfo has no claims of a service', async () => {
  await start();
  const { body } = await serviceToken(schools.harbour);
  expect(JSON.stringify((await userinfo(schools.harbour, body['access_token'])).body)).not.toContain('sync-secret');
});

describe('without the grant', () => {
  test('a service is a mistake in the options, and no application', async () => {
    await expect(startSchools({ campus: { clients: [sync] } })).rejects.toThrow(
      'clients[0].audience must not be "service" without grants: [clientCredentials()]',
    );
    await start({ grants: [], clients: [] });
    await expect(application()).rejects.toThrow('audience is neither member nor operator');
    expectError(await serviceToken(schools.harbour), 401, 'invalid_client');
  });
});

test('explain says of a service what it gets, by the platform and by rules; no person connects it', async () => {
  await start();
  const explained = (memberId?: string): Promise<Explanation> =>
    schools.campus.explain(at(), { clientId: sync.clientId, memberId });
  expect(await explained()).toMatchObject({ outcome: 'allowed', scopes: sync.scopes, reasons: [] });
  expect(await explained('olivia')).toMatchObject({ outcome: 'impossible', reasons: [{ code: 'no_access' }] });
  apps = 'blocked';
  expect(await explained()).toMatchObject({
    outcome: 'blocked',
    reasons: [{ code: 'client_blocked', from: 'platform' }],
  });
  apps = 'allowed';
  findService = () => undefined;
  expect(await explained()).toMatchObject({ outcome: 'impossible', scopes: [], reasons: [{ code: 'no_access' }] });
  findService = () => ({ roles: ['integration'] });
  await schools.campus.apps.set(at(), { clientId: sync.clientId }, { access: 'blocked' });
  expect(await explained()).toMatchObject({
    outcome: 'blocked',
    reasons: [{ code: 'client_blocked', from: 'school' }],
  });
});
