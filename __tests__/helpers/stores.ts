import { memoryStore } from '../../adapters/memory/index.ts';
import type { Store } from '../../lib/index.ts';

/** What a store can be asked. */
export type StoreMethod = keyof Store;

/** A store that can be made to fail. */
export interface BreakableStore {
  readonly store: Store;
  /** From now on these methods reject; none: all work again. */
  break(...methods: StoreMethod[]): void;
}

/** What a broken store says of itself; nothing of it may get out. */
export const storeFault = 'connect ECONNREFUSED 10.0.0.7:6379 as user campus';

/** A store in memory that fails on demand. */
export function breakableStore(): BreakableStore {
  const inner = memoryStore();
  let broken: readonly StoreMethod[] = [];
  const check = async (method: StoreMethod): Promise<void> => {
    if (broken.includes(method)) throw new Error(storeFault);
  };
  return {
    store: {
      find: async (...args) => check('find').then(() => inner.find(...args)),
      save: async (...args) => check('save').then(() => inner.save(...args)),
      remove: async (...args) => check('remove').then(() => inner.remove(...args)),
      redeem: async (...args) => check('redeem').then(() => inner.redeem(...args)),
      grantIds: async (...args) => check('grantIds').then(() => inner.grantIds(...args)),
      revoke: async (...args) => check('revoke').then(() => inner.revoke(...args)),
    },
    break: (...methods) => {
      broken = methods;
    },
  };
}

/** A store that lets look-ups of one kind of record through all at once. */
export interface CrowdedStore {
  readonly store: Store;
  /** The next look-ups of codes or refresh tokens wait until there are this many. */
  gather(count: number): void;
  /** How many refresh tokens were written. */
  refreshTokens(): number;
}

/** A store in memory in front of which requests gather, so that all of them have read before one of them writes. */
export function crowdedStore(): CrowdedStore {
  const inner = memoryStore();
  let waiting: (() => void)[] = [];
  let wanted = 0;
  let written = 0;
  const arrive = async (): Promise<void> => {
    if (wanted === 0) return;
    await new Promise<void>((go) => {
      waiting.push(go);
      if (waiting.length < wanted) return;
      wanted = 0;
      for (const each of waiting) each();
      waiting = [];
    });
  };
  return {
    store: {
      ...inner,
      find: async (siteId, kind, id) => {
        const found = await inner.find(siteId, kind, id);
        if (kind === 'AuthorizationCode' || kind === 'RefreshToken') await arrive();
        return found;
      },
      redeem: async (siteId, redemption) => {
        const outcome = await inner.redeem(siteId, redemption);
        if (outcome.won) written += redemption.entries.filter(({ kind }) => kind === 'RefreshToken').length;
        return outcome;
      },
    },
    gather: (count) => {
      wanted = count;
    },
    refreshTokens: () => written,
  };
}
