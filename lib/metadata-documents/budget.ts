import { OAuthError } from '../protocol/errors.ts';

/** How many documents this process may fetch in a minute. */
export interface DocumentLimits {
  /** Fetches from one host. @default 60 */
  readonly perHost?: number | undefined;
  /** Fetches in total. @default 600 */
  readonly total?: number | undefined;
}

interface DocumentBudget {
  /**
   * Consumes one fetch from this host.
   *
   * @throws OAuthError `slow_down`, status 429 with `Retry-After`, if no quota is left
   */
  consumeQuota(host: string): void;
}

const windowSeconds = 60;

/**
 * Limits fetches in windows of one minute, per host and in total, so that neither one host nor many different hosts keep
 * the server busy. It tracks at most `total` hosts. draft-ietf-oauth-client-id-metadata-document section 6.5.
 *
 * @param now - the time in milliseconds since the epoch
 */
export function createDocumentBudget(limits: DocumentLimits = {}, now: () => number = Date.now): DocumentBudget {
  const { perHost = 60, total = 600 } = limits;
  const used = new Map<string, number>();
  let usedInTotal = 0;
  let current = 0;
  return {
    consumeQuota(host) {
      const seconds = now() / 1000;
      const index = Math.floor(seconds / windowSeconds);
      if (index !== current) {
        used.clear();
        usedInTotal = 0;
        current = index;
      }
      const usedByHost = used.get(host) ?? 0;
      if (usedInTotal >= total || usedByHost >= perHost) {
        const wait = Math.max(1, Math.ceil((index + 1) * windowSeconds - seconds));
        throw new OAuthError(
          'slow_down',
          'too many metadata documents were fetched in the last minute; try again later',
          { status: 429, headers: { 'Retry-After': String(wait) } },
        );
      }
      used.set(host, usedByHost + 1);
      usedInTotal += 1;
    },
  };
}
