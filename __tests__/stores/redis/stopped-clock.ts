import type { Store } from '../../../lib/store.ts';

/**
 * A store for processes whose clocks stand still at this moment. By it a redemption is a moment ago, so that its windows do not end
 * while a busy machine works; a clock that a test sets ahead ends them.
 */
export function withStoppedClock(store: Store, stoppedAt: number): Store {
  return {
    ...store,
    find: async (...args) => {
      const found = await store.find(...args);
      if (typeof found?.consumed !== 'number') return found;
      return { ...found, now: found.consumed + (Date.now() - stoppedAt) / 1000 };
    },
  };
}
