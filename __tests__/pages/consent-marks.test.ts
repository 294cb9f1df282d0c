import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Gallery, hostile, hostileName, startGallery } from './browser/gallery.ts';
import { authorizeUrl, memberApp, pkce, reports, type TestClient, webMemberApp } from '../helpers/flow.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await startGallery();
});
afterAll(() => gallery.close());

const pageOf = async (person: string, client: TestClient): Promise<string> =>
  (await gallery.schools.browser(person).follow(authorizeUrl(gallery.schools.harbour, client, pkce()))).html;

/** The headings of the warnings: there is one box, and one heading in it. */
function headingsIn(html: string): (string | undefined)[] {
  expect(html.split('class="notice"').length - 1).toBe(1);
  return [...html.matchAll(/<h2 id="warning">(.*?)<\/h2>/g)].map(([, text]) => text);
}

test('consent for a registered client: unverified name, no website, warning about local programs', async () => {
  const html = await pageOf('olivia', gallery.registered);
  expect(html).toContain('name not verified');
  expect(html).toContain('Nobody at <bdi>Harbour School</bdi> knows who is behind it');
  expect(html).toContain('Any program on this computer');
  expect(headingsIn(html)).toEqual(['We can’t verify which program is asking. Continue only if you just started it.']);
  expect(html).not.toContain('Website');
});

test('consent for an unreviewed metadata document: verified host, unverified name, one warning, and that it only views', async () => {
  const html = await pageOf('olivia', gallery.document);
  expect(html).toContain('<dd><bdi>agents.example</bdi> <span class="badge good">address verified</span></dd>');
  expect(html).toContain('name not verified');
  expect(html).toContain('It can only view.');
  expect(headingsIn(html)).toEqual([expect.stringContaining('has reviewed this app')]);
});

test('consent for an administrator’s application and for a static client: no warning', async () => {
  const { clientId: id, redirectUris, scopes } = gallery.application;
  const own = await pageOf('olivia', { id, redirectUri: redirectUris[0] ?? '', scope: scopes.join(' ') });
  expect(own).toContain('an administrator of <bdi>Harbour School</bdi>');
  for (const html of [own, await pageOf('olivia', reports)]) expect(html).not.toMatch(/not verified|class="notice/);
});

test('a hostile client name is escaped, isolated from the surrounding text and truncated', async () => {
  const html = await pageOf('sam', hostile);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/<script|[\u202A-\u202E\u2066\u2067]/);
  expect(hostileName.length).toBeGreaterThan(400);
  expect(html).toContain('…</bdi>');
  expect(html).toContain('an app on this device (<bdi>com.example.hostile</bdi>)');
});

test('rules of the school are in a box of their own, which is no warning', async () => {
  const { schools } = gallery;
  const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), {
    prompt: 'consent',
    scope: 'openid account:read account:write',
  });
  const { html } = await schools.browser('sam').follow(url);
  expect(html).toMatch(/<section class="rules"[^>]*>\s*<h2 id="rules">Rules of <bdi>Harbour School<\/bdi><\/h2>/);
  expect(html).toContain('<p>Students of this school can let applications view data, but not change it.</p>');
  expect(html).not.toContain('class="notice"');
});

test('client and school stand beside each other as monograms; the browser loads nothing for a client', async () => {
  const html = await pageOf('sam', hostile);
  const marks = [...html.matchAll(/<span class="mark" aria-hidden="true">(.*?)<\/span>/g)].map(([, letter]) => letter);
  expect(marks).toEqual(['S', 'H']);
  expect(html).not.toContain('<img');
});

test('the page leads to the connected apps', async () => {
  expect(await pageOf('sam', memberApp)).toContain('under <a href="/account/connected-apps">Connected apps</a>.');
});
