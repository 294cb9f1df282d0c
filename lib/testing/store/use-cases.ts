import assert from 'node:assert/strict';
import type { Grantee } from '../../records/grantee.ts';
import type { NewRecord } from '../../records/record.ts';
import type { GivenGrant, StorePage, UsedGrantee } from '../../records/store.ts';
import { type Bench, type Checks, each, same, until } from './case.ts';
import { grant, refreshOf, signIn } from './families.ts';

/** All entries, page by page; no page has more than its limit. */
async function walk<T>(limit: number, pageAfter: (after: string) => Promise<StorePage<T>>): Promise<T[]> {
  const all: T[] = [];
  let after: string | null | undefined = '';
  for (let pages = 0; typeof after === 'string'; pages += 1) {
    assert.ok(pages < 500, 'the pages do not end');
    const page: StorePage<T> = await pageAfter(after);
    assert.ok(page.entries.length <= limit, `a page of ${limit} has ${page.entries.length} entries`);
    all.push(...page.entries);
    after = page.next;
  }
  return all;
}

const used = (bench: Bench, limit = 100): Promise<UsedGrantee[]> =>
  walk(limit, (after) => bench.clientsByUse({ after, limit }));

const given = (bench: Bench, grantee: Grantee, limit = 100): Promise<GivenGrant[]> =>
  walk(limit, (after) => bench.grantsOf({ ...grantee, after, limit }));

const numbersIn = (all: readonly UsedGrantee[]): number[] => all.map(({ grants }) => grants);
const descending = (a: number, b: number): number => b - a;

/** A grant of a member of its own. */
const to = (clientId: string, id: string, app?: string): NewRecord => ({
  ...grant(id, `member of ${id}`, clientId),
  app,
});

/** Three grants to one client, two to each of two others, which are one app, and one to another client. */
async function fill(bench: Bench): Promise<void> {
  for (const [client, count, app] of [
    ['quiz', 3, undefined],
    ['laptop 1', 2, 'code'],
    ['laptop 2', 2, 'code'],
    ['timer', 1, undefined],
  ] as const) {
    for (let i = 0; i < count; i += 1) await bench.save(to(client, `${client} ${i}`, app));
  }
}

const filled: readonly UsedGrantee[] = [
  { app: 'code', grants: 4 },
  { clientId: 'quiz', grants: 3 },
  { clientId: 'timer', grants: 1 },
];

/** What ends grants to `quiz`, how many, and what is left. */
const ends: readonly { how: string; end: (bench: Bench) => Promise<unknown>; left: number }[] = [
  { how: 'one was removed', end: (bench) => bench.remove('Grant', 'quiz 0'), left: 2 },
  { how: 'those of a member were revoked', end: (bench) => bench.revoke({ memberId: 'member of quiz 1' }), left: 2 },
  { how: 'those to a client were revoked', end: (bench) => bench.revoke({ clientId: 'quiz' }), left: 0 },
  {
    how: 'two ended with their last families',
    async end(bench) {
      for (const id of ['quiz 0', 'quiz 1']) {
        await signIn(bench, id, id);
        await bench.endFamily(id, id);
      }
    },
    left: 1,
  },
];

/** Ids of which stores keep a short name, and others that look like such names. */
const oddIds = [
  `https://client.example/${'long/'.repeat(50)}`,
  '@code',
  '=code',
  '@=aaaaaaaaaaaaaaaaaaaaaa',
  'a b:c{d}\n%',
  '学習 '.repeat(20),
];

/** The order of clients by their grants, and the grants to each. */
export const useCases: Checks = {
  async 'use: clientsByUse has first whom most grants are given to; an app stands for its clients'(bench) {
    await fill(bench);
    same(await used(bench), filled);
    same(await used(bench.elsewhere()), []);
    same(await bench.countGrants([{ app: 'code' }, { clientId: 'laptop 1' }, { clientId: 'code' }]), [4, 2, 0]);
  },
  ...each(
    ends,
    ({ how }) => `use: the order has the grants that are left after ${how}, and again those that come back`,
    async (bench, { end, left }) => {
      await fill(bench);
      await end(bench);
      const others = filled.filter((entry) => !('clientId' in entry && entry.clientId === 'quiz'));
      const expected = [...others, ...(left > 0 ? [{ clientId: 'quiz', grants: left }] : [])];
      assert.deepEqual(new Set(await used(bench)), new Set(expected));
      same(numbersIn(await used(bench)), numbersIn(expected).sort(descending));
      assert.equal((await given(bench, { clientId: 'quiz' })).length, left);
      for (let i = 0; i < 3; i += 1) await bench.save(to('quiz', `quiz ${i}`));
      same(await used(bench), filled);
    },
  ),
  async 'use: the grants to a client of an app leave the app with it'(bench) {
    await fill(bench);
    assert.equal(await bench.revoke({ clientId: 'laptop 1' }), 2);
    same(
      (await used(bench)).find((entry) => 'app' in entry),
      { app: 'code', grants: 2 },
    );
    same((await given(bench, { app: 'code' })).map(({ id }) => id).sort(), ['laptop 2 0', 'laptop 2 1']);
    assert.equal(await bench.revoke({ memberId: 'member of laptop 2 0' }), 1);
    assert.equal(await bench.remove('Grant', 'laptop 2 1'), true);
    same(
      (await used(bench)).some((entry) => 'app' in entry),
      false,
    );
    same(await given(bench, { app: 'code' }), []);
  },
  async 'use: a sweep takes what it removes out of the order'(bench) {
    if (!bench.store.sweep) return;
    await fill(bench);
    for (let place: string | null | undefined = ''; typeof place === 'string';) {
      const step = await bench.store.sweep(
        bench.siteId,
        place,
        (kind, record) => kind === 'Grant' && record !== 'grant quiz 0',
      );
      place = step.next;
    }
    same(await used(bench), [{ clientId: 'quiz', grants: 1 }]);
    same(await given(bench, { app: 'code' }), []);
  },
  async 'use: what is saved again or not at all, and tokens, change no number'(bench) {
    await fill(bench);
    await bench.save({ ...to('quiz', 'quiz 0'), record: 'again', endsAccessTokens: true });
    await bench.save({ ...to('quiz', 'quiz 1'), replaces: 'another' });
    await bench.save({ ...to('quiz', 'quiz 2'), replaces: null });
    await bench.save({ ...to('laptop 1', 'laptop 1 0', 'code'), record: 'again' });
    await signIn(bench, 'phone', 'quiz 0');
    await bench.redeem(refreshOf('phone', 'next', 'quiz 0'));
    same(await used(bench), filled);
  },
  async 'use: pages of any size have every client once and in order, also where many have as many'(bench) {
    const clients = Array.from({ length: 30 }, (_, i) => ({ clientId: `client ${i}`, grants: 1 + Math.floor(i / 13) }));
    for (const { clientId, grants } of clients) {
      await Promise.all(Array.from({ length: grants }, (_, i) => bench.save(to(clientId, `${clientId} ${i}`))));
    }
    const all = await used(bench);
    assert.deepEqual(new Set(all), new Set(clients));
    same(numbersIn(all), numbersIn(clients).sort(descending));
    for (const limit of [1, 7, 30]) same(await used(bench, limit), all);
  },
  async 'use: whole ids come back, whatever they are'(bench) {
    for (const [i, id] of oddIds.entries()) {
      await bench.save(to(id, `to client ${i}`));
      await bench.save(to(`client ${i}`, `to app ${i}`, id));
      same(await given(bench, { clientId: id }), [{ id: `to client ${i}`, memberId: `member of to client ${i}` }]);
      same(await given(bench, { app: id }), [{ id: `to app ${i}`, memberId: `member of to app ${i}` }]);
    }
    const expected = oddIds.flatMap((id) => [
      { clientId: id, grants: 1 },
      { app: id, grants: 1 },
    ]);
    assert.deepEqual(new Set(await used(bench)), new Set(expected));
  },
  async 'use: grantsOf has first those that live longest, on pages of any size'(bench) {
    const lifetimes = { short: 100, long: 900, longer: 5000, saved: 10 };
    for (const [id, ttl] of Object.entries(lifetimes)) await bench.save({ ...to('app', id), ttl });
    await bench.save({ ...to('app', 'saved'), ttl: 2000 });
    await bench.save({ ...to('app', 'endless'), ttl: undefined });
    await bench.save({ ...to('app', 'endless too'), ttl: undefined });
    const expected = ['longer', 'saved', 'long', 'short'].map((id) => ({ id, memberId: `member of ${id}` }));
    for (const limit of [1, 2, 100]) {
      const all = await given(bench, { clientId: 'app' }, limit);
      same(
        all
          .slice(0, 2)
          .map(({ id }) => id)
          .sort(),
        ['endless', 'endless too'],
      );
      same(all.slice(2), expected);
    }
    same(await given(bench, { app: 'app' }), []);
    same(await given(bench.elsewhere(), { clientId: 'app' }), []);
  },
  async 'use: who removes the grants of each page comes past all of them'(bench) {
    const many = Array.from({ length: 50 }, (_, i) => `g ${i}`);
    await Promise.all(many.map((id) => bench.save(to(`client of ${id}`, id, 'app'))));
    const removed = await walk(7, async (after) => {
      const page = await bench.grantsOf({ app: 'app', after, limit: 7 });
      for (const { id, memberId } of page.entries) assert.equal(await bench.revoke({ memberId, grantId: id }), 1);
      return page;
    });
    same(removed.map(({ id }) => id).sort(), many.toSorted());
    same(await used(bench), []);
  },
  async 'use: a place that no page has returned is no error'(bench) {
    await fill(bench);
    for (const after of [
      'x',
      '1',
      '2 ',
      '-1 x',
      '1e99 x',
      'NaN x',
      'inf x',
      '1 \0',
      `9999999999 ${'x'.repeat(5000)}`,
      '3 學',
    ]) {
      await bench.clientsByUse({ after, limit: 10 });
      await bench.grantsOf({ clientId: 'quiz', after, limit: 10 });
    }
    for (const limit of [0, -1, NaN]) assert.ok((await bench.clientsByUse({ limit })).entries.length <= 3);
    assert.ok((await bench.grantsOf({ clientId: 'quiz', limit: Infinity })).entries.length <= 100);
  },
  async 'use: grants that come and go at the same moment leave the right numbers'(bench) {
    const ids = Array.from({ length: 40 }, (_, i) => `${i}`);
    await Promise.all(ids.map((id) => bench.save(to('app', id))));
    await Promise.all(
      ids.flatMap((id, i) => [
        i % 2 === 0 ? bench.remove('Grant', id) : bench.save({ ...to('app', id), record: 'again' }),
        bench.save(to('other', `other ${id}`)),
        ...(i % 4 === 1 ? [bench.revoke({ memberId: `member of ${id}` })] : []),
      ]),
    );
    const left = (await given(bench, { clientId: 'app' })).length;
    assert.ok(left >= 10 && left <= 20, `${left} grants are left`);
    same(await used(bench), [
      { clientId: 'other', grants: 40 },
      { clientId: 'app', grants: left },
    ]);
  },
  async 'expiry: grants that have expired are neither counted nor listed by use'(bench) {
    for (const id of ['1', '2']) await bench.save({ ...to('quiz', `short ${id}`), ttl: 1 });
    await bench.save(to('quiz', 'quiz'));
    await bench.save({ ...to('timer', 'timer'), ttl: 1 });
    for (const id of ['1', '2']) await bench.save(to(`laptop ${id}`, `laptop ${id}`, 'code'));
    await bench.save({ ...to('laptop 3', 'laptop 3', 'code'), ttl: 1 });
    const expected = [
      { app: 'code', grants: 2 },
      { clientId: 'quiz', grants: 1 },
    ];
    await until('an expired grant is counted or listed', async () => {
      const [all, ofQuiz, ofCode] = [
        await used(bench),
        await given(bench, { clientId: 'quiz' }),
        await given(bench, { app: 'code' }),
      ];
      return all.length === 2 && all[0]?.grants === 2 && ofQuiz.length === 1 && ofCode.length === 2;
    });
    same(await used(bench), expected);
    // What has expired may still have its place.
    assert.deepEqual(new Set(await used(bench, 1)), new Set(expected));
    same(await bench.countGrants([{ clientId: 'quiz' }, { clientId: 'timer' }, { app: 'code' }]), [1, 0, 2]);
    await bench.save(to('timer', 'timer'));
    assert.deepEqual(new Set(await used(bench)), new Set([...expected, { clientId: 'timer', grants: 1 }]));
  },
};
