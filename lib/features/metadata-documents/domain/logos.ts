import { withTimeout } from '../../../kernel/timeout.ts';
import type { DocumentBudget } from '../../../core/outbound/budget.ts';
import type { DocumentFetcher } from '../../../core/outbound/fetcher.ts';
import { boundedCache } from '../../../kernel/bounded-cache.ts';
import { digest as sha256 } from '../../../kernel/crypto.ts';
import type { Logo, LogoFinder } from '../../../core/access/shown-documents.ts';

const keptMilliseconds = 24 * 60 * 60 * 1000;
const failureMilliseconds = 10 * 60 * 1000;

/** How long a page waits. A logo that comes later is on the next page. */
const patience = 1000;

/** At most 6 MB. */
const maxLogos = 100;

/** Fetches logos and keeps them in this process: a page without one has a monogram in its place, so no failure is a fault. */
export function createLogoFinder(fetcher: DocumentFetcher, budget: DocumentBudget | undefined): LogoFinder {
  const logos = boundedCache<Promise<Logo | undefined>>(maxLogos, { ttl: keptMilliseconds });

  async function load(siteId: string, address: string): Promise<Logo> {
    budget?.consumeQuota({ siteId, host: new URL(address).host, used: false });
    const picture = await fetcher.fetchLogo(address, { siteId, used: false });
    return { picture, digest: sha256(`${address} ${picture}`) };
  }

  function start(siteId: string, address: string): Promise<Logo | undefined> {
    const logo = load(siteId, address).catch(() => {
      logos.set(address, Promise.resolve(undefined), { ttl: failureMilliseconds });
      return undefined;
    });
    logos.set(address, logo);
    return logo;
  }

  return (siteId, address) =>
    withTimeout(logos.get(address) ?? start(siteId, address), patience, () => undefined).catch(() => undefined);
}
