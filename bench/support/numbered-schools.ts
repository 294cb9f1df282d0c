import { Redis } from 'ioredis';
import { redisStore } from '../../adapters/redis/index.ts';
import type { Campus, SchoolPlatform } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { webMemberApp } from '../../__tests__/helpers/flow.ts';
import { startRedis } from '../../__tests__/helpers/redis.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { exchanging, refreshing, tokensOf } from '../drills/requests.ts';
import { type Answer, post, Visitor } from '../drills/visitor.ts';
import { type Names, namesOf, repeatCalls, watchStore } from './connections.ts';

const { id: clientId } = webMemberApp;

/** Schools with numbers, and connections with numbers. */
export class NumberedSchools {
  readonly campus: Campus;
  readonly redis: Redis;
  readonly store: Store;
  /** How many schools there are. */
  readonly count: number;
  readonly port: number;
  readonly #write: (to: Names) => Promise<void>;
  readonly #close: () => Promise<void>;
  /** The number of connections. */
  size = 0;

  private constructor(parts: {
    readonly campus: Campus;
    readonly redis: Redis;
    readonly store: Store;
    readonly schools: number;
    readonly port: number;
    readonly write: (to: Names) => Promise<void>;
    readonly close: () => Promise<void>;
  }) {
    this.campus = parts.campus;
    this.redis = parts.redis;
    this.store = parts.store;
    this.count = parts.schools;
    this.port = parts.port;
    this.#write = parts.write;
    this.#close = parts.close;
  }

  /** With a client of a Redis, or else on a Redis of their own. */
  static async start(schools: number, given?: Redis): Promise<NumberedSchools> {
    const server = given ? undefined : await startRedis();
    const redis = given ?? new Redis(server?.url ?? '', { enableAutoPipelining: true });
    // Several of these can share a Redis.
    const store = redisStore(redis, { deadline: 60_000, prefix: `schools-${schools}` });
    const { watched, noteDuring } = watchStore(store);
    const wrapPlatform = (platform: SchoolPlatform): SchoolPlatform => ({
      ...platform,
      findSite: (origin) => {
        const id = /^http:\/\/(school-\w+)\.test$/.exec(origin)?.[1];
        return id === undefined ? undefined : { id, origin, name: id, connectionsEnabled: true };
      },
      findMember: (_site, id) => ({ id, name: id, email: `${id}@example.com`, roles: ['student'] }),
    });
    const schoolsOnPort = await startSchools({
      campus: { store: watched, limits: false },
      wrapPlatform,
    });
    const port = Number(new URL(schoolsOnPort.summit).port);
    const { made: model, notes } = await noteDuring(() => connectModel(port));
    const write = (to: Names): Promise<void> => repeatCalls(notes, model, to);
    return new NumberedSchools({
      campus: schoolsOnPort.campus,
      redis,
      store,
      schools,
      port,
      write,
      close: async () => {
        await schoolsOnPort.close();
        redis.disconnect();
        await server?.stop();
      },
    });
  }

  names(number: number): Names {
    return namesOf(number, this.count, clientId);
  }

  /** Writes connections until there are so many. */
  async grow(size: number): Promise<void> {
    while (this.size < size) {
      const batch = Math.min(500, size - this.size);
      await Promise.all(Array.from({ length: batch }, (_, i) => this.#write(this.names(this.size + i))));
      this.size += batch;
    }
  }

  refresh({ origin, refreshToken }: Names): Promise<Answer> {
    return post(this.port, origin, refreshing(refreshToken));
  }

  close(): Promise<void> {
    return this.#close();
  }
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
