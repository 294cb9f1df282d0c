import { afterEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { AppRule } from '../../../lib/core/access/rule.ts';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { clientCredentials } from '../../../lib/grant-types.ts';
import type { AccessPolicy, CampusOptions, StaticClient } from '../../../lib/index.ts';
import { vendorPlatforms } from '../../../policies/index.ts';
import { csrfOf, type Stop } from '../../helpers/browser.ts';
import { testClients } from '../../helpers/clients.ts';
import {
  authorizeUrl,
  connect,
  introspect,
  pkce,
  refresh,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { type Part, readPage } from '../../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';

let started: Schools[] = [];
afterEach(async () => {
  for (const each of started) await each.close();
  started = [];
});

const key = 'a key of pseudonyms that never changes';

const quiz: TestClient = {
  id: 'quiz',
  redirectUri: 'https://quiz.example/callback',
  secret: 'quiz-secret',
  scope: 'openid profile email',
};
const quizToo: TestClient = { ...quiz, id: 'quiz-too', redirectUri: 'https://quiz.example/other' };
const gateway: TestClient = { id: 'gateway', redirectUri: '', secret: 'gateway-secret', scope: '' };
const lab: TestClient = { ...quiz, id: 'lab', redirectUri: 'https://lab.example/callback' };

const pairwise = ({ id, redirectUri, secret }: TestClient): StaticClient => ({
  clientId: id,
  clientName: id,
  audience: 'member',
  redirectUris: [redirectUri],
  scopes: ['openid', 'profile', 'email'],
  clientSecret: secret,
  subject: 'pairwise',
});

async function start(changes: Partial<CampusOptions> = {}): Promise<Schools> {
  const clients = [...testClients, pairwise(quiz), pairwise(quizToo), pairwise(lab)];
  const schools = await startSchools({ ...plugins, campus: { clients, pseudonyms: { key }, ...changes } });
  started.push(schools);
  return schools;
}

const subOf = (body: Readonly<Record<string, unknown>>): unknown => decodeJwt(String(body['id_token'])).sub;

describe('a client with subject pairwise', () => {
  test('knows a person by one pseudonym everywhere, and not by name, e-mail or picture', async () => {
    const schools = await start();
    const { body } = await connect(schools.browser('sam'), schools.harbour, quiz);
    const claims = decodeJwt(String(body['id_token']));
    const { sub } = claims;
    expect(sub).toMatch(/^[\w-]{43}$/);
    expect(Object.keys(claims).sort((a, b) => a.localeCompare(b))).toEqual([
      'aud',
      'exp',
      'iat',
      'iss',
      'nonce',
      'org_id',
      'roles',
      'sub',
    ]);
    expect(body['scope']).toBe('openid');
    const info = await userinfo(schools.harbour, body['access_token']);
    expect(info.body).toEqual({ sub, org_id: 'harbour', roles: ['student'], subject_type: 'pairwise' });
    for (const name of ['access_token', 'refresh_token']) {
      expect((await introspect(schools.harbour, quiz, body[name])).body['sub']).toBe(sub);
    }
    const refreshed = await refresh(schools.harbour, quiz, body['refresh_token']);
    expect((await userinfo(schools.harbour, refreshed.body['access_token'])).body['sub']).toBe(sub);
    expect(JSON.stringify([claims, info.body])).not.toMatch(/sam|Sam/);
  });

  test('cannot join it with that of another host or school; clients of one host have the same', async () => {
    const schools = await start();
    const of = async (client: TestClient, origin = schools.harbour, person = 'sam'): Promise<unknown> =>
      subOf((await connect(schools.browser(person), origin, client)).body);
    const one = await of(quiz);
    expect(await of(quizToo)).toBe(one);
    const others = [await of(lab), await of(quiz, schools.harbour, 'olivia'), await of(quiz, schools.summit)];
    expect(new Set([one, ...others]).size).toBe(4);
    expect(subOf((await connect(schools.browser('sam'), schools.harbour, webMemberApp)).body)).toBe('sam');
  });

  test('has tokens for UserInfo only', async () => {
    const schools = await start();
    const { body } = await connect(schools.browser('sam'), schools.harbour, quiz);
    const token = String(body['access_token']);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = (path: string, content: object): Promise<Response> =>
      fetch(`${schools.harbour}${path}`, { method: 'POST', headers, body: JSON.stringify(content) });
    expect((await post('/member/graphql', { query: '{ viewer { id name email } }' })).status).toBe(403);
    expect((await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(403);
    await expect(schools.campus.verify(siteOf(schools), token)).rejects.toMatchObject({ error: 'insufficient_scope' });
  });

  test('gets the same person again by id_token_hint, and no other', async () => {
    const schools = await start();
    const browser = schools.browser('sam');
    const { body } = await connect(browser, schools.harbour, quiz);
    const hint = { id_token_hint: String(body['id_token']), prompt: 'none' };
    const own = await browser.follow(authorizeUrl(schools.harbour, quiz, pkce(), hint));
    expect(own.url.searchParams.has('code')).toBe(true);
    const other = await schools.browser('olivia').follow(authorizeUrl(schools.harbour, quiz, pkce(), hint));
    expect(other.url.searchParams.get('error')).toBe('login_required');
  });

  test('the person reads it, and finds the pseudonym in their data; erasing ends it', async () => {
    const schools = await start();
    const { html } = await schools.browser('sam').follow(authorizeUrl(schools.harbour, quiz, pkce()));
    expect(html).toContain('does not learn who you are');
    expect(html).toContain('A code instead of your member ID');
    expect(html).not.toMatch(/Your name|Your email address|Your member ID/);
    const { body } = await connect(schools.browser('sam'), schools.harbour, quiz);
    const site = siteOf(schools);
    const { connections } = await schools.campus.members.export(site, 'sam');
    expect(connections.map(({ pseudonym }) => pseudonym)).toEqual([subOf(body)]);
    const app = await schools.browser('sam').follow(`${schools.harbour}/account/apps/${connections[0]?.id}`);
    expect(app.html).toContain('a code instead of your name');
    expect(app.html).not.toMatch(/Your name|Your email address|Your member ID/);
    await schools.campus.members.erase(site, 'sam');
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
  });

  test('the host adds no claims of its own', async () => {
    const schools = await start({ claims: ({ member }) => ({ 'harbour:mail': member.email }) });
    const { body } = await connect(schools.browser('sam'), schools.harbour, quiz);
    const info = await userinfo(schools.harbour, body['access_token']);
    expect([Object.keys(info.body), Object.keys(decodeJwt(String(body['id_token'])))].flat()).not.toContain(
      'harbour:mail',
    );
  });
});

describe('a rule of the school', () => {
  test('gives pseudonyms and no names, also if it names scopes; what changes needs a new consent', async () => {
    const schools = await start();
    const site = siteOf(schools);
    const before = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect(subOf(before.body)).toBe('sam');
    const target = { clientId: webMemberApp.id };
    await schools.campus.apps.set(site, target, { access: 'allowed', pseudonym: true });
    expect((await userinfo(schools.harbour, before.body['access_token'])).status).toBe(401);
    expect((await refresh(schools.harbour, webMemberApp, before.body['refresh_token'])).body['error']).toBe(
      'invalid_grant',
    );

    const hidden = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect([hidden.body['scope'], subOf(hidden.body) === 'sam']).toEqual(['openid', false]);
    // A rule that names a scope takes the others away, and gives none back.
    const rule = { access: 'allowed', pseudonym: true, scopes: ['openid', 'profile', 'email'] } as const;
    await schools.campus.apps.set(site, target, rule);
    const named = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect([named.body['scope'], subOf(named.body)]).toEqual(['openid', subOf(hidden.body)]);
    const { scopes, reasons } = await schools.campus.explain(site, { ...target, memberId: 'sam' });
    expect([scopes, reasons.map(({ text, change }) => [text, change])]).toEqual([
      ['openid'],
      [
        ['a rule takes account:read account:write away', 'an administrator of the school adds the scope to the rule'],
        [
          'a client that knows people by pseudonyms can have openid, but not profile email',
          'an administrator of the school lets the client know who people are',
        ],
      ],
    ]);

    await schools.campus.apps.reset(site, target);
    // Nobody is known by name without having allowed that.
    const late = await refresh(schools.harbour, webMemberApp, named.body['refresh_token']);
    expect(late.body['error']).toBe('invalid_grant');
    expect(subOf((await connect(schools.browser('sam'), schools.harbour, webMemberApp)).body)).toBe('sam');
  });

  test('keeps pseudonyms when an administrator changes something else on its page', async () => {
    const schools = await start();
    const site = siteOf(schools);
    const target = { clientId: webMemberApp.id };
    await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    await schools.campus.apps.set(site, target, { access: 'allowed', pseudonym: true });
    const browser = schools.browser('olivia');
    const page = `${schools.harbour}/developers/apps?client=${webMemberApp.id}`;
    const { html, url } = await browser.follow(page);
    expect(html).toContain('It knows people by a code instead of their names.');
    const body = new URLSearchParams({
      csrf: csrfOf(html),
      action: 'rule',
      client: webMemberApp.id,
      version: readPage(html).field('version'),
      access: 'allowed',
    });
    body.append('role', 'student');
    body.append('limited', 'yes');
    body.append('confirmed', 'yes');
    await browser.follow(url, { method: 'POST', body });
    const { own } = await schools.campus.apps.find(site, target);
    expect(own).toMatchObject({ access: 'allowed', pseudonym: true, scopes: ['openid'] });
  });

  const formOn = async (schools: Schools, query: string): Promise<{ readonly page: Stop; readonly form: Part }> => {
    const page = await schools.browser('olivia').follow(`${schools.harbour}/developers/apps?${query}`);
    const form = readPage(page.html)
      .getAllByRole('form')
      .find(({ fields }) => fields.get('action') === 'rule');
    if (!form) throw new Error(readPage(page.html).text);
    return { page, form };
  };
  const save = (schools: Schools, { url }: Stop, fields: URLSearchParams): Promise<Stop> =>
    schools.browser('olivia').follow(url, { method: 'POST', body: fields });
  const hides = 'Hide names: people appear as codes';

  test('is made and taken back on the page of an app', async () => {
    const schools = await start();
    const site = siteOf(schools);
    const target = { clientId: webMemberApp.id };
    await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const first = await formOn(schools, `client=${webMemberApp.id}`);
    const fields = first.form.fields;
    fields.set('pseudonym', 'yes');
    const asked = await save(schools, first.page, fields);
    expect(readPage(asked.html).text).toContain('One person is disconnected right away and can connect it again.');
    const confirmed = readPage(asked.html).getByRole('form');
    const saved = await save(schools, asked, confirmed.fields);
    expect((await schools.campus.apps.find(site, target)).own).toEqual({
      access: 'allowed',
      pseudonym: true,
    });
    expect(readPage(saved.html).getByText('It knows people by a code instead of their names.')).toBeDefined();
    expect(readPage(saved.html).text).toContain('It learns only that somebody is at the school, and in which roles.');
    expect(readPage(saved.html).getByRole('checkbox', { name: /^It can get only/ }).checked).toBe(false);
    const hidden = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect([hidden.body['scope'], subOf(hidden.body) === 'sam']).toEqual(['openid', false]);

    const second = await formOn(schools, `client=${webMemberApp.id}`);
    const without = second.form.fields;
    without.delete('pseudonym');
    const again = await save(schools, second.page, without);
    await save(schools, again, readPage(again.html).getByRole('form').fields);
    expect((await schools.campus.apps.find(site, target)).own).toEqual({ access: 'allowed' });
    // Whoever was connected by a code decides again.
    expect((await userinfo(schools.harbour, hidden.body['access_token'])).status).toBe(401);
  });

  test('has no form for them while the option is off, and for a service; it stays', async () => {
    const schools = await start({
      pseudonyms: undefined,
      clients: [...testClients],
      grants: [clientCredentials()],
    });
    const site = siteOf(schools);
    const target = { clientId: webMemberApp.id };
    await schools.campus.apps.set(site, target, {
      access: 'allowed',
      pseudonym: true,
      scopes: ['openid', 'email'],
    });
    const { page, form } = await formOn(schools, `client=${webMemberApp.id}`);
    expect(form.queryByRole('checkbox', { name: new RegExp(`^${hides}`) })).toBeUndefined();
    const forged = new URLSearchParams([...form.fields, ['asked', 'pseudonym'], ['confirmed', 'yes']]);
    forged.set('ask', 'ask');
    await save(schools, page, forged);
    expect((await schools.campus.apps.find(site, target)).own).toEqual({
      access: 'allowed',
      ask: true,
      pseudonym: true,
      scopes: ['openid', 'email'],
    });
    const on = await start({ grants: [clientCredentials()] });
    const service = { audience: 'service', clientName: 'Sync', scopes: ['courses:read'] } as const;
    const { application } = await on.campus.applications.create(siteOf(on), service);
    const ofService = await formOn(on, `client=${application.clientId}`);
    expect(ofService.form.queryByRole('checkbox', { name: new RegExp(`^${hides}`) })).toBeUndefined();
    const ofApp = await formOn(on, 'app=claude');
    expect(ofApp.form.getByRole('checkbox', { name: new RegExp(`^${hides}`) }).checked).toBe(false);
  });

  test('of the platform ends what names were told with', async () => {
    let isHidden = false;
    const access: readonly AccessPolicy[] = [() => (isHidden ? { pseudonym: true } : undefined)];
    const schools = await start({ access });
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    isHidden = true;
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
    const late = await refresh(schools.harbour, webMemberApp, body['refresh_token']);
    expect(late.body['error']).toBe('invalid_grant');
  });

  test('of the platform does so for some people', async () => {
    const schools = await start({
      access: [({ member }) => (member?.id === 'sam' ? { pseudonym: true } : undefined)],
    });
    expect(subOf((await connect(schools.browser('sam'), schools.harbour, webMemberApp)).body)).not.toBe('sam');
    expect(subOf((await connect(schools.browser('olivia'), schools.harbour, webMemberApp)).body)).toBe('olivia');
  });
});

test.each<[string, AppRule]>([
  ['names e-mail addresses', { access: 'allowed', scopes: ['openid', 'email'] }],
  ['hides people once more', { access: 'allowed', pseudonym: true, scopes: ['openid', 'profile', 'email'] }],
])('a rule that %s gives a client with subject pairwise nothing', async (_what, rule) => {
  const schools = await start();
  await schools.campus.apps.set(siteOf(schools), { clientId: quiz.id }, rule);
  const { body } = await connect(schools.browser('sam'), schools.harbour, quiz);
  expect(body['scope']).toBe('openid');
});

describe('an application of the school', () => {
  test('has the names that the school chose for it', async () => {
    const schools = await start();
    const site = siteOf(schools);
    const made = await schools.campus.applications.create(site, {
      clientName: 'Timer',
      redirectUris: ['https://timer.example/callback'],
      scopes: ['openid', 'profile'],
      confidential: true,
      subject: 'pairwise',
    });
    const { clientId, subject } = made.application;
    expect(subject).toBe('pairwise');
    const client = { id: clientId, redirectUri: 'https://timer.example/callback', scope: 'openid profile' };
    const { body } = await connect(schools.browser('sam'), schools.harbour, {
      ...client,
      secret: made.clientSecret ?? '',
    });
    expect([body['scope'], decodeJwt(String(body['id_token']))['name']]).toEqual(['openid profile', 'Sam Student']);
    expect(subOf(body)).not.toBe('sam');
    const { html } = await schools
      .browser('sam')
      .follow(authorizeUrl(schools.harbour, client, pkce(), { prompt: 'consent' }));
    expect(html).toContain('by what you allow here');
    await expect(
      schools.campus.applications.update(site, clientId, { scopes: ['openid', 'account:read'] }),
    ).rejects.toThrow('scopes "account:read"');
    const app = readPage(
      (await schools.browser('olivia').follow(`${schools.harbour}/developers/apps?client=${clientId}`)).html,
    );
    expect(app.getByText('It knows people by a code instead of their names.')).toBeDefined();
    expect(app.text).not.toContain('Know who each person is');
    expect(app.text).not.toContain('Hide names');
    const ruled = await start({ access: [() => ({ pseudonym: true })] });
    const { application } = await ruled.campus.applications.create(siteOf(ruled), {
      clientName: 'Timer',
      redirectUris: ['https://timer.example/callback'],
      scopes: ['openid', 'profile'],
      confidential: false,
      subject: 'pairwise',
    });
    const hidden = await connect(ruled.browser('sam'), ruled.harbour, { ...client, id: application.clientId });
    expect(hidden.body['scope']).toBe('openid');
    await schools.campus.applications.update(site, clientId, { subject: undefined });
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
  });
});

test('a vendor’s shared client has pseudonyms by its row, and one with callbacks of its own cannot', async () => {
  const row = { clientId: 'acme', clientName: 'Acme', names: ['Acme'], redirectUris: ['https://acme.example/back'] };
  const hidden = { ...row, scopes: ['openid'], subject: 'pairwise' } as const;
  const schools = await start({ registration: [vendorPlatforms([hidden])] });
  const acme: TestClient = { id: 'acme', redirectUri: 'https://acme.example/back', scope: 'openid' };
  expect(subOf((await connect(schools.browser('olivia'), schools.harbour, acme)).body)).toMatch(/^[\w-]{43}$/);
  expect(() => vendorPlatforms([{ ...hidden, callbackPrefix: 'https://acme.example/tools/' }])).toThrow(
    'vendorPlatforms[0].subject must not be set with callbackPrefix',
  );
});

test('a resource server learns the pseudonyms that the clients have, which differ, and no id of a member', async () => {
  const schools = await start();
  const subs = await Promise.all(
    [quiz, lab].map(async (client) => {
      const { body } = await connect(schools.browser('sam'), schools.harbour, client);
      const introspected = await introspect(schools.harbour, gateway, body['access_token']);
      expect(introspected.body).toMatchObject({ active: true, client_id: client.id });
      expect(JSON.stringify(introspected.body)).not.toMatch(/sam/i);
      return introspected.body['sub'];
    }),
  );
  expect(subs[0]).not.toBe(subs[1]);
});

describe('the key', () => {
  test('is not one of those that sign: a pseudonym stays when they change, and another key makes others', async () => {
    const first = await start();
    const second = await start({ siteKeys: undefined });
    const third = await start({ pseudonyms: { key: `${key}!` } });
    const subs = [first, second, third].map(async (schools) =>
      subOf((await connect(schools.browser('sam'), schools.harbour, quiz)).body),
    );
    const [one, same, other] = await Promise.all(subs);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  test('without it nobody is known by name to a client that must not know it', async () => {
    await expect(start({ pseudonyms: undefined })).rejects.toThrow(
      '.subject must not be set without the option pseudonyms',
    );
    await expect(start({ pseudonyms: { key: 'short' } })).rejects.toThrow(
      'pseudonyms.key must be a secret of at least 32 characters',
    );
    const schools = await start({ pseudonyms: undefined, clients: [...testClients] });
    await schools.campus.apps.set(
      siteOf(schools),
      { clientId: webMemberApp.id },
      { access: 'allowed', pseudonym: true },
    );
    await expect(connect(schools.browser('sam'), schools.harbour, webMemberApp)).rejects.toThrow(/no code/);
  });

  test('an application that knows people by pseudonyms has one verdict while the option is off', async () => {
    const store = memoryStore();
    const on = await start({ store });
    const redirectUri = 'https://survey.example/callback';
    const made = { clientName: 'Survey', audience: 'member', redirectUris: [redirectUri], scopes: ['openid'] } as const;
    const of = { ...made, subject: 'pairwise', confidential: false } as const;
    const { application } = await on.campus.applications.create(siteOf(on), of);
    const { clientId } = application;
    const survey: TestClient = { id: clientId, redirectUri, scope: 'openid' };
    const verdict = async (schools: Schools): Promise<unknown> => {
      const { campus } = schools;
      const site = siteOf(schools);
      const [listed] = await campus.applications.list(site);
      const { outcome, reasons } = await campus.explain(site, { clientId, memberId: 'sam' });
      const connected = await campus.apps.find(site, { clientId });
      const words = [(await campus.apps.find(site, { clientId })).status, listed?.status, connected?.status];
      return [outcome, reasons.map(({ code }) => code), words];
    };
    await connect(on.browser('sam'), on.harbour, survey);
    const allowed = ['allowed', 'allowed', 'allowed'];
    expect(await verdict(on)).toEqual(['allowed', [], allowed]);
    const off = await start({ store, pseudonyms: undefined, clients: [...testClients] });
    const refused: unknown[] = [];
    off.campus.events.on('audit', ({ action, reason }) => refused.push([action, reason]));
    const blocked = ['blocked', 'blocked', 'blocked'];
    expect(await verdict(off)).toEqual(['impossible', ['client_not_permitted'], blocked]);
    await off.browser('sam').follow(authorizeUrl(off.harbour, survey, pkce(), { prompt: 'consent' }));
    expect(refused).toEqual([['authorization.refused', 'client_not_permitted']]);
  });
});

test('discovery lists pairwise only with the option', async () => {
  const types = async (schools: Schools): Promise<unknown> =>
    JSON.parse(await (await fetch(`${schools.harbour}/.well-known/openid-configuration`)).text())
      .subject_types_supported;
  expect(await types(await start())).toEqual(['public', 'pairwise']);
  expect(await types(await start({ pseudonyms: undefined, clients: [...testClients] }))).toEqual(['public']);
});
