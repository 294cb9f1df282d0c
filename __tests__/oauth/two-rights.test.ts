import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, SchoolPlatform } from '../../lib/index.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { csrfOf, type Stop, decisionsOn } from '../helpers/browser.ts';
import { authorizeUrl, connect, pkce, type TestClient, userinfo, registerClaude } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { reviewsOf } from '../helpers/reviews.ts';

// Two rights: `operatorRoles` connect apps that act for operators, `adminRoles` decide for the school.

let schools: Schools;
let events: AuditEvent[];
const scope = 'openid courses:read courses:write';

async function start(roles: Pick<SchoolPlatform, 'operatorRoles' | 'adminRoles'>): Promise<void> {
  events = [];
  const registration = [vendorPlatforms(wellKnownVendors), loopbackClients()];
  schools = await startSchools({ ...plugins, campus: { registration }, platform: roles });
  const { olivia, sam } = schools.people['harbour'] ?? {};
  if (!olivia || !sam) throw new Error('the school has no people');
  schools.people['harbour'] = {
    olivia,
    sam,
    tess: { ...olivia, id: 'tess', name: 'Tess Teacher', roles: ['teacher'] },
    ines: { ...olivia, id: 'ines', name: 'Ines IT', roles: ['it-support'] },
  };
  schools.campus.events.on('audit', (event) => events.push(event));
}
beforeEach(() => start({ operatorRoles: ['owner', 'teacher'], adminRoles: ['owner', 'it-support'] }));
afterEach(() => schools.close());

/** Claude, which registers itself. */
const claude = (): Promise<TestClient> => registerClaude(schools.harbour, scope);

const visit = (person: string, path: string): Promise<Stop> => schools.browser(person).follow(schools.harbour + path);

test('a teacher connects an app that acts for operators; a student and who only decides do not', async () => {
  const client = await claude();
  const { body } = await connect(schools.browser('tess'), schools.harbour, client);
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
  for (const person of ['sam', 'ines']) {
    const { html } = await schools.browser(person).follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(html).toContain('It is for staff of');
  }
});

describe('who may not decide', () => {
  test.each([
    '/developers/apps',
    '/developers/apps?format=csv',
    '/developers/apps?app=claude',
    '/developers/apps/activity',
    '/developers/oauth-applications',
    '/developers/oauth-applications/new?audience=operator',
    '/developers/oauth-applications/asked',
  ])('gets no page at %s', async (path) => {
    const statuses = await Promise.all(
      ['tess', 'sam', 'olivia', 'ines'].map(async (person) => (await visit(person, path)).response.status),
    );
    expect(statuses).toEqual([403, 403, 200, 200]);
  });

  test('changes no rule by a form of an administrator', async () => {
    const path = '/developers/apps?app=claude';
    const { html, url } = await visit('olivia', path);
    const body = new URLSearchParams({ csrf: csrfOf(html), action: 'rule', app: 'claude', access: 'blocked' });
    const { response } = await schools.browser('tess').follow(url, { method: 'POST', body });
    expect(response.status).toBe(403);
    expect((await schools.campus.apps.find(siteOf(schools), 'claude')).from).toBe('default');
  });

  test('does not approve on the consent page: no button, and a forged decision is refused', async () => {
    await schools.campus.apps.set(siteOf(schools), 'claude', { access: 'view_only' });
    const client = await claude();
    const browser = schools.browser('tess');
    const page = await browser.follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(decisionsOn(page.html)).not.toContain('approve');
    const consent = readPage(page.html);
    expect(consent.getAllByRole('checkbox').map(({ value }) => value)).not.toContain('courses:write');
    const shown = consent.field('shown');
    const body = new URLSearchParams({ csrf: csrfOf(page.html), shown, decision: 'approve', scope: 'courses:write' });
    const forged = await browser.follow(page.url, { method: 'POST', body });
    expect(forged.url.searchParams.get('code')).toBeNull();
    expect(events.filter(({ reason }) => reason === 'approved')).toEqual([]);
    expect((await connect(browser, schools.harbour, client)).body['scope']).toBe('openid courses:read');
    const decider = await schools.browser('olivia').follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(decisionsOn(decider.html)).toContain('approve');
  });

  test('is told to ask for an application, and not sent to create one', async () => {
    await schools.close();
    events = [];
    const roles = { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'] };
    schools = await startSchools({ ...plugins, platform: roles });
    const of = async (person: string): Promise<string> => (await visit(person, '/mcp/operator')).html;
    expect(await of('olivia')).toContain('/new?audience=operator');
    const harbour = schools.people['harbour'] ?? {};
    if (harbour['olivia']) harbour['tess'] = { ...harbour['olivia'], id: 'tess', roles: ['teacher'] };
    const html = await of('tess');
    expect(html).not.toContain('/developers/oauth-applications');
    expect(readPage(html).text).toMatch(/Staff must add Claude first\./);
  });
});

test('what a teacher connects waits for an administrator, who need not be able to connect it, and then she gets it', async () => {
  await schools.campus.apps.set(siteOf(schools), 'claude', { access: 'view_only' });
  const client = await claude();
  const ask = (): Promise<Stop> => schools.browser('tess').follow(authorizeUrl(schools.harbour, client, pkce()));
  expect((await ask()).html).toContain('have to approve it.');
  const waiting = await reviewsOf(schools.campus).list(siteOf(schools), { waiting: true });
  expect(waiting.map(({ clientId }) => clientId)).toEqual([client.id]);
  expect(events.find(({ action }) => action === 'document.seen')?.actor).toEqual({ kind: 'operator', id: 'tess' });
  const { html, url } = await visit('ines', `/developers/apps?client=${client.id}`);
  const forms = readPage(html).getAllByRole('form');
  const body = new URLSearchParams(forms.find(({ fields }) => new Map(fields).has('access'))?.fields);
  body.set('access', 'allowed');
  expect((await schools.browser('ines').follow(url, { method: 'POST', body })).response.status).toBe(200);
  expect((await ask()).html).toContain('value="courses:write"');
});

test('who approves and allows on one page does the one as administrator, the other as operator', async () => {
  await schools.campus.apps.set(siteOf(schools), 'claude', { access: 'view_only' });
  const client = await claude();
  const browser = schools.browser('olivia');
  events.length = 0;
  await browser.decide(await browser.follow(authorizeUrl(schools.harbour, client, pkce())), 'approve');
  const actors = events.flatMap(({ action, actor }) =>
    /^(app\.decided|consent\.)/.test(action) ? [[action, actor]] : [],
  );
  expect(actors).toEqual([
    ['app.decided', { kind: 'administrator', id: 'olivia' }],
    ['consent.given', { kind: 'operator', id: 'olivia' }],
  ]);
});

test('the audit log tells who decides from who connects', async () => {
  const client = await claude();
  await connect(schools.browser('tess'), schools.harbour, client);
  const path = `/developers/apps?client=${client.id}`;
  const { html, url } = await visit('ines', path);
  const version = readPage(html).field('version');
  const fields = { action: 'rule', access: 'blocked', confirmed: 'yes', version };
  const body = new URLSearchParams({ csrf: csrfOf(html), client: client.id, ...fields });
  expect((await schools.browser('ines').follow(url, { method: 'POST', body })).response.status).toBe(200);
  const actors = events.flatMap(({ action, actor }) =>
    action === 'consent.given' || action === 'app.decided' ? [[action, actor]] : [],
  );
  expect(actors).toEqual([
    ['consent.given', { kind: 'operator', id: 'tess' }],
    ['app.decided', { kind: 'administrator', id: 'ines' }],
  ]);
});

test('without adminRoles, operators decide', async () => {
  await schools.close();
  await start({ operatorRoles: ['teacher'] });
  expect((await visit('tess', '/developers/apps')).response.status).toBe(200);
  expect((await visit('ines', '/developers/apps')).response.status).toBe(403);
});

test('who asks only for what waits reads that the school has to approve it, and administrators find it on their list', async () => {
  await schools.campus.apps.set(siteOf(schools), 'claude', { access: 'view_only' });
  const client = { ...(await claude()), scope: 'courses:write' };
  const { html, response } = await schools.browser('tess').follow(authorizeUrl(schools.harbour, client, pkce()));
  expect(response.status).toBe(403);
  const page = readPage(html);
  page.getByRole('heading', { name: /needs your school’s approval\.$/ });
  expect(page.getAllByRole('checkbox')).toEqual([]);
  expect(decisionsOn(html)).toEqual(['ask', 'deny']);
  const waiting = await reviewsOf(schools.campus).list(siteOf(schools), { waiting: true });
  expect(waiting.map(({ clientId }) => clientId)).toEqual([client.id]);
});
