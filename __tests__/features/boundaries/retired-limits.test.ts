import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { csrfOf } from '../../helpers/browser.ts';
import { refresh } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { Asking, Classes, limited, tools, withClasses } from './limited-schools.ts';

// Orders are limited by a type that is no longer declared, so no token of the connection counts. What a person chooses for classes leaves that.

let schools: Schools;
let id: string;
let refreshToken: unknown;
const store = memoryStore();
const classes = new Classes();
const teams = { ...classes.boundary, type: 'team', name: 'Teams', names: undefined, scopes: ['orders:read'] };
beforeAll(async () => {
  const options = { ...withClasses(classes), boundaries: [classes.boundary, teams], store };
  schools = await startSchools({ campus: options, mcp: { tools } });
});
afterAll(() => schools.close());

const site = () => siteOf(schools, 'harbour');
const connections = () => schools.campus.connections;
const address = () => `${schools.harbour}/account/apps/${id}`;
const retired = { team_of_before: ['c1'] };

/** As if the type `team` had had another name. */
async function retire(): Promise<void> {
  const found = await store.find('harbour', 'Grant', id);
  const record = found?.record.replace('"team":', '"team_of_before":') ?? '';
  await store.save('harbour', { kind: 'Grant', id, record, ttl: 1000, memberId: 'olivia', clientId: limited.id });
}

beforeEach(async () => {
  await connections().revokeAll(site(), 'olivia');
  const asking = await new Asking(schools.browser('olivia'), schools.harbour).open();
  const choice = { 'limit.class': 'all', 'limit.team': 'some', 'only.team': ['c1'] };
  const { body } = await (await asking.allow({ scope: ['orders:read'], ...choice })).tokens();
  id = (await connections().list(site(), 'olivia'))[0]?.id ?? '';
  refreshToken = body['refresh_token'];
});

async function expectNothingCounts(): Promise<void> {
  expectError(await refresh(schools.harbour, limited, refreshToken), 400, 'invalid_grant');
}

test('nothing can be added, and a form of before that adds something changes nothing', async () => {
  const browser = schools.browser('olivia');
  const page = readPage((await browser.follow(address())).html);
  expect(page.getByRole('checkbox', { name: /View courses/i }).checked).toBe(false);
  const form = page.getAllByRole('form').find(({ fields }) => fields.has('scope'));
  await retire();
  expect(await connections().givable(site(), 'olivia', id)).toEqual([]);
  const { html } = await browser.follow(address());
  expect(html).toContain('so it sees nothing. Connect it again');
  expect(readPage(html).queryByRole('checkbox', { name: /View courses/i })).toBeUndefined();

  const body = new URLSearchParams([...(form?.fields ?? [])]);
  body.set('csrf', csrfOf(html));
  for (const [name, value] of [
    ['add', 'courses:read'],
    ['limit.class', 'some'],
    ['only.class', 'c2'],
  ] as const)
    body.set(name, value);
  const sent = await browser.follow(address(), { method: 'POST', body });
  expect([sent.response.status, readPage(sent.html).getByRole('alert').text]).toEqual([
    400,
    'Something that you ticked can’t be given now. Nothing has changed.',
  ]);
  await expect(connections().widen(site(), 'olivia', id, ['courses:read'], { class: ['c2'] })).rejects.toThrow(
    'was refused and may have now (nothing), not courses:read',
  );
  const after = await connections().find(site(), 'olivia', id);
  expect(after).toMatchObject({ scopes: ['openid', 'orders:read'], only: retired });
  await expectNothingCounts();
});

test('limits that come with permissions leave it: by widen, and by a form of before', async () => {
  const browser = schools.browser('olivia');
  const forms = readPage((await browser.follow(address())).html).getAllByRole('form');
  const form = forms.find(({ fields }) => fields.has('scope'));
  await retire();
  expect(await connections().widen(site(), 'olivia', id, ['orders:read'], { team: ['c3'] })).toMatchObject({
    only: { team: ['c3'], ...retired },
  });
  const body = new URLSearchParams([...(form?.fields ?? [])]);
  const { response } = await browser.follow(address(), { method: 'POST', body });
  expect(response.status).toBe(409);
  expect((await connections().widen(site(), 'olivia', id, ['orders:read'], {}))?.only).toEqual(retired);
  await expectNothingCounts();
});
