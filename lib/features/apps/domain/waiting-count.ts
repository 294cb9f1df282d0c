import type { ShownVersions } from '../../../core/access/app-review.ts';
import type { Site } from '../../../host/school-platform.ts';
import { boundedCache } from '../../../kernel/bounded-cache.ts';
import { RecentResults } from '../../../kernel/recent-results.ts';
import type { Records } from '../../../records/records.ts';

/** How many clients wait for a decision. */
export interface WaitingCounter {
  /** What this process writes counts; what another one writes, 10 seconds later. */
  readonly count: (site: Site) => Promise<number>;
  /** What was last counted here, at most 5 minutes ago. Nothing is read. */
  readonly lastCount: (site: Site) => number | undefined;
}

/** To count them is to read all that people of the school were shown and all that it has decided: once for all pages of some seconds. */
export function waitingCounter(reviews: ShownVersions, { afterWrite }: Records): WaitingCounter {
  const recent = new RecentResults<number>({ seconds: 10, names: 1000 });
  const last = boundedCache<number>(1000, { ttl: 5 * 60 * 1000 });
  afterWrite.push((siteId, kind) => {
    if (kind !== 'DocumentReview' && kind !== 'AppRule') return;
    recent.forget(siteId);
    // What people are shown makes it more. What is decided makes it less, and nothing that was decided is said to wait.
    if (kind === 'AppRule') last.delete(siteId);
  });
  return {
    async count(site) {
      const count = await recent.get(site.id, async () => (await reviews.list(site, { waiting: true, size: 1 })).total);
      last.set(site.id, count);
      return count;
    },
    lastCount: (site) => last.get(site.id),
  };
}
