// write-a-store.ts
import { memoryStore } from 'campus-oidc/adapters/memory';
import type { Store } from 'campus-oidc/store';
import { storeContract } from 'campus-oidc/testing';

/** Your store: here one that counts the calls of another one. */
function countingStore(inner: Store, count: () => void): Store {
  return new Proxy(inner, {
    get(store, name) {
      const member: unknown = Reflect.get(store, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        count();
        return Reflect.apply(member, store, args);
      };
    },
  });
}

let calls = 0;
const store = countingStore(memoryStore(), () => (calls += 1));
const cases = storeContract(() => store);
await Promise.all(cases.map(({ run }) => run())); // rejects with what the store does wrong
console.log(`${cases.length > 50 ? 'all cases' : 'few cases'} hold, ${calls > 1000 ? 'more than 1,000' : 'few'} calls`);
