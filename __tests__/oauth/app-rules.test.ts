import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AppRule } from '../../lib/core/access/rule.ts';
import type { AccessPolicy, AuditEvent, NewApplication, Site } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { type Browser, csrfOf, type Stop, decisionsOn } from '../helpers/browser.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  getCode,
  jsonResponse,
  type JsonResponse,
  memberApp,
  pkce,
  refresh,
  reports,
  type TestClient,
  userinfo,
} from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { expectError } from '../helpers/responses.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { reviewsOf } from '../helpers/reviews.ts';

let schools: Schools;
let events: AuditEvent[];
let calls: string[];
/** Runs once, right before a record of this kind is written. */
let before: { readonly kind: string; readonly run: () => Promise<unknown> } | undefined;
afterEach(() => schools.close());

async function start(policy?: AccessPolicy): Promise<void> {
  const inner = memoryStore();
  [events, calls, before] = [[], [], undefined];
  const interrupt = async (kind: string): Promise<void> => {
    if (before?.kind !== kind) return;
    const { run } = before;
    before = undefined;
    await run();
  };
  const store: Store = {
    ...inner,
    find: (...args) => {
      calls.push(`find ${args[1]}`);
      return inner.find(...args);
    },
    save: async (siteId, entry) => {
      await interrupt(entry.kind);
      return inner.save(siteId, entry);
    },
    redeem: async (siteId, redemption) => {
      await interrupt('redemption');
      return inner.redeem(siteId, redemption);
    },
  };
  const registration = [vendorPlatforms(wellKnownVendors), loopbackClients()];
  schools = await startSchools({
    ...plugins,
    campus: { store, registration, ...(policy && { access: [policy] }) },
  });
  schools.campus.events.on('audit', (event) => events.push(event));
}

const site = (id: 'harbour' | 'summit' = 'harbour'): Site => siteOf(schools, id);
const rules = () => schools.campus.apps;

async function register(client_name: string, redirectUri: string): Promise<JsonResponse> {
  const body = JSON.stringify({ client_name, redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  return jsonResponse(await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body }));
}

const callback = 'https://claude.ai/api/mcp/auth_callback';
const scope = 'openid courses:read courses:write';

async function claude(): Promise<TestClient> {
  const { body } = await register('Claude', callback);
  return { id: String(body['client_id']), redirectUri: callback, scope };
}

async function terminal(): Promise<TestClient> {
  const redirectUri = 'http://127.0.0.1:50123/callback';
  const { body } = await register('Claude Code', redirectUri);
  return { id: String(body['client_id']), redirectUri, scope };
}

const blocked: AppRule = { access: 'blocked' };

describe('a blocked app', () => {
  test.each([
    ['Claude', callback, 'claude'],
    ['Claude Code', 'http://localhost:3118/callback', 'claude-code'],
    ['claude code (harbour)', 'http://localhost:3118/callback', 'claude-code'],
  ])('cannot register as %s, and explainRegistration says so', async (name, uri, app) => {
    await start();
    await rules().set(site(), app, blocked);
    expectError(await register(name, uri), 400, 'invalid_client_metadata');
    const body = { client_name: name, redirect_uris: [uri] };
    const [here, there] = [site(), site('summit')].map((at) => schools.campus.explainRegistration(at, body));
    expect(await here).toMatchObject({
      outcome: 'refused',
      body: { error_description: 'this school has blocked the client; ask an administrator of the school' },
    });
    expect((await there)?.status).toBe(201);
    expect(events).toContainEqual(expect.objectContaining({ action: 'registration.refused' }));
  });

  test.each(['\u115f', '\u1160', '\u3164', '\uffa0', '\u00ad', '\u034f', '\u200b', '\u2060', '\ufe0f', '\u{e0001}'])(
    'cannot register with the invisible character %j in its name',
    async (character) => {
      await start();
      await rules().set(site(), 'codex', blocked);
      for (const name of [`Co${character}dex`, `${character}Codex`, `Codex${character} (harbour)`])
        expectError(await register(name, 'http://127.0.0.1/callback'), 400, 'invalid_client_metadata');
    },
  );

  test('is not offered: in /auth.md, its page, and Connect your assistant', async () => {
    await start();
    const guide = async (accept: string): Promise<string> =>
      (await fetch(`${schools.harbour}/auth.md`, { headers: { accept } })).text();
    const assistants = async (app: string) =>
      readPage((await schools.browser().follow(`${schools.harbour}/mcp/operator?app=${app}`)).html);
    expect(await guide('*/*')).not.toContain('rules for some apps');
    (await assistants('claude')).getByRole('link', { name: 'ChatGPT' });
    await rules().set(site(), 'chatgpt', blocked);
    const some = ['openid', 'courses:read', 'courses:write'];
    await rules().set(site(), 'claude', { access: 'view_only', roles: ['owner'], scopes: some });
    const text =
      'This school has rules for some apps. Blocked: ChatGPT. Identity and `:read` scopes only, until an administrator approves the app: Claude. Only for people with certain roles: Claude. Only some of the scopes: Claude.';
    expect(await guide('*/*')).toContain(text);
    expect(await guide('text/html')).toContain('Blocked: ChatGPT.');
    const page = await assistants('claude');
    expect(page.queryByRole('link', { name: 'ChatGPT' })).toBeUndefined();
    expect(page.getByRole('link', { name: 'Claude' }).attribute('aria-current')).toBe('true');
    expect(page.text).toMatch(/It can only view.*certain roles.*only some of the permissions/);
  });
});

describe('an application', () => {
  async function create(app?: NewApplication['app']): Promise<TestClient & { readonly secret: string }> {
    const input = { clientName: 'Our assistant', redirectUris: [callback], scopes: ['openid', 'account:write'] };
    const created = await schools.campus.applications.create(site(), { ...input, confidential: true, app });
    const { application, clientSecret: secret = '' } = created;
    expect(application.app).toBe(app);
    return { id: application.clientId, redirectUri: callback, scope: 'openid account:write', secret };
  }

  test('that names an app follows its rules, also after a change and with a new secret', async () => {
    await start();
    const named = await create('claude');
    const other = await create();
    const { applications } = schools.campus;
    await applications.update(site(), named.id, { clientName: 'Our own assistant' });
    const { clientSecret: secret = '', application } = await applications.rotateSecret(site(), named.id);
    expect(application).toMatchObject({ clientName: 'Our own assistant', app: 'claude' });
    const ours = await connect(schools.browser('sam'), schools.harbour, { ...named, secret });
    const kept = await connect(schools.browser('sam'), schools.harbour, other);
    expect(await rules().set(site(), 'claude', blocked)).toEqual({ ended: 1, atRefresh: 0 });
    expect((await userinfo(schools.harbour, ours.body['access_token'])).status).toBe(401);
    expect((await userinfo(schools.harbour, kept.body['access_token'])).status).toBe(200);
    await expect(getCode(schools.browser('sam'), schools.harbour, named)).rejects.toThrow(
      'Only its staff can change this',
    );
  });

  test('gains nothing by its app, and cannot name one that is not known', async () => {
    await start(({ app }) => (app.id === 'claude' ? undefined : { scopes: ['openid'] }));
    const { body } = await connect(schools.browser('sam'), schools.harbour, await create('claude'));
    expect(body['scope']).toBe('openid');
    // @ts-expect-error: not an id of knownApps
    await expect(create('claud')).rejects.toThrow('applications.create.application.app must be the id of one of');
  });
});

describe('campus.apps', () => {
  test('lists rules first, then what is in use, then known apps; with people, and where the rule is from', async () => {
    await start(({ app }) => (app.claimedId === 'codex' ? { access: 'view_only' } : undefined));
    await connect(schools.browser('olivia'), schools.harbour, await terminal());
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    await rules().set(site(), 'zed', { access: 'allowed', roles: ['teacher'] });
    const all = await rules().list(site());
    expect(all.slice(0, 3)).toEqual(
      expect.arrayContaining([
        {
          app: 'zed',
          clientName: 'Zed',
          rule: { access: 'allowed', roles: ['teacher'] },
          own: { access: 'allowed', roles: ['teacher'] },
          status: 'allowed',
          decided: { at: expect.any(Number) },
          version: expect.any(String),
          from: 'school',
          people: 0,
        },
        {
          app: 'claude-code',
          clientName: 'Claude Code',
          rule: { access: 'allowed' },
          status: 'allowed',
          from: 'default',
          version: expect.any(String),
          people: 1,
          lastActiveAt: expect.any(Number),
          connectedAt: expect.any(Number),
        },
        expect.objectContaining({ clientId: 'member-app', clientName: 'Pocket School', people: 1, from: 'default' }),
      ]),
    );
    expect(all[0]?.app).toBe('zed');
    expect(all.find(({ app }) => app === 'codex')).toMatchObject({
      from: 'platform',
      rule: { access: 'view_only' },
    });
    expect(await rules().list(site('summit'))).not.toContainEqual(expect.objectContaining({ from: 'school' }));
    expect((await rules().list(site(), { search: 'visual studio', size: 5 })).total).toBe(1);
  });

  test.each<[string, unknown, unknown, string]>([
    ['no target', {}, blocked, 'apps.set.app must be the id of an app, or { clientId } for one client'],
    ['two targets', { app: 'a', clientId: 'b' }, blocked, 'unknown option "apps.set.app.app"; valid options: clientId'],
    ['a word for access', 'a', { access: 'no' }, 'apps.set.rule.access must be "allowed", "view_only" or "blocked"'],
    ['another word, which the message shows', 'a', { access: 'deny' }, ', not "deny"'],
    ['a role that is no text', 'a', { access: 'allowed', roles: [7] }, ', not 7'],
    [
      'no roles',
      'a',
      { access: 'allowed', roles: [] },
      'apps.set.rule.roles must have at least one role, not an empty array; to let no one',
    ],
    [
      'no scopes',
      'a',
      { access: 'allowed', scopes: [] },
      'apps.set.rule.scopes must have at least one scope, not an empty array; to allow no scope',
    ],
    ['an unknown member', 'a', { access: 'allowed', role: ['x'] }, 'role'],
    [
      'an unknown scope',
      'claude',
      { access: 'allowed', scopes: ['x:read'] },
      'scopes must be among campus.scopes, not x:read',
    ],
    ['an empty id', '', blocked, 'app must be a string of 1 to 2048 characters'],
  ])('refuses %s', async (_what, target, rule, message) => {
    await start();
    const call: Promise<unknown> = Reflect.apply(Reflect.get(rules(), 'set'), rules(), [site(), target, rule]);
    await expect(call).rejects.toThrow(message);
    expect(events).toEqual([]);
  });

  test('the rule of a client is in place of that of its app; without it, the app’s applies again', async () => {
    await start();
    const client = await terminal();
    await rules().set(site(), { clientId: client.id }, { access: 'allowed' });
    await rules().set(site(), 'claude-code', blocked);
    const { body } = await connect(schools.browser('olivia'), schools.harbour, client);
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    expect(await rules().reset(site(), { clientId: client.id })).toEqual({ ended: 1, atRefresh: 0 });
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
    expect(await rules().find(site(), { clientId: client.id })).toMatchObject({ rule: blocked, from: 'school' });
  });

  test('a rule that gives something back, or the same one, disconnects nobody', async () => {
    await start();
    const client = await claude();
    const target = { app: 'claude' };
    await rules().set(site(), target.app, { access: 'allowed', roles: ['owner'] });
    await connect(schools.browser('olivia'), schools.harbour, client);
    for (const rule of [
      { access: 'allowed', roles: ['owner'] },
      { access: 'allowed', roles: ['owner', 'teacher'] },
    ] as const) {
      expect(await rules().set(site(), target.app, rule)).toEqual({ ended: 0, atRefresh: 0 });
    }
    expect(await rules().reset(site(), target.app)).toEqual({ ended: 0, atRefresh: 0 });
    expect(
      events.filter(({ action }) => action.startsWith('app.')).map(({ action, app, reason }) => [action, app, reason]),
    ).toEqual([
      ['app.decided', 'claude', 'set'],
      ['app.decided', 'claude', 'set'],
      ['app.decided', 'claude', 'set'],
      ['app.decided', 'claude', 'reset'],
    ]);
  });
});

describe('verification', () => {
  test('reads nothing but the token, also for a rule with roles; a lost role counts at once', async () => {
    await start(() => undefined);
    await rules().set(site(), 'claude', { access: 'allowed', roles: ['teacher'] });
    const { body } = await connect(schools.browser('olivia'), schools.harbour, await claude());
    calls = [];
    await schools.campus.verify(site(), String(body['access_token']));
    expect(calls).toEqual(['find AccessToken']);
    const olivia = schools.people['harbour']?.['olivia'];
    if (olivia) schools.people['harbour'] = { olivia: { ...olivia, roles: ['owner'] } };
    await expect(schools.campus.verify(site(), String(body['access_token']))).rejects.toThrow('no longer permitted');
    expect(events.at(-1)).toMatchObject({ action: 'token.rejected', reason: 'client_role' });
    expectError(await refresh(schools.harbour, await claude(), body['refresh_token']), 400, 'invalid_grant');
  });

  test.each<[string, () => AppRule]>([
    [
      'throws',
      () => {
        throw new Error('the table is gone');
      },
    ],
    ['returns no rule', () => Reflect.apply(Object, undefined, [{ access: 'maybe' }])],
    ['names a scope that does not exist', () => ({ access: 'allowed', scopes: ['course:read'] })],
  ])('a platform that %s is a fault and 503, not a refusal', async (_what, fail) => {
    let isFailing = false;
    await start(() => (isFailing ? fail() : undefined));
    const client = await claude();
    const { body } = await connect(schools.browser('olivia'), schools.harbour, client);
    isFailing = true;
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(503);
    expect((await refresh(schools.harbour, client, body['refresh_token'])).status).toBe(503);
    expect(schools.faults.length).toBeGreaterThan(0);
    isFailing = false;
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
  });
});

/** Where a person stops who asks, and what redeems the code. */
async function ask(person: string, client: TestClient): Promise<{ browser: Browser; page: Stop; verifier: string }> {
  const browser = schools.browser(person);
  const { verifier, challenge } = pkce();
  return {
    browser,
    verifier,
    page: await browser.follow(authorizeUrl(schools.harbour, client, { verifier, challenge })),
  };
}

describe('a rule that asks for an approval', () => {
  test('an administrator approves an app that registered itself, on the consent page, and everyone gets that', async () => {
    await start();
    await rules().set(site(), 'claude', { access: 'view_only' });
    const client = await claude();
    const { browser, page, verifier } = await ask('olivia', client);
    const waiting = readPage(page.html).getByRole('group', { name: /^Needs school approval$/ });
    expect(waiting.getAllByRole('checkbox').map(({ value }) => value)).toEqual(['courses:write']);
    expect(decisionsOn(page.html)).toContain('approve');
    const end = await browser.decide(page, 'approve');
    const code = end.url.searchParams.get('code') ?? '';
    const { body } = await exchange({ origin: schools.harbour, client, code, verifier });
    expect(body['scope']).toBe(scope);
    expect(events).toContainEqual(
      expect.objectContaining({
        action: 'app.decided',
        reason: 'approved',
        clientId: client.id,
        actor: { kind: 'administrator', id: 'olivia' },
      }),
    );
    const again = await refresh(schools.harbour, client, body['refresh_token']);
    expect((await schools.campus.verify(site(), String(again.body['access_token']))).scopes.join(' ')).toBe(scope);
    const { html } = await browser.follow(`${schools.harbour}/developers/apps?client=${client.id}`);
    expect(html).toContain('for these permissions only:');
    await schools.campus.apps.set(site(), { clientId: client.id }, { access: 'blocked' });
    expect((await userinfo(schools.harbour, again.body['access_token'])).status).toBe(401);
    expect((await ask('olivia', client)).page.html).toContain('You can change this');
  });

  test('no member can approve a member client: the page has no button for it, and a forged form is refused', async () => {
    await start();
    await rules().set(site(), { clientId: memberApp.id }, { access: 'view_only' });
    const { browser, page } = await ask('sam', memberApp);
    expect(decisionsOn(page.html)).not.toContain('approve');
    const csrf = csrfOf(page.html);
    const shown = readPage(page.html).field('shown');
    const body = new URLSearchParams({ csrf, shown, decision: 'approve', scope: 'account:write' });
    const forged = await browser.follow(page.url, { method: 'POST', body });
    expect(forged.url.searchParams.get('code')).toBeNull();
    expect((await reviewsOf(schools.campus).find(site(), memberApp.id))?.status).toBe('unreviewed');
    const granted = await connect(schools.browser('sam'), schools.harbour, memberApp);
    expect(granted.body['scope']).toBe('openid profile email account:read');
  });
});

describe('a rule that is set at the same moment', () => {
  test.each([
    ['a note of the client', 'ConnectedClient'],
    ['a grant', 'Grant'],
  ])('as %s is written leaves no connection', async (_what, kind) => {
    await start();
    const client = await terminal();
    before = { kind, run: () => rules().set(site(), 'claude-code', blocked) };
    await expect(getCode(schools.browser('olivia'), schools.harbour, client)).rejects.toThrow('You can change this');
    expect(await schools.campus.connections.list(site(), 'olivia')).toEqual([]);
  });

  test.each(['code', 'refresh token'])('as a %s is redeemed leaves no access token of before', async (what) => {
    await start();
    const client = await terminal();
    const code = await getCode(schools.browser('olivia'), schools.harbour, client);
    const first = what === 'code' ? undefined : await exchange(code);
    const run = () => rules().set(site(), 'claude-code', { access: 'allowed', scopes: ['openid'] });
    before = { kind: 'redemption', run };
    const response = await (first ? refresh(schools.harbour, client, first.body['refresh_token']) : exchange(code));
    expect((await userinfo(schools.harbour, response.body['access_token'])).status).toBe(401);
    const next = await refresh(schools.harbour, client, response.body['refresh_token']);
    expect(next.body['scope']).toBe('openid');
  });

  test('two operators: the last rule stands, and what either took away is gone', async () => {
    await start();
    const client = await claude();
    const { body } = await connect(schools.browser('olivia'), schools.harbour, client);
    const target = { app: 'claude' };
    before = { kind: 'AppRule', run: () => rules().set(site(), target.app, { access: 'allowed', scopes: ['openid'] }) };
    await rules().set(site(), target.app, { access: 'allowed', roles: ['owner'] });
    expect(await rules().find(site(), target.app)).toMatchObject({ own: { access: 'allowed', roles: ['owner'] } });
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
  });
});

test('the rules of one client leave others alone', async () => {
  await start();
  const kept = await connect(schools.browser('olivia'), schools.harbour, reports);
  await rules().set(site(), 'claude', blocked);
  await rules().set(site(), { clientId: memberApp.id }, blocked);
  expect((await userinfo(schools.harbour, kept.body['access_token'])).status).toBe(200);
  expect(await schools.campus.apps.list(site(), { status: 'blocked', source: 'static' })).toMatchObject([
    { clientId: memberApp.id },
  ]);
});
