import type { Store } from '../contracts/store.ts';
import type { ObservedCall, Telemetry } from '../contracts/telemetry.ts';
import type { HostPlatform } from './platform.ts';

type Observe = <A extends unknown[], R>(
  operation: string,
  call: (...args: A) => Promise<R>,
) => (...args: A) => Promise<R>;

function observer(telemetry: Telemetry, to: ObservedCall['to']): Observe {
  return (operation, call) => {
    const observed = { to, operation };
    return (...args) => (telemetry.isOn() ? telemetry.call(observed, () => call(...args)) : call(...args));
  };
}

/** Observes the calls of a store as callers see them, with their deadline. Without telemetry it is the store itself. */
export function observeStore(store: Store, telemetry: Telemetry | undefined): Store {
  if (!telemetry) return store;
  const observe = observer(telemetry, 'store');
  return {
    find: observe('find', store.find.bind(store)),
    save: observe('save', store.save.bind(store)),
    remove: observe('remove', store.remove.bind(store)),
    redeem: observe('redeem', store.redeem.bind(store)),
    list: observe('list', store.list.bind(store)),
    consumeQuota: observe('consumeQuota', store.consumeQuota.bind(store)),
    grantIds: observe('grantIds', store.grantIds.bind(store)),
    countGrants: observe('countGrants', store.countGrants.bind(store)),
    endFamily: observe('endFamily', store.endFamily.bind(store)),
    revoke: observe('revoke', store.revoke.bind(store)),
    ping: observe('ping', store.ping.bind(store)),
  };
}

export function observePlatform(platform: HostPlatform, telemetry: Telemetry | undefined): HostPlatform {
  if (!telemetry) return platform;
  const observe = observer(telemetry, 'platform');
  return {
    findSite: observe('findSite', platform.findSite.bind(platform)),
    signedInMember: observe('signedInMember', platform.signedInMember.bind(platform)),
    signInUrl: observe('signInUrl', platform.signInUrl.bind(platform)),
    findMember: observe('findMember', platform.findMember.bind(platform)),
  };
}

interface Fetcher<D> {
  fetch(url: string): Promise<D>;
  close(): void;
}

export function observeFetcher<D>(fetcher: Fetcher<D>, telemetry: Telemetry | undefined): Fetcher<D> {
  if (!telemetry) return fetcher;
  const fetch = observer(telemetry, 'document')('fetch', (url: string) => fetcher.fetch(url));
  return { ...fetcher, fetch };
}
