import type { ShownVersions } from '../../../core/access/app-review.ts';
import type { Site } from '../../../host/school-platform.ts';
import { RecentResults } from '../../../kernel/recent-results.ts';
import type { Records } from '../../../records/records.ts';

/** How many clients wait for a decision. What this process writes counts; what another one writes, 10 seconds later. */
export type WaitingCounter = (site: Site) => Promise<number>;

/** To count them is to read all that people of the school were shown and all that it has decided: once for all pages of some seconds. */
export function waitingCounter(reviews: ShownVersions, { afterWrite }: Records): WaitingCounter {
  const recent = new RecentResults<number>({ seconds: 10, names: 1000 });
  afterWrite.push((siteId, kind) => {
    if (kind === 'DocumentReview' || kind === 'AppRule') recent.forget(siteId);
  });
  return (site) => recent.get(site.id, async () => (await reviews.list(site, { waiting: true, size: 1 })).total);
}
