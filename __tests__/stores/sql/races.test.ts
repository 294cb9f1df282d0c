import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import type { RedemptionOutcome, Store } from '../../../lib/store.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { redeemOften } from './redeem.ts';

const rounds = process.env['CAMPUS_TESTS'] === 'release' ? 400 : 40;
/** Calls of each of two processes. */
const each = 32;

let server: PostgresServer;
let store: Store;
let peer: ChildProcess;
beforeAll(async () => {
  server = await startPostgres();
  const here = postgresStore(server.pool({ max: 10, query_timeout: 60_000 }));
  await here.migrate();
  store = here;
  const execArgv = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  peer = fork(new URL('./peer-process.ts', import.meta.url), { execArgv });
  const ready = once(peer, 'message');
  peer.send({ url: server.url });
  await ready;
});
afterAll(async () => {
  const gone = once(peer, 'exit');
  peer.disconnect();
  await gone;
  await server.stop();
});

test(`of ${each * 2} redemptions of a code by two processes at once one wins, and only its token is written, ${rounds} times`, async () => {
  await store.save('school', { kind: 'Grant', id: 'g', record: 'g', ttl: 3600, memberId: 'sam', clientId: 'app' });
  for (let round = 0; round < rounds; round += 1) {
    const id = `code ${round}`;
    await store.save('school', { kind: 'AuthorizationCode', id, record: 'c', ttl: 600, grantId: 'g', familyId: id });
    const reply = once(peer, 'message');
    peer.send({ id, who: 'there', count: each });
    const here = await redeemOften(store, { id, who: 'here', count: each });
    const [message]: { readonly outcomes: RedemptionOutcome[] }[] = await reply;
    const there = message?.outcomes ?? [];
    const all = [
      ...here.map((outcome, i) => ({ outcome, name: `here ${i}` })),
      ...there.map((outcome, i) => ({ outcome, name: `there ${i}` })),
    ];
    const winners = all.flatMap(({ outcome, name }) => (outcome.won ? name : []));
    expect(winners).toHaveLength(1);
    const replays = new Set(all.flatMap(({ outcome }) => (outcome.won ? [] : outcome.replay)));
    expect([...replays]).toEqual(winners);
    const found = await Promise.all(all.map(({ name }) => store.find('school', 'AccessToken', `${name} of ${id}`)));
    expect(all.flatMap(({ name }, i) => (found[i] ? name : []))).toEqual(winners);
  }
}, 600_000);

test('a family and another that end at the same moment end their grant, whoever is first', async () => {
  for (let round = 0; round < 40; round += 1) {
    const grantId = `grant ${round}`;
    await store.save('school', { kind: 'Grant', id: grantId, record: 'g', ttl: 60, memberId: 'sam', clientId: 'app' });
    for (const familyId of ['phone', 'laptop'])
      await store.save('school', { kind: 'RefreshToken', id: `${familyId} ${round}`, record: 'r', grantId, familyId });
    const ended = await Promise.all(
      ['phone', 'laptop'].map((familyId) => store.endFamily('school', grantId, familyId)),
    );
    expect(ended).toEqual([true, true]);
    expect((await store.find('school', 'Grant', grantId)) ?? undefined).toBeUndefined();
  }
});
