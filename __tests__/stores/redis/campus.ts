import { Redis } from 'ioredis';
import { redisStore, type RedisStoreOptions } from '../../../adapters/redis/index.ts';
import type { StoreObserver } from '../../../lib/store.ts';
import { loopbackClients } from '../../../policies/index.ts';
import { type RedisNode, startRedis } from '../../helpers/redis.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../../helpers/schools.ts';
import { RedisProxy } from './proxy.ts';

/** The schools on a Redis of their own, watched and disturbed through a proxy. */
export interface RedisCampus {
  readonly schools: Schools;
  readonly server: RedisNode;
  readonly proxy: RedisProxy;
  /** The connection that the store uses. */
  readonly client: Redis;
  /** A connection that bypasses the proxy. */
  readonly admin: Redis;
  /** Switches between the deadline of the options and, for `false`, one that is long enough for a busy machine. */
  useShortDeadline(on: boolean): void;
  close(): Promise<void>;
}

/** How a test differs from the default campus on Redis. */
export interface RedisCampusOptions {
  readonly redis?: readonly string[];
  readonly client?: ClientOptions;
  readonly store?: RedisStoreOptions;
  readonly campus?: SchoolsOptions['campus'];
  readonly mcp?: SchoolsOptions['mcp'];
  readonly app?: SchoolsOptions['app'];
  readonly wrapPlatform?: SchoolsOptions['wrapPlatform'];
}

/** Options of ioredis that tests use. */
export interface ClientOptions {
  readonly lazyConnect?: boolean;
  readonly enableOfflineQueue?: boolean;
  readonly keyPrefix?: string;
}

/** A client that ignores its error events and reconnects without delay. */
export function connectTo(port: number, options: ClientOptions = {}): Redis {
  const settings = { retryStrategy: () => 20, disconnectTimeout: 100 };
  const client = new Redis(port, '127.0.0.1', { ...settings, ...options });
  client.on('error', () => {});
  return client;
}

/** Starts Redis, the proxy in front of it, and the schools. */
export async function startRedisCampus(options: RedisCampusOptions = {}): Promise<RedisCampus> {
  const server = await startRedis(options.redis);
  const proxy = await RedisProxy.start(server.port);
  const client = connectTo(proxy.port, options.client);
  const admin = connectTo(server.port);
  const [short, long] = [
    redisStore(client, { deadline: 10_000, ...options.store }),
    redisStore(client, { ...options.store, deadline: 10_000 }),
  ];
  let current = short;
  const store = new Proxy(long, {
    get: (_target, name) => {
      // A campus reads these once, so they are those of both.
      if (name === 'deadline') return long.deadline;
      if (name === 'observe')
        return (observer: StoreObserver) => [short, long].forEach((each) => each.observe?.(observer));
      return (...args: unknown[]): unknown => Reflect.apply(Reflect.get(current, name), current, args);
    },
  });
  const { app, wrapPlatform } = options;
  const schools = await startSchools({
    ...(options.mcp && { mcp: options.mcp }),
    campus: { store, registration: [loopbackClients()], ...options.campus },
    ...(app && { app }),
    ...(wrapPlatform && { wrapPlatform }),
  });
  return {
    schools,
    server,
    proxy,
    client,
    admin,
    useShortDeadline: (on) => {
      current = on ? short : long;
    },
    close: async () => {
      await schools.close();
      client.disconnect();
      admin.disconnect();
      await proxy.refuse();
      await server.stop();
    },
  };
}
