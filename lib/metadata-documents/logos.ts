import { withTimeout } from '../runtime/timeout.ts';
import type { DocumentBudget } from './budget.ts';
import type { DocumentFetcher } from './fetcher.ts';
import { boundedCache } from '../runtime/bounded-cache.ts';

/** The logo at an address as a `data:` URL; `undefined` if there is none that can be shown now. */
export type LogoFinder = (siteId: string, address: string) => Promise<string | undefined>;

interface LogoOptions {
  readonly fetcher: Pick<DocumentFetcher, 'fetchLogo'>;
  /** `undefined` for no limit. */
  readonly budget: DocumentBudget | undefined;
}

const keptMilliseconds = 24 * 60 * 60 * 1000;
const failureMilliseconds = 10 * 60 * 1000;

/** How long a page waits. A logo that comes later is on the next page. */
const patience = 1000;

/** At most 6 MB. */
const maxLogos = 100;

/** Fetches logos and keeps them in this process: a page without one has a monogram in its place, so no failure is a fault. */
export function createLogoFinder({ fetcher, budget }: LogoOptions): LogoFinder {
  const logos = boundedCache<Promise<string | undefined>>(maxLogos, { ttl: keptMilliseconds });

  async function load(siteId: string, address: string): Promise<string> {
    budget?.consumeQuota({ siteId, host: new URL(address).host, used: false });
    return fetcher.fetchLogo(address);
  }

  function start(siteId: string, address: string): Promise<string | undefined> {
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
