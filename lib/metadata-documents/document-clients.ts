import type { DocumentScopes } from '../core/clients/allowance.ts';
import type { KeyFinder } from '../core/clients/client-keys.ts';
import type { ClientFinder } from '../core/clients/finder.ts';
import { observer } from '../observe/observer.ts';
import type { Settings } from '../options/options.ts';
import { documentScopes } from './allowed-scopes.ts';
import { createDocumentBudget } from './budget.ts';
import { createDocumentFetcher } from './fetcher.ts';
import { documentClientFinder, type FinderOptions } from './finder.ts';
import { createKeySets } from './key-sets.ts';
import { createLogoFinder, type LogoFinder } from './logos.ts';
import { createDocumentRefresher, type RefresherOptions } from './refresher.ts';

interface Fetched {
  /** Absent where no policy admits metadata documents. */
  readonly byDocument: { readonly find: ClientFinder; readonly scopes: DocumentScopes } | undefined;
  readonly findLogo: LogoFinder;
  readonly keysAt: KeyFinder;
  readonly close: () => Promise<void> | void;
}

type DocumentParts = Omit<FinderOptions, 'policy' | 'catalogue' | 'refresher'> &
  Pick<RefresherOptions, 'onAudit' | 'storeTime'>;

/** What is fetched from clients: metadata documents, where a policy admits some, their logos, and keys. */
export function createFetched(
  { metadataDocuments: policy, catalogue, testing, limits, telemetry }: Settings,
  parts: DocumentParts,
): Fetched {
  const plain = createDocumentFetcher({ testing });
  const observed = observer(telemetry, 'document');
  const fetch = observed('fetch', (url: string, used?: boolean) => plain.fetch(url, used));
  const fetchKeys = observed('fetch', (url: string, used?: boolean) => plain.fetchKeys(url, used));
  const fetcher = { ...plain, fetch, fetchKeys };
  const budget = limits === false ? undefined : createDocumentBudget();
  const keysAt = createKeySets({ ...parts, fetcher, budget });
  if (!policy) return { byDocument: undefined, findLogo: async () => undefined, keysAt, close: () => fetcher.close() };
  const refresher = createDocumentRefresher({ ...parts, policy, fetcher, budget });
  const find = documentClientFinder({ ...parts, policy, catalogue, refresher });
  const scopes = documentScopes({ ...parts, catalogue }, policy);
  const findLogo = createLogoFinder({ fetcher, budget });
  return { byDocument: { find, scopes }, findLogo, keysAt, close: () => refresher.close() };
}
