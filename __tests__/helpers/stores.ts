import { isRedeemable } from '../../lib/records/record.ts';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { RecordKind, Store } from '../../lib/store.ts';

/** What a store can be asked; `save` also for one kind of record alone. */
export type StoreMethod = keyof Store | `save ${RecordKind}`;

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
  return {
    store: new Proxy(inner, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]): Promise<unknown> => {
          if (broken.some((each) => each === name || each === `save ${kindOf(args[1])}`)) throw new Error(storeFault);
          return Reflect.apply(method, target, args);
        };
      },
    }),
    break: (...methods) => {
      broken = methods;
    },
  };
}

function kindOf(entry: unknown): string {
  return typeof entry === 'object' && entry !== null && 'kind' in entry && 'record' in entry ? String(entry.kind) : '';
}

/** A store that tells how it was called. */
export interface CountedStore {
  readonly store: Store;
  /** The names of the methods, in the order of the calls. */
  readonly calls: string[];
}

/** A store in memory that counts its calls. */
export function countedStore(): CountedStore {
  const calls: string[] = [];
  const store = new Proxy(memoryStore(), {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]): unknown => {
        // Called once at startup, and asks the store for nothing.
        if (name !== 'observe') calls.push(String(name));
        return Reflect.apply(method, target, args);
      };
    },
  });
  return { store, calls };
}

/** A store at whose calls something can happen. */
export interface SteppedStore {
  readonly store: Store;
  /** From now on each call waits for this first. */
  before(step: (method: string) => Promise<void>): void;
}

/** A store in memory that is called step by step. */
export function steppedStore(): SteppedStore {
  let before: (method: string) => Promise<void> = async () => {};
  const store = new Proxy(memoryStore(), {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function' || name === 'observe') return method;
      return async (...args: unknown[]): Promise<unknown> => {
        await before(String(name));
        return Reflect.apply(method, target, args);
      };
    },
  });
  return {
    store,
    before: (step) => {
      before = step;
    },
  };
}

/** A store in memory that never throws anything out, as one that does so late. */
export function hoardingStore(): Store {
  const inner = memoryStore();
  const forever = <T extends { readonly ttl?: number | undefined }>({ ttl: _ttl, ...entry }: T) => entry;
  return {
    ...inner,
    save: (siteId, entry) => inner.save(siteId, forever(entry)),
    redeem: (siteId, { tokens, ...redemption }) => inner.redeem(siteId, { ...redemption, tokens: tokens.map(forever) }),
  };
}

/** A store in memory as a host has it that does not know lines of refresh tokens: it keeps a record for each token. */
export function recordPerTokenStore(): Store {
  const inner = memoryStore();
  // An id of another form is of no line.
  const apart = (id: string): string => id.replace('~', ' of its own ');
  const own = <T extends { readonly id: string }>(entry: T): T => ({ ...entry, id: apart(entry.id) });
  return {
    ...inner,
    find: (siteId, kind, id, options) => inner.find(siteId, kind, apart(id), options),
    save: (siteId, entry) => inner.save(siteId, own(entry)),
    remove: (siteId, kind, id, text) => inner.remove(siteId, kind, apart(id), text),
    redeem: (siteId, { tokens, ...redemption }) =>
      inner.redeem(siteId, { ...own(redemption), tokens: tokens.map(own) }),
  };
}

/** A store in front of which requests gather. */
export interface CrowdedStore {
  readonly store: Store;
  /** The next look-ups of these kinds wait until there are this many. @default codes and refresh tokens */
  gather(count: number, of?: (kind: RecordKind) => boolean): void;
  /** Does something right before the next redemption. */
  beforeRedemption(run: () => Promise<unknown>): void;
  /** How many refresh tokens were written. */
  refreshTokens(): number;
}

/** A store in memory that can make requests read, all of them, before one of them writes. */
export function crowdedStore(): CrowdedStore {
  const inner = memoryStore();
  let crowd: { readonly of: (kind: RecordKind) => boolean; readonly arrive: () => Promise<void> } | undefined;
  let before: (() => Promise<unknown>) | undefined;
  let written = 0;
  return {
    store: {
      ...inner,
      find: async (siteId, kind, id, options) => {
        const found = await inner.find(siteId, kind, id, options);
        if (crowd?.of(kind)) await crowd.arrive();
        return found;
      },
      redeem: async (siteId, redemption) => {
        await before?.();
        before = undefined;
        const outcome = await inner.redeem(siteId, redemption);
        if (outcome.won) written += redemption.tokens.filter(({ kind }) => kind === 'RefreshToken').length;
        return outcome;
      },
    },
    gather: (count, of = isRedeemable) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      let arrived = 0;
      crowd = {
        of,
        arrive: async () => {
          arrived += 1;
          if (arrived === count) {
            crowd = undefined;
            resolve();
          }
          await promise;
        },
      };
    },
    beforeRedemption: (run) => {
      before = run;
    },
    refreshTokens: () => written,
  };
}
