import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Site } from '../../lib/index.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { csrfOf, type Stop } from '../helpers/browser.ts';
import { connect, type TestClient, userinfo, registerClaude } from '../helpers/flow.ts';
import { type Part, readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

// The form on the page of a client and of an app, with which a school decides. What it does to a metadata document is in
// features/metadata-documents/review-page.test.ts.

let schools: Schools;
beforeEach(async () => {
  const platform = { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'] };
  schools = await startSchools({
    ...plugins,
    campus: { registration: [vendorPlatforms(wellKnownVendors), loopbackClients()] },
    platform,
  });
  const { olivia, sam } = schools.people['harbour'] ?? {};
  if (!olivia || !sam) throw new Error('the school has no people');
  const tess = { ...olivia, id: 'tess', name: 'Tess <b>', roles: ['teacher'] };
  schools.people['harbour'] = { olivia, sam, tess };
});
afterEach(() => schools.close());

const site = (): Site => siteOf(schools);
const apps = () => schools.campus.apps;
const target = { app: 'claude' } as const;

const claude = (): Promise<TestClient> => registerClaude(schools.harbour);

const open = (client?: TestClient): Promise<Stop> => {
  const query = client ? `?client=${client.id}` : '?app=claude';
  return schools.browser('olivia').follow(`${schools.harbour}/developers/apps${query}`);
};
const formOf = ({ html }: Stop, action: string, member: string | null = null): Part | undefined =>
  readPage(html)
    .getAllByRole('form')
    .find(({ fields }) => fields.get('action') === action && fields.get('member') === member);

/** Posts the form with this action as a browser would, with changes. */
async function submit(page: Stop, changes: Readonly<Record<string, string>>, action = 'rule'): Promise<Stop> {
  const body = new URLSearchParams(formOf(page, action, changes['member'])?.fields);
  for (const [name, value] of Object.entries(changes)) body.set(name, value);
  return schools.browser('olivia').follow(page.url, { method: 'POST', body });
}

const effects = ({ html }: Stop): Record<string, string> =>
  Object.fromEntries(
    readPage(html)
      .getAll((part) => part.role === 'radio' || part.attribute('name') === 'ask')
      .map(({ name, description }) => [name, description]),
  );

describe('the form of a decision', () => {
  test('says what each choice does, and whom it disconnects only as far as that is sure', async () => {
    const client = await claude();
    expect(Object.values(effects(await open())).join(' ')).not.toContain('disconnected');
    for (const person of ['tess', 'olivia']) await connect(schools.browser(person), schools.harbour, client);
    const later = 'Before anything changes, you see who is disconnected.';
    for (const page of [await open(), await open(client)]) {
      expect(effects(page)).toEqual({
        Allow: expect.stringMatching(/^(?:People choose|You approve the version)/),
        'View only': `It can’t change anything. ${later}`,
        'Approve each person': `You approve people one by one. ${later}`,
        Block: 'Nobody can connect it. 2 people are disconnected.',
      });
      expect(page.html).not.toContain('Nobody is disconnected');
      expect(readPage(page.html).getByText('Allowed').attribute('class')).toBe('status allowed');
    }
  });

  test('says two things at once: it only views, and each person needs an approval', async () => {
    const client = await claude();
    await connect(schools.browser('tess'), schools.harbour, client);
    const asked = await submit(await open(), { access: 'view_only', ask: 'ask' });
    readPage(asked.html).getByRole('heading', { name: 'Approve each person for Claude?' });
    expect(readPage(asked.html).text).toContain('is disconnected right away, until an administrator approves them.');
    await submit(asked, {});
    const both = { access: 'view_only', ask: true };
    expect((await apps().find(site(), target.app)).own).toEqual(both);
    const page = await open();
    const ticked = readPage(page.html).getAll(
      (part) => part.checked && ['radio', 'checkbox'].includes(part.role ?? ''),
    );
    expect(ticked.map(({ value }) => value)).toEqual(expect.arrayContaining(['view_only', 'ask']));
    const { text } = readPage(page.html);
    expect(text).toContain('Only people for whom an administrator has allowed it can connect it.');
    expect(text).toContain('It can only view, until an administrator allows more.');
    expect(text).toContain('It can only view what people choose.');
    // A change of something else, a block and its end leave both.
    await submit(page, { note: 'As before' });
    expect((await apps().find(site(), target.app)).own).toEqual(both);
    await submit(await open(), { access: 'blocked' });
    expect((await apps().find(site(), target.app)).own).toEqual({ ...both, access: 'blocked' });
    const { fields } = formOf(await open(), 'rule') ?? {};
    expect([fields?.get('access'), fields?.get('ask')]).toEqual(['blocked', 'ask']);
  });

  test('a confirmation is the decision: in its heading, and in a filled button', async () => {
    const client = await claude();
    await connect(schools.browser('tess'), schools.harbour, client);
    const scopes = ['scope', 'courses:read'] as const;
    for (const [changes, title, button] of [
      [{ access: 'blocked' }, 'Block Claude?', 'Block Claude'],
      [{ access: 'view_only' }, 'Let Claude view only?', 'Allow view only'],
      [{ access: 'allowed', limited: 'yes', [scopes[0]]: scopes[1] }, 'Limit Claude?', 'Limit Claude'],
    ] as const) {
      const page = readPage((await submit(await open(), changes)).html);
      page.getByRole('heading', { name: title });
      expect(page.getByRole('button', { name: button }).attribute('class')).toBe('danger full');
      expect(page.text.includes('Nothing changes for them.')).toBe(false);
    }
    const blocked = readPage((await submit(await open(), { access: 'blocked' })).html).text;
    expect(blocked).toContain('One person is disconnected right away and can’t connect it again.');
    expect(blocked).toContain('People who lose it read in Your apps: “Harbour School has turned off Claude.”');
    const viewed = readPage((await submit(await open(), { access: 'view_only' })).html).text;
    expect(viewed).toContain('Nobody is disconnected.');
    expect(viewed).toContain('One person (teacher) keeps it, with what you leave to it.');
  });

  test('with a problem is there again with what was entered, and the problem at its field', async () => {
    const note = 'x'.repeat(1001);
    const refused = await submit(await open(), { access: 'view_only', ask: 'ask', note });
    const page = readPage(refused.html);
    expect(refused.response.status).toBe(400);
    page.getByRole('navigation', { name: 'Console for administrators' });
    const field = page.getByRole('textbox', { name: 'Reason' });
    expect([field.attribute('aria-invalid'), field.description]).toEqual([
      'true',
      expect.stringMatching(/^At most 1,000/),
    ]);
    expect(formOf(refused, 'rule')?.fields.get('note')).toBe(note);
    expect(page.getByRole('radio', { name: 'View only' }).checked).toBe(true);
    expect(page.getByRole('checkbox', { name: 'Approve each person' }).checked).toBe(true);
    await submit(refused, { note: 'Not now' });
    expect((await apps().find(site(), target.app)).own).toEqual({ access: 'view_only', ask: true });
  });

  test('of a blocked app says that what was allowed for some does not count', async () => {
    await apps().set(site(), target.app, { access: 'allowed', ask: true });
    await apps().allowPerson(site(), target.app, 'tess');
    readPage((await open()).html).getByRole('heading', { name: 'Allowed for one person' });
    await apps().set(site(), target.app, { access: 'blocked' });
    const page = readPage((await open()).html);
    page.getByRole('heading', { name: 'One person was allowed before' });
    expect(page.text).toContain('That does not count while it is blocked.');
    expect(page.text).not.toContain('Allowed for');
  });

  test('keeps the note, and says who has decided, through a confirmation', async () => {
    const client = await claude();
    const { body } = await connect(schools.browser('tess'), schools.harbour, client);
    const note = 'Not for <b>\r\nour school';
    const asked = await submit(await open(), { access: 'allowed', ask: 'ask', note });
    expect(readPage(asked.html).text).toContain('One person (teacher) is disconnected right away');
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    const saved = await submit(asked, {});
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
    expect((await apps().find(site(), target.app)).decided).toMatchObject({
      by: 'olivia',
      note: 'Not for <b>\nour school',
    });
    const page = readPage(saved.html);
    expect(page.text).toMatch(/Decided by Olivia \w+, today\. Reason: Not for <b> our school/);
    expect(page.getByText('Needs approval').attribute('class')).toBe('status needs-approval');
    // The page of its client says so too, and leads to the decision.
    const link = readPage((await open(client)).html).getByRole('link', {
      name: 'This is the decision on its app.',
    });
    expect(link.href).toBe('/developers/apps?app=claude');
  });

  test('names nobody who is no longer at the school', async () => {
    await apps().set(site(), target.app, { access: 'view_only' }, { by: 'gone' });
    expect(readPage((await open()).html).text).toMatch(/Decided today\./);
  });

  test('starts on a client from what applies to its app, and one choice takes the place of it', async () => {
    const client = await claude();
    await connect(schools.browser('olivia'), schools.harbour, client);
    await apps().set(site(), target.app, { access: 'blocked', roles: ['owner'] });
    await connect(schools.browser('olivia'), schools.harbour, client).catch(() => undefined);
    const page = await open(client);
    const ticked = readPage(page.html).getAllByRole('checkbox');
    expect(ticked.filter(({ checked, value }) => checked && value === 'owner')).toHaveLength(1);
    await submit(page, { access: 'allowed' });
    expect((await apps().find(site(), { clientId: client.id })).status).toBe('allowed');
    expect((await apps().find(site(), target.app)).status).toBe('blocked');
  });

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['no choice', {}, 200],
    ['a choice that does not exist', { access: 'maybe' }, 200],
    ['a note of more than 1,000 characters', { access: 'blocked', note: 'x'.repeat(1001) }, 400],
    ['a token of another form', { access: 'blocked', csrf: 'x' }, 400],
  ])('with %s changes nothing', async (_what, fields, status) => {
    await apps().set(site(), target.app, { access: 'view_only' });
    const page = await open();
    const body = new URLSearchParams(formOf(page, 'rule')?.fields);
    body.delete('access');
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const { response } = await schools.browser('olivia').follow(page.url, { method: 'POST', body });
    expect(response.status).toBe(status);
    expect((await apps().find(site(), target.app)).own).toEqual({ access: 'view_only' });
  });

  test('takes a note of 1,000 characters', async () => {
    await submit(await open(), { access: 'blocked', note: 'x'.repeat(1000) });
    expect((await apps().find(site(), target.app)).decided?.note).toHaveLength(1000);
  });
});

describe('the people for whom the school has decided one by one', () => {
  test('are listed with who decided, and a button takes it back and disconnects them', async () => {
    await apps().set(site(), target.app, { access: 'allowed', ask: true });
    const client = await claude();
    for (const id of ['tess', 'gone']) await apps().allowPerson(site(), target.app, id, { by: 'olivia' });
    const { body } = await connect(schools.browser('tess'), schools.harbour, client);
    const page = await open();
    const list = readPage(page.html);
    list.getByRole('heading', { name: 'Allowed for 2 people' });
    list.getByRole('listitem', { text: /^A person who is no longer at the school / });
    expect(list.getByRole('listitem', { text: /^Tess <b> .*Decided/ }).text).toMatch(/Decided by Olivia \w+, today/);
    const saved = await submit(page, { member: 'tess' }, 'reset-person');
    expect(saved.html).toContain('The decision on this person was taken back.');
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
    expect((await apps().allowedPeople(site(), target.app)).map(({ memberId }) => memberId)).toEqual(['gone']);
  });

  test('are 50 on a page at most', async () => {
    for (let i = 0; i < 52; i += 1) await apps().allowPerson(site(), target.app, `person-${i}`);
    const { html } = await open();
    expect(readPage(html).getAllByRole('button', { name: 'Remove' })).toHaveLength(50);
    expect(html).toContain('2 more people, allowed longer ago');
  });

  test('stay as they are for a form of somebody who does not decide, or one that is forged', async () => {
    await apps().allowPerson(site(), target.app, 'tess');
    const page = await open();
    for (const [person, csrf, status] of [
      ['tess', csrfOf(page.html), 403],
      ['sam', csrfOf(page.html), 403],
      ['olivia', 'x', 400],
    ] as const) {
      const body = new URLSearchParams({ csrf, action: 'reset-person', app: 'claude', member: 'tess' });
      const { response } = await schools.browser(person).follow(page.url, { method: 'POST', body });
      expect(response.status).toBe(status);
    }
    expect(await apps().allowedPeople(site(), target.app)).toHaveLength(1);
  });
});
