import { randomUUID } from 'node:crypto';
import type { Store } from '../../../../lib/store.ts';

/** A store whose sites are its own, on a database that has others. */
export function apart(store: Store): Store {
  const mark = randomUUID();
  return new Proxy(store, {
    get: (target, name): unknown => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || ['ping', 'observe', 'diagnose'].includes(String(name))) return member;
      return (siteId: string, ...args: unknown[]): unknown =>
        Reflect.apply(member, target, [`${mark} ${siteId}`, ...args]);
    },
  });
}
