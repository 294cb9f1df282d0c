import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { expectError } from '../../helpers/responses.ts';
import {
  connect,
  introspect,
  type JsonResponse,
  refresh,
  userinfo,
  webMemberApp,
  revokeToken,
} from '../../helpers/flow.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { type RedisCampus, startRedisCampus } from './campus.ts';

let campus: RedisCampus;
let tokens: JsonResponse['body'];
beforeAll(async () => {
  campus = await startRedisCampus({
    redis: ['--maxmemory-policy', 'noeviction'],
    store: { deadline: 10_000 },
    app: (running) =>
      new Koa()
        .use(running.middleware())
        .use(running.requireAccess({ scopes: ['account:read'] }))
        .use((ctx) => {
          ctx.body = 'admitted';
        }),
  });
});
afterAll(() => campus.close());
beforeEach(async () => {
  await campus.admin.config('SET', 'maxmemory', '0');
  await campus.admin.flushall();
  tokens = (await connect(campus.schools.browser('sam'), campus.schools.harbour, webMemberApp)).body;
  await fill();
  // A restart would have lost them: scripts, too, must find room.
  await campus.admin.script('FLUSH');
});

/** Writes until Redis is out of memory. */
async function fill(): Promise<void> {
  const used = Number(/used_memory:(\d+)/.exec(await campus.admin.info('memory'))?.[1]);
  await campus.admin.config('SET', 'maxmemory', String(used + 1_000_000));
  const junk = 'x'.repeat(50_000);
  let left = true;
  for (let i = 0; left; i += 1) {
    left = await campus.admin.set(`campus:{summit}:i:${i}`, junk).then(
      () => true,
      (error: unknown) => !String(error).includes('OOM'),
    );
  }
  // Not even a short key has room.
  await campus.admin.config('SET', 'maxmemory', String(used));
}

const harbour = () => campus.schools.harbour;
const site = () => harbourSite(harbour());
const revoke = (name: string): Promise<JsonResponse> => revokeToken(harbour(), webMemberApp, tokens[name]);
async function revokeConnection(): Promise<void> {
  const { connections } = campus.schools.campus;
  const [connection] = await connections.list(site(), 'sam');
  expect(await connections.revoke(site(), 'sam', connection?.id ?? '')).toBe(true);
}

describe('while Redis is full', () => {
  test('access tokens are verified at every place, and what writes is 503', async () => {
    const accessToken = String(tokens['access_token']);
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await userinfo(harbour(), accessToken)).status).toBe(200);
    expect((await introspect(harbour(), webMemberApp, accessToken)).body['active']).toBe(true);
    expect(await (await fetch(`${harbour()}/courses`, { headers })).text()).toBe('admitted');
    expect((await campus.schools.campus.verify(site(), accessToken)).member.id).toBe('sam');
    expectError(await refresh(harbour(), webMemberApp, tokens['refresh_token']), 503, 'temporarily_unavailable');
    await campus.admin.config('SET', 'maxmemory', '0');
    expect((await refresh(harbour(), webMemberApp, tokens['refresh_token'])).status).toBe(200);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the client revokes its access token', () => revoke('access_token')],
    ['the client revokes its refresh token', () => revoke('refresh_token')],
    ['a connection is revoked', revokeConnection],
    ['all connections of the member are revoked', () => campus.schools.campus.connections.revokeAll(site(), 'sam')],
  ])('%s, and its tokens end', async (_what, end) => {
    await end();
    expectError(await userinfo(harbour(), tokens['access_token']), 401, 'invalid_token');
    expect((await introspect(harbour(), webMemberApp, tokens['access_token'])).body).toEqual({ active: false });
    await campus.admin.config('SET', 'maxmemory', '0');
    expectError(await refresh(harbour(), webMemberApp, tokens['refresh_token']), 400, 'invalid_grant');
  });

  test('the store responds, and health with a write says that it is not healthy; so with a replica', async () => {
    const { campus: running } = campus.schools;
    const health = async (): Promise<boolean[]> =>
      (await Promise.all([running.health(), running.health({ write: true })])).map(({ ok }) => ok);
    expect(await health()).toEqual([true, false]);
    await campus.admin.config('SET', 'maxmemory', '0');
    expect(await health()).toEqual([true, true]);
    await campus.admin.replicaof('127.0.0.1', 1);
    expect(await health()).toEqual([true, false]);
    await campus.admin.replicaof('NO', 'ONE');
    expect(await health()).toEqual([true, true]);
  });

  test('one of two devices signs out, and the other stays', async () => {
    await campus.admin.config('SET', 'maxmemory', '0');
    const other = await connect(campus.schools.browser('sam'), harbour(), webMemberApp);
    await campus.admin.config('SET', 'maxmemory', '1');
    expect((await revoke('refresh_token')).status).toBe(200);
    expectError(await userinfo(harbour(), tokens['access_token']), 401, 'invalid_token');
    expect((await userinfo(harbour(), other.body['access_token'])).status).toBe(200);
  });
});
