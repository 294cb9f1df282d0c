import { afterEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, AccessPolicy, Site } from '../../lib/index.ts';
import { metadataDocuments } from '../../policies/documents/metadata-documents.ts';
import { connect, memberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
afterEach(() => schools.close());

const site = (): Site => harbourSite(schools.harbour);
const applicationsPath = '/developers/oauth-applications';
const connectionsPath = '/developers/apps';

const withoutWriting: AccessPolicy = ({ scopes }) => ({
  scopes: scopes.filter((scope) => scope !== 'account:write'),
  text: 'Nobody changes data here.',
});

async function start(campus: object = {}): Promise<{ preview: string; events: AuditEvent[] }> {
  schools = await startSchools({ campus });
  const { application } = await schools.campus.applications.create(site(), {
    clientName: '<b>Timer</b>',
    redirectUris: ['https://timer.example/callback'],
    scopes: ['openid', 'account:read', 'account:write'],
    confidential: true,
  });
  const events: AuditEvent[] = [];
  schools.campus.events.on('audit', (event) => events.push(event));
  return { preview: `${schools.harbour}${applicationsPath}/${application.clientId}?view=consent`, events };
}

describe('the preview of consent', () => {
  test('is the consent page for all that the application may request, with what a policy says', async () => {
    const { preview } = await start({ access: [withoutWriting] });
    const olivia = schools.browser('olivia');
    const { html } = await olivia.follow(preview);
    const page = readPage(html);
    page.getByRole('heading', { name: /^Connect <b>Timer<\/b> to your account/, level: 1 });
    page.getByRole('complementary', { text: /^This is a preview/ });
    expect(html).toContain('Nobody changes data here.');
    expect(page.getAllByRole('checkbox').map(({ value }) => value)).toEqual(['account:read']);
    const edit = await olivia.follow(preview.split('?')[0] ?? '');
    expect(readPage(edit.html).getByRole('link', { name: 'See what people are asked' }).href).toMatch(
      /\?view=consent$/,
    );
  });

  test('grants nothing: its form has no token and is not sent', async () => {
    const { preview, events } = await start();
    const olivia = schools.browser('olivia');
    const { html } = await olivia.follow(preview);
    const form = readPage(html).getByRole('form');
    expect([form.attribute('method'), form.attribute('action'), form.field('csrf')]).toEqual(['dialog', '#', '']);
    const body = new URLSearchParams({
      csrf: '',
      shown: '',
      choice: 'shown',
      decision: 'allow',
      scope: 'account:read',
    });
    expect((await olivia.follow(preview, { method: 'POST', body })).html).toContain('This page has expired');
    expect(await schools.campus.connections.list(site(), 'olivia')).toEqual([]);
    expect(events).toEqual([]);
  });

  test('is for operators, of clients of this school that people can connect', async () => {
    const { preview } = await start({ metadataDocuments: metadataDocuments({ hosts: ['agents.example'] }) });
    const sam = await schools.browser('sam').follow(preview);
    expect([sam.response.status, sam.html.includes('Timer')]).toEqual([403, false]);
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    const olivia = schools.browser('olivia');
    const ofClient = (id: string): string => `${schools.harbour}${connectionsPath}?client=${encodeURIComponent(id)}`;
    const app = readPage((await olivia.follow(ofClient(memberApp.id))).html);
    const { href } = app.getByRole('link', { name: 'See what people are asked' });
    const shown = await olivia.follow(`${schools.harbour}${href}`);
    readPage(shown.html).getByRole('complementary', { text: /^This is a preview/ });
    for (const id of ['gone', 'https://agents.example/client.json'])
      expect((await olivia.follow(`${ofClient(id)}&view=consent`)).response.status).toBe(404);
    const other = preview.replace(schools.harbour, schools.summit);
    expect((await olivia.follow(other)).html).not.toContain('Timer');
  });

  test('says that the school has blocked the client', async () => {
    const { preview } = await start();
    const id = new URL(preview).pathname.split('/').at(-1) ?? '';
    await schools.campus.apps.set(site(), { clientId: id }, { access: 'blocked' });
    const { html, response } = await schools.browser('olivia').follow(preview);
    expect([response.status, html.includes('Only its staff can change this')]).toEqual([403, true]);
  });
});
