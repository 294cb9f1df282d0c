import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createDeliveries, type Delivery } from '../../../lib/features/logout/domain/deliveries.ts';
import type { AuditDetails } from '../../../lib/observe/audit-event.ts';
import { resetClock, stopTime } from '../../helpers/clock.ts';

afterEach(resetClock);

/** Deliveries to addresses that answer as the test says, or hang until it ends. */
function start(answer: (address: string) => number | 'hangs') {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const called: string[] = [];
  const events: AuditDetails[] = [];
  const faults: string[] = [];
  const deliveries = createDeliveries({
    post: async (_siteId, address) => {
      called.push(address);
      const status = answer(address);
      if (status !== 'hangs') return status;
      await released;
      return 500;
    },
    onAudit: (event) => events.push(event),
    onFault: (message, cause) => faults.push(`${message}: ${String(cause)}`),
  });
  return {
    called,
    faults,
    undelivered: () => deliveries.undelivered(),
    reasons: () => events.map(({ action, reason }) => reason ?? action),
    add: (address: string, { siteId = 'harbour', ...changes }: Partial<Delivery> = {}): void => {
      const parties = { clientId: address, memberId: 'sam', connectionId: 'c' };
      deliveries.add({ siteId, ...parties, address, token: () => 'token', ...changes });
    },
    /** Until all that can be called now has been. */
    settled: (): Promise<void> => setImmediate(),
    finished: async (): Promise<void> => {
      release();
      await deliveries.close();
    },
  };
}

const dead = (host: number): string => `https://dead-${host}.example/logout`;
const works = 'https://works.example/logout';

describe('110 sign-outs of a student with 10 applications that hang', () => {
  async function flood(changes: (i: number) => Partial<Delivery> = () => ({})) {
    const all = start((address) => (address === works ? 200 : 'hangs'));
    for (let i = 0; i < 1000; i += 1) all.add(dead(i % 10), changes(i));
    await all.settled();
    return all;
  }

  test('leave places to another school, whose logout token is posted at once', async () => {
    const { add, called, settled, finished } = await flood();
    expect(called).toHaveLength(5);
    add(works, { siteId: 'summit' });
    await settled();
    expect(called.slice(5)).toEqual([works]);
    await finished();
  });

  test('an event and a fault name what has no room; another school has room', async () => {
    const { add, settled, reasons, faults, undelivered, finished } = await flood();
    for (let i = 0; i < 7; i += 1) add(dead(0));
    expect(reasons()).toEqual(Array(7).fill('no_room'));
    expect(faults).toEqual([
      'logout tokens are left out: Error: too many logout tokens of the school harbour wait already',
    ]);
    expect(undelivered()).toMatchObject([
      { clientId: dead(0), reason: 'was not called, since too many logout tokens of the school wait' },
    ]);
    add(works, { siteId: 'summit' });
    await settled();
    expect(reasons().slice(7)).toEqual(['logout.delivered']);
    await finished();
  });

  test('and at five schools, whose turns it is after that one', async () => {
    const { add, called, settled, finished } = await flood((i) => ({ siteId: `school-${i % 5}` }));
    expect(called).toHaveLength(10);
    add(works, { siteId: 'summit' });
    await settled();
    expect(called).toHaveLength(10);
    await finished();
    expect(called.indexOf(works)).toBeLessThan(10 + 6);
  });
});

test('a host that hangs has half of the places, however many schools call it', async () => {
  const { add, called, settled, finished } = start((address) => (address === works ? 200 : 'hangs'));
  for (let i = 0; i < 20; i += 1) add(dead(0), { siteId: `school-${i}` });
  add(works, { siteId: 'summit' });
  await settled();
  expect(called).toEqual([...Array(5).fill(dead(0)), works]);
  await finished();
});

test('between its tries a delivery holds no place', async () => {
  const { add, called, settled, finished } = start((address) => (address === works ? 200 : 500));
  for (let i = 0; i < 20; i += 1) add(dead(i));
  add(works);
  await settled();
  expect(called).toHaveLength(21);
  expect(called).toContain(works);
  await finished();
});

describe('an address that has failed three times in a row', () => {
  async function resting() {
    const answers = { status: 500 };
    const after = stopTime();
    const all = start(() => answers.status);
    /** How often the address is called for one more logout token. */
    const calls = async (): Promise<number> => {
      const before = all.called.length;
      all.add(works);
      await all.settled();
      // What waits for the end of a rest does not wait for it here.
      await all.finished();
      return all.called.length - before;
    };
    expect(await calls()).toBe(3);
    return { ...all, answers, after, calls };
  }

  test('rests for a minute, and then twice as long after each failure, up to an hour', async () => {
    const { calls, after, reasons, undelivered } = await resting();
    expect(await calls()).toBe(0);
    let now = 0;
    for (const seconds of [60, 120, 240, 480, 960, 1920, 3600, 3600]) {
      after(now + seconds - 1);
      expect(await calls()).toBe(0);
      after((now += seconds));
      expect(await calls()).toBe(1);
    }
    expect(new Set(reasons())).toEqual(new Set(['status_500', 'resting']));
    expect(undelivered()).toMatchObject([{ clientId: works, reason: 'answered 500, three times' }]);
  });

  test('is called as before after a success', async () => {
    const { calls, after, answers, reasons } = await resting();
    after(60);
    answers.status = 200;
    expect(await calls()).toBe(1);
    answers.status = 500;
    expect(await calls()).toBe(3);
    expect(reasons()).toEqual(['status_500', 'logout.delivered', 'status_500']);
  });

  test('rests for that application alone', async () => {
    const { add, called, settled, finished } = await resting();
    add(works, { clientId: 'another' });
    add(works, { siteId: 'summit' });
    await settled();
    expect(called).toHaveLength(3 + 2);
    await finished();
  });
});
