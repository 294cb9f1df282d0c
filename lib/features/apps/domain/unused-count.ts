import type { Site } from '../../../host/school-platform.ts';
import { RecentResults } from '../../../kernel/recent-results.ts';
import type { AppFinder } from './all-apps.ts';

/** How many apps that people are connected to were last used more than 90 days ago. It may be a minute old. */
export type UnusedCounter = (site: Site) => Promise<number>;

/** To count them is to read all apps of the school: once for all pages of a minute. */
export function unusedCounter(allApps: AppFinder): UnusedCounter {
  const recent = new RecentResults<number>({ seconds: 60, names: 1000 });
  const count: UnusedCounter = async (site) => {
    const { apps } = await allApps(site, { unusedDays: 90 });
    return apps.filter(({ people }) => people > 0).length;
  };
  return (site) => recent.get(site.id, () => count(site));
}
