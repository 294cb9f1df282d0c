import assert from 'node:assert/strict';
import { isAlwaysListed, isRecordKind, isToken, type RecordKind } from '../../records/record.ts';
import { recordKinds } from '../../records/record-kinds.ts';
import type { SweepFilter, SweepStep, RecordCounts } from '../../records/store.ts';
import { type Bench, type Checks, has, same } from './case.ts';
import { code, found, grant, refreshOf, signIn } from './families.ts';

/** Those whose records belong to no grant. */
const alone: readonly RecordKind[] = Object.keys(recordKinds)
  .filter(isRecordKind)
  .filter((kind) => kind !== 'Grant' && !isToken(kind));

/** All steps, each of which is taken twice: how many records they say, by kind. */
async function sweep({ store, siteId }: Bench, removes: boolean | SweepFilter): Promise<RecordCounts> {
  const all: Partial<Record<string, number>> = {};
  let place: string | null | undefined = '';
  while (typeof place === 'string') {
    const step: SweepStep | undefined = await store.sweep?.(siteId, place, removes);
    if (!step) return all;
    for (const [kind, count] of Object.entries(step.records)) all[kind] = (all[kind] ?? 0) + count;
    if (removes !== false) await store.sweep?.(siteId, place, removes);
    place = step.next;
  }
  return all;
}

/** Connections of sam and olivia, with what has ended, and records with and without an end. */
async function fill(bench: Bench): Promise<void> {
  for (const [id, member] of [
    ['1', 'sam'],
    ['2', 'olivia'],
  ] as const) {
    await bench.save({ ...grant(id, member, 'app'), record: member });
    await signIn(bench, id, id);
    await bench.save({ kind: 'Session', id: `session ${id}`, record: member, ttl: 60 });
    await bench.save({ kind: 'Client', id: `listed ${id}`, record: member, listed: true });
  }
  await bench.save({ ...grant('3', 'sam', 'app'), record: 'sam', ttl: undefined });
  await bench.save({ ...code('3', '3'), record: 'sam' });
  await bench.endFamily('3', '3');
  for (const kind of alone)
    await bench.save({ kind, id: 'alone', record: kind, ...(isAlwaysListed(kind) ? { listed: true } : { ttl: 60 }) });
  await bench.consumeQuota([{ name: 'a', limit: 5 }], 60);
}

const left = async (bench: Bench): Promise<object> => ({
  one: await found(bench, '1'),
  two: await found(bench, '2'),
  grants: [await bench.exists('Grant', '1'), await bench.exists('Grant', '2')],
  sessions: [await bench.textOf('Session', 'session 1'), await bench.textOf('Session', 'session 2')],
  alone: (await Promise.all(alone.map((kind) => bench.textOf(kind, 'alone')))).filter((text) => text !== undefined),
  clients: (await bench.list('Client')).sort(),
  ids: [...(await bench.grantIds({ memberId: 'sam' })), ...(await bench.grantIds({ memberId: 'olivia' }))],
  count: await bench.countGrants([{ clientId: 'app' }]),
});

/** A store without `sweep` passes these cases. */
export const sweepCases: Checks = {
  async 'sweep: with true, nothing of the school is left, and another school keeps everything'(bench) {
    if (!bench.store.sweep) return;
    const other = bench.elsewhere();
    for (const each of [bench, other]) await fill(each);
    const before = await left(other);
    assert.deepEqual(await left(bench), before);
    has(before, { alone });
    await sweep(bench, true);
    same(await left(bench), {
      one: [],
      two: [],
      grants: [false, false],
      sessions: [undefined, undefined],
      alone: [],
      clients: [],
      ids: [],
      count: [0],
    });
    assert.deepEqual(await left(other), before);
    assert.deepEqual(await sweep(bench, false), {});
    // A code of before does not come back with its grant.
    await bench.save(grant('1', 'sam', 'app'));
    assert.equal(await bench.exists('AuthorizationCode', 'code 1'), false);
    assert.deepEqual(await bench.countGrants([{ clientId: 'app' }]), [1]);
  },
  async 'sweep: with false, it counts what is stored, and removes nothing'(bench) {
    if (!bench.store.sweep) return;
    await fill(bench);
    const before = await left(bench);
    has(await sweep(bench, false), { Session: 3, Client: 3, ClientCredentials: 1 });
    assert.deepEqual(await left(bench), before);
  },
  async 'sweep: with a filter, it removes the records that the filter chooses, by kind and text'(bench) {
    if (!bench.store.sweep) return;
    await fill(bench);
    const kinds = new Set<string>();
    const removed = await sweep(bench, (kind, record) => {
      kinds.add(kind);
      return kind !== 'Grant' && record === 'sam';
    });
    has(removed, { Session: 1, Client: 1 });
    for (const kind of ['Session', 'Client', 'Grant', 'AuthorizationCode']) assert.ok(kinds.has(kind), kind);
    assert.deepEqual(await bench.list('Client'), ['olivia']);
    assert.equal(await bench.exists('Session', 'session 1'), false);
    assert.equal(await bench.textOf('Session', 'session 2'), 'olivia');
    assert.equal(await bench.exists('Grant', '1'), true);
    same(await bench.redeem(refreshOf('2', 'next', '2')), { won: true });
  },
};
