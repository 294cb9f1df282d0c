import type { Store } from 'campus-oidc/store';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { redisStore } from 'campus-oidc/adapters/redis';
import { Redis } from 'ioredis';

/** Redis if `REDIS_URL` is set, otherwise the memory of this process. */
export function openStore(url: string | undefined): { readonly store: Store; close(): void } {
  if (!url) return { store: memoryStore(), close: () => {} };
  const redis = new Redis(url, { enableAutoPipelining: true });
  redis.on('error', (error) => console.error('redis:', error.message));
  return { store: redisStore(redis), close: () => redis.disconnect() };
}
