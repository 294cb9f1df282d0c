import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  connect,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  memberApp,
  refresh,
  revokeToken,
  type TestClient,
  userinfo,
} from '../../helpers/flow.ts';
import { silentAuthorization } from '../silent-authorization.ts';
import { createStoredClient } from '../stored-client.ts';
import { type PostgresCampus, startPostgresCampus } from './campus.ts';

let campus: PostgresCampus;
let stored: TestClient;
beforeAll(async () => {
  campus = await startPostgresCampus();
  stored = await createStoredClient(campus.schools);
  // From here on a connection is open, and the clock of the server known.
  await connected(stored);
});
afterAll(() => campus.close());
beforeEach(() => campus.proxy.forget());

const connected = (client: TestClient): Promise<JsonResponse> =>
  connect(campus.schools.browser('sam'), campus.schools.harbour, client);

async function trips(operation: () => Promise<JsonResponse>): Promise<number> {
  campus.proxy.forget();
  expect((await operation()).status).toBe(200);
  return campus.proxy.trips;
}

describe.each([
  ['a static client', () => memberApp, 0],
  ['a stored client', () => stored, 1],
])('round trips with %s', (_name, client, lookUp) => {
  test('a token is verified in 1', async () => {
    const { body } = await connected(client());
    expect(await trips(() => userinfo(campus.schools.harbour, body['access_token']))).toBe(1);
  });

  test('a code is exchanged in 2, and those for the client', async () => {
    const code = await getCode(campus.schools.browser('sam'), campus.schools.harbour, client());
    expect(await trips(() => exchange(code))).toBe(2 + lookUp);
  });

  test('a refresh takes 2, and those for the client; a repeated one as many', async () => {
    const { body } = await connected(client());
    const again = (): Promise<JsonResponse> => refresh(campus.schools.harbour, client(), body['refresh_token']);
    expect(await trips(again)).toBe(2 + lookUp);
    expect(await trips(again)).toBe(2 + lookUp);
  });

  test('an introspection takes 1, a revocation at most 4, and those for the client', async () => {
    const { body } = await connected(client());
    const { harbour: origin } = campus.schools;
    expect(await trips(() => introspect(origin, client(), body['access_token']))).toBe(1 + lookUp);
    expect(await trips(() => revokeToken(origin, client(), body['refresh_token']))).toBeLessThanOrEqual(4 + lookUp);
  });
});

test('a silent authorization takes 2 round trips', async () => {
  const authorize = await silentAuthorization(campus.schools);
  campus.proxy.forget();
  await authorize();
  expect(campus.proxy.trips).toBe(2);
});
