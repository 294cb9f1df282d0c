import { OAuthError } from '../protocol/errors.ts';

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

const windowSeconds = 60;

/** Of every limit, a quarter is left to used documents. */
const unusedShare = 3 / 4;

/**
 * Strangers choose which documents are fetched. One school cannot use up what the others have of a host or in total, one
 * host is not asked more often because there are many schools, many hosts do not keep the process busy, and unused documents
 * leave a reserve to used ones. At most `total` fetches are counted, so the counters are bounded too.
 * draft-ietf-oauth-client-id-metadata-document section 6.5.
 */
export function createDocumentBudget(limits: DocumentLimits = {}, now: () => number = Date.now): DocumentBudget {
  const { perSiteAndHost = 60, perHost = 240, perSite = 120, total = 600 } = limits;
  const counts = new Map<string, number>();
  let current = 0;
  return {
    consumeQuota({ siteId, host, used }) {
      const seconds = now() / 1000;
      const index = Math.floor(seconds / windowSeconds);
      if (index !== current) counts.clear();
      current = index;
      const counters: readonly (readonly [name: string, limit: number])[] = [
        [`${siteId} ${host}`, perSiteAndHost],
        [host, perHost],
        [`${siteId} `, perSite],
        ['', total],
      ];
      const share = used ? 1 : unusedShare;
      if (counters.some(([name, limit]) => (counts.get(name) ?? 0) >= limit * share)) {
        const wait = Math.max(1, Math.ceil((index + 1) * windowSeconds - seconds));
        const text = 'too many metadata documents were fetched in the last minute; try again later';
        throw new OAuthError('slow_down', text, { status: 429, headers: { 'Retry-After': String(wait) } });
      }
      for (const [name] of counters) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
  };
}
