import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Gallery, hostile, hostileName, startGallery } from './browser/gallery.ts';
import { authorizeUrl, memberApp, pkce, reports, type TestClient, webMemberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await startGallery();
});
afterAll(() => gallery.close());

const pageOf = async (person: string, client: TestClient): Promise<string> =>
  (await gallery.schools.browser(person).follow(authorizeUrl(gallery.schools.harbour, client, pkce()))).html;

/** The boxes of warnings and of rules, by their headings. */
const boxesIn = (html: string): string[] =>
  readPage(html)
    .getAllByRole('region')
    .map(({ name }) => name);

test('consent for a registered client: unverified name, no website, warning about local apps', async () => {
  const html = await pageOf('olivia', gallery.registered);
  const warning = readPage(html).getByRole('paragraph', {
    text: /^Not verified\. Any app on this computer can call itself Terminal Helper\./,
  });
  expect(warning.text).toContain('Continue only if you just started it.');
  expect(html).toContain('name not verified');
  expect(html).not.toContain('Website');
});

test('consent for an unreviewed metadata document: verified host, unverified name, one warning, and that it only views', async () => {
  const html = await pageOf('olivia', gallery.document);
  expect(readPage(html).facts['Published at']).toBe('agents.example address verified');
  expect(html).toContain('name not verified');
  expect(html).toContain('It can only view.');
  const trust = /^From agents\.example, verified\. Harbour School hasn’t reviewed /;
  readPage(html).getByRole('paragraph', { text: trust });
  expect(html).not.toContain('class="notice');
});

test('consent for an administrator’s application and for a static client: no warning', async () => {
  const { clientId: id, redirectUris, scopes } = gallery.application;
  const own = await pageOf('olivia', { id, redirectUri: redirectUris[0] ?? '', scope: scopes.join(' ') });
  expect(readPage(own).facts['Added by']).toBe('staff of Harbour School');
  for (const html of [own, await pageOf('olivia', reports)]) {
    expect(boxesIn(html)).toEqual([]);
    readPage(html).getByRole('paragraph', { text: /^(?:Added by Harbour School|Set up by the platform)/ });
    expect(html).not.toMatch(/not verified|class="notice/);
  }
});

test('a hostile client name is escaped, isolated from the surrounding text and truncated', async () => {
  const html = await pageOf('sam', hostile);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/<script|[\u202A-\u202E\u2066\u2067]/);
  expect(hostileName.length).toBeGreaterThan(400);
  expect(html).toContain('…</bdi>');
  expect(readPage(html).facts['Sends you to']).toBe('an app on this device (com.example.hostile)');
  expect(html).toContain('<bdi>com.example.hostile</bdi>');
});

test('rules of the school are in a box of their own, which is no warning', async () => {
  const { schools } = gallery;
  const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), {
    prompt: 'consent',
    scope: 'openid account:read account:write',
  });
  const { html } = await schools.browser('sam').follow(url);
  expect(boxesIn(html)).toEqual(['Rules of Harbour School']);
  const rules = readPage(html).getByRole('region');
  rules.getByRole('heading', { name: 'Rules of Harbour School', level: 2 });
  const text = 'Students of this school can let applications view data, but not change it.';
  expect(rules.getAllByRole('paragraph', { text })).toHaveLength(1);
  expect(html).not.toContain('class="notice"');
});

test('client and school stand beside each other as monograms; the browser loads nothing for a client', async () => {
  const html = await pageOf('sam', hostile);
  // They are for the eye alone.
  const marks = readPage(html).getAllByText(/^\w$/);
  expect(marks.map((mark) => [mark.text, mark.attribute('aria-hidden')])).toEqual([
    ['S', 'true'],
    ['H', 'true'],
  ]);
  expect(html).not.toContain('<img');
});

test('the page leads to the connected apps', async () => {
  const text = 'Change this or disconnect any time in Your apps.';
  const sentence = readPage(await pageOf('sam', memberApp)).getByText(text);
  expect(sentence.getByRole('link', { name: 'Your apps' }).href).toBe('/account/apps');
});
