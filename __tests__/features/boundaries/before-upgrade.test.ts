import { afterEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { findFormats, permitFormats } from '../../../lib/records/store-formats.ts';
import { csrfOf } from '../../helpers/browser.ts';
import { passTime, resetClock } from '../../helpers/clock.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { Asking, Classes, withClasses } from './limited-schools.ts';

let schools: Schools;
afterEach(async () => {
  resetClock();
  await schools.close();
});

test('where an older process may read the store, nobody is offered a limit, and none is granted as if it were all', async () => {
  const store = { ...memoryStore(), isEmpty: async () => false };
  const versions: string[] = [];
  const save: typeof store.save = (siteId, entry) => {
    if (['Grant', 'AccessToken'].includes(entry.kind)) versions.push(entry.record.slice(0, 7));
    return store.save(siteId, entry);
  };
  const redeem: typeof store.redeem = (siteId, redemption) => {
    for (const { kind, record } of redemption.tokens) if (kind === 'AccessToken') versions.push(record.slice(0, 7));
    return store.redeem(siteId, redemption);
  };
  schools = await startSchools({ campus: { ...withClasses(new Classes()), store: { ...store, save, redeem } } });
  const site = siteOf(schools, 'harbour');
  const { connections } = schools.campus;
  const grant = async () => (await connections.list(site, 'olivia'))[0];
  const findings = async () => (await schools.campus.diagnose({ origins: [schools.harbour] })).map(({ id }) => id);
  const asking = new Asking(schools.browser('olivia'), schools.harbour);
  const open = () => asking.open({ scope: 'openid courses:read' });

  expect(await findings()).toContain('limits-waiting');
  await open();
  expect(asking.html).not.toContain('limit.class');
  await asking.allow({ 'limit.class': 'some', 'only.class': ['c1'] });
  expect(asking.page.getByRole('alert').text).toBe('It cannot be limited yet. Please try again later.');
  expect(await grant()).toBeUndefined();
  await asking.allow();
  await asking.tokens();
  const id = (await grant())?.id ?? '';
  await expect(connections.limit(site, 'olivia', id, { class: ['c1'] })).rejects.toThrow(
    /^limits are written only after campus-oidc store upgrade: .* run it when every process is of this release$/,
  );
  const browser = schools.browser('olivia');
  const page = `${schools.harbour}/account/connected-apps/${id}`;
  const { html } = await browser.follow(page);
  expect(html).not.toContain('limit.class');
  const form = { csrf: csrfOf(html), action: 'limit', select: 'save', 'limit.class': 'some', 'only.class': 'c1' };
  const refused = await browser.follow(page, { method: 'POST', body: new URLSearchParams(form) });
  expect(readPage(refused.html).getByRole('alert').text).toContain('It cannot be limited yet.');
  expect(await grant()).not.toHaveProperty('only');
  expect(new Set(versions)).toEqual(new Set(['{"v":1,']));

  // A page from before the upgrade is shown again, with the choice.
  await open();
  expect(await permitFormats(store, await findFormats(store))).toBe(true);
  passTime(61);
  versions.length = 0;
  await asking.allow();
  expect(asking.html).toContain('limit.class');
  await asking.limit(['c1']);
  await asking.tokens();
  expect((await grant())?.only).toEqual({ class: ['c1'] });
  expect(await findings()).not.toContain('limits-waiting');
  expect(new Set(versions)).toEqual(new Set(['{"v":2,']));
});
