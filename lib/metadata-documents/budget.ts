import { slowDown } from '../rate-limit/limiter.ts';
import { WindowCounters } from '../runtime/window-counters.ts';

/** Fetches of this process in a minute. */
export interface DocumentLimits {
  /** From one host, because of requests to one school. @default 60 */
  readonly perSiteAndHost?: number | undefined;
  /** From one host, because of requests to all schools. @default 240 */
  readonly perHost?: number | undefined;
  /** From all hosts, because of requests to one school. It is less than the reserve of `total`. @default 120 */
  readonly perSite?: number | undefined;
  /** @default 600 */
  readonly total?: number | undefined;
}

export interface PlannedFetch {
  readonly siteId: string;
  readonly host: string;
  /** Whether somebody has allowed or approved the document. */
  readonly used: boolean;
}

export interface DocumentBudget {
  /** @throws OAuthError `slow_down`, status 429 */
  consumeQuota(fetch: PlannedFetch): void;
}

/** A quarter of every limit is left to used documents. */
export const unusedShare: number = 3 / 4;

/**
 * Strangers choose which documents are fetched. One school cannot use up what the others have of a host or in total. A host is
 * not asked more often because there are many schools, and many hosts do not keep the process busy. Unused documents leave a
 * reserve to used ones. At most `total` fetches are counted, which also bounds the counters.
 * draft-ietf-oauth-client-id-metadata-document section 6.5.
 */
export function createDocumentBudget(limits: DocumentLimits = {}, now?: () => number): DocumentBudget {
  const { perSiteAndHost = 60, perHost = 240, perSite = 120, total = 600 } = limits;
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
