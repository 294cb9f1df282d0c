import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Store } from '../../lib/store.ts';
import { nextLineToken } from '../../lib/records/line-tokens.ts';
import { passTime, resetClock, setClockAhead, stopClock } from '../helpers/clock.ts';
import {
  connect,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  refresh,
  revokeToken,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { recordPerTokenStore } from '../helpers/stores.ts';

const day = 24 * 60 * 60;
const form = /^[\w-]{22}~[\w-]{33}$/;

let schools: Schools;
const again = (token: unknown): Promise<JsonResponse> => refresh(schools.harbour, webMemberApp, token);
const start = async (): Promise<string> => {
  const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  return String(body['refresh_token']);
};
const next = async (token: unknown): Promise<string> => {
  const { status, body } = await again(token);
  expect(status).toBe(200);
  return String(body['refresh_token']);
};
/** The tokens of a connection, the first one first. */
async function line(length: number): Promise<string[]> {
  const tokens = [await start()];
  while (tokens.length < length) tokens.push(await next(tokens.at(-1)));
  return tokens;
}
async function expectRefused(token: string): Promise<void> {
  const { status, body } = await again(token);
  expect([status, body['error']]).toEqual([400, 'invalid_grant']);
}

describe('the refresh tokens of a connection', () => {
  beforeAll(async () => {
    schools = await startSchools();
  });
  afterAll(() => schools.close());
  beforeEach(() => void stopClock());
  afterEach(resetClock);

  test('are a line: they have the same handle, no dot, and four characters that follow from the rest', async () => {
    const tokens = await line(3);
    for (const token of tokens) expect(token).toMatch(form);
    expect(new Set(tokens.map((token) => token.split('~')[0])).size).toBe(1);
    expect(new Set(tokens).size).toBe(3);
    const other = await start();
    expect(other.split('~')[0]).not.toBe(tokens[0]?.split('~')[0]);
    const { body } = await introspect(schools.harbour, webMemberApp, other);
    expect(body).toMatchObject({ active: true, client_id: webMemberApp.id });
    expect(body).not.toHaveProperty('iat');
  });

  test.each([1, 2, 5, 20])('one that was redeemed %i refreshes ago ends the connection', async (back) => {
    const tokens = await line(back + 1);
    setClockAhead(31);
    const live = tokens.at(-1) ?? '';
    const { body } = await again(live);
    setClockAhead(62);
    await expectRefused(tokens[0] ?? '');
    await expectRefused(String(body['refresh_token']));
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
  });

  test('one that was redeemed just now gets the response again, also one of two refreshes ago', async () => {
    const [first, second] = await line(3);
    const [one, two] = [await again(first), await again(second)];
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.body['refresh_token']).toBe(second);
    expect((await again(first)).body).toEqual(one.body);
    expect((await again(two.body['refresh_token'])).status).toBe(200);
  });

  test('a damaged one is unknown, whichever character is wrong, and ends nothing', async () => {
    const [old = '', live = ''] = await line(2);
    setClockAhead(31);
    for (const token of [old, live]) {
      for (let i = 0; i < token.length; i += 6) {
        const other = token[i] === 'A' ? 'B' : 'A';
        await expectRefused(token.slice(0, i) + other + token.slice(i + 1));
      }
      for (const cut of [token.slice(0, -1), token.slice(1), `${token}A`, `${token} `, token.toLowerCase()])
        await expectRefused(cut);
    }
    expect((await again(live)).status).toBe(200);
  });

  test('the handle is no token, alone or in any dress, and ends nothing', async () => {
    const [old = '', live = ''] = await line(2);
    setClockAhead(31);
    const handle = old.slice(0, 22);
    for (const token of [handle, `${handle}~`, `line ${handle}`, `check ${handle}`, `~${old.slice(23)}`, `=${handle}`])
      await expectRefused(token);
    expect((await again(live)).status).toBe(200);
  });

  test('somebody who has the handle can end the connection, and cannot use it', async () => {
    const [old = '', live] = await line(2);
    setClockAhead(31);
    await expectRefused(nextLineToken(old, Math.floor(Date.now() / 1000) + day));
    expect((await again(live)).status).toBe(400);
  });

  test('one past its life is expired, not stolen: the connection goes on', async () => {
    const old = await start();
    setClockAhead(20 * day);
    const second = await next(old);
    setClockAhead(29 * day);
    const third = await next(second);
    setClockAhead(30 * day + 1);
    await expectRefused(old);
    const live = await next(third);
    // This one is still within its life, and was redeemed before.
    setClockAhead(30 * day + 40);
    await expectRefused(second);
    await expectRefused(live);
  });

  test('an expired one with a later date ends the connection, and gives nothing', async () => {
    const old = await start();
    setClockAhead(20 * day);
    const live = await next(old);
    setClockAhead(30 * day + 1);
    await expectRefused(old);
    await expectRefused(nextLineToken(old, Math.floor(Date.now() / 1000) + day));
    await expectRefused(live);
  });

  test('a request with a code does not continue the line of the token that is in its form', async () => {
    const live = await start();
    const code = await getCode(schools.browser('olivia'), schools.harbour, webMemberApp);
    const { status, body } = await exchange(code, { refresh_token: live });
    if (status === 200) expect(String(body['refresh_token']).split('~')[0]).not.toBe(live.split('~')[0]);
    expect((await again(live)).status).toBe(200);
  });

  test('an earlier one revokes the connection', async () => {
    const [old, live] = await line(2);
    setClockAhead(31);
    expect((await revokeToken(schools.harbour, webMemberApp, old)).status).toBe(200);
    expect((await again(live)).status).toBe(400);
  });
});

describe('a store', () => {
  afterEach(async () => {
    resetClock();
    await schools.close();
  });

  test('that says 0 of a redeemed token has not said "never"', async () => {
    const inner = memoryStore();
    const find: Store['find'] = async (...args) => {
      const found = await inner.find(...args);
      return found && typeof found.consumed === 'number' ? { ...found, consumed: 0, now: 100 } : found;
    };
    schools = await startSchools({ campus: { store: { ...inner, find } } });
    const [old = '', live = ''] = await line(2);
    await expectRefused(old);
    await expectRefused(live);
  });

  test('that does not know lines serves them too: reuse is found, and a lost response is repeated', async () => {
    schools = await startSchools({ campus: { store: recordPerTokenStore() } });
    const [first = '', second = '', third = ''] = await line(3);
    for (const token of [first, second, third]) expect(token).toMatch(form);
    expect((await again(second)).body['refresh_token']).toBe(third);
    passTime(31);
    const fourth = await next(third);
    await expectRefused(first);
    await expectRefused(fourth);
  });
});
