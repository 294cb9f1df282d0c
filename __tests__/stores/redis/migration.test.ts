import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { NewRecord, RecordKind, Store, TokenKind } from '../../../lib/store.ts';
import { type RedisCluster, startCluster } from '../../helpers/redis.ts';

/** Every key of the school in these tests. */
const keys = ['X:use', 'a:code', 'g:g', 'm:sam', 'r:r', 't:t', 'x:app'];

let cluster: RedisCluster;
let client: Cluster;
let nodes: Redis[];
let store: Store;
let slot: number;
let source: Redis;
let target: Redis;
const name = (key: string): string => `campus:{school}:${key}`;
beforeAll(async () => {
  cluster = await startCluster();
  // Few and quick retries: the slot stays moved until the test ends.
  client = new Cluster(cluster.seeds, {
    maxRedirections: 3,
    retryDelayOnTryAgain: 5,
    redisOptions: { disconnectTimeout: 100 },
  });
  store = redisStore(client, { deadline: 10_000 });
  nodes = cluster.nodes.map(({ port }) => new Redis(port));
  const [first, second, third] = nodes;
  if (!first || !second || !third) throw new Error('no masters');
  slot = Number(await first.call('CLUSTER', 'KEYSLOT', name('x:app')));
  const owner = Math.floor(slot / Math.ceil(16_384 / 3));
  source = [first, second, third][owner] ?? first;
  target = [second, third, first][owner] ?? second;
});
afterAll(async () => {
  client?.disconnect();
  for (const node of nodes) node.disconnect();
  await cluster?.stop();
});

const id = async (node: Redis): Promise<string> => String(await node.call('CLUSTER', 'MYID'));

async function setSlot(node: Redis, ...state: string[]): Promise<void> {
  await node.call('CLUSTER', 'SETSLOT', slot, ...state);
}

async function migrate(from: Redis, to: Redis, keyNames: readonly string[]): Promise<void> {
  if (keyNames.length === 0) return;
  await from.call('MIGRATE', '127.0.0.1', to.options.port ?? 0, '', 0, 1000, 'KEYS', ...keyNames);
}

async function startMoving(moved: readonly string[]): Promise<void> {
  await setSlot(target, 'IMPORTING', await id(source));
  await setSlot(source, 'MIGRATING', await id(target));
  await migrate(source, target, moved.map(name));
}

/** Ends the migration by moving all keys back. */
async function moveBack(): Promise<void> {
  await setSlot(source, 'STABLE');
  const away = await target.call('CLUSTER', 'GETKEYSINSLOT', slot, 100);
  await migrate(target, source, Array.isArray(away) ? away.map(String) : []);
  await setSlot(target, 'STABLE');
}

const token = (kind: TokenKind, its: string, familyId = 'f'): NewRecord => ({
  kind,
  id: its,
  record: its,
  ttl: 60,
  grantId: 'g',
  familyId,
});

beforeEach(async () => {
  await source.flushall();
  await store.save('school', { kind: 'Grant', id: 'g', record: 'g', ttl: 60, memberId: 'sam', clientId: 'app' });
  await store.save('school', token('AuthorizationCode', 'code'));
  await store.save('school', token('RefreshToken', 'r'));
  await store.save('school', token('AccessToken', 't'));
});
afterEach(moveBack);

const records: [RecordKind, string][] = [
  ['Grant', 'g'],
  ['AuthorizationCode', 'code'],
  ['RefreshToken', 'r'],
  ['AccessToken', 't'],
];

async function found(): Promise<string[]> {
  const results = await Promise.all(records.map(([kind, its]) => store.find('school', kind, its)));
  return records.filter((_record, i) => results[i] !== undefined).map(([, its]) => its);
}

/** The result of a call, or that it failed. */
function outcome<T>(call: Promise<T>): Promise<T | 'fault'> {
  return call.catch(() => 'fault' as const);
}

const halves = [
  ...keys.map((key) => [`only ${key} has moved`, [key]] as const),
  ...keys.map((key) => [`all but ${key} have moved`, keys.filter((other) => other !== key)] as const),
  ['all keys have moved', keys] as const,
  ['no key has moved', []] as const,
];

describe.each(halves)('while a slot moves and %s', (_name, moved) => {
  beforeEach(() => startMoving(moved));

  test('all records are found', async () => {
    expect(await found()).toEqual(['g', 'code', 'r', 't']);
  });

  test.each<[string, (its: Store) => Promise<number | boolean>]>([
    ['a revocation of one grant', (its) => its.revoke('school', { memberId: 'sam', grantId: 'g' })],
    ['a revocation of a member’s grants', (its) => its.revoke('school', { memberId: 'sam' })],
    ['a revocation of a client’s grants', (its) => its.revoke('school', { clientId: 'app' })],
    ['the end of the last family', (its) => its.endFamily('school', 'g', 'f')],
  ])('%s ends all tokens, or fails and ends none', async (_what, revoke) => {
    const revoked = await outcome(revoke(store));
    if (revoked !== 'fault') expect(Number(revoked)).toBe(1);
    expect(await found()).toEqual(revoked === 'fault' ? ['g', 'code', 'r', 't'] : []);
    await moveBack();
    expect(await found()).toEqual(revoked === 'fault' ? ['g', 'code', 'r', 't'] : []);
    if (revoked === 'fault') expect(Number(await revoke(store))).toBe(1);
    expect(await found()).toEqual([]);
    expect(await store.grantIds('school', { memberId: 'sam' })).toEqual([]);
    expect(await store.countGrants('school', [{ clientId: 'app' }])).toEqual([0]);
  });

  test('a family that is not the last one can end: its grant is the only key', async () => {
    await moveBack();
    await store.save('school', token('RefreshToken', 'r', 'other'));
    await startMoving(moved);
    expect(await store.endFamily('school', 'g', 'f')).toBe(true);
    expect(await found()).toEqual(['g', 'r']);
  });

  test('a redemption wins and writes all its tokens, or fails and changes nothing', async () => {
    const tokens = [{ kind: 'AccessToken', id: 'new', record: 'new', ttl: 60 }] as const;
    const redemption = { kind: 'RefreshToken', id: 'r', grantId: 'g', now: 1, tokens } as const;
    const redeemed = await outcome(store.redeem('school', redemption));
    expect([{ won: true }, 'fault']).toContainEqual(redeemed);
    const written = async (): Promise<unknown[]> => [
      typeof (await store.find('school', 'RefreshToken', 'r'))?.consumed === 'number',
      (await store.find('school', 'AccessToken', 'new'))?.record,
    ];
    expect(await written()).toEqual(redeemed === 'fault' ? [false, undefined] : [true, 'new']);
    await moveBack();
    if (redeemed === 'fault') expect(await store.redeem('school', redemption)).toEqual({ won: true });
    expect(await written()).toEqual([true, 'new']);
  });
});
