import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Connection } from '../../../lib/index.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { Asking, Classes, limited, tools, withClasses } from './limited-schools.ts';

// The page of an app that is still open, as on another device, does not undo what the person has chosen since.

let schools: Schools;
let before: Connection;
beforeEach(async () => {
  schools = await startSchools({ campus: withClasses(new Classes()), mcp: { tools } });
  const asking = await new Asking(schools.browser('olivia'), schools.harbour).open();
  await (await asking.limit(['c1', 'c7'])).tokens();
  const [connection] = await connections().list(site(), 'olivia');
  if (!connection) throw new Error('nothing is connected');
  before = connection;
});
afterEach(() => schools.close());

const site = () => siteOf(schools);
const connections = () => schools.campus.connections;
const current = () => connections().find(site(), 'olivia', before.id);
const conflict = () => ({
  name: 'VersionConflict',
  status: 409,
  decided: { at: expect.any(Number), by: 'olivia' },
  message: expect.stringMatching(
    new RegExp(`^olivia has decided on the connection ${before.id} since it was shown, at `),
  ),
});

test('the form of an earlier page limits nothing, and says so on the page as it is now', async () => {
  const url = `${schools.harbour}/account/apps/${before.id}`;
  const browser = schools.browser('olivia');
  const form = async () => {
    const page = readPage((await browser.follow(url)).html);
    return page.getAllByRole('form').find(({ fields }) => fields.has('version'))?.fields;
  };
  const save = async (fields: URLSearchParams | undefined) => {
    const body = new URLSearchParams(fields);
    body.set('limit.class', 'all');
    body.delete('only.class');
    return browser.follow(url, { method: 'POST', body });
  };
  const open = await form();
  await connections().limit(site(), 'olivia', before.id, { class: ['c1'] });
  const { response, html } = await save(open);
  expect([response.status, readPage(html).getByRole('alert').text]).toEqual([
    409,
    expect.stringMatching(
      /^You changed this in another window after you opened the page \(.*\)\. Nothing was saved now\./,
    ),
  ]);
  expect((await current())?.only).toEqual({ class: ['c1'] });
  expect((await save(await form())).html).toContain('Saved for all devices.');
  expect((await current())?.only).toBeUndefined();
});

test('limit and widen decide on the version that was seen; narrow only takes away', async () => {
  const { id, version } = before;
  await connections().narrow(site(), 'olivia', id, ['orders:read']);
  await expect(connections().limit(site(), 'olivia', id, {}, { version })).rejects.toMatchObject(conflict());
  await expect(
    connections().widen(site(), 'olivia', id, ['orders:read'], undefined, { version }),
  ).rejects.toMatchObject(conflict());
  const now = { version: (await current())?.version };
  // The same limits once more are no change.
  await connections().limit(site(), 'olivia', id, { class: ['c1', 'c7'] }, { version });
  expect(await connections().widen(site(), 'olivia', id, ['orders:read'], undefined, now)).toMatchObject({
    scopes: limited.scope?.split(' '),
    version,
  });
});
