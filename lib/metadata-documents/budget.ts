import { OAuthError } from '../protocol/errors.ts';

/** How many documents may be fetched in a minute, by this process. */
export interface DocumentLimits {
  /** From one host. @default 60 */
  readonly perHost?: number | undefined;
  /** In all. @default 600 */
  readonly total?: number | undefined;
}

/** A budget of fetches. */
export interface DocumentBudget {
  /**
   * Spends one fetch from this host.
   *
   * @throws OAuthError `slow_down`, status 429 with `Retry-After`, when nothing is left
   */
  consumeQuota(host: string): void;
}

const windowSeconds = 60;

/**
 * A budget for one minute at a time: neither one host nor a spray of addresses keeps the server busy. It remembers no
 * more hosts than `total`. draft-ietf-oauth-client-id-metadata-document section 6.5.
 *
 * @param now - Milliseconds since the epoch. @default Date.now
 */
export function createDocumentBudget(limits: DocumentLimits = {}, now: () => number = Date.now): DocumentBudget {
  const { perHost = 60, total = 600 } = limits;
  const spent = new Map<string, number>();
  let all = 0;
  let current = 0;
  return {
    consumeQuota(host) {
      const seconds = now() / 1000;
      const index = Math.floor(seconds / windowSeconds);
      if (index !== current) {
        spent.clear();
        all = 0;
        current = index;
      }
      const ofHost = spent.get(host) ?? 0;
      if (all >= total || ofHost >= perHost) {
        const wait = Math.max(1, Math.ceil((index + 1) * windowSeconds - seconds));
        throw new OAuthError('slow_down', 'too many metadata documents were fetched just now; try again later', {
          status: 429,
          headers: { 'Retry-After': String(wait) },
        });
      }
      spent.set(host, ofHost + 1);
      all += 1;
    },
  };
}
