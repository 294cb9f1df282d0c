import { slowDown } from '../limits/request-limiters.ts';
import { WindowCounters } from '../../kernel/window-counters.ts';

/** Fetches of this process in a minute: because of requests to one school, from one host and from all; and in total. */
const perSiteAndHost = 60;
/** Less than the reserve of the total. */
const perSite = 120;
const total = 600;

export interface DocumentBudget {
  /** `used` says whether somebody has allowed or approved the document. @throws OAuthError `slow_down`, status 429 */
  consumeQuota(fetch: { readonly siteId: string; readonly host: string; readonly used: boolean }): void;
}

/** A quarter of every limit is left to used documents. */
export const unusedShare = 3 / 4;

/**
 * Strangers choose which documents are fetched. One school cannot use up what the others have of a host or in total. A host is
 * not asked more often because there are many schools, and many hosts do not keep the process busy. Unused documents leave a
 * reserve to used ones. At most `total` fetches are counted, which also bounds the counters.
 * draft-ietf-oauth-client-id-metadata-document section 6.5.
 */
export function createDocumentBudget(
  { perHost = 240 }: { readonly perHost?: number | undefined } = {},
  now?: () => number,
): DocumentBudget {
  const fetches = new WindowCounters(60, now);
  return {
    consumeQuota({ siteId, host, used }) {
      const quota = (name: string, limit: number) => ({ name, limit: used ? limit : Math.ceil(limit * unusedShare) });
      const wait = fetches.use([
        quota(`${siteId} ${host}`, perSiteAndHost),
        quota(host, perHost),
        quota(`${siteId} `, perSite),
        quota('', total),
      ]);
      if (wait !== undefined) throw slowDown(wait, 'too many metadata documents were fetched in the last minute');
    },
  };
}
