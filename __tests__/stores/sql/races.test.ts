import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import type { Store } from '../../../lib/store.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { startPeer } from './peer.ts';
import { type Outcomes, redeemOften, saveCodes, winnersOf } from './redeem.ts';

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
  peer = await startPeer(server.url);
});
afterAll(async () => {
  const gone = once(peer, 'exit');
  peer.disconnect();
  await gone;
  await server.stop();
});

test(`of ${each * 2} redemptions of a code by two processes at once one wins, and only its token is written, ${rounds} times`, async () => {
  const ids = Array.from({ length: rounds }, (_, round) => `code ${round}`);
  for (const id of ids) {
    // A grant keeps a hundred families, so the codes are not saved together.
    await saveCodes(store, [id]);
    const reply = once(peer, 'message');
    peer.send({ id, who: 'there', count: each });
    const here = await redeemOften(store, { id, who: 'here', count: each });
    const [message]: { readonly outcomes: Outcomes }[] = await reply;
    const winners = await winnersOf(store, id, { ...here, ...message?.outcomes });
    const [winner] = winners.won;
    expect(winners).toEqual({ won: [winner], replayed: [winner], access: [winner], refresh: [winner] });
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
