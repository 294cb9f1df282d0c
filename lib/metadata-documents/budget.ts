import { OAuthError } from '../protocol/errors.ts';

/** Fetches of this process in a minute. */
export interface DocumentLimits {
  readonly perHost?: number | undefined;
  readonly total?: number | undefined;
}

const windowSeconds = 60;

/**
 * Neither one host nor many different hosts may keep the server busy. `consumeQuota` throws `slow_down`, status 429. At most
 * `total` hosts are tracked. draft-ietf-oauth-client-id-metadata-document section 6.5.
 */
export function createDocumentBudget(
  limits: DocumentLimits = {},
  now: () => number = Date.now,
): { consumeQuota(host: string): void } {
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
        const text = 'too many metadata documents were fetched in the last minute; try again later';
        throw new OAuthError('slow_down', text, { status: 429, headers: { 'Retry-After': String(wait) } });
      }
      used.set(host, usedByHost + 1);
      usedInTotal += 1;
    },
  };
}
