import type { AppReview } from '../../lib/core/access/app-review.ts';
import type { AppsQuery, ChangeDetails, ListedApp } from '../../lib/core/apps/apps.ts';
import type { Campus, Site } from '../../lib/index.ts';

/** What people were shown of a client, and what was decided on it. */
export interface Shown extends AppReview {
  readonly clientId: string;
  readonly version: string;
  readonly decidedBy: string | undefined;
}

function shownOf({ clientId = '', review, version, decided }: ListedApp): Shown[] {
  return review ? [{ clientId, ...review, version, decidedBy: decided?.by }] : [];
}

/** The clients that people of a school were shown, as `campus.apps` has them. */
export function reviewsOf({ apps }: Campus) {
  return {
    list: async (site: Site, query?: AppsQuery): Promise<Shown[]> => (await apps.list(site, query)).flatMap(shownOf),
    find: async (site: Site, clientId: string): Promise<Shown | undefined> =>
      shownOf(await apps.find(site, { clientId }))[0],
    /** Approves what somebody saw: what is there now, without a version. */
    async approve(
      site: Site,
      clientId: string,
      version?: string,
      details?: Omit<ChangeDetails, 'version'>,
    ): Promise<void> {
      const seen = version ?? (await apps.find(site, { clientId })).version;
      await apps.set(site, { clientId }, { access: 'allowed' }, { ...details, version: seen });
    },
  };
}
