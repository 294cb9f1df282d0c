import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../helpers/responses.ts';
import { connect, exchange, getCode, type JsonResponse, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { type CrowdedStore, crowdedStore } from '../helpers/stores.ts';

const crowd = 32;

let crowded: CrowdedStore;
let schools: Schools;
let audited: string[];
beforeEach(async () => {
  crowded = crowdedStore();
  schools = await startSchools({ campus: { store: crowded.store } });
  audited = listen(schools);
});
afterEach(() => schools.close());

/** Collects the audit events of redemptions from here on. */
function listen({ campus }: Schools): string[] {
  const collected: string[] = [];
  campus.events.on('audit', ({ what, decision, reason = '' }) => {
    if (what === 'token' || what === 'refresh') collected.push(`${what} ${decision} ${reason}`.trim());
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
    expect(audited.sort()).toEqual(['token allowed', ...times(crowd - 1, 'token refused lost_race')]);
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
    expect(audited.sort()).toEqual([
      'refresh allowed',
      ...times(crowd - 1, 'refresh allowed replayed'),
      'token allowed',
    ]);
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
    expect(reasons.sort()).toEqual(['refresh allowed', ...times(crowd - 1, 'refresh refused lost_race')]);
    await strict.close();
  });
});

const revoke = (): Promise<unknown> => crowded.store.revoke('harbour', { memberId: 'sam' });

describe('a revocation right before the redemption wins the race:', () => {
  test('a code gets invalid_grant, and no token is written', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    crowded.beforeRedemption(revoke);
    expectError(await exchange(code), 400, 'invalid_grant');
    expect(crowded.refreshTokens()).toBe(0);
    expect(audited).toEqual(['token refused lost_race']);
  });

  test('a refresh token gets invalid_grant, and no token is written', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    crowded.beforeRedemption(revoke);
    expectError(await refresh(schools.harbour, webMemberApp, body['refresh_token']), 400, 'invalid_grant');
    expect(crowded.refreshTokens()).toBe(1);
    expect(audited).toEqual(['token allowed', 'refresh refused lost_race']);
  });
});
