import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SchoolPlatform } from '../../../lib/index.ts';
import {
  connect,
  exchange,
  getCode,
  type JsonResponse,
  memberApp,
  introspect,
  refresh,
  revokeToken,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { silentAuthorization } from '../silent-authorization.ts';
import { createStoredClient } from '../stored-client.ts';
import { type RedisCampus, startRedisCampus } from './campus.ts';

/** How many round trips and commands an operation may take. */
interface Budget {
  readonly trips: number;
  readonly commands: number;
}

let campus: RedisCampus;
let stored: TestClient;
beforeAll(async () => {
  campus = await startRedisCampus();
  stored = await createStoredClient(campus.schools);
  // From here on the server has all scripts.
  const { body } = await connected(stored);
  await refresh(campus.schools.harbour, stored, body['refresh_token']);
  await revoke(stored, body['access_token']);
});
afterAll(() => campus.close());
beforeEach(() => campus.proxy.forget());

const connected = (client: TestClient): Promise<JsonResponse> =>
  connect(campus.schools.browser('sam'), campus.schools.harbour, client);
const revoke = (client: TestClient, token: unknown, hint?: string): Promise<JsonResponse> =>
  revokeToken(campus.schools.harbour, client, token, { token_type_hint: hint });

async function measure(operation: () => Promise<JsonResponse>, status = 200): Promise<Budget> {
  campus.proxy.forget();
  expect((await operation()).status).toBe(status);
  return { trips: campus.proxy.trips, commands: campus.proxy.commands.length };
}

function expectWithin({ trips, commands }: Budget, budget: Budget): void {
  expect(trips).toBeLessThanOrEqual(budget.trips);
  expect(commands).toBeLessThanOrEqual(budget.commands);
  expect(trips).toBeGreaterThan(0);
}

describe.each([
  ['a static client', () => memberApp, { trips: 0, commands: 0 }],
  // The record and the list of a client are read together.
  ['a stored client', () => stored, { trips: 1, commands: 2 }],
])('with %s', (_name, client, lookUp) => {
  test('a token is verified in 1 round trip', async () => {
    const { body } = await connected(client());
    expectWithin(await measure(() => userinfo(campus.schools.harbour, body['access_token'])), {
      trips: 1,
      commands: 1,
    });
  });

  // The school's rule for the client is read with the code or token.
  const budget: Budget = { trips: 2 + lookUp.trips, commands: 2 + lookUp.commands };

  test('a code is exchanged in 2 round trips, and those for the client', async () => {
    const code = await getCode(campus.schools.browser('sam'), campus.schools.harbour, client());
    expectWithin(await measure(() => exchange(code)), budget);
  });

  test('a refresh takes 2 round trips, and those for the client', async () => {
    const { body } = await connected(client());
    expectWithin(await measure(() => refresh(campus.schools.harbour, client(), body['refresh_token'])), budget);
  });

  test('an introspection takes 1 round trip, and those for the client', async () => {
    const { body } = await connected(client());
    const operation = () => introspect(campus.schools.harbour, client(), body['access_token']);
    expectWithin(await measure(operation), { trips: 1 + lookUp.trips, commands: 1 + lookUp.commands });
  });

  test.each([
    ['access_token', undefined],
    ['refresh_token', undefined],
    ['access_token', 'access_token'],
    ['refresh_token', 'refresh_token'],
  ])('a revocation by %s, with the hint %s, takes at most 3 round trips', async (name, hint) => {
    const { body } = await connected(client());
    expectWithin(await measure(() => revoke(client(), body[name], hint)), { trips: 3, commands: 5 });
  });

  test('a revocation on the last device takes 1 more, and its tokens are refused in at most 2', async () => {
    const site = harbourSite(campus.schools.harbour);
    await campus.schools.campus.connections.revokeAll(site, 'sam');
    const { body } = await connected(client());
    expectWithin(await measure(() => revoke(client(), body['access_token'])), { trips: 4, commands: 6 });
    expect(await measure(() => userinfo(campus.schools.harbour, body['access_token']), 401)).toEqual({
      trips: 2,
      commands: 2,
    });
  });

  test('a token of a device that signed out is refused in 1 round trip', async () => {
    const [first] = [await connected(client()), await connected(client())];
    await revoke(client(), first.body['refresh_token']);
    expect(await measure(() => userinfo(campus.schools.harbour, first.body['access_token']), 401)).toEqual({
      trips: 1,
      commands: 1,
    });
  });
});

test('a silent authorization takes 2 round trips', async () => {
  const authorize = await silentAuthorization(campus.schools);
  campus.proxy.forget();
  await authorize();
  // The session, the rule and the grant; then the code.
  expect({ trips: campus.proxy.trips, commands: campus.proxy.commands.length }).toEqual({ trips: 2, commands: 4 });
});

const uuid = '0f8c1a6e-53d1-4a0b-9d52-7c1f5b1f2e11';

/** The ordinary platform, in which site and member have UUIDs. */
function withUuids(platform: SchoolPlatform): SchoolPlatform {
  return {
    ...platform,
    findSite: async (origin) => {
      const site = await platform.findSite(origin);
      return site?.id === 'harbour' ? { ...site, id: uuid } : site;
    },
    findMember: async (site, id) => {
      const sam = await platform.findMember({ ...site, id: 'harbour' }, 'sam');
      return sam && { ...sam, id };
    },
  };
}

describe.each([
  // Measured: 1,288 and 1,672 bytes. bench/README.md has the figures.
  ['short ids', 'sam', (platform: SchoolPlatform) => platform, 1300],
  ['UUIDs for site and member', uuid, withUuids, 1700],
] as const)('a live connection with %s', (_name, person, wrapPlatform, bound) => {
  const letters = ['t', 'r', 'g', 'm', 'x'];
  let measured: RedisCampus;
  beforeAll(async () => {
    measured = await startRedisCampus({ wrapPlatform });
  });
  afterAll(() => measured.close());

  async function usage(): Promise<number> {
    const keys = (await measured.admin.keys('*')).filter((key) =>
      letters.some((letter) => key.includes(`}:${letter}`)),
    );
    const sizes = await Promise.all(keys.map((key) => measured.admin.call('MEMORY', 'USAGE', key)));
    expect(keys).toHaveLength(letters.length);
    return sizes.reduce((sum: number, size) => sum + Number(size), 0);
  }

  test(`takes at most ${bound} bytes of memory with its lists, also after a refresh`, async () => {
    const { harbour } = measured.schools;
    const { body } = await connect(measured.schools.browser(person), harbour, webMemberApp);
    expect(await usage()).toBeLessThanOrEqual(bound);
    const redeemed = await measured.admin.keys('*}:t:*');
    await refresh(harbour, webMemberApp, body['refresh_token']);
    // The old access token expires within two hours.
    await measured.admin.del(redeemed);
    expect(await usage()).toBeLessThanOrEqual(bound);
  });
});

test('scripts are sent again to a server that lost them (NOSCRIPT)', async () => {
  const { body } = await connected(memberApp);
  await campus.admin.script('FLUSH');
  expect((await refresh(campus.schools.harbour, memberApp, body['refresh_token'])).status).toBe(200);
  await campus.admin.script('FLUSH');
  expect((await revoke(memberApp, body['access_token'])).status).toBe(200);
  expect((await userinfo(campus.schools.harbour, body['access_token'])).status).toBe(401);
});
