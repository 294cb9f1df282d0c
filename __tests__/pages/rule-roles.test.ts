import { afterEach, describe, expect, test } from '@jest/globals';
import type { SchoolPlatform, SchoolRole, Site } from '../../lib/index.ts';
import type { AppRule } from '../../lib/core/access/rule.ts';
import type { Browser, Stop } from '../helpers/browser.ts';
import { connect, memberApp, reports, refresh, userinfo } from '../helpers/flow.ts';
import { type Part, readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { withServices } from '../helpers/services.ts';
import { siteOf } from '../helpers/sites.ts';

let schools: Schools;
let browser: Browser;
afterEach(() => schools.close());

const named: readonly SchoolRole[] = [
  { role: 'owner', name: 'Owner' },
  { role: 'teacher', name: 'Teaching <staff>' },
  { role: 'student' },
];

async function start(platform: Partial<SchoolPlatform>): Promise<void> {
  schools = await startSchools({ platform });
  browser = schools.browser('olivia');
}

const site = (): Site => siteOf(schools);
const rules = () => schools.campus.apps;
const ruleOf = async (app: string): Promise<AppRule | undefined> => (await rules().find(site(), app)).own;
const at = (query: string): string => `${schools.harbour}/developers/apps${query}`;
const open = (app = 'claude'): Promise<Stop> => browser.follow(at(`?app=${app}`));
const group = (page: Stop): Part => readPage(page.html).getByRole('group', { name: 'Who can connect it' });
const boxes = (page: Stop) =>
  group(page)
    .getAllByRole('checkbox')
    .map(({ name, value, checked }) => [name, value, checked]);

const formOf = ({ html }: Stop): Part | undefined =>
  readPage(html)
    .getAllByRole('form')
    .find(({ fields }) => fields.get('action') === 'rule');

/** Posts the form of a decision as a browser would, with changes. */
async function submit(page: Stop, changes: readonly (readonly [string, string])[] = []): Promise<Stop> {
  const form = formOf(page);
  const body = new URLSearchParams(form?.fields);
  for (const [name] of changes) body.delete(name);
  for (const [name, value] of changes) body.append(name, value);
  return browser.follow(new URL(form?.attribute('action') ?? '', page.url), { method: 'POST', body });
}

const allow = ['access', 'allowed'] as const;

describe('a platform that lists the roles of a school', () => {
  test('has a checkbox for each on the page of an app, and no text field; all ticked is everyone', async () => {
    await start({ roles: () => named });
    const page = await open();
    expect(boxes(page)).toEqual([
      ['Owner', 'owner', true],
      ['Teaching <staff>', 'teacher', true],
      ['student', 'student', true],
    ]);
    expect(readPage(page.html).queryByRole('textbox', { name: 'Other roles' })).toBeUndefined();
    const saved = await submit(page, [allow, ['role', 'teacher'], ['role', 'student']]);
    expect(await ruleOf('claude')).toEqual({ access: 'allowed', roles: ['teacher', 'student'] });
    expect(readPage(saved.html).text).toContain('one of these roles can connect it: Teaching <staff>, student.');
    expect(boxes(saved).map(([, , checked]) => checked)).toEqual([false, true, true]);
    const body = new URLSearchParams(formOf(saved)?.fields);
    body.delete('role');
    const nobody = await browser.follow(saved.url, { method: 'POST', body });
    expect(nobody.response.status).toBe(400);
    expect(readPage(nobody.html).getByRole('alert').text).toBe('Tick a role, or choose Block.');
    expect(boxes(nobody).map(([, , checked]) => checked)).toEqual([false, false, false]);
    expect(await ruleOf('claude')).toEqual({ access: 'allowed', roles: ['teacher', 'student'] });
    body.append('role', 'owner');
    for (const role of ['teacher', 'student']) body.append('role', role);
    await browser.follow(saved.url, { method: 'POST', body });
    expect(await ruleOf('claude')).toEqual({ access: 'allowed' });
  });

  test('has them on the page of a client, and a confirmation keeps what was ticked', async () => {
    await start({ roles: () => [{ role: 'owner' }, { role: 'head, of school' }] });
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    const page = await browser.follow(at(`?client=${memberApp.id}`));
    const asked = await submit(page, [allow, ['role', 'head, of school']]);
    readPage(asked.html).getByRole('heading', { name: 'Turn off Pocket School for owner?' });
    expect(readPage(asked.html).text).toContain('One person without a role is disconnected right away');
    await submit(asked);
    const { own } = await rules().find(site(), { clientId: memberApp.id });
    expect(own).toEqual({ access: 'allowed', roles: ['head, of school'] });
  });

  test('tells two roles of one name apart', async () => {
    await start({
      roles: () => [
        { role: 'a', name: 'Staff' },
        { role: 'b', name: 'Staff' },
      ],
    });
    expect(boxes(await open()).map(([name]) => name)).toEqual(['Staff (a)', 'Staff (b)']);
  });

  test.each<[string, string, string]>([
    ['teachr', '"teachr"', '; did you mean "teacher"?'],
    ['Teacher', '"Teacher"', '; did you mean "teacher"?'],
    ['janitor', '"janitor"', ''],
    ['x"\u202e', '"x\\"\\u{202e}"', ''],
  ])('refuses the rule for %j, by the API and by the page, and nothing is written', async (role, shown, hint) => {
    await start({ roles: () => named });
    const set = rules().set(site(), 'claude', { access: 'blocked', roles: ['owner', role] });
    await expect(set).rejects.toMatchObject({
      name: 'InvalidRequest',
      message: `${shown} is not a role of Harbour School, which has "owner", "teacher", "student"${hint}`,
    });
    const refused = await submit(await open(), [allow, ['role', 'owner'], ['role', role]]);
    expect(refused.response.status).toBe(400);
    expect(group(refused).getByRole('alert').text).toMatch(
      /^Harbour School does not have the role “.*”\. Untick it\.$/,
    );
    expect(boxes(refused).filter(([, , checked]) => checked)).toHaveLength(2);
    expect(await ruleOf('claude')).toBeUndefined();
  });

  test('a message has 20 roles at most, and says how many more there are', async () => {
    await start({ roles: () => Array.from({ length: 100 }, (_, i) => ({ role: `role-of-year-${i}` })) });
    const set = rules().set(site(), 'claude', { access: 'allowed', roles: ['x'] });
    await expect(set).rejects.toThrow('"role-of-year-19" and 80 more');
  });

  test('narrows the list of apps: one for operators is for those roles only, and nobody connects a service', async () => {
    schools = await startSchools({ platform: { roles: () => named }, campus: withServices });
    browser = schools.browser('olivia');
    const shared = { confidential: true, scopes: ['openid'], redirectUris: ['https://app.example/cb'] } as const;
    for (const audience of ['member', 'operator'] as const)
      await schools.campus.applications.create(site(), { ...shared, audience, clientName: `App of ${audience}s` });
    const service = { audience: 'service', clientName: 'App without people', scopes: ['courses:read'] } as const;
    await schools.campus.applications.create(site(), service);
    // Their ids have “app” in them.
    const setUp = ['Pocket School', 'Study Buddy'];
    const found = async (query: string): Promise<readonly string[]> =>
      readPage((await browser.follow(at(`?q=App+${query}`))).html)
        .getByRole('table')
        .getAllByRole('link')
        .map(({ name }) => name);
    expect(await found('')).toEqual(['App of members', 'App of operators', 'App without people', ...setUp]);
    expect(await found('&role=student')).toEqual(['App of members', ...setUp]);
    expect(await found('&role=owner')).toEqual(['App of members', 'App of operators', ...setUp]);
  });

  test('a role that is gone stays in the rule, is shown as such, and goes when it is unticked', async () => {
    let roles = [...named, { role: 'tutor', name: 'Tutor' }];
    await start({ roles: () => roles });
    await rules().set(site(), 'claude', { access: 'view_only', roles: ['tutor', 'owner'] });
    roles = [...named];
    const page = await open();
    expect(readPage(page.html).text).toContain('Harbour School does not have these roles: tutor.');
    expect(boxes(page).at(-1)).toEqual(['tutor not a role of the school', 'tutor', true]);
    await submit(page);
    expect(await ruleOf('claude')).toEqual({ access: 'view_only', roles: ['owner', 'tutor'] });
    // It is only let alone where it was: another rule cannot name it.
    await expect(rules().set(site(), 'zed', { access: 'allowed', roles: ['tutor'] })).rejects.toThrow(
      '"tutor" is not a role',
    );
    await submit(await open(), [['role', 'owner']]);
    expect(await ruleOf('claude')).toEqual({ access: 'view_only', roles: ['owner'] });
  });

  test('is asked where a rule is shown or set, and never on the way of a token', async () => {
    let calls = 0;
    await start({
      roles: () => {
        calls += 1;
        return named;
      },
    });
    await rules().set(site(), { clientId: reports.id }, { access: 'allowed', roles: ['owner'] });
    expect(calls).toBe(1);
    calls = 0;
    const { body } = await connect(browser, schools.harbour, reports);
    await refresh(schools.harbour, reports, body['refresh_token']);
    await userinfo(schools.harbour, body['access_token']);
    await schools.campus.apps.set(site(), { clientId: reports.id }, { access: 'blocked' });
    await schools.campus.apps.reset(site(), { clientId: reports.id });
    expect(calls).toBe(0);
    await open();
    expect(calls).toBe(1);
  });
});

describe('a platform that does not list roles', () => {
  test('takes any other role, but none that is a known one in another case', async () => {
    await start({ operatorRoles: ['owner', 'bursar'] });
    const set = (role: string) => rules().set(site(), 'claude', { access: 'allowed', roles: [role] });
    await expect(set('Bursar')).rejects.toMatchObject({
      name: 'InvalidRequest',
      message:
        '"Bursar" is not a role of Harbour School, which is known to have "owner", "bursar"; did you mean "bursar"?',
    });
    const refused = await submit(await open(), [allow, ['roles', 'Bursar']]);
    expect(refused.response.status).toBe(400);
    expect(group(refused).getByRole('alert').text).toContain('does not have the role “Bursar”');
    expect(await ruleOf('claude')).toBeUndefined();
    await set('nurse');
  });

  test.each<[string, Partial<SchoolPlatform>]>([
    ['at all', {}],
    ['for this school', { roles: () => undefined }],
    ['for this school, and says null', { roles: () => null }],
  ])('%s: those of the options and those that people were seen with, and a text field', async (_what, more) => {
    await start({ operatorRoles: ['owner', 'bursar'], adminRoles: ['owner', 'head'], ...more });
    await schools.browser('sam').follow(`${schools.harbour}/account/apps`);
    await schools.browser('tess').follow(`${schools.summit}/account/apps`);
    const page = await open();
    expect(boxes(page).map(([, role]) => role)).toEqual(['owner', 'bursar', 'head', 'student', 'teacher']);
    const other = group(page).getByRole('textbox', { name: 'Other roles' });
    expect(other.description).toBe('Separate roles with commas.');
    const saved = await submit(page, [allow, ['role', 'head'], ['roles', ' nurse, head ,, tutor ']]);
    expect(await ruleOf('claude')).toEqual({ access: 'allowed', roles: ['head', 'nurse', 'tutor'] });
    expect(boxes(saved).slice(-2)).toEqual([
      ['nurse', 'nurse', true],
      ['tutor', 'tutor', true],
    ]);
    expect(saved.html).not.toContain('not a role of the school');
  });

  test('what people were seen with at another school is not offered, and 50 roles at most', async () => {
    await start({});
    schools.people['summit'] = { tess: { id: 'tess', name: '', email: '', roles: ['prefect'] } };
    await schools.browser('tess').follow(`${schools.summit}/account/apps`);
    expect(boxes(await open()).map(([, role]) => role)).not.toContain('prefect');
    const roles = Array.from({ length: 80 }, (_, i) => `role-${i}`);
    schools.people['harbour'] = {
      ...schools.people['harbour'],
      sam: { id: 'sam', name: '', email: '', roles: ['student', '', 'x'.repeat(129), ...roles] },
    };
    await schools.browser('sam').follow(`${schools.harbour}/account/apps`);
    const offered = boxes(await open()).map(([, role]) => String(role));
    expect(offered.every((role) => role !== '' && role.length <= 128)).toBe(true);
    // "owner" is among the 50; "admin" is of the option alone.
    expect(offered).toHaveLength(51);
  });
});

describe('platform.roles that', () => {
  type Roles = NonNullable<SchoolPlatform['roles']>;
  const list =
    (roles: unknown): Roles =>
    () =>
      Reflect.apply(Object, undefined, [roles]);
  test.each<[string, Roles, string]>([
    [
      'throws',
      () => {
        throw new Error('the table is gone');
      },
      'the table is gone',
    ],
    ['rejects', () => Promise.reject(new Error('the table is gone')), 'the table is gone'],
    ['returns names', list(['owner']), 'platform.roles() returned [0]: "owner"; it must be { role, name }'],
    ['returns an object', list({ owner: 'Owner' }), 'platform.roles() returned an object; it must be an array of at'],
    [
      'has a role twice',
      () => [{ role: 'a' }, { role: 'a' }],
      'platform.roles() returned [1].role: "a"; it must be unique',
    ],
    ['has no role', list([{ name: 'Owner' }]), 'platform.roles() returned [0].role: undefined; it must be a string of'],
    ['has a long role', () => [{ role: 'x'.repeat(129) }], 'it must be a string of 1 to 128 characters'],
    ['has a long name', () => [{ role: 'a', name: 'x'.repeat(101) }], 'it must be a string of 1 to 100 characters'],
    ['has an empty name', () => [{ role: 'a', name: '' }], 'platform.roles() returned [0].name: ""; it must be'],
    ['has 101 roles', () => Array.from({ length: 101 }, (_, i) => ({ role: `${i}` })), 'an array of at most 100'],
  ])('%s is a fault and 503, and nothing is set', async (_what, roles, cause) => {
    await start({ roles });
    expect((await open()).response.status).toBe(503);
    const set = rules().set(site(), 'claude', { access: 'allowed', roles: ['owner'] });
    await expect(set).rejects.toMatchObject({ name: 'TemporarilyUnavailable', status: 503 });
    expect(schools.faults.map(({ message }) => message)).toEqual(['platform.roles failed', 'platform.roles failed']);
    expect(String(schools.faults[0]?.cause)).toContain(cause);
    expect(await ruleOf('claude')).toBeUndefined();
    // A block names no role.
    await rules().set(site(), 'claude', { access: 'blocked' });
    expect(await ruleOf('claude')).toEqual({ access: 'blocked' });
  });
});
