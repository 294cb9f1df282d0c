import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Redis } from 'ioredis';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import { redisStore } from '../../../adapters/redis/index.ts';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import type { Redemption, Store } from '../../../lib/store.ts';
import { storedId } from '../../../lib/records/codec.ts';
import { nextLineToken } from '../../../lib/records/line-tokens.ts';
import { campusOidc } from '../../cli/command.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { cases } from '../../helpers/properties.ts';
import { type RedisNode, startRedis } from '../../helpers/redis.ts';
import { recordPerTokenStore } from '../../helpers/stores.ts';

const dir = mkdtempSync(join(tmpdir(), 'campus-lines-'));
const modules: Record<string, object> = {};
let redis: RedisNode;
let postgres: PostgresServer;
let client: Redis;
let made = 0;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  client = new Redis(redis.url, { enableAutoPipelining: true });
  Reflect.set(globalThis, 'lined', modules);
});
afterAll(async () => {
  client.disconnect();
  await Promise.all([redis.stop(), postgres.stop()]);
  rmSync(dir, { recursive: true });
});

/** A store of its own, on each kind of server. */
const stores: Readonly<Record<'Redis' | 'PostgreSQL' | 'SQLite', () => Promise<Store>>> = {
  Redis: async () => redisStore(client, { prefix: `lines-${(made += 1)}`, deadline: 30_000 }),
  PostgreSQL: async () => {
    const store = postgresStore(postgres.pool({ max: 1, query_timeout: 30_000 }), { schema: `lines_${(made += 1)}` });
    await postgres.pool({ max: 1 }).query(`create schema lines_${made}`);
    await store.migrate();
    return store;
  },
  SQLite: async () => {
    const store = sqliteStore(new DatabaseSync(':memory:'));
    await store.migrate();
    return store;
  },
};

const later = (): number => Math.floor(Date.now() / 1000) + 86_400;
const grantOf = (id: string) =>
  ({
    kind: 'Grant',
    id,
    record: `{"v":1,"of":"${id}"}`,
    ttl: 86_400,
    memberId: `member ${id}`,
    clientId: 'app',
  }) as const;
/** As long as the record of a refresh token is. */
const record = `{"v":2,"exp":1798035354,"accountId":"0f8c1a6e-53d1-4a0b-9d52-7c1f5b1f2e11","resource":"https://harbour.example","scope":"openid profile email account:read","clientId":"web-member-app"}`;

interface Token {
  readonly value: string;
  redeemed: boolean;
  /** The response that another request with it gets. */
  replay: string | undefined;
}

/** What a connection is by the specification, whatever a store keeps of it. */
interface Connection {
  readonly id: string;
  readonly tokens: Token[];
  ended: boolean;
}

type Step = readonly [what: (typeof kinds)[number], which: number, back: number];
const kinds = ['connect', 'refresh', 'refresh', 'refresh', 'lose', 'reuse', 'damage', 'revoke', 'copy'] as const;
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(fc.constantFrom(...kinds), fc.nat({ max: 3 }), fc.integer({ min: 1, max: 5 })),
  { minLength: 5, maxLength: 25 },
);

/** A service on one store after the other, beside the model of what it has to do. */
class Service {
  readonly #all: readonly Store[];
  readonly #connections: Connection[] = [];
  #at = 0;

  constructor(all: readonly Store[]) {
    this.#all = all;
  }

  get #store(): Store {
    const store = this.#all[this.#at];
    if (!store) throw new Error('no store');
    return store;
  }

  async take([what, which, back]: Step): Promise<void> {
    if (what === 'copy') await this.#copy();
    else if (what === 'connect' || this.#connections.length === 0) await this.#connect();
    else {
      const connection = this.#connections[which % this.#connections.length];
      if (connection) await this[what](connection, back);
    }
  }

  async #connect(): Promise<void> {
    const id = `g ${this.#connections.length}`;
    await this.#store.save('school', grantOf(id));
    const code = {
      kind: 'AuthorizationCode',
      id: `code ${id}`,
      record: 'c',
      ttl: 60,
      grantId: id,
      familyId: 'f',
    } as const;
    await this.#store.save('school', code);
    const first = nextLineToken(undefined, later());
    const tokens = [{ kind: 'RefreshToken', id: idOf(first), record, ttl: 86_400 }] as const;
    const redemption = { kind: code.kind, id: code.id, grantId: id, now: 1000, tokens };
    expect(await this.#store.redeem('school', redemption)).toEqual({ won: true });
    this.#connections.push({ id, tokens: [{ value: first, redeemed: false, replay: undefined }], ended: false });
  }

  #redemption(connection: Connection, token: Token, next: string, replay: string | undefined): Redemption {
    const tokens = [{ kind: 'RefreshToken', id: idOf(next), record, ttl: 86_400 }] as const;
    const kept = replay === undefined ? undefined : { sealed: replay, ttl: 600 };
    return { kind: 'RefreshToken', id: idOf(token.value), grantId: connection.id, now: 1000, tokens, replay: kept };
  }

  async refresh(connection: Connection, back: number): Promise<void> {
    const live = connection.tokens.at(-1);
    if (!live) throw new Error('no token');
    const next = nextLineToken(live.value, later());
    const replay = back > 2 ? `response ${next}` : undefined;
    const outcome = await this.#store.redeem('school', this.#redemption(connection, live, next, replay));
    expect(outcome.won).toBe(!connection.ended);
    if (!outcome.won) return;
    Object.assign(live, { redeemed: true, replay });
    connection.tokens.push({ value: next, redeemed: false, replay: undefined });
  }

  /** A response is lost, and the app tries again. */
  async lose(connection: Connection): Promise<void> {
    await this.refresh(connection, 5);
    const tried = connection.tokens.at(-2);
    if (!tried) return;
    const again = await this.#store.redeem(
      'school',
      this.#redemption(connection, tried, nextLineToken(tried.value, later()), 'again'),
    );
    const replay = connection.ended ? undefined : tried.replay;
    expect(again).toEqual(replay === undefined ? { won: false } : { won: false, replay });
  }

  /** An earlier token comes back: if the response to it is no longer there, that ends the connection. */
  async reuse(connection: Connection, back: number): Promise<void> {
    const token = connection.tokens.at(-1 - back);
    if (!token) return;
    await this.#expectState(connection, token);
    if (connection.ended || token.replay !== undefined) return;
    expect(await this.#store.endFamily('school', connection.id, 'f')).toBe(true);
    connection.ended = true;
  }

  /** A token that has lost a character, or has another one, is unknown and changes nothing. */
  async damage({ tokens }: Connection, back: number): Promise<void> {
    const value = tokens[back % tokens.length]?.value ?? '';
    const at = (back * 7) % value.length;
    for (const wrong of [
      value.slice(0, at) + value.slice(at + 1),
      value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1),
    ]) {
      expect(
        (await this.#store.find('school', 'RefreshToken', storedId('RefreshToken', wrong))) ?? undefined,
      ).toBeUndefined();
    }
  }

  async revoke(connection: Connection, back: number): Promise<void> {
    const { id } = connection;
    const ended =
      back % 2 === 0
        ? await this.#store.endFamily('school', id, 'f')
        : (await this.#store.revoke('school', { memberId: `member ${id}` })) > 0;
    expect(ended).toBe(!connection.ended);
    connection.ended = true;
  }

  /** Stored responses stay behind. */
  async #copy(): Promise<void> {
    if (this.#all.length === 1) return;
    const from = this.#store;
    this.#at = (this.#at + 1) % this.#all.length;
    const files = [from, this.#store].map((store) => {
      const name = `lines ${(made += 1)}`;
      modules[name] = store;
      writeFileSync(join(dir, `${name}.mjs`), `export const store = globalThis.lined['${name}'];`);
      return join(dir, `${name}.mjs`);
    });
    expect((await campusOidc(['store', 'copy', ...files, '--remove', '--yes'])).code).toBe(0);
    expect((await campusOidc(['store', 'copy', ...files, '--verify'])).code).toBe(0);
    for (const token of this.#connections.flatMap(({ tokens }) => tokens)) token.replay = undefined;
  }

  async #expectState(connection: Connection, token: Token): Promise<void> {
    const found = await this.#store.find('school', 'RefreshToken', idOf(token.value));
    const state = !found ? 'gone' : (found.consumed ?? undefined) === undefined ? 'live' : 'redeemed';
    expect([connection.id, state]).toEqual([
      connection.id,
      connection.ended ? 'gone' : token.redeemed ? 'redeemed' : 'live',
    ]);
    if (state === 'redeemed') expect(Number(found?.consumed)).toBeGreaterThanOrEqual(1);
  }

  async check(): Promise<void> {
    for (const connection of this.#connections)
      for (const token of connection.tokens) await this.#expectState(connection, token);
  }
}

const idOf = (value: string): string => storedId('RefreshToken', value);

describe('any sequence of connections, refreshes, lost responses, reuse, damage, revocations and copies', () => {
  test.each([
    ['in memory', memoryStore],
    ['in a store that does not know lines', recordPerTokenStore],
  ])('is %s as in the model', async (_name, open) => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const service = new Service([open()]);
        for (const step of all) await service.take(step);
        await service.check();
      }),
      cases(50),
    );
  });

  test('is on Redis, PostgreSQL and SQLite, in any of which it may start, as in the model', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 2 }), async (all, first) => {
        const opened = await Promise.all(Object.values(stores).map((open) => open()));
        const service = new Service([...opened.slice(first), ...opened.slice(0, first)]);
        for (const step of all) await service.take(step);
        await service.check();
      }),
      cases(8),
    );
  }, 300_000);
});

/** Bytes of everything that a store keeps. */
const sizes: Readonly<Record<keyof typeof stores, () => Promise<number>>> = {
  Redis: async () => {
    const keys = await client.keys(`lines-${made}:*`);
    const all = await Promise.all(keys.map((key) => client.call('MEMORY', 'USAGE', key)));
    return all.reduce((sum: number, size) => sum + Number(size), 0);
  },
  PostgreSQL: async () => {
    const pool = postgres.pool({ max: 1 });
    const rows = ['grant', 'family', 'token', 'replay', 'record'].map(
      (table) => `select pg_column_size(t.*) as size from lines_${made}.campus_${table} t`,
    );
    const { rows: all } = await pool.query(`select sum(size) as bytes from (${rows.join(' union all ')}) all_rows`);
    return Number(all[0].bytes);
  },
  SQLite: async () =>
    Number(
      Object(
        sqlite
          .prepare(
            'select count(*) * 0 + (select page_count from pragma_page_count) * (select page_size from pragma_page_size) as bytes',
          )
          .get(),
      ).bytes,
    ),
};
let sqlite: DatabaseSync;

test.each(['Redis', 'PostgreSQL', 'SQLite'] as const)(
  'on %s, a connection takes as much after 360 refreshes as after none',
  async (name) => {
    let store: Store;
    if (name === 'SQLite') {
      sqlite = new DatabaseSync(':memory:');
      const its = sqliteStore(sqlite);
      await its.migrate();
      store = its;
    } else store = await stores[name]();
    await store.save('school', grantOf('g'));
    let value = nextLineToken(undefined, later());
    const tokenOf = (its: string) => ({ kind: 'RefreshToken', id: idOf(its), record, ttl: 86_400 }) as const;
    await store.save('school', { ...tokenOf(value), grantId: 'g', familyId: 'f' });
    const before = await sizes[name]();
    for (let i = 0; i < 360; i += 1) {
      const next = nextLineToken(value, later());
      const redemption = {
        kind: 'RefreshToken',
        id: idOf(value),
        grantId: 'g',
        now: 1000,
        tokens: [tokenOf(next)],
      } as const;
      expect(await store.redeem('school', redemption)).toEqual({ won: true });
      value = next;
    }
    expect(before).toBeGreaterThan(300);
    expect(await sizes[name]()).toBeLessThanOrEqual(before * 1.1);
    if (name !== 'PostgreSQL') return;
    // No refresh has changed an index.
    const { rows } = await postgres.pool({ max: 1 }).query(`select count(*) as n from lines_${made}.campus_token`);
    expect(Number(rows[0].n)).toBe(0);
  },
  120_000,
);
