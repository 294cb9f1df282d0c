import type { OnFault } from '../observe/events.ts';
import type { Store } from './store.ts';
import type { Telemetry } from '../observe/telemetry.ts';
import { TemporarilyUnavailable } from '../kernel/errors.ts';
import type { RequestTime } from '../kernel/request-time.ts';
import { observer } from '../observe/observer.ts';
import { reportFault } from '../observe/faults-to-503.ts';

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
    clientsByUse: wrap('clientsByUse', store.clientsByUse.bind(store)),
    grantsOf: wrap('grantsOf', store.grantsOf.bind(store)),
    endFamily: wrap('endFamily', store.endFamily.bind(store)),
    revoke: wrap('revoke', store.revoke.bind(store)),
    ping: wrap('ping', store.ping.bind(store)),
    ...(store.sweep && { sweep: wrap('sweep', store.sweep.bind(store)) }),
  };
}
