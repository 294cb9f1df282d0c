import { Redis } from 'ioredis';
import { redisStore } from '../../adapters/redis/index.ts';
import type { Campus, CampusOptions } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { webMemberApp } from '../../__tests__/helpers/flow.ts';
import { startRedis } from '../../__tests__/helpers/redis.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { exchanging, refreshing, tokensOf } from '../drills/requests.ts';
import { type Answer, post, Visitor } from '../drills/visitor.ts';
import {
  connectionOf,
  copiedConnections,
  type Names,
  recordsOf,
  type Repeat,
  repeatedCalls,
  repeatedRefresh,
  watchStore,
} from './connections.ts';
import { numberedPlatform } from './numbered-platform.ts';

const { id: clientId } = webMemberApp;

/** Schools with numbers, and connections with numbers. */
export class NumberedSchools {
  readonly campus: Campus;
  readonly store: Store;
  /** How many schools there are. */
  readonly count: number;
  readonly port: number;
  readonly #copy: ReturnType<typeof copiedConnections>;
  readonly #write: Repeat;
  readonly #refresh: ReturnType<typeof repeatedRefresh>;
  readonly #close: () => Promise<void>;
  /** The number of connections. */
  size = 0;

  private constructor(parts: {
    readonly campus: Campus;
    readonly store: Store;
    readonly schools: number;
    readonly port: number;
    readonly copy: ReturnType<typeof copiedConnections>;
    readonly write: Repeat;
    readonly refresh: ReturnType<typeof repeatedRefresh>;
    readonly close: () => Promise<void>;
  }) {
    this.campus = parts.campus;
    this.store = parts.store;
    this.count = parts.schools;
    this.port = parts.port;
    this.#copy = parts.copy;
    this.#write = parts.write;
    this.#refresh = parts.refresh;
    this.#close = parts.close;
  }

  static async start(
    schools: number,
    store: Store,
    lifetimes: CampusOptions['lifetimes'] = {},
  ): Promise<NumberedSchools> {
    const { watched, noteDuring } = watchStore(store);
    const schoolsOnPort = await startSchools({
      campus: { store: watched, limits: false, lifetimes },
      wrapPlatform: numberedPlatform(0),
    });
    const port = Number(new URL(schoolsOnPort.summit).port);
    const { made: names, notes: connected } = await noteDuring(() => connectModel(port));
    const copy = copiedConnections(store, await recordsOf(store, names), names);
    const { made: next, notes: refreshed } = await noteDuring(async () => {
      const { access, refresh } = tokensOf((await post(port, names.origin, refreshing(names.refreshToken))).text);
      return { accessToken: access, refreshToken: refresh };
    });
    const [write, refresh] = [repeatedCalls(connected, names), repeatedRefresh(refreshed, names, next)];
    const close = (): Promise<void> => schoolsOnPort.close();
    return new NumberedSchools({ campus: schoolsOnPort.campus, store, schools, port, copy, write, refresh, close });
  }

  /** The connection with this number. `school`: not at its school, but at this one. */
  names(number: number, school = `school-${number % this.count}`): Names {
    return connectionOf(number, school, clientId);
  }

  /** Writes connections until there are so many, as a copy of a store is written. */
  async grow(size: number): Promise<void> {
    const starts = Array.from({ length: Math.ceil((size - this.size) / batch) }, (_, i) => this.size + i * batch);
    const left = starts.values();
    const writer = async (): Promise<void> => {
      for (const start of left) {
        const names = Array.from({ length: Math.min(batch, size - start) }, (_, i) => this.names(start + i));
        await this.#copy(names, (at) => start + at < this.count);
      }
    };
    await Promise.all([writer(), writer()]);
    this.size = Math.max(size, this.size);
  }

  /** Writes connections, each at its school or at the one that `schoolOf` names. */
  async write(numbers: readonly number[], schoolOf?: (number: number) => string): Promise<void> {
    await inBatches(numbers, (number) => this.#write(this.names(number, schoolOf?.(number))));
  }

  /**
   * Refreshes connections for this time, the first being 1, by the calls of the store that a refresh makes. The access tokens of
   * before are removed, as their expiry would: a client refreshes when they end.
   */
  async refreshSome(time: number, numbers: readonly number[]): Promise<void> {
    await inBatches(numbers, (number) => this.#refresh(this.names(number), number, time));
  }

  refresh({ origin, refreshToken }: Names): Promise<Answer> {
    return post(this.port, origin, refreshing(refreshToken));
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** The same with the Redis that they are on. */
export interface SchoolsOnRedis {
  readonly schools: NumberedSchools;
  readonly redis: Redis;
  close(): Promise<void>;
}

/** With a client of a Redis, or else on a Redis of their own. */
export async function schoolsOnRedis(count: number, given?: Redis): Promise<SchoolsOnRedis> {
  const server = given ? undefined : await startRedis();
  const redis = given ?? new Redis(server?.url ?? '', { enableAutoPipelining: true });
  // Several of these can share a Redis.
  const schools = await NumberedSchools.start(
    count,
    redisStore(redis, { deadline: 60_000, prefix: `schools-${count}` }),
  );
  const close = async (): Promise<void> => {
    await schools.close();
    redis.disconnect();
    await server?.stop();
  };
  return { schools, redis, close };
}

/** Connections of one call. */
const batch = 500;

async function inBatches(numbers: readonly number[], each: (number: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < numbers.length; at += batch) await Promise.all(numbers.slice(at, at + batch).map(each));
}

/** A person connects an application as people do. */
async function connectModel(port: number): Promise<Names> {
  const model = { siteId: 'school-model', origin: 'http://school-model.test', memberId: 'member-model', clientId };
  const visitor = new Visitor((ask) => post(port, model.origin, ask), model.origin, model.memberId);
  const result = await visitor.signIn(webMemberApp);
  if (!('code' in result)) throw new Error(result.stopped.text);
  const { text } = await post(port, model.origin, exchanging(result.code));
  const { access: accessToken, refresh: refreshToken } = tokensOf(text);
  return { ...model, code: result.code.code, accessToken, refreshToken };
}
