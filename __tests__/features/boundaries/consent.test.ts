import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { introspect, refresh } from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { callTool } from '../../mcp/rpc.ts';
import { Asking, Classes, knowing, limited, tools, unaware, withClasses } from './limited-schools.ts';
import { signingKey } from '../../helpers/keys.ts';
import { createCampus } from '../../../lib/index.ts';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { fakePlatform } from '../../../lib/testing/fake-platform.ts';

let classes: Classes;
let schools: Schools;
beforeAll(async () => {
  classes = new Classes();
  schools = await startSchools({ campus: withClasses(classes), mcp: { tools } });
});
afterAll(() => schools.close());
beforeEach(() => {
  classes.instead = undefined;
});

const ask = (changes = {}) => new Asking(schools.browser('olivia'), schools.harbour).open(changes);

async function limitedTokens(ids: readonly string[] = ['c1', 'c7']) {
  const { body } = await (await (await ask()).limit(ids)).tokens();
  return { access: String(body['access_token']), refresh: body['refresh_token'], body };
}

const only = (...identifiers: string[]) => [{ type: 'class', identifiers }];

describe('the consent page', () => {
  test('shows the first 50 of 500 classes, searches and turns pages without a script, and keeps what was ticked', async () => {
    const asking = await ask();
    const names = () => asking.page.getAllByRole('checkbox', { name: /^Class/ }).map(({ name }) => name);
    expect(names()).toHaveLength(50);
    expect(asking.html).toContain('1 to 50 of 500');
    await asking.press(['select', 'find'], { 'limit.class': 'some', 'only.class': ['c2'], 'find.class': 'Class 49' });
    expect(names()).toEqual([
      'Class 2 Term 1',
      'Class 49 Term 1',
      ...Array.from({ length: 10 }, (_, i) => `Class ${490 + i} Term 1`),
    ]);
    expect(asking.page.getByRole('checkbox', { name: 'Class 2 Term 1' }).checked).toBe(true);
    await asking.press(['select', 'find'], { 'find.class': '' });
    await asking.press(['select', 'next.class']);
    expect(names().slice(0, 3)).toEqual(['Class 2 Term 1', 'Class 51 Term 1', 'Class 52 Term 1']);
    await asking.press(['select', 'back.class']);
    expect(names()).toHaveLength(50);
    const boxes = asking.page.getAllByRole('checkbox', { name: /^Class/ });
    expect(boxes.filter(({ checked }) => checked).map(({ value }) => value)).toEqual(['c2']);
    const { body } = await (await asking.allow({ 'only.class': ['c2', 'c500'] })).tokens();
    expect(body['authorization_details']).toEqual(only('c2', 'c500'));
  });

  test('shows what was chosen before, and what is gone as gone', async () => {
    await limitedTokens(['c1', 'c499']);
    classes.of['olivia'] = classes.of['olivia']?.filter((id) => id !== 'c499') ?? [];
    const asking = await ask();
    classes.of['olivia']?.push('c499');
    expect(asking.page.getByRole('checkbox', { name: /^All my classes/ }).checked).toBe(false);
    expect(asking.page.getByRole('checkbox', { name: 'Class 1 Term 1' }).checked).toBe(true);
    expect(asking.html).toContain('One that was chosen before is no longer there.');
  });

  test.each([
    ['without the choice', { 'limit.class': undefined }, 'Choose at least one of your classes, or all.'],
    ['with nothing chosen', { 'limit.class': 'some' }, 'Choose at least one of your classes, or all.'],
    [
      'with all and with some',
      { 'limit.class': 'all', 'only.class': ['c1'] },
      'Choose all of your classes, or some of them, not both.',
    ],
    ["with another person's", { 'limit.class': 'some', 'only.class': ['c1', 's1'] }, /no longer there/],
    ['with ids that no host has', { 'limit.class': 'some', 'only.class': ['a b', 'é', ''] }, /Choose at least/],
    [
      'with too many',
      { 'limit.class': 'some', 'only.class': Array.from({ length: 101 }, (_, i) => `c${i + 1}`) },
      /at most 100/,
    ],
  ])('grants nothing for a form %s', async (_what, changes, problem) => {
    await schools.campus.connections.revokeAll(siteOf(schools, 'harbour'), 'olivia');
    const asking = await (await ask()).allow(changes);
    expect(asking.stop?.response.status).toBe(400);
    const alert = asking.page.getByRole('alert');
    expect(alert.text).toMatch(problem);
    expect(alert.getByRole('link').href).toBe('#limits.class');
    // The same at each box of the choice.
    const boxes = asking.page.getAllByRole('checkbox', { name: /^(?:Class|All my classes)/ });
    for (const box of boxes)
      expect([box.attribute('aria-invalid'), box.description]).toEqual(['true', expect.stringMatching(problem)]);
    const { total } = await schools.campus.connections.list(siteOf(schools, 'harbour'), 'olivia');
    expect(total).toBe(0);
  });

  test('does not accept a form of before the boundary', async () => {
    const asking = await ask();
    const shown = asking.page.field('shown');
    await asking.allow({ 'limit.class': 'all', shown: shown.replace('\\class', '') });
    expect(asking.stop?.response.status).toBe(400);
    expect(asking.html).not.toContain('code=');
  });

  test('asks nothing about classes where no scope of them is granted', async () => {
    const asking = await (await ask()).allow({ 'limit.class': undefined, scope: ['orders:read'] });
    expect((await asking.tokens()).body).not.toHaveProperty('authorization_details');
  });

  test('is 503, and grants nothing, if the platform cannot list the classes or lists what nobody asked for', async () => {
    const foreign = { items: [{ id: 'c9', name: 'Another' }], total: 1 };
    for (const instead of [new Error('the database is gone'), { items: [] }, foreign]) {
      const asking = await ask();
      classes.instead = instead;
      const { stop } = await asking.limit(['c1']);
      classes.instead = undefined;
      expect(stop?.response.status).toBe(503);
      expect(stop?.url.searchParams.has('code')).toBe(false);
    }
    expect(schools.faults.splice(0).map(({ message }) => message)).toContain('boundaries.class.list failed');
  });
});

describe('a limited token', () => {
  test('tells the app, and sees the items with what honours them', async () => {
    const { access, body } = await limitedTokens();
    expect(body['authorization_details']).toEqual(only('c1', 'c7'));
    expect(body['scope']).toContain('courses:read');
    const { body: result } = await callTool(schools.harbour, 'list_courses', {}, { token: access });
    expect(JSON.stringify(result)).toContain('c7');
  });

  test('has no limited scope where the limit is not honoured, and is told no scope to ask for', async () => {
    const { access } = await limitedTokens();
    const refused = await callTool(schools.harbour, 'statistics', {}, { token: access });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('insufficient_scope');
    expect(refused.headers.get('www-authenticate')).not.toContain(' scope=');
    const orders = await callTool(schools.harbour, 'list_orders', {}, { token: access });
    expect(JSON.stringify(orders.body)).not.toContain('courses:read');
    const site = siteOf(schools, 'harbour');
    expect((await schools.campus.verify(site, access)).scopes).toEqual(['openid', 'orders:read']);
    const honoured = await schools.campus.verify(site, access, { honours: ['class'] });
    expect(honoured).toMatchObject({
      scopes: expect.arrayContaining(['courses:read']),
      only: { class: ['c1', 'c7'] },
    });
    expect(honoured.limitTo('class')).toEqual(['c1', 'c7']);
    expect(() => honoured.limitTo('clas')).toThrow(
      'limitTo must be given a type of the option boundaries (class), not "clas"',
    );
  });

  test('shows a resource server the limited scopes only if it honours the limit', async () => {
    const { access } = await limitedTokens();
    const [knows, doesNot, own] = await Promise.all(
      [knowing, unaware, limited].map((client) => introspect(schools.harbour, client, access)),
    );
    expect(knows?.body).toMatchObject({
      active: true,
      scope: expect.stringContaining('courses:read'),
      authorization_details: only('c1', 'c7'),
    });
    expect(doesNot?.body).toMatchObject({ active: true, scope: 'openid orders:read' });
    expect(doesNot?.body).not.toHaveProperty('authorization_details');
    expect(own?.body).toMatchObject({ scope: 'openid orders:read', authorization_details: only('c1', 'c7') });
  });

  test('ends with a narrowing, and a refresh token of before gets what the grant is then', async () => {
    const before = await limitedTokens(['c1', 'c7']);
    await limitedTokens(['c1']);
    expectError(await callTool(schools.harbour, 'list_courses', {}, { token: before.access }), 401, 'invalid_token');
    const { body } = await refresh(schools.harbour, limited, before.refresh);
    expect(body['authorization_details']).toEqual(only('c1'));
    const wide = await (await (await ask()).allow({ 'limit.class': 'all', 'only.class': undefined })).tokens();
    expect(wide.body).not.toHaveProperty('authorization_details');
    expect(
      (await callTool(schools.harbour, 'statistics', {}, { token: String(wide.body['access_token']) })).status,
    ).toBe(200);
  });
});

describe('the option', () => {
  const create = async (changes: object) =>
    createCampus({
      platform: fakePlatform({ schools: [], people: {} }),
      store: memoryStore(),
      keys: { signing: [await signingKey('k')], cookies: ['a secret of the tests'] },
      ...changes,
    });
  const boundary = { type: 'class', name: 'Classes', scopes: ['courses:read'], list: () => ({ items: [], total: 0 }) };

  test.each([
    [{ boundaries: [{ ...boundary, type: 'Class' }] }, /boundaries\[0\].type must be 1 to 32 lower-case/],
    [{ boundaries: [{ ...boundary, type: 'constructor' }] }, /boundaries\[0\].type must be .* not a built-in name/],
    [{ boundaries: [boundary, boundary] }, 'boundaries[1].type must be unique; "class" is duplicated'],
    [
      { boundaries: [{ ...boundary, scopes: ['email'] }] },
      'boundaries[0].scopes[0] must not be email, which says who the person is',
    ],
    [{ boundaries: [{ ...boundary, scopes: [] }] }, 'boundaries[0].scopes must not be empty'],
    [{ boundaries: [{ ...boundary, scopes: ['lessons'] }] }, /boundaries\[0\].scopes/],
    [{ boundaries: [{ ...boundary, name: 'a\nb' }] }, /boundaries\[0\].name must be one line/],
  ])('is refused if it is wrong: %j', async (changes, message) => {
    await expect(create(changes)).rejects.toThrow(message);
  });

  test('is what routes, tools, calls and resource servers can honour', async () => {
    const campus = await create({ boundaries: [boundary] });
    const text = 'must have types of the option boundaries (class), not "clas"';
    expect(() => campus.requireAccess({ honours: ['clas'] })).toThrow(`requireAccess.honours ${text}`);
    await expect(campus.verify(siteOf(schools, 'harbour'), 'x', { honours: ['clas'] })).rejects.toThrow(text);
    const resourceServers = [{ clientId: 'api', clientSecret: 'api-secret', honours: ['clas'] }];
    await expect(create({ boundaries: [boundary], resourceServers })).rejects.toThrow(
      `resourceServers[0].honours ${text}`,
    );
  });
});

test('searches of a limit are counted: above limits.pages the platform is not asked', async () => {
  const own = new Classes();
  const counted = await startSchools({ campus: { ...withClasses(own), limits: { pages: { perMember: 3 } } } });
  try {
    const asking = await new Asking(counted.browser('olivia'), counted.harbour).open();
    const search = { 'limit.class': 'some', 'find.class': 'Class 49' };
    for (let i = 0; i < 2; i += 1) await asking.press(['select', 'find'], search);
    const before = own.asked.length;
    const { stop } = await asking.press(['select', 'find'], search);
    expect([stop?.response.status, stop?.response.headers.get('retry-after')]).toEqual([429, '3600']);
    expect(own.asked).toHaveLength(before);
  } finally {
    await counted.close();
  }
});
