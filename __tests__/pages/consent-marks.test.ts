import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Gallery, hostile, hostileName, startGallery } from './browser/gallery.ts';
import { authorizeUrl, pkce, reports, type TestClient } from '../helpers/flow.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await startGallery();
});
afterAll(() => gallery.close());

const pageOf = async (person: string, client: TestClient): Promise<string> =>
  (await gallery.schools.browser(person).follow(authorizeUrl(gallery.schools.harbour, client, pkce()))).html;

test('consent for a registered client: unverified name, no website, warning about local programs', async () => {
  const html = await pageOf('olivia', gallery.registered);
  expect(html).toContain('name not verified');
  expect(html).toContain('nobody at <bdi>Harbour School</bdi> knows who is behind it');
  expect(html).toContain('Any program on this computer');
  expect(html).not.toContain('Website');
});

test('consent for an unreviewed metadata document: verified host, unverified name, warning', async () => {
  const html = await pageOf('olivia', gallery.document);
  expect(html).toContain('<dd><bdi>agents.example</bdi> <span class="badge good">address verified</span></dd>');
  expect(html).toContain('name not verified');
  expect(html).toContain('It can only view, until an operator of <bdi>Harbour School</bdi> approves it.');
});

test('consent for an operator’s application and for a static client: no warning', async () => {
  const { clientId: id, redirectUris, scopes } = gallery.application;
  const own = await pageOf('olivia', { id, redirectUri: redirectUris[0] ?? '', scope: scopes.join(' ') });
  expect(own).toContain('an operator of <bdi>Harbour School</bdi>');
  for (const html of [own, await pageOf('olivia', reports)]) expect(html).not.toMatch(/not verified|class="notice"/);
});

test('a hostile client name is escaped, isolated from the surrounding text and truncated', async () => {
  const html = await pageOf('sam', hostile);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/<script|[\u202A-\u202E\u2066\u2067]/);
  expect(hostileName.length).toBeGreaterThan(400);
  expect(html).toContain('…</bdi>');
  expect(html).toContain('an app on this device (<bdi>com.example.hostile</bdi>)');
});
