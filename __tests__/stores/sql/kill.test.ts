import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import type { Store } from '../../../lib/store.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { until } from '../../helpers/redis.ts';
import { startPeer } from './peer.ts';
import { type Outcomes, redeemOften, saveCodes, type Shot, winnersOf } from './redeem.ts';

const dir = mkdtempSync(join(tmpdir(), 'campus-kill-'));
let server: PostgresServer;
let store: Store;
beforeAll(async () => {
  server = await startPostgres();
  const its = postgresStore(server.pool({ max: 10, query_timeout: 60_000 }));
  await its.migrate();
  store = its;
});
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true });
});

const codesOf = (what: string): string[] => Array.from({ length: 60 }, (_, i) => `${what} ${i}`);

/** Redeems codes in another process, which is killed once it has replied for so many, if not before. Returns the replies, by code. */
async function redeemUntilKilled(
  database: string,
  codes: readonly string[],
  last: number,
  shot: Partial<Shot> = {},
): Promise<Map<string, Outcomes>> {
  const peer = await startPeer(database);
  const replies = new Map<string, Outcomes>();
  const gone = once(peer, 'exit');
  peer.on('message', ({ id, outcomes }: { readonly id: string; readonly outcomes: Outcomes }) => {
    replies.set(id, outcomes);
    if (replies.size === last) peer.kill('SIGKILL');
  });
  // The other end may be gone already.
  for (const id of codes) peer.send({ id, who: 'killed', count: 2, ...shot }, () => {});
  await gone;
  return replies;
}

/** One call has won each code; if any was told so, that one. It wrote everything, and the others nothing. */
async function expectOneWinner(over: Store, codes: readonly string[], replies: Map<string, Outcomes>): Promise<void> {
  for (const id of codes) {
    const told = replies.get(id);
    const later = await redeemOften(over, { id, who: 'later', count: 2 });
    const winners = await winnersOf(over, id, { ...told, ...later }, ['killed 0', 'killed 1']);
    const [winner = 'nobody'] = winners.access;
    const won = told || winner.startsWith('later') ? [winner] : [];
    expect(winners).toEqual({ won, replayed: [winner], access: [winner], refresh: [winner] });
  }
}

describe('when our own process is killed while it redeems codes, each code has one winner and nothing is half written', () => {
  /** Runs a peer on a file until its end, and looks at the file. Returns how many codes had a reply. */
  async function killOnSqlite(name: string, codes: readonly string[], shot?: Partial<Shot>): Promise<number> {
    const file = join(dir, name);
    const first = new DatabaseSync(file);
    first.exec('pragma journal_mode = wal');
    await sqliteStore(first).migrate();
    await saveCodes(sqliteStore(first), codes);
    first.close();
    const replies = await redeemUntilKilled(file, codes, 1, shot);
    const again = new DatabaseSync(file);
    expect(again.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(again.prepare('pragma foreign_key_check').all()).toEqual([]);
    await expectOneWinner(sqliteStore(again), codes, replies);
    again.close();
    return replies.size;
  }

  test('on SQLite, after any statement of a redemption', async () => {
    let statements = 1;
    const isKilled = async (): Promise<boolean> =>
      (await killOnSqlite(`${statements}.db`, ['code'], { count: 1, killedAfter: statements })) === 0;
    while (await isKilled()) statements += 1;
    // All of it, from `begin` to `commit`.
    expect(statements).toBeGreaterThan(8);
  });

  test('on SQLite, at any moment', async () => {
    await killOnSqlite('codes.db', codesOf('code'));
  });

  test.each([1, 20])('on PostgreSQL, after %i replies', async (last) => {
    const codes = codesOf(`killed ${last}`);
    await saveCodes(store, codes);
    await expectOneWinner(store, codes, await redeemUntilKilled(server.url, codes, last));
  });
});

test('when PostgreSQL is killed while codes are redeemed, each code has one winner and nothing is half written', async () => {
  for (const last of [1, 20]) {
    const codes = codesOf(`server ${last}`);
    await saveCodes(store, codes);
    const replies = new Map<string, Outcomes>();
    let killed: Promise<void> | undefined;
    const redeem = async (id: string): Promise<void> => {
      const outcomes = await redeemOften(store, { id, who: 'killed', count: 2 });
      replies.set(id, outcomes);
      if (replies.size === last) killed = server.kill();
    };
    await Promise.allSettled(codes.map(redeem));
    await killed;
    await server.start();
    await until('the store responds', () =>
      store.ping().then(
        () => true,
        () => false,
      ),
    );
    await expectOneWinner(store, codes, replies);
  }
});
