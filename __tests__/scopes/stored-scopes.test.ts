import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type Campus, type CampusOptions, createCampus, type SchoolPlatform, type Site } from '../../lib/index.ts';
import Koa from 'koa';
import { decisionsOn } from '../helpers/browser.ts';
import { authorizeUrl, connect, introspect, pkce, refresh, type TestClient, userinfo } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { kilnApp, shelfApp, studioCampus } from './studio.ts';
import { testClients, testResourceServers } from '../helpers/clients.ts';
import { harbourSite } from '../helpers/sites.ts';

/** The platform stops declaring its scopes: another process, on the same store. */
let schools: Schools;
let current: Campus | undefined;
let platform: SchoolPlatform | undefined;
const keys = { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] };
const store = memoryStore();

beforeAll(async () => {
  const handlers = new WeakMap<Campus, ReturnType<Koa['callback']>>();
  schools = await startSchools({
    campus: { ...studioCampus, store, keys },
    wrapPlatform: (given) => (platform = given),
    app: (campus) => ({
      callback: () => (req, res) => {
        const running = current ?? campus;
        const handle = handlers.get(running) ?? new Koa().use(running.middleware()).callback();
        handlers.set(running, handle);
        return handle(req, res);
      },
    }),
  });
});
afterAll(() => schools.close());

function restart(options: Partial<CampusOptions>): Campus {
  if (!platform) throw new Error('no platform');
  const resourceServers = testResourceServers;
  current = createCampus({ platform, store, keys, clients: testClients, resourceServers, ...options });
  current.events.on('fault', (fault) => schools.faults.push(fault));
  return current;
}

const gateway: TestClient = { id: 'gateway', redirectUri: '', secret: 'gateway-secret', scope: '' };
const site = (): Site => harbourSite(schools.harbour);

async function application(scopes: readonly string[]): Promise<TestClient> {
  const redirectUri = 'https://timer.example/callback';
  const settings = { clientName: 'Timer', redirectUris: [redirectUri], scopes, confidential: false } as const;
  const { application: made } = await schools.campus.applications.create(site(), settings);
  return { id: made.clientId, redirectUri, scope: scopes.join(' ') };
}

test('what is stored loses a scope that is not declared any more, and goes on', async () => {
  const timer = await application(['openid', 'account:read', 'shelf:read']);
  const onlyShelf = await application(['shelf:read']);
  const sam = schools.browser('sam');
  const issued = await Promise.all([
    connect(schools.browser('olivia'), schools.harbour, kilnApp),
    connect(sam, schools.harbour, timer),
    connect(schools.browser('sam'), schools.harbour, onlyShelf, { nonce: undefined }),
    connect(schools.browser('sam'), schools.harbour, shelfApp),
  ]);
  expect(issued.map(({ body }) => body['scope'])).toEqual(
    [kilnApp, timer, onlyShelf, shelfApp].map(({ scope }) => scope),
  );
  const [reading, timing, shelving] = issued.map(({ body }) => body);

  const campus = restart({});
  const { scopes } = await campus.verify(site(), String(reading?.['access_token']));
  expect(scopes).toEqual(['openid', 'profile', 'email', 'courses:read']);
  expect((await campus.verify(site(), String(shelving?.['access_token']))).scopes).toEqual([]);
  expect((await userinfo(schools.harbour, timing?.['access_token'])).status).toBe(200);
  const seen = await introspect(schools.harbour, gateway, timing?.['access_token']);
  expect(seen.body).toMatchObject({ active: true, scope: 'openid account:read' });

  const refreshed = await refresh(schools.harbour, timer, timing?.['refresh_token']);
  expect([refreshed.status, refreshed.body['scope']]).toEqual([200, 'openid account:read']);
  const narrowed = await refresh(schools.harbour, kilnApp, reading?.['refresh_token']);
  expect([narrowed.status, narrowed.body['scope']]).toEqual([200, 'openid profile email courses:read']);

  expect((await campus.applications.find(site(), timer.id))?.scopes).toEqual(['openid', 'account:read']);
  const connection = (await campus.connections.list(site(), 'sam')).find(({ clientId }) => clientId === timer.id);
  expect(connection?.scopes).toEqual(['openid', 'account:read']);
  const again = await connect(sam, schools.harbour, timer, { scope: 'openid account:read' });
  expect([again.status, again.body['scope']]).toEqual([200, 'openid account:read']);

  // Without any scope left it is no client that may ask for all.
  expect(await campus.explain(site(), { clientId: onlyShelf.id, memberId: 'sam' })).toMatchObject({
    outcome: 'impossible',
    reasons: [{ code: 'unauthorized_client' }],
  });
  const url = authorizeUrl(schools.harbour, onlyShelf, pkce(), { scope: 'openid account:read' });
  const stop = await schools.browser('sam').follow(url);
  expect(stop.url.searchParams.get('code')).toBeNull();
  expect(decisionsOn(stop.html)).not.toContain('allow');
  expect((await refresh(schools.harbour, onlyShelf, shelving?.['refresh_token'])).status).toBe(400);
  // Declared again, it is granted where nobody has decided since.
  const back = await restart(studioCampus).connections.list(site(), 'sam');
  const scopesOf = ({ id }: TestClient) => back.find(({ clientId }) => clientId === id)?.scopes;
  expect(scopesOf(timer)).toEqual(['openid', 'account:read']);
  expect(scopesOf(shelfApp)).toEqual(shelfApp.scope.split(' '));
  expect(schools.faults).toEqual([]);
});
