import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type Campus, type CampusKeys, createCampus, type FaultEvent, type Jwk } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { fakePlatform } from '../../lib/testing/index.ts';
import { resetClock, setClockAhead, stopClock } from '../helpers/clock.ts';
import { signingKey } from '../helpers/keys.ts';

const [one, two, three] = await Promise.all(['same name', 'same name', 'next'].map((kid) => signingKey(kid)));
const [a, b, c] = [
  'a secret of the first process',
  'a secret of the second process',
  'a secret that is new in this one',
];

const schools = [{ id: 'harbour', origin: 'https://harbour.example', name: 'Harbour' }];

/** A process: a campus on a store that others share. */
interface Process {
  readonly campus: Campus;
  readonly faults: FaultEvent[];
}

function startProcess(store: Store, keys: CampusKeys | (() => CampusKeys)): Process {
  const faults: FaultEvent[] = [];
  const platform = fakePlatform({ schools, people: {} });
  const campus = createCampus({ platform, store, keys });
  campus.events.on('fault', (fault) => faults.push(fault));
  return { campus, faults };
}

const keysOf = (
  signing: (Jwk | undefined)[],
  cookies: (string | undefined)[],
  published: (Jwk | undefined)[] = [],
): CampusKeys => ({
  signing: signing.flatMap((key) => key ?? []),
  published: published.flatMap((key) => key ?? []),
  cookies: cookies.flatMap((secret) => secret ?? []),
});

async function differing({ campus }: Process): Promise<string[]> {
  return (await campus.diagnose()).filter(({ id }) => id === 'keys-differ').map(({ text }) => text);
}

/** What two processes on one store notice when each has announced its keys twice, as a readiness check makes it do. */
async function noticed(keys: readonly CampusKeys[]): Promise<readonly [faults: string[], findings: string[]]> {
  const store = memoryStore();
  const processes = keys.map((each) => startProcess(store, each));
  for (const { campus } of [...processes, ...processes]) {
    expect(await campus.health({ write: true })).toMatchObject({ ok: true });
  }
  const faults = processes.map(({ faults: all }) =>
    all.map(({ message, cause }) => `${message}: ${String(cause)}`).join(),
  );
  return [faults, (await Promise.all(processes.map(differing))).flat()];
}

afterEach(resetClock);

describe('processes that share a store', () => {
  const differ: [string, CampusKeys, CampusKeys, string][] = [
    ['cookie secrets', keysOf([one], [a]), keysOf([one], [b]), 'cookie secrets'],
    ['signing keys, of one name', keysOf([one], [a]), keysOf([two], [a]), 'signing keys'],
    ['both', keysOf([one], [a, c]), keysOf([two], [b]), 'cookie secrets \\(.*\\) and signing keys'],
  ];
  test.each(differ)('with different keys: %s', async (_what, first, second, words) => {
    const [faults, findings] = await noticed([first, second]);
    const text = `another process on this store has announced other ${words} \\(\\d+ seconds ago\\)`;
    expect(faults).toHaveLength(2);
    for (const fault of faults) {
      expect(fault).toMatch(
        new RegExp(
          `^the processes on this store have different keys: Error: ${text}; load the same keys in all processes`,
        ),
      );
    }
    expect(findings).toHaveLength(2);
    for (const finding of findings) expect(finding).toMatch(new RegExp(`^${text}$`));
  });

  const same: [string, CampusKeys, CampusKeys][] = [
    ['the same', keysOf([one], [a]), keysOf([one], [a])],
    ['a key that one of them publishes already', keysOf([one], [a]), keysOf([one], [a], [three])],
    ['a new key that signs in one of them', keysOf([one], [a], [three]), keysOf([three], [a], [one])],
    ['the old key, which one of them has removed', keysOf([three], [a], [one]), keysOf([three], [a])],
    ['a new secret in front', keysOf([one], [a]), keysOf([one], [b, a])],
    ['the old secret, which one of them has removed', keysOf([one], [b, a]), keysOf([one], [b])],
  ];
  test.each(same)('nothing is found in a rotation: %s', async (_what, first, second) => {
    expect(await noticed([first, second])).toEqual([['', ''], []]);
  });

  test('a campus that has announced nothing, as in the command diagnose, sees the others; it writes nothing', async () => {
    const inner = memoryStore();
    const writes: string[] = [];
    const store: Store = {
      ...inner,
      save: (siteId, entry) => {
        writes.push(entry.kind);
        return inner.save(siteId, entry);
      },
    };
    await startProcess(store, keysOf([one], [a])).campus.health({ write: true });
    const looking = startProcess(store, keysOf([one], [b]));
    expect(await differing(looking)).toHaveLength(1);
    expect(await looking.campus.health()).toMatchObject({ ok: true });
    // The keys, and what the check removes.
    expect([writes, looking.faults]).toEqual([['KeyFingerprints', 'KeyFingerprints'], []]);
  });

  test('one that was heard of ten minutes ago does not count, and what it wrote goes', async () => {
    const store = memoryStore();
    const [first, second] = [startProcess(store, keysOf([one], [a])), startProcess(store, keysOf([one], [b]))];
    const later = stopClock();
    await first.campus.health({ write: true });
    later(300);
    await second.campus.health({ write: true });
    expect([second.faults.length, await differing(second)]).toEqual([
      1,
      [expect.stringContaining('(300 seconds ago)')],
    ]);
    later(601);
    expect(await differing(second)).toEqual([]);
    await second.campus.health({ write: true });
    expect(Object.keys(await setsOf(store))).toHaveLength(1);
  });

  test('a process that was closed does not count, and those with the same keys go on', async () => {
    const store = memoryStore();
    const [first, second, wrong] = [
      startProcess(store, keysOf([one], [a])),
      startProcess(store, keysOf([one], [a])),
      startProcess(store, keysOf([one], [b])),
    ];
    for (const { campus } of [first, second, wrong]) await campus.health({ write: true });
    expect(await differing(first)).toHaveLength(1);
    await wrong.campus.close();
    expect(await differing(first)).toEqual([]);
    await second.campus.close();
    expect(await differing(startProcess(store, keysOf([one], [b])))).toEqual([]);
    await first.campus.health({ write: true });
    expect(await differing(startProcess(store, keysOf([one], [b])))).toHaveLength(1);
  });

  test('a campus that has announced nothing writes nothing when it is closed', async () => {
    const store: Store = { ...memoryStore(), save: () => Promise.reject(new Error('disk full')) };
    const { campus, faults } = startProcess(store, keysOf([one], [a]));
    await campus.close();
    expect(faults).toEqual([]);
  });

  test('a process that was killed counts for three of its checks, and for a minute at least', async () => {
    const store = memoryStore();
    const [first, wrong] = [startProcess(store, keysOf([one], [a])), startProcess(store, keysOf([one], [b]))];
    const later = stopClock();
    const check = async (seconds: number, ...alive: Process[]): Promise<number> => {
      later(seconds);
      for (const { campus } of alive) await campus.health({ write: true });
      return (await differing(first)).length;
    };
    expect([await check(0, first, wrong), await check(40, first, wrong)]).toEqual([1, 1]);
    expect([await check(80, first), await check(159, first), await check(161, first)]).toEqual([1, 1, 0]);
    // It is back, and was checked every second.
    for (const seconds of [170, 171, 172, 173, 174, 175, 176]) expect(await check(seconds, wrong)).toBe(1);
    expect([await check(235, first), await check(237, first)]).toEqual([1, 0]);
  });

  test('one that was killed after its first check counts for three checks of the others', async () => {
    const store = memoryStore();
    const [first, wrong] = [startProcess(store, keysOf([one], [a])), startProcess(store, keysOf([one], [b]))];
    const later = stopClock();
    for (const [seconds, { campus }] of [
      [0, first],
      [30, first],
      [40, wrong],
      [60, first],
    ] as const) {
      later(seconds);
      await campus.health({ write: true });
    }
    expect(await differing(first)).toHaveLength(1);
    later(131);
    expect(await differing(first)).toEqual([]);
  });

  test('when all processes have changed their keys, none has the ones before', async () => {
    const store = memoryStore();
    let keys = keysOf([one], [a]);
    const both = [startProcess(store, () => keys), startProcess(store, () => keys)];
    for (const { campus } of both) await campus.health({ write: true });
    keys = keysOf([two], [b]);
    setClockAhead(11);
    for (const { campus } of both) await campus.health({ write: true });
    expect(await Promise.all(both.map(differing))).toEqual([[], []]);
  });

  test('however many processes make keys of their own, eight are remembered', async () => {
    const store = memoryStore();
    for (let i = 0; i < 10; i += 1) {
      await startProcess(store, keysOf([one], [`a secret of the process ${i}`])).campus.health({ write: true });
    }
    expect(Object.keys(await setsOf(store))).toHaveLength(8);
  });

  test('keys that change into ones that the others do not have are a fault, once for each change', async () => {
    const store = memoryStore();
    let mine = keysOf([one], [a]);
    const [first, second] = [startProcess(store, () => mine), startProcess(store, keysOf([one], [a]))];
    const check = async (): Promise<number[]> => {
      for (const { campus } of [first, second, first, second]) await campus.health({ write: true });
      return [first.faults.length, second.faults.length];
    };
    expect(await check()).toEqual([0, 0]);
    mine = keysOf([one], [b]);
    setClockAhead(11);
    expect(await check()).toEqual([1, 1]);
    mine = keysOf([one], [c]);
    setClockAhead(22);
    expect(await check()).toEqual([2, 1]);
  });
});

async function recordOf(store: Store): Promise<{ readonly salt: string; readonly sets: object }> {
  const found = await store.find('', 'KeyFingerprints', 'shared');
  return JSON.parse(found?.record ?? '{}');
}

async function setsOf(store: Store): Promise<object> {
  return (await recordOf(store)).sets;
}

test('what is stored says nothing about a secret, and is different in each store', async () => {
  const stores = [memoryStore(), memoryStore()];
  for (const store of stores) await startProcess(store, keysOf([one], [a])).campus.health({ write: true });
  const [first, second] = await Promise.all(stores.map(recordOf));
  expect(JSON.stringify(first)).not.toContain(a);
  expect(JSON.stringify(first)).not.toContain(one?.d);
  const cookies = (record: object | undefined): unknown =>
    Object.values(Object(record).sets).flatMap((set) => Object(set).cookies);
  expect(cookies(first)).toEqual([expect.stringMatching(/^[\w-]{11}$/)]);
  expect(cookies(first)).not.toEqual(cookies(second));
});

test('a wrong option is a TypeError, and a store that fails is not healthy', async () => {
  const store: Store = { ...memoryStore(), save: () => Promise.reject(new Error('disk full')) };
  const { campus, faults } = startProcess(store, keysOf([one], [a]));
  await expect(Reflect.apply(Reflect.get(campus, 'health'), campus, [{ writes: true }])).rejects.toThrow(
    new TypeError('unknown option "health.writes"; did you mean "health.write"?'),
  );
  expect(await campus.health({ write: true })).toMatchObject({ ok: false });
  const failed = { message: 'store.save failed', cause: new Error('disk full') };
  expect(faults).toEqual([failed]);
});
