import type { Redis } from 'ioredis';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { NewRecord, Store, TokenKind } from '../../../lib/store.ts';
import { startRedis } from '../../helpers/redis.ts';
import { connectTo } from './campus.ts';
import { dump } from './dump.ts';

/** A store on a Redis of its own, with access to the keys. All tests use one site, `school`. */
export interface BareStore {
  readonly client: Redis;
  readonly store: Store;
  /** Seconds until a key of the school expires, rounded up to five, for slow machines; -1 for no end, -2 for no key. */
  left(key: string): Promise<number>;
  /** All keys, without their common prefix. */
  keys(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startBareStore(): Promise<BareStore> {
  const server = await startRedis();
  const client = connectTo(server.port);
  return {
    client,
    store: redisStore(client, { deadline: 10_000 }),
    left: async (key) => {
      const milliseconds = await client.pttl(`campus:{school}:${key}`);
      return milliseconds < 0 ? milliseconds : Math.ceil(milliseconds / 5000) * 5;
    },
    keys: async () => (await dump(client)).map(({ key }) => key.replace('campus:{school}:', '')),
    close: async () => {
      client.disconnect();
      await server.stop();
    },
  };
}

/** A grant, by default of sam to the app. */
export function grant(id: string, ttl?: number, memberId = 'sam', clientId = 'app'): NewRecord {
  return { kind: 'Grant', id, record: `grant ${id}`, ttl, memberId, clientId };
}

/** A code or token of a grant, by default in one family. */
export function token(kind: TokenKind, id: string, grantId: string, ttl?: number, familyId = 'f'): NewRecord {
  return { kind, id, record: `${kind} ${id}`, ttl, grantId, familyId };
}
