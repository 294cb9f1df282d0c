import type { Site } from '../../host/school-platform.ts';
import type { ConnectedClientRecord } from '../../records/codec.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { RecentResults } from '../../kernel/recent-results.ts';
import type { AtSite } from '../../host/per-site.ts';
import type { Lifetimes } from '../limits/limits.ts';
import type { RecordStore } from '../../records/record-store.ts';

/** A process writes at most once a day that a client is active. */
export const noteSeconds = 24 * 60 * 60;

/** How old a list may be that a page shows. What was last active is known to within a day. */
const keptSeconds = 10;

/** Schools whose lists a process keeps. That of 5,000 clients takes a few megabytes. */
const maxSchools = 10;

/** The clients that can still have connections, by id, the most recently active first. */
type ActiveClients = ReadonlyMap<string, ConnectedClientRecord>;

/** A client that was last active before that, in seconds since the epoch, can have no connection. */
export function oldestActive({ lifetimes }: { readonly lifetimes: AtSite<Lifetimes> }, site: Site): number {
  return epochSeconds() - lifetimes(site).grant - noteSeconds;
}

/** The clients that people have connected, read once for all pages of some seconds: a school can have thousands. */
export interface ConnectedList {
  /** What this process writes is in it; what another one writes, 10 seconds later. */
  readonly read: (site: Site) => Promise<ActiveClients>;
  /** Has the list be read again: something was written, or will be done with what is in it. */
  readonly forget: (siteId: string) => void;
}

export function connectedList({
  store,
  lifetimes,
}: {
  readonly store: RecordStore;
  readonly lifetimes: AtSite<Lifetimes>;
}): ConnectedList {
  const recent = new RecentResults<ActiveClients>({ seconds: keptSeconds, names: maxSchools });
  async function readAll(site: Site): Promise<ActiveClients> {
    const oldest = oldestActive({ lifetimes }, site);
    const current = (await store.list(site.id, 'ConnectedClient')).filter(({ at }) => at > oldest);
    current.sort((a, b) => b.at - a.at || a.client_id.localeCompare(b.client_id));
    return new Map(current.map((record) => [record.client_id, record]));
  }
  return {
    read: (site) => recent.get(site.id, () => readAll(site)),
    forget: (siteId) => recent.forget(siteId),
  };
}
