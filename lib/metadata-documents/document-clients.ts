import type { DocumentScopes } from '../clients/allowance.ts';
import type { ClientFinder } from '../clients/finder.ts';
import { observer } from '../host/observe.ts';
import type { Settings } from '../options/options.ts';
import { documentScopes } from './allowed-scopes.ts';
import { createDocumentBudget } from './budget.ts';
import { createDocumentFetcher } from './fetcher.ts';
import { documentClientFinder, type FinderOptions } from './finder.ts';
import { createLogoFinder, type LogoFinder } from './logos.ts';
import { createDocumentRefresher, type RefresherOptions } from './refresher.ts';

interface DocumentClients {
  readonly find: ClientFinder;
  readonly scopes: DocumentScopes;
  readonly findLogo: LogoFinder;
  readonly close: () => Promise<void>;
}

type DocumentParts = Pick<FinderOptions, 'cache' | 'reviewOf' | 'reportChange' | 'schoolRule' | 'limit' | 'onFault'> &
  Pick<RefresherOptions, 'onAudit' | 'storeTime'>;

/** The finder of clients that are metadata documents, where a policy admits some, and that of their logos. */
export function documentClients(
  { metadataDocuments: policy, catalogue, testing, limits, telemetry }: Settings,
  parts: DocumentParts,
): DocumentClients | undefined {
  if (!policy) return undefined;
  const plainFetcher = createDocumentFetcher({ testing });
  const fetch = observer(telemetry, 'document')('fetch', (url: string, used?: boolean) =>
    plainFetcher.fetch(url, used),
  );
  const fetcher = { ...plainFetcher, fetch };
  const budget = limits === false ? undefined : createDocumentBudget();
  const refresher = createDocumentRefresher({ ...parts, policy, fetcher, budget });
  const find = documentClientFinder({ ...parts, policy, catalogue, refresher });
  const scopes = documentScopes({ ...parts, catalogue }, policy);
  return { find, scopes, findLogo: createLogoFinder({ fetcher, budget }), close: () => refresher.close() };
}
