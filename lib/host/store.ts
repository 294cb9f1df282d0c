import type { OnFault } from '../runtime/events.ts';
import type { Store } from '../contracts/store.ts';
import { faultWrapper } from './faults.ts';

/** The store, with every rejection turned into `temporarily_unavailable`. */
export function wrapStore(store: Store, onFault: OnFault): Store {
  const guard = faultWrapper(onFault, Infinity);
  return {
    find: guard('store.find', store.find.bind(store)),
    save: guard('store.save', store.save.bind(store)),
    remove: guard('store.remove', store.remove.bind(store)),
    redeem: guard('store.redeem', store.redeem.bind(store)),
    listClients: guard('store.listClients', store.listClients.bind(store)),
    consumeQuota: guard('store.consumeQuota', store.consumeQuota.bind(store)),
    grantIds: guard('store.grantIds', store.grantIds.bind(store)),
    revoke: guard('store.revoke', store.revoke.bind(store)),
    ping: guard('store.ping', store.ping.bind(store)),
  };
}
