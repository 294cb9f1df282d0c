import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { Site } from '../../../lib/index.ts';
import type { Store } from '../../../lib/store.ts';
import { csrfOf, type Stop, decisionsOn } from '../../helpers/browser.ts';
import { setClockAhead } from '../../helpers/clock.ts';
import { authorizeUrl, connect, pkce, userinfo } from '../../helpers/flow.ts';
import { type Part, readPage } from '../../helpers/page.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { client, clientId, documentSchools, ordinary } from './document-schools.ts';
import { partsOf } from '../../../lib/public/campus.ts';
import { reviewsOf } from '../../helpers/reviews.ts';

const { schools, start, publish, events, server } = documentSchools();

const at = (rest = ''): string => `${schools().harbour}/developers/apps${rest}`;
const here = (rest = ''): string => at(`?client=${encodeURIComponent(clientId)}${rest}`);
const site = (): Site => harbourSite(schools().harbour, { connectionsEnabled: false });
const documents = () => reviewsOf(schools().campus);

/** Shows the consent page of the client to an operator. */
const begin = (scope = 'openid'): Promise<Stop> =>
  schools()
    .browser('olivia')
    .follow(authorizeUrl(schools().harbour, client, pkce(), { scope }));
const open = (url: string): Promise<Stop> => schools().browser('olivia').follow(url);

/** Saves the form of the decision with this choice and these fields. */
async function save(page: Stop, access: string, fields: Readonly<Record<string, string>> = {}): Promise<Stop> {
  const body = new URLSearchParams(formOf(page)?.fields);
  for (const [name, value] of Object.entries({ access, ...fields })) body.set(name, value);
  return schools().browser('olivia').follow(page.url, { method: 'POST', body });
}
const formOf = ({ html }: Stop): Part | undefined =>
  readPage(html)
    .getAllByRole('form')
    .find((each) => each.fields.get('action') === 'rule');
const allow = (page: Stop): Promise<Stop> => save(page, 'allowed');
/** The status at the top of the page, and what the form has ticked. */
const stateOf = ({ html }: Stop): unknown[] => [
  readPage(html).getAll((part) => part.attribute('class')?.startsWith('status ') === true)[0]?.text,
  readPage(html)
    .getAllByRole('radio')
    .find(({ checked }) => checked)?.value,
];

const tabsOf = ({ html }: Stop): string[] =>
  readPage(html)
    .getByRole('navigation', { name: 'Console for administrators' })
    .getAllByRole('listitem')
    .map(({ text }) => text);

describe('the review queue', () => {
  test('has a document once its consent page was shown to an operator; before, its page is 404', async () => {
    publish();
    await start();
    expect((await open(at('?review=waiting'))).html).toContain('No app is waiting for review.');
    expect((await open(here())).response.status).toBe(404);
    await begin();
    // Nobody has counted it yet, and no page reads two lists for a number.
    expect(tabsOf(await open(at('/activity')))).toContain('Apps');
    const first = await open(at());
    expect(first.html).toContain('One app to review');
    expect(tabsOf(first)).toContain('Apps, 1 to review1');
    expect(tabsOf(await open(at('/activity')))).toContain('Apps, 1 to review1');
    const { html } = await open(at('?review=waiting'));
    const listed = readPage(html).getByRole('listitem', { text: /Doc Client .*View only$/ });
    expect(listed.text).toContain('docs.example · address checked');
    const page = readPage((await open(here())).html);
    for (const text of ordinary.redirect_uris) page.getByRole('code', { text });
    expect(page.text).toContain('The app chose this name itself. Only its address, docs.example, is verified.');
    expect(page.text).toContain('It can only view, unless the platform');
  });

  test('an approval takes it out of the queue, and lets it ask for everything', async () => {
    publish();
    await start();
    await begin();
    expect(tabsOf(await open(at()))).toContain('Apps, 1 to review1');
    const saved = await allow(await open(here()));
    const { html } = saved;
    expect(html).toContain('The decision is saved.');
    expect(tabsOf(saved)).toContain('Apps');
    expect(readPage(html).getByText('Allowed').attribute('class')).toBe('status allowed');
    expect((await open(at('?review=waiting'))).html).toContain('No app is waiting for review.');
    expect(decisionsOn((await begin('openid courses:write')).html)).toContain('allow');
    expect(events.filter(({ reason }) => reason === 'approved')).toHaveLength(1);
  });

  test('an approval where each person still needs one is called that by Activity', async () => {
    publish();
    await start(undefined, { log: { list: () => ({ events: events.toReversed() }) } });
    await begin();
    await schools().campus.apps.set(site(), { clientId }, { access: 'allowed', ask: true });
    const { apps } = schools().campus;
    const { version } = await apps.find(site(), { clientId });
    await apps.set(site(), { clientId }, { access: 'allowed', ask: true }, { version });
    expect(events.at(-1)).toMatchObject({ action: 'app.decided', reason: 'approved', rule: { ask: true } });
    const { html } = await open(at('/activity?kind=all'));
    expect(readPage(html).text).toContain('approved this version of docs.example: Needs approval');
  });

  test('a changed document is there again, with what has changed since it was approved', async () => {
    publish();
    await start();
    await begin();
    await allow(await open(here()));
    setClockAhead(31);
    publish({ client_name: 'New <b>', redirect_uris: ['https://docs.example/other'] });
    await begin();
    expect((await open(at('?review=waiting'))).html).toContain('Changed since it was approved');
    const page = await open(here());
    const changed = readPage(page.html);
    changed.getByRole('listitem', { text: 'Name Before: Doc Client Now: New <b>' });
    const addresses = changed.getByRole('listitem', { text: /^Sends people to Before: / });
    const codes = addresses.getAllByRole('code').map(({ text }) => text);
    expect(codes).toEqual([...ordinary.redirect_uris, 'https://docs.example/other']);
    expect(addresses.text).toMatch(/ Now: https:\/\/docs\.example\/other$/);
    const { html } = await allow(page);
    expect(html).not.toContain('What has changed since it was approved');
    expect((await open(at('?review=waiting'))).html).toContain('No app is waiting for review.');
  });

  test('waits on Requests as well: in a row of its own, or in that of who asks for the app', async () => {
    publish();
    await start();
    const requests = `${schools().harbour}/developers/oauth-applications/asked`;
    const row = async (): Promise<Part | undefined> =>
      readPage((await open(requests)).html).queryByRole('link', { name: /^(?:Doc|Other) Client/ });
    expect(await row()).toBeUndefined();
    await begin();
    expect((await row())?.name).toMatch(/^Doc Client docs\.example · address checked · First seen .* View only$/);
    await allow(await open(schools().harbour + ((await row())?.href ?? '')));
    expect(await row()).toBeUndefined();

    setClockAhead(31);
    publish({ client_name: 'Other Client' });
    await begin();
    expect((await row())?.name).toContain('Changed since it was approved');
    const asked = { clientId, clientName: 'Other Client', redirectUris: ordinary.redirect_uris };
    await partsOf(schools().campus)?.school.applications.requests.askToConnect(
      harbourSite(schools().harbour),
      'olivia',
      asked,
    );
    const page = readPage((await open(requests)).html);
    page.getByRole('heading', { name: 'Other Client Changed since it was approved' });
    expect(page.queryByRole('heading', { name: 'Apps to review' })).toBeUndefined();
    expect(page.getByRole('link', { name: /^Open in Apps: / }).href).toContain(encodeURIComponent(clientId));
    // Who asks leads to their page.
    expect(page.getByRole('link', { name: 'Olivia Owner' }).href).toBe('/developers/apps/people?person=olivia');
  });

  test('has no choice ticked for a version that was not decided on, and no decision where there is none', async () => {
    publish();
    await start();
    await begin();
    expect(stateOf(await open(here()))).toEqual(['View only', 'view_only']);
    expect(stateOf(await allow(await open(here())))).toEqual(['Allowed', 'allowed']);
    setClockAhead(31);
    publish({ client_name: 'Other Client' });
    await begin();
    expect(stateOf(await open(here()))).toEqual(['View only', undefined]);
    expect(stateOf(await allow(await open(here())))).toEqual(['Allowed', 'allowed']);
  });

  test('an approval with roles is for these roles alone, in one record, and "view only" takes it back', async () => {
    publish();
    const store = memoryStore();
    const written: string[] = [];
    const saved: typeof store.save = (siteId, entry) => {
      if (entry.kind === 'AppRule') written.push(entry.record);
      return store.save(siteId, entry);
    };
    await start(undefined, { store: { ...store, save: saved } });
    await begin();
    const before = events.length;
    await save(await open(here()), 'allowed', { roles: 'owner', note: 'For owners' });
    const whole = { access: 'allowed', roles: ['owner'], by: 'olivia', note: 'For owners' };
    // It is written once more when nobody is left whose connection it ends.
    for (const each of written) expect(JSON.parse(each)).toMatchObject({ ...whole, approved: expect.anything() });
    expect(events.slice(before)).toMatchObject([
      { action: 'app.decided', reason: 'approved', rule: { access: 'allowed', roles: ['owner'] } },
    ]);
    const decided = { own: { access: 'allowed', roles: ['owner'] }, decided: { by: 'olivia', note: 'For owners' } };
    const find = () => schools().campus.apps.find(site(), { clientId });
    expect(await find()).toMatchObject({ status: 'allowed', ...decided });
    expect(await documents().list(site())).toMatchObject([{ status: 'approved' }]);
    expect(stateOf(await save(await open(here()), 'view_only'))).toEqual(['View only', 'view_only']);
    expect(await documents().list(site())).toMatchObject([{ status: 'unreviewed' }]);
  });

  test('an approval with roles ends the connections of the others, in the same decision', async () => {
    publish();
    await start();
    await begin();
    const { body } = await connect(schools().browser('oscar'), schools().harbour, client);
    const before = events.length;
    const confirmed = await save(await open(here()), 'allowed', { roles: 'headteacher' });
    expect(readPage(confirmed.html).text).toContain('is disconnected right away');
    expect((await userinfo(schools().harbour, body['access_token'])).status).toBe(200);
    await save(confirmed, 'allowed');
    expect(events.slice(before).map(({ action, reason }) => [action, reason])).toEqual([
      ['app.decided', 'approved'],
      ['connection.ended', 'rule_changed'],
    ]);
    expect((await userinfo(schools().harbour, body['access_token'])).status).toBe(401);
    expect(await documents().list(site())).toMatchObject([{ status: 'approved' }]);
  });

  test('an approval with what does not exist is no decision, and a rule that does not allow approves nothing', async () => {
    publish();
    await start();
    await begin();
    const { apps } = schools().campus;
    const { version } = await apps.find(site(), { clientId });
    const moon = { access: 'allowed', scopes: ['moon:read'] } as const;
    await expect(apps.set(site(), { clientId }, moon, { version })).rejects.toThrow(
      'scopes must be among campus.scopes, not moon:read',
    );
    await apps.set(site(), { clientId }, { access: 'view_only' }, { version });
    expect(await documents().list(site())).toMatchObject([{ status: 'unreviewed' }]);
  });

  test('says that the keys have changed if that is all', async () => {
    publish();
    await start();
    await begin();
    await allow(await open(here()));
    setClockAhead(31);
    publish({ jwks: { keys: [] }, token_endpoint_auth_method: 'none' });
    await begin();
    const [document] = await documents().list(site());
    const { html } = await open(here());
    expect([document?.status, html.includes('Its keys have changed.')]).toEqual(['changed', true]);
  });

  test('approves nothing that has changed while the operator looked at it', async () => {
    publish();
    await start();
    await begin();
    const page = await open(here());
    setClockAhead(31);
    publish({ client_name: 'Other Client' });
    await begin();
    const { response, html } = await allow(page);
    expect([response.status, html.includes('so nothing was approved.')]).toEqual([409, true]);
    expect(html).toContain('Other Client');
    expect(await documents().list(site())).toMatchObject([{ status: 'unreviewed' }]);
  });

  test('a rejection asks first, with the number of people, and ends their connections', async () => {
    publish();
    await start();
    const { body } = await connect(schools().browser('olivia'), schools().harbour, client);
    const page = await open(here());
    const block = readPage(page.html).getByRole('radio', { name: 'Block' });
    expect(block.description).toBe('Nobody can connect it. One person is disconnected.');
    const confirm = await save(page, 'blocked', { note: 'Not for us' });
    expect(readPage(confirm.html).text).toContain('One person is disconnected right away and can’t connect it again.');
    expect((await userinfo(schools().harbour, body['access_token'])).status).toBe(200);
    const blocked = await save(confirm, 'blocked');
    expect(stateOf(blocked)).toEqual(['Blocked', 'blocked']);
    expect(readPage(blocked.html).text).toMatch(/Decided by Olivia \w+, today\. Reason: Not for us/);
    expect((await userinfo(schools().harbour, body['access_token'])).status).toBe(401);
    // An approval of what was shown lifts it.
    expect((await allow(await open(here()))).html).toContain('The decision is saved.');
  });

  test('is for the administrators of that school, with a form of this page', async () => {
    publish();
    await start();
    await begin();
    const [document] = await documents().list(site());
    const fields = { action: 'rule', access: 'allowed', client: clientId, version: document?.version ?? '' };
    const summit = `${schools().summit}/developers/apps?client=${encodeURIComponent(clientId)}`;
    expect((await open(summit)).response.status).toBe(404);
    const { html } = await open(`${schools().harbour}/developers/oauth-applications/new`);
    for (const csrf of ['', csrfOf(html)]) {
      const body = new URLSearchParams({ ...fields, csrf });
      const response = await schools().browser('olivia').fetch(at(), { method: 'POST', body });
      expect(response.status).toBe(400);
    }
    expect((await schools().browser('sam').follow(here())).response.status).toBe(403);
    expect(await documents().list(site())).toMatchObject([{ status: 'unreviewed' }]);
  });
});

describe('the logo on the page', () => {
  const address = 'https://docs.example/logo.png';
  const picture = (colour: number): Buffer => {
    const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452000000400000004000000000', 'hex');
    return Buffer.concat([bytes, Buffer.from([colour])]);
  };
  const source = (colour: number): string => `src="data:image/png;base64,${picture(colour).toString('base64')}"`;

  /** Publishes the document with a logo: this picture, or none. */
  function publishLogo(colour: number | undefined, logoUri = address): void {
    server().respond((request, response) => {
      if (request.url === '/client.json') {
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ ...ordinary, logo_uri: logoUri }));
      } else if (colour === undefined) response.writeHead(404).end();
      else response.setHeader('Content-Type', 'image/png').end(picture(colour));
    });
  }

  /** Another process, which has no pictures yet. */
  async function restart(store: Store): Promise<void> {
    await schools().close();
    await start(undefined, { store });
  }

  test('is the one that the approval is for', async () => {
    publishLogo(1);
    await start();
    await begin();
    const page = await open(here());
    expect(page.html).toContain(source(1));
    await allow(page);
    expect((await begin()).html).toContain(source(1));
  });

  test.each<[string, number | undefined]>([
    ['another picture is behind its address', 2],
    ['it cannot be fetched any more', undefined],
  ])('nothing is approved if %s by then: the page says so and shows what is there', async (_what, colour) => {
    const store = memoryStore();
    publishLogo(1);
    await start(undefined, { store });
    await begin();
    const page = await open(here());
    await restart(store);
    publishLogo(colour);
    const now = await open(here());
    const [before, after] = [page, now].map(({ html }) => readPage(html).field('version'));
    expect(before).not.toBe(after);
    const form = {
      ...now,
      html: now.html.replaceAll(`name="version" value="${after}"`, `name="version" value="${before}"`),
    };
    const { response, html } = await allow(form);
    expect([response.status, html.includes('The app’s logo isn’t the one')]).toEqual([409, true]);
    expect(html.includes(source(2))).toBe(colour === 2);
    expect(await documents().list(site())).toMatchObject([{ status: 'unreviewed' }]);
  });

  test('nothing is approved if the document names another logo by then', async () => {
    publishLogo(1);
    await start();
    await begin();
    const page = await open(here());
    setClockAhead(600);
    publishLogo(1, `${address}?of=another`);
    await begin();
    const { response, html } = await allow(page);
    expect([response.status, html.includes('The app’s logo isn’t the one')]).toEqual([409, true]);
  });

  test('that cannot be shown is not approved: the app has a monogram, and the logo can be approved later', async () => {
    const store = memoryStore();
    publishLogo(undefined);
    await start(undefined, { store });
    await begin();
    const page = await open(here());
    expect(page.html).toContain('The logo can’t be shown now.');
    await allow(page);
    await restart(store);
    publishLogo(1);
    expect((await begin()).html).not.toContain('<img class="tile"');
    const later = await open(here());
    expect(later.html).toContain('This logo wasn’t approved.');
    await allow(later);
    expect((await begin()).html).toContain(source(1));
    expect((await open(here())).html).not.toContain('This logo wasn’t approved.');
  });
});

test('an operator who approves what another one has just rejected sees that', async () => {
  publish();
  await start();
  await begin();
  const page = await open(here());
  await schools().campus.apps.set(site(), { clientId }, { access: 'blocked' }, { by: 'oscar' });
  const { response, html } = await allow(page);
  expect([response.status, html.includes('changed this after you opened the page')]).toEqual([409, true]);
  expect(readPage(html).getByText('Blocked').attribute('class')).toBe('status blocked');
  expect((await allow(await open(here()))).html).toContain('The decision is saved.');
});

describe('campus.apps.list(site, { waiting: true })', () => {
  test('returns a page of those that wait, the latest first, and what a search finds', async () => {
    publish();
    await start({ open: true });
    for (const i of [1, 2, 3]) {
      setClockAhead(i);
      const id = `https://docs.example/client-${i}.json`;
      publish({ client_id: id });
      await schools()
        .browser('olivia')
        .follow(authorizeUrl(schools().harbour, { ...client, id }, pkce(), { scope: 'openid' }));
    }
    const second = { clientId: 'https://docs.example/client-2.json' };
    const { apps } = schools().campus;
    const page = await apps.list(site(), { waiting: true, page: 2, size: 1 });
    expect(page).toMatchObject([second]);
    expect([page.page, page.pages, page.total]).toEqual([2, 3, 3]);
    const search = 'DOCS.example client-2';
    expect(await apps.list(site(), { waiting: true, search })).toMatchObject([second]);
    expect(await apps.list(site(), { waiting: true, used: true })).toEqual([]);
  });
});
