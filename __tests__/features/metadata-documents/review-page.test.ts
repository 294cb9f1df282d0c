import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { Site } from '../../../lib/index.ts';
import type { Store } from '../../../lib/store.ts';
import { csrfOf, type Stop, decisionsOn } from '../../helpers/browser.ts';
import { setClockAhead } from '../../helpers/clock.ts';
import { authorizeUrl, connect, pkce, userinfo } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { client, clientId, documentSchools, ordinary } from './document-schools.ts';

const { schools, start, publish, events, server } = documentSchools();

const at = (rest = ''): string => `${schools().harbour}/developers/connections${rest}`;
const here = (rest = ''): string => at(`?client=${encodeURIComponent(clientId)}${rest}`);
const site = (): Site => harbourSite(schools().harbour, { connectionsEnabled: false });
const documents = () => schools().campus.documents;

/** Shows the consent page of the client to an operator. */
const begin = (scope = 'openid'): Promise<Stop> =>
  schools()
    .browser('olivia')
    .follow(authorizeUrl(schools().harbour, client, pkce(), { scope }));
const open = (url: string): Promise<Stop> => schools().browser('olivia').follow(url);

/** Presses the first button of the page whose form has this action. */
async function press(page: Stop, action: string): Promise<Stop> {
  const forms = readPage(page.html).getAllByRole('form');
  const body = forms.find(({ fields }) => fields.get('action') === action)?.fields ?? new URLSearchParams();
  return schools().browser('olivia').follow(page.url, { method: 'POST', body });
}

describe('the review queue', () => {
  test('has a document once its consent page was shown to an operator; before, its page is 404', async () => {
    publish();
    await start();
    expect((await open(at('?review=waiting'))).html).toContain('No app is waiting for review.');
    expect((await open(here())).response.status).toBe(404);
    await begin();
    expect((await open(at())).html).toContain('Review one app');
    const { html } = await open(at('?review=waiting'));
    const listed = readPage(html).getByRole('listitem', { text: /^Doc Client not reviewed / });
    expect(listed.text).toContain('Published at docs.example');
    const page = readPage((await open(here())).html);
    for (const text of ordinary.redirect_uris) page.getByRole('code', { text });
    expect(page.text).toContain('The app chose this name itself. We only know that it is published at docs.example.');
    expect(page.text).toContain('It can only view, unless the platform');
  });

  test('an approval takes it out of the queue, and lets it ask for everything', async () => {
    publish();
    await start();
    await begin();
    const { html } = await press(await open(here()), 'approve');
    expect(html).toContain('This version of the app is approved.');
    expect(readPage(html).getByText('approved').attribute('class')).toBe('badge good');
    expect((await open(at('?review=waiting'))).html).toContain('No app is waiting for review.');
    readPage((await open(at('?review=decided'))).html).getByRole('link', { name: 'Doc Client' });
    expect(decisionsOn((await begin('openid courses:write')).html)).toContain('allow');
    expect(events.filter(({ action }) => action === 'document.approved')).toHaveLength(1);
  });

  test('a changed document is there again, with what has changed since it was approved', async () => {
    publish();
    await start();
    await begin();
    await press(await open(here()), 'approve');
    setClockAhead(31);
    publish({ client_name: 'New <b>', redirect_uris: ['https://docs.example/other'] });
    await begin();
    expect((await open(at('?review=waiting'))).html).toContain('changed since it was approved');
    const page = await open(here());
    const changed = readPage(page.html);
    changed.getByRole('listitem', { text: 'Name Before: Doc Client Now: New <b>' });
    const addresses = changed.getByRole('listitem', { text: /^Sends people to Before: / });
    const codes = addresses.getAllByRole('code').map(({ text }) => text);
    expect(codes).toEqual([...ordinary.redirect_uris, 'https://docs.example/other']);
    expect(addresses.text).toMatch(/ Now: https:\/\/docs\.example\/other$/);
    const { html } = await press(page, 'approve');
    expect(html).not.toContain('What has changed since it was approved');
    expect((await open(at('?review=waiting'))).html).toContain('No app is waiting for review.');
  });

  test('says that the keys have changed if that is all', async () => {
    publish();
    await start();
    await begin();
    await press(await open(here()), 'approve');
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
    const { response, html } = await press(page, 'approve');
    expect([response.status, html.includes('so nothing was approved.')]).toEqual([409, true]);
    expect(html).toContain('Other Client');
    expect(await documents().list(site())).toMatchObject([{ status: 'unreviewed' }]);
  });

  test('a rejection asks first, with the number of people, and ends their connections', async () => {
    publish();
    await start();
    const { body } = await connect(schools().browser('olivia'), schools().harbour, client);
    const confirm = await open(here('&confirm=reject'));
    expect(confirm.html).toContain('One person will be disconnected immediately.');
    const { html } = await press(confirm, 'reject');
    expect(html).toContain('This app is rejected.');
    expect((await userinfo(schools().harbour, body['access_token'])).status).toBe(401);
    const decided = readPage((await open(at('?review=decided'))).html);
    expect(decided.getByText('rejected').attribute('class')).toBe('badge warn');
    // An approval of what was shown lifts it.
    expect((await press(await open(here()), 'approve')).html).toContain('This version of the app is approved.');
  });

  test('is for the administrators of that school, with a form of this page', async () => {
    publish();
    await start();
    await begin();
    const [document] = await documents().list(site());
    const fields = { action: 'approve', client: clientId, digest: document?.digest ?? '' };
    const summit = `${schools().summit}/developers/connections?client=${encodeURIComponent(clientId)}`;
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
    await press(page, 'approve');
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
    const [before, after] = [page, now].map(({ html }) => readPage(html).fields.get('logo') ?? '');
    expect(before).not.toBe('');
    const form = { ...now, html: now.html.replace(`name="logo" value="${after}"`, `name="logo" value="${before}"`) };
    const { response, html } = await press(form, 'approve');
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
    const { response, html } = await press(page, 'approve');
    expect([response.status, html.includes('The app’s logo isn’t the one')]).toEqual([409, true]);
  });

  test('that cannot be shown is not approved: the app has a monogram, and the logo can be approved later', async () => {
    const store = memoryStore();
    publishLogo(undefined);
    await start(undefined, { store });
    await begin();
    const page = await open(here());
    expect(page.html).toContain('The logo can’t be shown now.');
    await press(page, 'approve');
    await restart(store);
    publishLogo(1);
    expect((await begin()).html).not.toContain('<img class="mark"');
    const later = await open(here());
    expect(later.html).toContain('This logo wasn’t approved.');
    await press(later, 'approve');
    expect((await begin()).html).toContain(source(1));
    expect(readPage((await open(here())).html).fields.getAll('action')).not.toContain('approve');
  });
});

test('an operator who approves what another one has just rejected sees that', async () => {
  publish();
  await start();
  await begin();
  const page = await open(here());
  await documents().reject(site(), clientId);
  const { response, html } = await press(page, 'approve');
  expect([response.status, html.includes('Another administrator decided on the app')]).toEqual([409, true]);
  expect(readPage(html).getByText('rejected').attribute('class')).toBe('badge warn');
  expect((await press(await open(here()), 'approve')).html).toContain('This version of the app is approved.');
});

describe('campus.documents.list(site, query)', () => {
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
    const page = await documents().list(site(), { part: 'waiting', page: 2, size: 1 });
    expect(page).toMatchObject([second]);
    expect([page.page, page.pages, page.total]).toEqual([2, 3, 3]);
    expect(await documents().list(site(), { search: 'DOCS.example client-2' })).toMatchObject([second]);
    expect(await documents().list(site(), { part: 'decided' })).toEqual([]);
  });
});
