import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppRule } from '../../lib/core/access/rule.ts';
import { resetClock, stopClock } from '../helpers/clock.ts';
import { expectError } from '../helpers/responses.ts';
import {
  clientFields,
  connect,
  exchange,
  getCode,
  type JsonResponse,
  postForm,
  refresh,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { type CrowdedStore, crowdedStore, type SteppedStore, steppedStore } from '../helpers/stores.ts';

const crowd = 32;

/** The exchanges of one round in which all losers arrive after the winner. */
const late = 8;

let crowded: CrowdedStore;
let schools: Schools;
let audited: string[];
beforeEach(async () => {
  // On a busy machine the last request comes after the seconds in which a code that is sent again is no sign of theft.
  stopClock();
  crowded = crowdedStore();
  schools = await startSchools({ campus: { store: crowded.store } });
  audited = listen(schools);
});
afterEach(async () => {
  await schools.close();
  resetClock();
});

/** Collects the audit events of redemptions from here on. */
function listen({ campus }: Schools): string[] {
  const collected: string[] = [];
  campus.events.on('audit', ({ action }) => {
    if (action.startsWith('token.') && action !== 'token.revoked') collected.push(action);
  });
  return collected;
}

const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

const many = (ask: () => Promise<JsonResponse>): Promise<JsonResponse[]> =>
  Promise.all(Array.from({ length: crowd }, () => ask()));

describe(`${crowd} exchanges of one code`, () => {
  test('that all read before one writes: one 200 with valid tokens, and invalid_grant for the others', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    crowded.gather(crowd);
    const responses = await many(() => exchange(code));
    const winners = responses.filter(({ status }) => status === 200);
    for (const loser of responses.filter(({ status }) => status !== 200)) expectError(loser, 400, 'invalid_grant');
    expect([winners.length, crowded.refreshTokens()]).toEqual([1, 1]);
    expect(audited.sort()).toEqual(['token.issued', ...times(crowd - 1, 'token.lost_race')]);
    const tokens = winners[0]?.body;
    expect((await userinfo(schools.harbour, tokens?.['access_token'])).status).toBe(200);
    expect((await refresh(schools.harbour, webMemberApp, tokens?.['refresh_token'])).status).toBe(200);
  });

  test('without coordination: one 200, and invalid_grant for the others', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    const responses = await many(() => exchange(code));
    const losers = responses.filter(({ status }) => status !== 200);
    for (const loser of losers) expectError(loser, 400, 'invalid_grant');
    expect([losers.length, crowded.refreshTokens()]).toEqual([crowd - 1, 1]);
  });

  test('never ends what the winner got, 20 times', async () => {
    for (let round = 0; round < 20; round += 1) {
      const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
      // The losers look the code up while the winner redeems it, right before, and right after.
      let losers: Promise<JsonResponse[]> = Promise.resolve([]);
      crowded.beforeRedemption(async () => {
        losers = Promise.all(Array.from({ length: late }, () => exchange(code)));
      });
      const all = [await exchange(code), ...(await losers), await exchange(code)];
      const winners = all.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect((await userinfo(schools.harbour, winners[0]?.body['access_token'])).status).toBe(200);
    }
    expect(audited.filter((event) => event.includes('reused'))).toEqual([]);
  });
});

describe(`${crowd} refreshes with one token`, () => {
  test.each([
    ['that all read before one writes', true],
    ['without coordination', false],
  ])('%s: one refresh token, and the identical response for all', async (_name, together) => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const before = crowded.refreshTokens();
    if (together) crowded.gather(crowd);
    const responses = await many(() => refresh(schools.harbour, webMemberApp, body['refresh_token']));
    expect(new Set(responses.map((response) => `${response.status} ${JSON.stringify(response.body)}`)).size).toBe(1);
    expect(crowded.refreshTokens()).toBe(before + 1);
    expect(audited.sort()).toEqual(['token.issued', 'token.refreshed', ...times(crowd - 1, 'token.replayed')]);
    expect((await userinfo(schools.harbour, responses[0]?.body['access_token'])).status).toBe(200);
    expect((await refresh(schools.harbour, webMemberApp, responses[0]?.body['refresh_token'])).status).toBe(200);
  });

  test('without a grace window: one refresh token, and invalid_grant for all but one', async () => {
    const strict = await startSchools({ campus: { store: crowded.store, lifetimes: { refreshGrace: 0 } } });
    const { body } = await connect(strict.browser('sam'), strict.harbour, webMemberApp);
    const before = crowded.refreshTokens();
    crowded.gather(crowd);
    const reasons = listen(strict);
    const responses = await many(() => refresh(strict.harbour, webMemberApp, body['refresh_token']));
    const losers = responses.filter(({ status }) => status !== 200);
    for (const loser of losers) expectError(loser, 400, 'invalid_grant');
    expect([losers.length, crowded.refreshTokens()]).toEqual([crowd - 1, before + 1]);
    expect(reasons.sort()).toEqual([...times(crowd - 1, 'token.lost_race'), 'token.refreshed']);
    await strict.close();
  });
});

const revokeAll = (): Promise<unknown> => crowded.store.revoke('harbour', { memberId: 'sam' });
const revokeToken = (token: unknown) => (): Promise<JsonResponse> =>
  postForm(`${schools.harbour}/api/oauth/revoke`, { token: String(token), ...clientFields(webMemberApp) });

describe('a revocation right before the redemption wins the race:', () => {
  test('a code gets invalid_grant, and no token is written', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    crowded.beforeRedemption(revokeAll);
    expectError(await exchange(code), 400, 'invalid_grant');
    expect(crowded.refreshTokens()).toBe(0);
    expect(audited).toEqual(['token.lost_race']);
  });

  test.each([
    ['of all connections', () => revokeAll],
    ['of the access token', ({ body }: JsonResponse) => revokeToken(body['access_token'])],
    ['of the refresh token itself', ({ body }: JsonResponse) => revokeToken(body['refresh_token'])],
  ])('%s: a refresh token gets invalid_grant, and no token is written', async (_name, revocation) => {
    const other = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const tokens = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const revoke = revocation(tokens);
    crowded.beforeRedemption(revoke);
    expectError(await refresh(schools.harbour, webMemberApp, tokens.body['refresh_token']), 400, 'invalid_grant');
    expect(crowded.refreshTokens()).toBe(2);
    expect(audited).toEqual(['token.issued', 'token.issued', 'token.lost_race']);
    const { status } = await refresh(schools.harbour, webMemberApp, other.body['refresh_token']);
    expect(status).toBe(revoke === revokeAll ? 400 : 200);
  });
});

test('a revocation on another device right before the redemption does not matter', async () => {
  const other = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
  crowded.beforeRedemption(revokeToken(other.body['refresh_token']));
  const { status, body } = await exchange(code);
  expect(status).toBe(200);
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
  expect((await userinfo(schools.harbour, other.body['access_token'])).status).toBe(401);
});

test(`${crowd} devices of one person refresh at once, and one of them signs out: all others go on`, async () => {
  const devices = await many(() => connect(schools.browser('sam'), schools.harbour, webMemberApp));
  const [gone, ...others] = devices;
  const [, ...responses] = await Promise.all([
    revokeToken(gone?.body['refresh_token'])(),
    ...others.map(({ body }) => refresh(schools.harbour, webMemberApp, body['refresh_token'])),
  ]);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { body } of responses) expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
});

/** The rule is written before one call of the refresh to the store, and what it takes away ends before a later one. */
interface Order {
  readonly written: number;
  readonly ended: number;
}

describe('a rule that becomes stricter while a refresh is in flight', () => {
  const target = { clientId: webMemberApp.id };
  const byTheRule = new AsyncLocalStorage<true>();
  let stepped: SteppedStore;
  let ruled: Schools;
  beforeEach(async () => {
    stepped = steppedStore();
    ruled = await startSchools({ campus: { store: stepped.store } });
  });
  afterEach(() => ruled.close());

  /** Refreshes while the rule is set, and returns how often the refresh has called the store, and what may be done with its access token. */
  async function interleaved(rule: AppRule, { written, ended }: Order) {
    const { body } = await connect(ruled.browser('sam'), ruled.harbour, webMemberApp);
    const [isEnding, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const set = () => byTheRule.run(true, () => ruled.campus.apps.set(siteOf(ruled), target, rule));
    let setting: Promise<unknown> | undefined;
    let calls = 0;
    stepped.before(async (method) => {
      if (byTheRule.getStore()) {
        if (method !== 'grantsOf') return;
        isEnding.resolve();
        return mayEnd.promise;
      }
      const call = calls++;
      if (call === written) {
        setting = set();
        await Promise.race([isEnding.promise, setting]);
      }
      if (call !== ended) return;
      mayEnd.resolve();
      await setting;
    });
    const refreshed = await refresh(ruled.harbour, webMemberApp, body['refresh_token']);
    mayEnd.resolve();
    await (setting ?? set());
    stepped.before(async () => {});
    const token = String(refreshed.body['access_token']);
    const verified = await ruled.campus.verify(ruled.harbour, token).catch(() => undefined);
    await ruled.campus.apps.reset(siteOf(ruled), target);
    return { calls, status: refreshed.status, scopes: verified?.scopes ?? [] };
  }

  test.each<[string, AppRule]>([
    ['scopes', { access: 'allowed', scopes: ['openid'] }],
    ['roles', { access: 'allowed', roles: ['owner'] }],
    ['an approval for each person', { access: 'allowed', ask: true }],
  ])('by %s leaves no token with what it takes away, whatever the order', async (_name, rule) => {
    const never = { written: Infinity, ended: Infinity };
    const { calls, status } = await interleaved(rule, never);
    expect(status).toBe(200);
    const orders = Array.from({ length: calls }, (_each, written) =>
      Array.from({ length: calls - written + 1 }, (_end, later) => ({ written, ended: written + later })),
    ).flat();
    const kept: unknown[] = [];
    for (const order of orders) {
      const { scopes } = await interleaved(rule, order);
      if (scopes.some((scope) => scope !== 'openid')) kept.push({ ...order, scopes });
    }
    expect([orders.length > calls, kept]).toEqual([true, []]);
  });
});
