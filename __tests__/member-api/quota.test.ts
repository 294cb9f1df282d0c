import { afterEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AuditEvent, CampusOptions } from '../../lib/index.ts';
import { resetClock, passTime } from '../helpers/clock.ts';
import { memberApp, userinfo, webMemberApp } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { post, tokenOf } from './graphql.ts';

let schools: Schools;
afterEach(async () => {
  resetClock();
  await schools.close();
});

const start = async (limits: CampusOptions['limits'], store = memoryStore()): Promise<void> => {
  schools = await startSchools({ memberApi: {}, campus: { limits, store } });
};

type Ask = (origin: string, token: string) => Promise<{ status: number; headers: Headers; body: object }>;

const graphql: Ask = (origin, token) => post(origin, token, { query: '{ viewer { id } }' });
const endpoints: readonly [string, Ask][] = [
  ['the Member API', graphql],
  ['UserInfo', userinfo],
];

test.each(endpoints)(
  'limits.memberCalls at %s: 429 with Retry-After, an audit event, and an hour later 200',
  async (_name, ask) => {
    await start({ memberCalls: { perMember: 2 } });
    const token = await tokenOf(schools, schools.harbour);
    const events: AuditEvent[] = [];
    schools.campus.events.on('audit', (event) => events.push(event));
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await ask(schools.harbour, token)).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await ask(schools.harbour, token);
    expectError({ ...refused, body: { ...refused.body } }, 429, 'slow_down');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(refused.headers.get('www-authenticate')).toBeNull();
    const event = { action: 'quota.exceeded', reason: 'memberCalls', clientId: 'member-app', memberId: 'sam' };
    expect(events).toEqual([expect.objectContaining(event), expect.objectContaining(event)]);
    passTime(3601);
    expect((await ask(schools.harbour, token)).status).toBe(200);
  },
);

test('limits.memberCalls: one count for a member, whichever the endpoint, client and token; others have their own', async () => {
  await start({ memberCalls: { perMember: 3 } });
  const { harbour, summit } = schools;
  const [first, second] = [await tokenOf(schools, harbour), await tokenOf(schools, harbour)];
  const web = await tokenOf(schools, harbour, { client: webMemberApp });
  expect((await graphql(harbour, first)).status).toBe(200);
  expect((await userinfo(harbour, second)).status).toBe(200);
  expect((await graphql(harbour, web)).status).toBe(200);
  for (const token of [first, second, web]) expect((await userinfo(harbour, token)).status).toBe(429);
  expect((await graphql(harbour, await tokenOf(schools, harbour, { person: 'olivia' }))).status).toBe(200);
  const elsewhere = await tokenOf(schools, summit, { client: webMemberApp });
  expect((await userinfo(summit, elsewhere)).status).toBe(200);
});

test('limits.memberCalls: what is refused before is not counted, and limits: false lifts it', async () => {
  await start({ memberCalls: { perMember: 1 } });
  const narrow = await tokenOf(schools, schools.harbour, { scope: 'account:read' });
  for (const bad of ['nonsense', narrow]) {
    for (let i = 0; i < 3; i += 1) expect([401, 403]).toContain((await userinfo(schools.harbour, bad)).status);
  }
  expect((await userinfo(schools.harbour, await tokenOf(schools, schools.harbour))).status).toBe(200);
  await schools.close();
  await start(false);
  const token = await tokenOf(schools, schools.harbour, { client: memberApp });
  for (let i = 0; i < 5; i += 1) expect((await graphql(schools.harbour, token)).status).toBe(200);
});

test.each(endpoints)('limits.memberCalls: %s makes no call of the store for it', async (_name, ask) => {
  const store = memoryStore();
  const calls: string[] = [];
  const find: typeof store.find = (...args) => {
    calls.push('find');
    return store.find(...args);
  };
  const consumeQuota: typeof store.consumeQuota = (...args) => {
    calls.push('consumeQuota');
    return store.consumeQuota(...args);
  };
  await start({}, { ...store, find, consumeQuota });
  const token = await tokenOf(schools, schools.harbour);
  calls.splice(0);
  await ask(schools.harbour, token);
  expect(calls).toEqual(['find']);
});
