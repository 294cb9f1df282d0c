import type { OnFault } from '../runtime/events.ts';
import type { Store } from '../contracts/store.ts';
import { TemporarilyUnavailable } from '../protocol/errors.ts';
import { type RequestTime, withTimeout } from '../runtime/timeout.ts';

/** Seconds that one call of the platform or a policy may take. A store has its own deadline. */
const callTime = 10;

/**
 * Wraps functions of the host: what they throw is a fault, never a verdict, and so is a call that takes too long.
 * Specification: Errors, the 503 row.
 */
export function faultWrapper(
  onFault: OnFault,
  seconds: number = callTime,
): <A extends unknown[], R>(what: string, call: (...args: A) => R | Promise<R>) => (...args: A) => Promise<R> {
  return (what, call) =>
    async (...args) => {
      try {
        const result = call(...args);
        if (!isThenable(result)) return await result;
        return await withTimeout(result, seconds * 1000, () => new Error(`no response after ${seconds} seconds`));
      } catch (cause) {
        throw reportFault(onFault, what, cause);
      }
    };
}

/** Whether what the host has returned has to be waited for. */
export function isThenable<T>(result: T | PromiseLike<T>): result is PromiseLike<T> {
  return typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function';
}

/** Reports a fault and returns the error that the caller gets. */
export function reportFault(onFault: OnFault, what: string, cause: unknown): TemporarilyUnavailable {
  onFault(`${what} failed`, cause);
  if (cause instanceof TemporarilyUnavailable) return cause;
  return new TemporarilyUnavailable('the service is temporarily unavailable; try again in a moment', { cause });
}

/** Wraps a store: its calls share the time of their request, and an error object is reported once. */
export function wrapStore(store: Store, time: RequestTime, onFault: OnFault): Store {
  const reported = new WeakSet();
  const report: OnFault = (message, cause) => {
    if (typeof cause === 'object' && cause !== null) {
      if (reported.has(cause)) return;
      reported.add(cause);
    }
    onFault(message, cause);
  };
  store.observe?.(report);
  const wrap = <A extends unknown[], R>(what: string, call: (...args: A) => Promise<R>) => {
    const explain = (cause: unknown): TemporarilyUnavailable => reportFault(report, what, cause);
    return (...args: A): Promise<R> => time.spend(() => call(...args), explain);
  };
  return {
    find: wrap('store.find', store.find.bind(store)),
    save: wrap('store.save', store.save.bind(store)),
    remove: wrap('store.remove', store.remove.bind(store)),
    redeem: wrap('store.redeem', store.redeem.bind(store)),
    list: wrap('store.list', store.list.bind(store)),
    consumeQuota: wrap('store.consumeQuota', store.consumeQuota.bind(store)),
    grantIds: wrap('store.grantIds', store.grantIds.bind(store)),
    countGrants: wrap('store.countGrants', store.countGrants.bind(store)),
    endFamily: wrap('store.endFamily', store.endFamily.bind(store)),
    revoke: wrap('store.revoke', store.revoke.bind(store)),
    ping: wrap('store.ping', store.ping.bind(store)),
  };
}
