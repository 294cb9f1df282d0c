import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { CampusKeys, Site } from '../../../lib/index.ts';
import { loopbackClients } from '../../../policies/index.ts';
import {
  type Code,
  connect,
  exchange,
  getCode,
  introspect,
  jsonResponse,
  memberApp,
  refresh,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { signingKey } from '../../helpers/keys.ts';
import { type RedisNode, startRedis } from '../../helpers/redis.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { connectTo } from './campus.ts';
import type { Shot } from './fire.ts';
import { laterStore } from './later-store.ts';
import { type Peer, startPeer } from './peer.ts';

// There is no earlier release whose records this one reads. So the later release is made up: it is this one, and adds a member
// to all that it writes.
let server: RedisNode;
let client: ReturnType<typeof connectTo>;
let keys: CampusKeys;
beforeAll(async () => {
  server = await startRedis();
  client = connectTo(server.port);
  keys = { signing: [await signingKey('shared')], cookies: ['a secret of both processes'] };
});
afterAll(async () => {
  client?.disconnect();
  await server?.stop();
});

describe('two processes on one Redis, one of a later release', () => {
  let schools: Schools;
  let peer: Peer;
  beforeAll(async () => {
    schools = await startSchools({ campus: { store: redisStore(client, { deadline: 10_000 }), keys } });
    peer = await startPeer({ redisPort: server.port, origin: schools.harbour, keys, isLater: true });
  });
  afterAll(async () => {
    await peer.close();
    await schools.close();
  });

  const credentials = { client_id: webMemberApp.id, client_secret: webMemberApp.secret ?? '' };
  const atPeer = async (form: Shot['form']): Promise<Readonly<Record<string, unknown>>> => {
    const [hit] = await peer.fire({ path: '/api/oauth/token', form: { ...form, ...credentials } }, 1);
    expect([hit?.status, hit?.body]).toEqual([200, expect.stringContaining('access_token')]);
    return JSON.parse(hit?.body ?? '');
  };
  const redeemAtPeer = ({ code, verifier }: Code) =>
    atPeer({
      grant_type: 'authorization_code',
      code,
      redirect_uri: webMemberApp.redirectUri,
      code_verifier: verifier,
      resource: schools.harbour,
    });
  const refreshAtPeer = (token: unknown) => atPeer({ grant_type: 'refresh_token', refresh_token: String(token) });

  test('a code of the one, redeemed at the other: both use, refresh and repeat its tokens in turn', async () => {
    const tokens = await redeemAtPeer(await getCode(schools.browser('sam'), schools.harbour, webMemberApp));
    expect((await userinfo(schools.harbour, tokens['access_token'])).status).toBe(200);
    const here = await refresh(schools.harbour, webMemberApp, tokens['refresh_token']);
    expect(here.status).toBe(200);
    expect(await refreshAtPeer(tokens['refresh_token'])).toEqual(here.body);
    const there = await refreshAtPeer(here.body['refresh_token']);
    expect((await refresh(schools.harbour, webMemberApp, here.body['refresh_token'])).body).toEqual(there);
    const { body } = await introspect(schools.harbour, webMemberApp, there['access_token']);
    expect(body).toMatchObject({ active: true, scope: webMemberApp.scope });
    expect(schools.faults).toEqual([]);
  });
});

describe('records of every kind that a later release has written', () => {
  let later: Schools;
  let current: Schools;
  beforeAll(async () => {
    const store = redisStore(client, { deadline: 10_000 });
    const campus = { keys, registration: [loopbackClients()] };
    later = await startSchools({ campus: { ...campus, store: laterStore(store) } });
    const sites = [later.harbour, later.summit].map((origin, i) => ({
      id: ['harbour', 'summit'][i] ?? '',
      origin,
      name: 'A school',
      connectionsEnabled: true,
    }));
    current = await startSchools({
      campus: { ...campus, store },
      platform: { findSite: (asked) => sites.find(({ origin }) => origin === asked) },
    });
  });
  afterAll(() => Promise.all([later.close(), current.close()]));

  const site = (): Site => harbourSite(later.harbour);

  test('sessions, grants, codes and tokens', async () => {
    const browser = later.browser('sam');
    const { body } = await connect(browser, later.harbour, memberApp);
    expect(await current.campus.verify(site(), String(body['access_token']))).toMatchObject({ clientId: memberApp.id });
    const [connection] = await current.campus.connections.list(site(), 'sam');
    expect(connection).toMatchObject({ clientId: memberApp.id });
    expect((await exchange(await getCode(browser, later.harbour, memberApp))).status).toBe(200);
    expect(await current.campus.connections.revoke(site(), 'sam', connection?.id ?? '')).toBe(true);
  });

  test('applications, registered clients and blocks', async () => {
    const { application } = await later.campus.applications.create(site(), {
      clientName: 'Timer',
      redirectUris: ['https://timer.example/callback'],
      scopes: ['openid'],
      confidential: true,
    });
    const { applications, apps } = current.campus;
    const { clientId } = application;
    const [listed] = await applications.list(site());
    expect(listed).toMatchObject({ clientId, clientName: 'Timer' });
    await applications.update(site(), clientId, { clientName: 'Clock' }, { version: listed?.version });
    expect(await later.campus.applications.find(site(), clientId)).toMatchObject({ clientName: 'Clock' });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ redirect_uris: ['http://127.0.0.1/cb'] });
    const registered = await jsonResponse(await fetch(`${later.harbour}/api/oauth/register`, { ...init, body }));
    expect(registered.status).toBe(201);
    await later.campus.apps.set(site(), { clientId }, { access: 'blocked' });
    expect(await apps.list(site(), { status: 'blocked' })).toMatchObject([{ clientId, clientName: 'Clock' }]);
    await apps.reset(site(), { clientId });
    expect(await later.campus.apps.list(site(), { status: 'blocked' })).toEqual([]);
    expect([...later.faults, ...current.faults]).toEqual([]);
  });
});
