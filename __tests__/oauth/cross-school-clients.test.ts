import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Site } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import {
  authorizeUrl,
  type Code,
  connect,
  exchange,
  getCode,
  introspect,
  pkce,
  refresh,
  type TestClient,
  userinfo,
  webMemberApp,
  revokeToken,
} from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

let store: Store;
let schools: Schools;
beforeEach(async () => {
  store = memoryStore();
  schools = await startSchools({ campus: { store } });
});
afterEach(async () => {
  resetClock();
  await schools.close();
});

const at = (id: 'harbour' | 'summit'): Site => siteOf(schools, id);

describe('two schools whose clients have one id', () => {
  let client: TestClient & { readonly secret: string };
  let record: object;
  beforeEach(async () => {
    const { application, clientSecret = '' } = await schools.campus.applications.create(at('harbour'), {
      clientName: 'Timetable',
      audience: 'member',
      redirectUris: ['https://harbour.example/callback'],
      scopes: ['openid', 'profile', 'account:read'],
      confidential: true,
    });
    const { clientId: id } = application;
    client = { id, redirectUri: 'https://harbour.example/callback', secret: clientSecret, scope: 'openid profile' };
    record = JSON.parse((await store.find('harbour', 'Client', id))?.record ?? '');
  });

  /** Stores the client at Summit, too, with changes. */
  const alsoAtSummit = (changes: object): Promise<boolean> =>
    store.save('summit', { kind: 'Client', id: client.id, record: JSON.stringify({ ...record, ...changes }) });

  test('have their own redirect URIs, also at the same moment', async () => {
    await alsoAtSummit({ redirect_uris: ['https://summit.example/callback'] });
    const there = { ...client, redirectUri: 'https://summit.example/callback' };
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const [origin, own, other] = i % 2 === 0 ? [schools.harbour, client, there] : [schools.summit, there, client];
        const { status } = await connect(schools.browser('sam'), origin, own);
        const refused = await schools.browser('sam').fetch(authorizeUrl(origin, other, pkce()));
        return [status, refused.status, refused.headers.get('location')];
      }),
    );
    expect(statuses).toEqual(statuses.map(() => [200, 400, null]));
  });

  test('have their own secret, if that is the only difference', async () => {
    const { application, clientSecret: secret = '' } = await schools.campus.applications.create(at('summit'), {
      clientName: 'Another',
      audience: 'member',
      redirectUris: ['https://summit.example/callback'],
      scopes: ['openid'],
      confidential: true,
    });
    const other: unknown = JSON.parse((await store.find('summit', 'Client', application.clientId))?.record ?? '');
    await alsoAtSummit({ client_secret: Object(other).client_secret });
    const there = { ...client, secret };
    for (let i = 0; i < 2; i += 1) {
      expect((await introspect(schools.harbour, client, 'x')).status).toBe(200);
      expect((await introspect(schools.summit, there, 'x')).status).toBe(200);
      expectError(await introspect(schools.summit, client, 'x'), 401, 'invalid_client');
      expectError(await introspect(schools.harbour, there, 'x'), 401, 'invalid_client');
    }
  });

  test('lose the client one by one', async () => {
    await alsoAtSummit({});
    for (const origin of [schools.harbour, schools.summit]) {
      expect((await introspect(origin, client, 'x')).status).toBe(200);
    }
    await store.remove('summit', 'Client', client.id);
    expectError(await introspect(schools.summit, client, 'x'), 401, 'invalid_client');
    expect((await introspect(schools.harbour, client, 'x')).status).toBe(200);
  });
});

/** The id of the grant is the same at both schools: it is made of the member and the client. */
describe('the same person connects the same client at both schools, and', () => {
  test.each<[string, (code: Code, accessToken: string) => Promise<unknown>]>([
    [
      'a reused code',
      (code) => {
        setClockAhead(3);
        return exchange(code);
      },
    ],
    ['a revoked token', (_code, token) => revokeToken(schools.summit, webMemberApp, token)],
    ['a disconnect', () => schools.campus.connections.revokeAll(at('summit'), 'sam')],
    ['a block', () => schools.campus.apps.set(at('summit'), { clientId: webMemberApp.id }, { access: 'blocked' })],
  ])('%s at one ends nothing at the other', async (_name, end) => {
    const here = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const code = await getCode(schools.browser('sam'), schools.summit, webMemberApp);
    const there = await exchange(code);
    await end(code, String(there.body['access_token']));
    expect((await userinfo(schools.summit, there.body['access_token'])).status).toBe(401);
    expect((await userinfo(schools.harbour, here.body['access_token'])).status).toBe(200);
    expect((await refresh(schools.harbour, webMemberApp, here.body['refresh_token'])).status).toBe(200);
  });
});
