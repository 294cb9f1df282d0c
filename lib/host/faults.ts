import type * as z from 'zod';
import type { Site } from '../contracts/platform.ts';
import type { OnFault } from '../runtime/events.ts';
import type { Store } from '../contracts/store.ts';
import type { Telemetry } from '../contracts/telemetry.ts';
import { TemporarilyUnavailable } from '../protocol/errors.ts';
import { type RequestTime, withTimeout } from '../runtime/timeout.ts';
import { observer } from './observe.ts';
import { brief, readReturn, wrongReturn } from './returned.ts';

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

interface StoreWrapping {
  readonly time: RequestTime;
  readonly telemetry: Telemetry | undefined;
  readonly onFault: OnFault;
}

/** Wraps a store: its calls share the time of their request and are observed with it, and an error object is reported once. */
export function wrapStore(store: Store, { time, telemetry, onFault }: StoreWrapping): Store {
  const reported = new WeakSet();
  const report: OnFault = (message, cause) => {
    if (typeof cause === 'object' && cause !== null) {
      if (reported.has(cause)) return;
      reported.add(cause);
    }
    onFault(message, cause);
  };
  store.observe?.(report);
  const observe = observer(telemetry, 'store');
  const wrap = <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) => {
    const explain = (cause: unknown): TemporarilyUnavailable => reportFault(report, `store.${name}`, cause);
    return observe(name, (...args: A): Promise<R> => time.within(() => call(...args), explain));
  };
  return {
    find: wrap('find', store.find.bind(store)),
    save: wrap('save', store.save.bind(store)),
    remove: wrap('remove', store.remove.bind(store)),
    redeem: wrap('redeem', store.redeem.bind(store)),
    list: wrap('list', store.list.bind(store)),
    consumeQuota: wrap('consumeQuota', store.consumeQuota.bind(store)),
    grantIds: wrap('grantIds', store.grantIds.bind(store)),
    countGrants: wrap('countGrants', store.countGrants.bind(store)),
    endFamily: wrap('endFamily', store.endFamily.bind(store)),
    revoke: wrap('revoke', store.revoke.bind(store)),
    ping: wrap('ping', store.ping.bind(store)),
    ...(store.sweep && { sweep: wrap('sweep', store.sweep.bind(store)) }),
  };
}

/** The value of an option at a site. */
export type AtSite<T> = (site: Site) => T;

/** An option as the schemas pass it on: a value, or the host's function of the site. */
export type SiteOption<T> = T | ((site: Site) => unknown);

/** A function of the host is called once for each `Site` object, which is kept as long as `siteCache` says. What it returns wrong is a fault. @internal */
export function atSite<T extends object | false>(
  name: string,
  option: SiteOption<T>,
  schema: z.ZodType<T>,
  onFault: OnFault,
): AtSite<T> {
  if (typeof option !== 'function') return () => option;
  const values = new WeakMap<Site, T>();
  return (site) => {
    const known = values.get(site);
    if (known !== undefined) return known;
    const what = `${name}(${brief(site.id)})`;
    try {
      const returned = option(site) ?? undefined;
      if (isThenable(returned)) {
        Promise.resolve(returned).catch(() => undefined);
        throw wrongReturn(what, '', returned, 'be there at once, not as a promise');
      }
      const value = readReturn(what, schema, returned);
      values.set(site, value);
      return value;
    } catch (error) {
      throw reportFault(onFault, what, error);
    }
  };
}
