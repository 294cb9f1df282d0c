import type { Redis } from 'ioredis';

/** One key with its value. */
export interface DumpedKey {
  readonly key: string;
  readonly type: string;
  /** Milliseconds; -1 for no end. */
  readonly ttl: number;
  /** The value as text, with the members, fields and scores of a set or hash. */
  readonly text: string;
}

/** Every key of a server. */
export async function dump(admin: Redis): Promise<DumpedKey[]> {
  const keys = (await admin.keys('*')).sort();
  return Promise.all(
    keys.map(async (key) => {
      const [type, ttl] = await Promise.all([admin.type(key), admin.pttl(key)]);
      return { key, type, ttl, text: await textOf(admin, key, type) };
    }),
  );
}

async function textOf(admin: Redis, key: string, type: string): Promise<string> {
  if (type === 'string') return (await admin.get(key)) ?? '';
  if (type === 'zset') return String(await admin.call('ZRANGE', key, 0, -1, 'WITHSCORES'));
  if (type === 'list') return String(await admin.lrange(key, 0, -1));
  if (type === 'stream') return JSON.stringify(await admin.xrange(key, '-', '+'));
  if (type === 'hash') return JSON.stringify(await admin.hgetall(key));
  throw new Error(`the store does not use the type ${type}`);
}
