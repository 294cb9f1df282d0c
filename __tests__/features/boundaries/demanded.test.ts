import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { AppStatus } from '../../../lib/core/clients/client-status.ts';
import type { AppRule } from '../../../lib/core/access/rule.ts';
import type { AuditEvent } from '../../../lib/index.ts';
import { csrfOf, type Stop } from '../../helpers/browser.ts';
import { introspect, refresh } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { serviceToken, sync, withServices } from '../../helpers/services.ts';
import { siteOf } from '../../helpers/sites.ts';
import { callTool } from '../../mcp/rpc.ts';
import { Asking, Classes, knowing, limited, tools, withClasses } from './limited-schools.ts';

// The school, or the platform, lets people connect an app only for what they choose.

let schools: Schools;
let ofPlatform: AppRule | undefined;
const store = memoryStore();
const events: AuditEvent[] = [];
beforeAll(async () => {
  const options = withClasses(new Classes());
  const ownApp = {
    clientId: 'own-app',
    clientName: 'Own app',
    audience: 'operator',
    firstParty: true,
    redirectUris: ['https://own.example/callback'],
    scopes: ['openid', 'courses:read', 'orders:read'],
    clientSecret: 'own-secret',
  } as const;
  schools = await startSchools({
    campus: {
      ...options,
      grants: withServices.grants,
      clients: [...(options.clients ?? []), sync, ownApp],
      store,
      access: [() => ofPlatform],
    },
    mcp: { tools },
  });
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterAll(() => schools.close());

const site = () => siteOf(schools, 'harbour');
const target = { clientId: limited.id };
const demand: AppRule = { access: 'allowed', limited: ['class'] };
const set = (rule: AppRule) => schools.campus.apps.set(site(), target, rule);
const ask = (changes = {}) => new Asking(schools.browser('olivia'), schools.harbour).open(changes);
const explain = (memberId?: string) => schools.campus.explain(site(), { ...target, memberId });
const connection = async () => (await schools.campus.connections.list(site(), 'olivia')).find(Boolean);
const callCourses = (token: unknown) => callTool(schools.harbour, 'list_courses', {}, { token: String(token) });

beforeEach(async () => {
  await schools.campus.connections.revokeAll(site(), 'olivia');
});
afterEach(async () => {
  ofPlatform = undefined;
  await schools.campus.apps.reset(site(), target);
});

describe('a rule of the school', () => {
  test('ends access tokens, lets nobody allow all, and says so in the log and to support', async () => {
    const stale = await ask();
    const before = await (await (await ask()).allow({ 'limit.class': 'all' })).tokens();
    expect(await set(demand)).toEqual({ ended: 0, atRefresh: 0 });
    expect((await callCourses(before.body['access_token'])).status).toBe(401);
    expect(events.findLast(({ action }) => action === 'app.decided')).toMatchObject({
      reason: 'set',
      rule: demand,
    });
    expect(await schools.campus.apps.find(site(), target)).toMatchObject({ own: demand, rule: demand });
    await stale.allow({ 'limit.class': 'all' });
    expect([stale.stop?.response.status, stale.html.includes('limit.class" value="all"')]).toEqual([409, false]);
    const asking = await ask();
    expect(asking.page.queryByRole('checkbox', { name: /^All my classes/ })).toBeUndefined();
    expect(asking.html).toContain('Your school requires a choice.');
    for (const changes of [{ 'limit.class': 'all' }, { 'limit.class': 'some' }, { 'limit.class': undefined }]) {
      await asking.allow(changes);
      expect(asking.page.getByRole('alert').text).toContain('Choose 1 to 100 of your classes.');
    }
    expect((await connection())?.only).toBeUndefined();
    const { body } = await (await asking.allow({ 'only.class': ['c2'] })).tokens();
    expect(JSON.stringify((await callCourses(body['access_token'])).body)).toContain('c2');
    expect(await explain('olivia')).toMatchObject({ outcome: 'allowed', limited: ['class'], only: { class: ['c2'] } });
    expect(await explain()).toMatchObject({ outcome: 'allowed', limited: ['class'], reasons: [] });
  });

  test.each<[AppStatus, AppRule]>([
    ['allowed', { access: 'allowed' }],
    ['view_only', { access: 'view_only' }],
    ['needs_approval', { access: 'allowed', ask: true }],
    ['needs_approval', { access: 'view_only', ask: true }],
  ])('is no rejection of the client beside what makes it %s: %j', async (expected, rule) => {
    await set({ ...rule, limited: ['class'] });
    const { status } = await schools.campus.apps.find(site(), target);
    expect([status, (await explain()).outcome]).toEqual([expected, expected]);
  });

  test('lets nobody take the limit away later', async () => {
    await set(demand);
    await (await (await ask()).limit(['c1', 'c2'])).tokens();
    const { id = '' } = (await connection()) ?? {};
    await expect(schools.campus.connections.limit(site(), 'olivia', id, {})).rejects.toThrow(
      'the limits must have the type "class", which the school demands',
    );
    const browser = schools.browser('olivia');
    const page = `${schools.harbour}/account/apps/${id}`;
    const { html } = await browser.follow(page);
    expect(html).not.toContain('limit.class" value="all"');
    const form = { csrf: csrfOf(html), scope: 'courses:read', limits: 'class', 'limit.class': 'all' };
    const refused = await browser.follow(page, { method: 'POST', body: new URLSearchParams(form) });
    expect(readPage(refused.html).getByRole('alert').text).toContain('Choose 1 to 100');
    expect((await connection())?.only).toEqual({ class: ['c1', 'c2'] });
  });

  test('leaves nothing of the limited scopes to a grant that is there without a limit', async () => {
    await set(demand);
    const { body } = await (await (await ask()).limit(['c1'])).tokens();
    const { id = '' } = (await connection()) ?? {};
    const found = await store.find('harbour', 'Grant', id);
    const record = found?.record.replace(/,"only":\{[^}]*\}/, '') ?? '';
    await store.save('harbour', { kind: 'Grant', id, record, ttl: 1000, memberId: 'olivia', clientId: limited.id });
    expect(await connection()).not.toHaveProperty('only');
    const { body: next } = await refresh(schools.harbour, limited, body['refresh_token']);
    expect(String(next['scope']).split(' ')).toEqual(['openid', 'orders:read']);
    expect((await callCourses(next['access_token'])).status).toBe(403);
    const { body: seen } = await introspect(schools.harbour, limited, next['refresh_token']);
    expect([seen['active'], String(seen['scope']).includes('courses:read')]).toEqual([true, false]);
    const explained = await explain('olivia');
    expect(explained.scopes).not.toContain('courses:read');
    expect(explained.reasons).toMatchObject([
      {
        code: 'limit',
        from: 'school',
        text: 'a rule demands a limit (class), and the person has allowed courses:read without one',
        since: expect.any(Number),
      },
    ]);
    // The app asks again, and so does the page.
    const asking = await ask({ prompt: undefined });
    expect(asking.page.queryByRole('checkbox', { name: /^All my classes/ })).toBeUndefined();
  });

  test('is refused for a type that nobody can choose, and is no block', async () => {
    await expect(set({ access: 'allowed', limited: ['clas'] })).rejects.toThrow(
      'limited must have types of the option boundaries (class), not "clas"',
    );
    await expect(set({ access: 'allowed', limited: [] })).rejects.toThrow(
      'limited must have at least one type, or be omitted',
    );
    await set({ access: 'view_only', limited: ['class'] });
    expect((await schools.campus.apps.find(site(), target)).own).toEqual({
      access: 'view_only',
      limited: ['class'],
    });
    expect((await schools.campus.apps.find(site(), target)).status).not.toBe('blocked');
  });
});

describe('a rule of the platform', () => {
  test('counts at once, for tokens that are there', async () => {
    const all = await (await (await ask()).allow({ 'limit.class': 'all' })).tokens();
    const scopesOf = async (token: unknown) =>
      (await schools.campus.verify(site(), String(token), { honours: ['class'] })).scopes;
    expect(await scopesOf(all.body['access_token'])).toContain('courses:read');
    ofPlatform = demand;
    expect(await scopesOf(all.body['access_token'])).toEqual(['openid', 'orders:read']);
    const { body: seen } = await introspect(schools.harbour, knowing, all.body['access_token']);
    expect(seen['scope']).toBe('openid orders:read');
    expect((await explain('olivia')).reasons).toMatchObject([{ code: 'limit', from: 'platform' }]);
    const some = await (await (await ask()).limit(['c1'])).tokens();
    expect(await scopesOf(some.body['access_token'])).toContain('courses:read');
  });

  test('leaves who they are, and nothing else, where its type is not declared', async () => {
    ofPlatform = { access: 'allowed', limited: ['team'] };
    const asking = await (await ask()).allow({ 'limit.class': undefined, scope: [] });
    const { body } = await asking.tokens();
    expect(body['scope']).toBe('openid');
    expect((await explain('olivia')).reasons).toMatchObject([{ code: 'scope', from: 'platform' }]);
  });

  test('gives nothing limited where nobody chooses: to services and to first-party clients', async () => {
    const scopes = async () => (await serviceToken(schools.harbour)).body['scope'];
    expect(await scopes()).toContain('courses:read');
    const own = {
      id: 'own-app',
      redirectUri: 'https://own.example/callback',
      secret: 'own-secret',
      scope: limited.scope,
    };
    const connect = async () => {
      const asking = new Asking(schools.browser('olivia'), schools.harbour, own);
      return (await (await asking.open({ prompt: undefined })).tokens()).body['scope'];
    };
    expect(await connect()).toContain('courses:read');
    ofPlatform = demand;
    expect(await scopes()).toBe('students:read');
    expect(await connect()).toBe('openid orders:read');
  });
});

describe('the page of an app', () => {
  const page = () => `${schools.harbour}/developers/apps?client=${limited.id}`;

  async function save(changes: Readonly<Record<string, readonly string[]>>): Promise<Stop> {
    const browser = schools.browser('olivia');
    const { html } = await browser.follow(page());
    const forms = readPage(html).getAllByRole('form');
    const body = new URLSearchParams([...(forms.find(({ fields }) => fields.has('note'))?.fields ?? [])]);
    for (const [name, values] of Object.entries(changes)) {
      body.delete(name);
      for (const value of values) body.append(name, value);
    }
    return browser.follow(page(), { method: 'POST', body });
  }

  test('demands a limit, shows that, keeps it while something else changes, and takes it back', async () => {
    const own = async () => (await schools.campus.apps.find(site(), target)).own;
    const rule = { action: ['rule'], access: ['allowed'] };
    const { html } = await save({ ...rule, demand: ['class', 'no-type'] });
    expect(await own()).toEqual(demand);
    expect(html).toContain('People have to choose what it counts for:');
    const box = readPage(html).getByRole('checkbox', { name: /can’t allow all: Classes$/ });
    expect(box.checked).toBe(true);
    await save({ ...rule, access: ['view_only'], demand: [], demands: [] });
    expect(await own()).toEqual({ access: 'view_only', limited: ['class'] });
    await save({ ...rule, demand: [] });
    expect(await own()).toEqual({ access: 'allowed' });
  });
});
