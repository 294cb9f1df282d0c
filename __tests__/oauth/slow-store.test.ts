import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type Store, timeLeft } from '../../lib/store.ts';
import type { Browser } from '../helpers/browser.ts';
import { authorizeUrl, connect, exchange, getCode, pkce, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const deadline = 0.2;

/** How a store in memory behaves. */
interface Behaviour {
  /** Seconds that a call takes if it may. */
  takes: number;
  /** The seconds within which each call had to settle. */
  readonly allowed: number[];
  /** One for each slow call: the request that made it may have ended by then. */
  readonly passing: Promise<void>[];
  /** The calls that began after one had failed. */
  vain: number;
  failed: boolean;
}

const behaviour: Behaviour = { takes: 0, allowed: [], passing: [], vain: 0, failed: false };

function slowStore(inner: Store, canHurry: boolean): Store {
  return new Proxy(inner, {
    get: (target, name) => {
      if (name === 'deadline') return deadline;
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]): Promise<unknown> => {
        const left = timeLeft() ?? deadline;
        const seconds = canHurry ? left : deadline;
        behaviour.allowed.push(seconds);
        if (behaviour.failed) behaviour.vain += 1;
        if (behaviour.takes > 0) {
          const passing = pass(Math.min(behaviour.takes, seconds));
          behaviour.passing.push(passing);
          await passing;
        }
        if (behaviour.takes > seconds) {
          behaviour.failed = true;
          throw new Error('the store hangs');
        }
        // Nobody waits for it any more: what comes of it comes later than this test.
        if (behaviour.takes > left) return new Promise(() => {});
        return Reflect.apply(method, target, args);
      };
    },
  });
}

/** Puts timers, and what they measure by, on until these seconds are over. Calls of the store at the same time share them. */
async function pass(seconds: number): Promise<void> {
  // What is called without waiting for this call begins before time passes.
  await setImmediate();
  const time = { isOver: false };
  setTimeout(() => (time.isOver = true), seconds * 1000);
  while (!time.isOver) await jest.advanceTimersToNextTimerAsync();
}

/** Timers and what they measure by stand still, but for the calls of the store: each puts them on by as long as it takes. */
function stopTime(): void {
  jest.useFakeTimers({ doNotFake: ['Date', 'setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] });
}
beforeEach(stopTime);
afterEach(() => {
  jest.useRealTimers();
});

describe.each([
  ['that asks how much time is left', true],
  ['that does not', false],
])('with a store %s', (_name, canHurry) => {
  let schools: Schools;
  let sam: Browser;
  let accessToken: unknown;
  let refreshToken: unknown;
  beforeAll(async () => {
    schools = await startSchools({
      campus: { store: slowStore(memoryStore(), canHurry) },
      app: (campus) => new Koa().use(campus.middleware()).use(campus.requireAccess({ scopes: ['account:read'] })),
    });
    sam = schools.browser('sam');
    // A slow machine must not use the deadline up.
    stopTime();
    const { body } = await connect(sam, schools.harbour, webMemberApp);
    [accessToken, refreshToken] = [body['access_token'], body['refresh_token']];
  });
  afterEach(() => void Object.assign(behaviour, { takes: 0, failed: false }));
  afterAll(() => schools.close());

  /** Makes a request while the store is slow, and returns the status and what its calls were allowed. */
  async function ask(takes: number, request: () => Promise<{ status: number }>): Promise<[number, readonly number[]]> {
    Object.assign(behaviour, { takes, vain: 0 });
    behaviour.allowed.length = 0;
    schools.faults.length = 0;
    const { status } = await request();
    await Promise.all(behaviour.passing.splice(0));
    return [status, [...behaviour.allowed]];
  }

  const authorize = (browser: Browser) => () =>
    browser.fetch(authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'none' }));
  const protectedRoute = (): Promise<Response> =>
    fetch(`${schools.harbour}/courses`, { headers: { authorization: `Bearer ${String(accessToken)}` } });

  test('a sign-in, a refresh or a use of a token waits for one deadline in all when it hangs', async () => {
    const requests: (() => Promise<{ status: number }>)[] = [
      authorize(sam),
      authorize(schools.browser('sam')),
      () => refresh(schools.harbour, webMemberApp, refreshToken),
      () => userinfo(schools.harbour, accessToken),
      protectedRoute,
    ];
    for (const request of requests) {
      behaviour.failed = false;
      const [status, allowed] = await ask(60, request);
      expect([status, behaviour.vain]).toEqual([503, 0]);
      expect(allowed[0]).toBe(deadline);
      // The calls that used the time up, and no other one.
      expect(schools.faults).toHaveLength(allowed.length);
    }
  });

  test('a request whose calls are all slow makes as many as fit into one deadline', async () => {
    const code = await getCode(sam, schools.harbour, webMemberApp);
    const [ordinary, all] = await ask(0, () => refresh(schools.harbour, webMemberApp, refreshToken));
    expect([ordinary, all.length >= 2]).toEqual([200, true]);
    // Not one call is too slow by itself.
    const [status, allowed] = await ask(deadline * 0.7, () => exchange(code));
    expect(status).toBe(503);
    // A code and the rule for its client are read at the same time.
    expect(allowed.length).toBeLessThanOrEqual(3);
    if (canHurry) expect(allowed.at(-1)).toBeLessThan(deadline * 0.6);
    Object.assign(behaviour, { takes: 0, failed: false });
    expect((await exchange(code)).status).toBe(200);
  });

  test('a use of a token is served as long as its one call is in time', async () => {
    expect(await ask(deadline * 0.45, () => userinfo(schools.harbour, accessToken))).toEqual([200, [deadline]]);
  });
});
