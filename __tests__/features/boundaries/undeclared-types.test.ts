import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { introspect, refresh, type TestClient, userinfo } from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { siteOf } from '../../helpers/sites.ts';
import { Asking, Classes, knowing, limited, unaware, withClasses } from './limited-schools.ts';
import { type Releases, startReleases } from './releases.ts';

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
    expect(refused.body['error_description']).toContain('something that this school no longer has');
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
