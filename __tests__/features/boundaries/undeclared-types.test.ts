import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { introspect, refresh, type TestClient, userinfo } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { expectError } from '../../helpers/responses.ts';
import { siteOf } from '../../helpers/sites.ts';
import { Asking, Classes, knowing, limited, unaware, withClasses } from './limited-schools.ts';
import { type Releases, startReleases } from '../../helpers/releases.ts';

// A release has the type `team` that the person has chosen, and the next one has not: nothing tells what its limit was for.

let releases: Releases;
let tokens: Readonly<Record<string, unknown>>;
const classes = new Classes();
const teams = { ...classes.boundary, type: 'team', name: 'Teams', names: undefined, scopes: ['orders:read'] };
beforeAll(async () => {
  const shared = { ...withClasses(classes), clients: withClasses(classes).clients ?? [], store: memoryStore() };
  releases = await startReleases(
    { ...shared, boundaries: [classes.boundary, teams] },
    { ...shared, boundaries: [classes.boundary] },
  );
});
afterAll(() => releases.close());

const site = () => siteOf(releases.schools, 'harbour');
const origin = () => releases.schools.harbour;
const connection = async () => (await releases.campus.connections.list(site(), 'olivia')).find(Boolean);
const ask = () => new Asking(releases.schools.browser('olivia'), origin()).open();
const onlyTeams = { 'limit.class': 'all', 'limit.team': 'some', 'only.team': ['c1'] };

beforeEach(async () => {
  releases.serve('first');
  await releases.campus.connections.revokeAll(site(), 'olivia');
  const asking = await ask();
  tokens = (await (await asking.allow(onlyTeams)).tokens()).body;
  expect((await connection())?.only).toEqual({ team: ['c1'] });
});

describe('a token that is limited by a type that is gone', () => {
  test.each<[string, TestClient]>([
    ['its own client', limited],
    ['a resource server that honours another type', knowing],
    ['one that honours none', unaware],
  ])('is not active for %s', async (_who, client) => {
    expect((await introspect(origin(), client, tokens['access_token'])).body).toMatchObject({ active: true });
    releases.serve('second');
    expect((await introspect(origin(), client, tokens['access_token'])).body).toEqual({ active: false });
    expect((await introspect(origin(), client, tokens['refresh_token'])).body).toEqual({ active: false });
  });

  test('is refused by verification and at UserInfo, for a reason that the log has', async () => {
    releases.serve('second');
    await expect(releases.campus.verify(site(), String(tokens['access_token']))).rejects.toThrow(
      'unknown, has expired',
    );
    expectError(await userinfo(origin(), tokens['access_token']), 401, 'invalid_token');
    expect(releases.events.at(-1)).toMatchObject({ action: 'token.rejected', reason: 'boundary_removed' });
  });

  test('cannot be refreshed, and can be once the type is back', async () => {
    releases.serve('second');
    const refused = await refresh(origin(), limited, tokens['refresh_token']);
    expectError(refused, 400, 'invalid_grant');
    expect(refused.body['error_description']).toContain('something that no longer exists at this school');
    releases.serve('first');
    const { status, body } = await refresh(origin(), limited, tokens['refresh_token']);
    expect([status, body['authorization_details']]).toEqual([200, [{ type: 'team', identifiers: ['c1'] }]]);
    expect((await introspect(origin(), limited, body['access_token'])).body).toMatchObject({ active: true });
  });
});

test('a code that was issued before the type was gone cannot be redeemed', async () => {
  const asking = await (await ask()).allow(onlyTeams);
  releases.serve('second');
  expectError(await asking.tokens(), 400, 'invalid_grant');
});

describe('a connection that is limited by a type that is gone', () => {
  const both = { class: ['c2'], team: ['c1'] };

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['a call', (id) => releases.campus.connections.limit(site(), 'olivia', id, { class: ['c2'] })],
    ['the page of the app', (id) => save(pageOf(id), { 'limit.class': 'some', 'only.class': 'c2' })],
  ])('keeps that limit, whatever %s chooses of another type', async (_how, choose) => {
    releases.serve('second');
    await choose((await connection())?.id ?? '');
    expect((await connection())?.only).toEqual(both);
    await releases.campus.connections.limit(site(), 'olivia', (await connection())?.id ?? '', {});
    expect((await connection())?.only).toEqual({ team: ['c1'] });
  });

  test('says so on the page of the app, with a way to disconnect it', async () => {
    releases.serve('second');
    const id = (await connection())?.id ?? '';
    const page = readPage((await releases.schools.browser('olivia').follow(pageOf(id))).html);
    expect(page.text).toContain('so it sees nothing. Connect it again');
    const [first] = page.getAllByRole('link', { name: 'Disconnect' });
    expect(first?.href).toContain('?confirm=end');
  });

  test('is explained', async () => {
    releases.serve('second');
    const { outcome, scopes, reasons } = await releases.campus.explain(site(), {
      clientId: limited.id,
      memberId: 'olivia',
    });
    expect({ outcome, scopes, reasons }).toMatchObject({ scopes: [], reasons: [{ code: 'boundary_removed' }] });
  });

  test('begins again before the consent page, with one press', async () => {
    releases.serve('second');
    const asking = await ask();
    expect(asking.page.getByRole('heading', { level: 1 }).text).toBe('Connect Reports again');
    expect(asking.page.queryByRole('checkbox')).toBeUndefined();
    await asking.press(['decision', 'again']);
    expect(await connection()).toBeUndefined();
    expect(releases.events.at(-1)).toMatchObject({
      action: 'connection.ended',
      memberId: 'olivia',
      clientId: limited.id,
    });
    const { body } = await (await asking.limit(['c2'])).tokens();
    expect((await connection())?.only).toEqual({ class: ['c2'] });
    expect((await introspect(origin(), limited, body['access_token'])).body).toMatchObject({ active: true });
  });

  test('stays as it was when the person declines that', async () => {
    releases.serve('second');
    const asking = await (await ask()).press(['decision', 'deny']);
    expect(asking.stop?.url.searchParams.get('error')).toBe('access_denied');
    expect((await connection())?.only).toEqual({ team: ['c1'] });
  });

  test('needs the person: no code is issued in silence', async () => {
    releases.serve('second');
    const asking = await new Asking(releases.schools.browser('olivia'), origin()).open({ prompt: 'none' });
    expect(asking.stop?.url.searchParams.get('error')).toBe('consent_required');
    const page = (await new Asking(releases.schools.browser('olivia'), origin()).open({ prompt: undefined })).page;
    expect(page.getByRole('heading', { level: 1 }).text).toBe('Connect Reports again');
  });

  test('is not asked to begin again once the type is back', async () => {
    releases.serve('second');
    const asking = await ask();
    releases.serve('first');
    await asking.press(['decision', 'again']);
    expect(asking.stop?.response.status).toBe(409);
    expect((await connection())?.only).toEqual({ team: ['c1'] });
  });
});

const pageOf = (id: string): string => `${origin()}/account/apps/${id}`;

/** Sends the form on the page of an app, with another choice. */
async function save(url: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const browser = releases.schools.browser('olivia');
  const forms = readPage((await browser.follow(url)).html).getAllByRole('form');
  const body = new URLSearchParams([...(forms.find((form) => form.fields.has('version'))?.fields ?? [])]);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  await browser.follow(url, { method: 'POST', body });
}
