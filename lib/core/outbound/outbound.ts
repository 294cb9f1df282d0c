import type { Audit } from '../../observe/audit.ts';
import { observer } from '../../observe/observer.ts';
import type { KeyFinder } from '../clients/client-keys.ts';
import { createDocumentBudget, type DocumentBudget } from './budget.ts';
import { createDocumentFetcher, type DocumentFetcher } from './fetcher.ts';
import { createKeySets } from './key-sets.ts';
import type { NetworkExceptions } from './network-exceptions.ts';

/** What this process fetches from addresses that clients name: metadata documents, key sets and logos. */
export interface Outbound {
  readonly fetcher: DocumentFetcher;
  /** `undefined` for no limit. */
  readonly budget: DocumentBudget | undefined;
  /** Finds the keys at an address that a client names. */
  readonly keysAt: KeyFinder;
  /** Ends the fetches that are running, and refuses further ones. */
  readonly close: () => void;
}

interface OutboundSettings {
  /** `false`: nothing limits the fetches either. */
  readonly limits: unknown;
  readonly testing?: NetworkExceptions | undefined;
}

export function createOutbound({ limits, testing }: OutboundSettings, audit: Audit): Outbound {
  const fetcher = observedFetcher(createDocumentFetcher({ testing }), audit);
  const budget = limits === false ? undefined : createDocumentBudget();
  const keysAt = createKeySets(fetcher, budget, audit.onAudit);
  return { fetcher, budget, keysAt, close: () => fetcher.close() };
}

function observedFetcher(fetcher: DocumentFetcher, { telemetry }: Audit): DocumentFetcher {
  const observe = observer(telemetry, 'document');
  return {
    ...fetcher,
    fetch: observe('fetch', fetcher.fetch.bind(fetcher)),
    fetchKeys: observe('fetch', fetcher.fetchKeys.bind(fetcher)),
    post: observe('fetch', fetcher.post.bind(fetcher)),
  };
}
