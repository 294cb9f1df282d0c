import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa, { type Middleware } from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import {
  type Campus,
  type CampusOptions,
  createCampus,
  type SchoolPlatform,
  type StaticClient,
} from '../../lib/index.ts';
import { testClients, testResourceServers } from '../helpers/clients.ts';
import {
  connect,
  introspect,
  type JsonResponse,
  refresh,
  reports,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

const gateway: TestClient = { id: 'gateway', secret: 'gateway-secret', redirectUri: '', scope: '' };

let schools: Schools;
let tokens: JsonResponse;
let campus: Campus;
/** Starts the service again on the same store, with these clients in its code. */
let restart: (clients: readonly StaticClient[]) => void;
let finds: string[];
beforeEach(async () => {
  const inner = memoryStore();
  finds = [];
  const store = {
    ...inner,
    find: (async (siteId, kind, id) => {
      finds.push(kind);
      return inner.find(siteId, kind, id);
    }) satisfies typeof inner.find,
  };
  const keys = { signing: [await signingKey('key')], cookies: ['a secret of this test'] };
  let options: CampusOptions | undefined;
  let middleware: Middleware = async () => {};
  const keep = (platform: SchoolPlatform): SchoolPlatform => {
    options = { platform, store, keys };
    return platform;
  };
  const app = (first: Campus): Koa => {
    campus = first;
    middleware = first.middleware();
    const koa = new Koa();
    koa.use((ctx, next) => middleware(ctx, next));
    return koa;
  };
  schools = await startSchools({ campus: { store, keys }, wrapPlatform: keep, app });
  restart = (clients) => {
    if (!options) throw new Error('no platform');
    campus = createCampus({ ...options, clients, resourceServers: testResourceServers });
    middleware = campus.middleware();
  };
  tokens = await connect(schools.browser('olivia'), schools.harbour, reports);
});
afterEach(() => schools.close());

const others = (): StaticClient[] => testClients.filter(({ clientId }) => clientId !== reports.id);

describe.each<[string, () => StaticClient[]]>([
  ['removed from the code', others],
  [
    'configured for other sites only',
    () => testClients.map((client) => (client.clientId === reports.id ? { ...client, sites: ['summit'] } : client)),
  ],
])('a static client that is %s', (_name, clients) => {
  beforeEach(() => restart(clients()));

  test('has no valid access token, by one look-up', async () => {
    finds.splice(0);
    const reported = new Promise((done) => campus.events.once('audit', done));
    expectError(await userinfo(schools.harbour, tokens.body['access_token']), 401, 'invalid_token');
    expect(finds).toEqual(['AccessToken']);
    const reason = 'client_not_permitted';
    expect(await reported).toMatchObject({
      action: 'token.rejected',
      reason,
      clientId: reports.id,
      memberId: 'olivia',
    });
  });

  test.each(['access_token', 'refresh_token'])('introspection says that its %s is not active', async (name) => {
    const found = await introspect(schools.harbour, gateway, tokens.body[name]);
    expect([found.status, found.body]).toEqual([200, { active: false }]);
  });

  test('cannot refresh', async () => {
    expectError(await refresh(schools.harbour, reports, tokens.body['refresh_token']), 401, 'invalid_client');
  });

  test('is still among the connected apps, with its id, and can be disconnected', async () => {
    const site = harbourSite(schools.harbour);
    const list = await campus.connections.list(site, 'olivia');
    expect(list).toMatchObject([{ clientId: reports.id, clientName: reports.id, source: 'static' }]);
    expect(await campus.connections.revoke(site, 'olivia', list[0]?.id ?? '')).toBe(true);
  });

  test('has its tokens back when it is configured again', async () => {
    restart(testClients);
    expect((await userinfo(schools.harbour, tokens.body['access_token'])).status).toBe(200);
    const { body } = await introspect(schools.harbour, gateway, tokens.body['access_token']);
    expect(body).toMatchObject({ active: true, client_audience: 'operator' });
    expect(body).not.toHaveProperty('client_source');
  });
});

test('the tokens of other clients stay valid', async () => {
  const other = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  restart(others());
  expect((await userinfo(schools.harbour, other.body['access_token'])).status).toBe(200);
});
