import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { Browser } from '../../helpers/browser.ts';
import { resetClock, setClockAhead, stopClock } from '../../helpers/clock.ts';
import { type Code, connect, getCode, refresh, userinfo, webMemberApp } from '../../helpers/flow.ts';
import { signingKey } from '../../helpers/keys.ts';
import { type RedisNode, startRedis } from '../../helpers/redis.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { connectTo } from './campus.ts';
import { ceaseFire, fire, type Hit, type Shot } from './fire.ts';
import { deadline, type Peer, startPeer } from './peer.ts';
import { withStoppedClock } from './stopped-clock.ts';

const rounds = 20;
/** Requests for each of two processes. */
const each = 32;
/** On a busy machine, the last request comes after the seconds in which a code that is sent again is no sign of theft. */
const now = Date.now();

let server: RedisNode;
let client: ReturnType<typeof connectTo>;
let schools: Schools;
let peer: Peer;
let sam: Browser;
beforeAll(async () => {
  server = await startRedis();
  client = connectTo(server.port);
  const keys = { signing: [await signingKey('shared')], cookies: ['a secret of both processes'] };
  // More refreshes of one family than a client needs.
  const limits = { refreshes: { perFamily: 1000 } };
  const store = withStoppedClock(redisStore(client, { deadline }), now);
  schools = await startSchools({ campus: { store, keys, limits } });
  peer = await startPeer({ redisPort: server.port, origin: schools.harbour, keys, limits, now });
  sam = schools.browser('sam');
});
afterAll(async () => {
  ceaseFire();
  await peer?.close();
  await schools?.close();
  client?.disconnect();
  await server?.stop();
});
beforeEach(() => void stopClock(now));
afterEach(resetClock);

async function fireFromBoth(shot: Shot): Promise<Hit[]> {
  const port = Number(new URL(schools.summit).port);
  const hits = await Promise.all([fire(port, schools.harbour, shot, each), peer.fire(shot, each)]);
  return hits.flat();
}

const credentials = { client_id: webMemberApp.id, client_secret: webMemberApp.secret ?? '' };
const token = (form: Record<string, string>): Shot => ({
  path: '/api/oauth/token',
  form: { ...form, ...credentials },
});
const redeem = ({ code, verifier }: Code): Shot =>
  token({
    grant_type: 'authorization_code',
    code,
    redirect_uri: webMemberApp.redirectUri,
    code_verifier: verifier,
    resource: schools.harbour,
  });
const renew = (refreshToken: unknown): Shot =>
  token({ grant_type: 'refresh_token', refresh_token: String(refreshToken) });

/** The number of responses by status and error. */
function tally(hits: readonly Hit[]): Record<string, number> {
  const seen: Record<string, number> = {};
  for (const { status, body } of hits) {
    const name = status === 200 ? '200' : `${status} ${String(JSON.parse(body).error)}`;
    seen[name] = (seen[name] ?? 0) + 1;
  }
  return seen;
}

test(`of ${each * 2} concurrent exchanges of one code in two processes one wins and none revokes, ${rounds} times`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const hits = await fireFromBoth(redeem(await getCode(sam, schools.harbour, webMemberApp)));
    expect(tally(hits)).toEqual({ 200: 1, '400 invalid_grant': each * 2 - 1 });
    const { access_token: accessToken } = JSON.parse(hits.find(({ status }) => status === 200)?.body ?? '{}');
    expect((await userinfo(schools.harbour, accessToken)).status).toBe(200);
  }
});

test(`${each * 2} concurrent refreshes with one token in two processes get the same response, ${rounds} times`, async () => {
  const before = (await client.keys('*}:r:*')).length;
  let { body } = await connect(sam, schools.harbour, webMemberApp);
  for (let round = 0; round < rounds; round += 1) {
    const hits = await fireFromBoth(renew(body['refresh_token']));
    expect(tally(hits)).toEqual({ 200: each * 2 });
    expect(new Set(hits.map((hit) => hit.body)).size).toBe(1);
    body = JSON.parse(hits[0]?.body ?? '');
  }
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
  // No other token was written: the connection has one record, whatever the number of refreshes.
  expect(await client.keys('*}:r:*')).toHaveLength(before + 1);
});

describe('a redeemed refresh token', () => {
  test('does not give the response to another request within the grace window', async () => {
    const { body } = await connect(sam, schools.harbour, webMemberApp);
    await refresh(schools.harbour, webMemberApp, body['refresh_token']);
    const scope = { scope: 'openid' };
    expect((await refresh(schools.harbour, webMemberApp, body['refresh_token'], scope)).status).toBe(400);
    const thief = { client_id: 'member-app', client_secret: undefined };
    expect((await refresh(schools.harbour, webMemberApp, body['refresh_token'], thief)).status).toBe(400);
  });

  test('revokes its whole family after the grace window, also in the other process', async () => {
    const { body } = await connect(sam, schools.harbour, webMemberApp);
    const next = await refresh(schools.harbour, webMemberApp, body['refresh_token']);
    setClockAhead(31);
    expect((await refresh(schools.harbour, webMemberApp, body['refresh_token'])).status).toBe(400);
    resetClock();
    const [hit] = await peer.fire(renew(next.body['refresh_token']), 1);
    expect(hit?.status).toBe(400);
    expect((await userinfo(schools.harbour, next.body['access_token'])).status).toBe(401);
  });
});
