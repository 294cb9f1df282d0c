import { afterEach, expect, test } from '@jest/globals';
import type { Site } from '../../../lib/index.ts';
import { type Browser, csrfOf, type Stop } from '../../helpers/browser.ts';
import { readPage } from '../../helpers/page.ts';
import { approve, askForDevice, poll, startDevice, withDevices } from './devices.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { withServices } from '../../helpers/services.ts';
import { harbourSite } from '../../helpers/sites.ts';

let schools: Schools;
afterEach(() => schools.close());

const at = (rest = ''): string => `${schools.harbour}/developers/oauth-applications${rest}`;
const site = (): Site => harbourSite(schools.harbour);

const display = {
  name: 'Display',
  kind: 'public',
  scope: 'openid',
  redirect_uris: '',
  asked: 'device',
  device: 'yes',
} as const;

async function submit(browser: Browser, url: string, fields: Readonly<Record<string, string>>): Promise<Stop> {
  const { html } = await browser.follow(url);
  const version = readPage(html).fields.get('version') ?? '';
  const body = new URLSearchParams({ csrf: csrfOf(html), version, ...fields });
  return browser.follow(url, { method: 'POST', body });
}

test('an operator creates an application for devices, and takes that from it', async () => {
  const grants = [...withDevices.grants, ...withServices.grants];
  schools = await startSchools({ campus: { ...withDevices, grants } });
  const olivia = schools.browser('olivia');
  const boxAt = async (address: string) =>
    readPage((await olivia.follow(address)).html)
      .getAllByRole('checkbox')
      .find((box) => box.attribute('name') === 'device');
  expect((await boxAt(at('/new')))?.checked).toBe(false);
  expect(await boxAt(at('/new?audience=service'))).toBeUndefined();
  const created = await submit(olivia, at('/new'), display);
  expect(created.response.status).toBe(200);
  const [application] = await schools.campus.applications.list(site());
  const { clientId = '' } = application ?? {};
  expect(application).toMatchObject({ clientName: 'Display', redirectUris: [], device: true });
  const client = { id: clientId, redirectUri: '', scope: 'openid' };
  const codes = await startDevice(schools.harbour, client);
  await approve(schools.browser('sam'), codes);
  expect((await poll(codes)).status).toBe(200);
  const { html: start } = await olivia.follow(at(`/${clientId}`));
  expect(start).toContain('/api/oauth/device_authorization');
  expect(start).not.toContain('redirect_uri=');
  const { html: preview } = await olivia.follow(at(`/${clientId}?view=consent`));
  expect(preview).toContain('the device that shows the code');
  const page = at(`/${clientId}`);
  expect((await boxAt(page))?.checked).toBe(true);
  const { html } = await submit(olivia, page, { ...display, action: 'save', device: '' });
  expect(readPage(html).getByRole('alert').getByRole('link', { name: 'Redirect URIs' }).href).toBe('#redirect_uris');
  const changes = { ...display, action: 'save', device: '', redirect_uris: 'https://display.example/' };
  await submit(olivia, page, changes);
  expect(await schools.campus.applications.find(site(), clientId)).not.toHaveProperty('device');
  expect((await askForDevice(schools.harbour, client)).status).toBe(400);
});

test('without the option nobody is asked, and what an application had is kept', async () => {
  schools = await startSchools();
  const olivia = schools.browser('olivia');
  expect((await olivia.follow(at('/new'))).html).not.toContain('id="device"');
  const { application } = await schools.campus.applications.create(site(), {
    clientName: 'Display',
    redirectUris: [],
    scopes: ['openid'],
    confidential: false,
    device: true,
  });
  const { asked: _asked, device: _ticked, ...fields } = display;
  await submit(olivia, at(`/${application.clientId}`), { ...fields, action: 'save', name: 'Screen' });
  const saved = await schools.campus.applications.find(site(), application.clientId);
  expect(saved).toMatchObject({ clientName: 'Screen', device: true });
});
