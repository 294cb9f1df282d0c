import type { KeyFinder } from '../clients/client-keys.ts';
import { type PublicJwk, usableKeys, usableProblem } from '../keys/public-keys.ts';
import { InvalidClient, OAuthError } from '../../kernel/errors.ts';
import type { OnAudit } from '../../observe/audit-event.ts';
import { boundedCache } from '../../kernel/bounded-cache.ts';
import type { DocumentBudget } from './budget.ts';
import type { DocumentFetcher, FetchReason } from './fetcher.ts';

interface KeySet {
  readonly keys: readonly PublicJwk[];
  /** Until then, in milliseconds, an unknown key is not worth another request. */
  readonly settledUntil: number;
  readonly freshUntil: number;
}

/** A key that is taken out of a set ends within this time, whatever its server says. `docs/guides/client-keys.md` says so. */
const longestFresh = 10 * 60;

/** A key that was just added is found; made-up ones cause no more than two requests in a minute. */
const pause = 30 * 1000;

/** Long enough that a crowd of clients causes one request, short enough that a correction counts at once. */
const failurePause = 10 * 1000;

/** Fetches the key sets of clients and keeps them in this process, and no longer than they are fresh: an old copy could have a key that was taken out. */
export function createKeySets(
  fetcher: DocumentFetcher,
  budget: DocumentBudget | undefined,
  onAudit: OnAudit,
): KeyFinder {
  const sets = boundedCache<KeySet>(1000);
  const failures = boundedCache<{ readonly error: unknown; readonly until: number }>(1000);
  const running = new Map<string, Promise<KeySet>>();

  async function load(address: string, reason: FetchReason, name: string): Promise<KeySet> {
    try {
      const { document, ttl } = await fetcher.fetchKeys(address, reason);
      const keys = usableKeys(document);
      const problem = usableProblem(keys);
      if (problem !== undefined) throw new InvalidClient(`the key set at ${address} ${problem}`);
      const now = Date.now();
      const fresh = Math.min(ttl, longestFresh) * 1000;
      const set = { keys, settledUntil: now + pause, freshUntil: now + fresh };
      sets.set(address, set);
      return set;
    } catch (error) {
      failures.set(name, { error, until: Date.now() + failurePause });
      throw error;
    }
  }

  return async ({ siteId, clientId, address, kid, used }) => {
    const now = Date.now();
    const known = sets.get(address);
    if (known && known.freshUntil > now) {
      const has = kid === undefined || known.keys.some((key) => key.kid === kid);
      if (has || known.settledUntil > now) return known.keys;
    }
    // Anyone can publish a document with the address of another client, and use up the look-ups of documents that nobody uses.
    const name = `${used ? 'used' : 'unused'} ${address}`;
    const failure = failures.get(name);
    if (failure && failure.until > now) throw failure.error;
    let loading = running.get(name);
    if (!loading) {
      try {
        budget?.consumeQuota({ siteId, host: new URL(address).host, used });
      } catch (error) {
        if (error instanceof OAuthError) onAudit({ action: 'quota.exceeded', reason: 'documents', siteId, clientId });
        throw error;
      }
      loading = load(address, { siteId, used }, name).finally(() => running.delete(name));
      running.set(name, loading);
    }
    return (await loading).keys;
  };
}
