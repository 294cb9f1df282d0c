import type { ApprovedScopes, DocumentScopes } from '../../../core/clients/allowance.ts';
import type { KeyFinder } from '../../../core/clients/client-keys.ts';
import type { ClientFinder } from '../../../core/clients/finder.ts';
import type { ProgramRuleFinders } from '../../../core/clients/program-rules.ts';
import type { LimitManager } from '../../../core/limits/limit-manager.ts';
import type { Offered } from '../../../core/offered/offered.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { Audit } from '../../../observe/audit.ts';
import { observer } from '../../../observe/observer.ts';
import type { Records } from '../../../records/records.ts';
import { approvedScopes, documentScopes } from './allowed-scopes.ts';
import { createDocumentBudget } from './budget.ts';
import { createDocumentCache } from './cache.ts';
import type { DocumentTesting, MetadataDocumentPolicy } from './document-policy.ts';
import type { DocumentReviews } from '../../../core/reviews/document-review.ts';
import { createDocumentFetcher, type DocumentFetcher } from './fetcher.ts';
import { documentClientFinder } from './finder.ts';
import { createKeySets } from './key-sets.ts';
import { createLogoFinder } from './logos.ts';
import type { LogoFinder, DocumentSeen } from '../../../core/reviews/shown.ts';
import { createDocumentRefresher } from './refresher.ts';
import { createDocumentReviews } from './reviews.ts';
import { cachedDocuments } from './seen-documents.ts';

/** Metadata documents as clients: what is fetched from them, what is stored, and what each school has decided. */
export interface Documents {
  /** Absent where no policy admits metadata documents. */
  readonly find: ClientFinder | undefined;
  /** Finds clients by what is stored of their documents: nothing is fetched. */
  readonly findStored: ClientFinder;
  /** Absent where no policy admits metadata documents. */
  readonly scopes: DocumentScopes | undefined;
  /** What administrators have approved of a client, whatever kind of client it is. */
  readonly approvedScopes: ApprovedScopes;
  readonly reviews: DocumentReviews;
  readonly recordShown: DocumentSeen;
  /** Called for each consent to a metadata document, with the digest of what the person was shown. */
  readonly markUsed: (site: Site, clientId: string, digest: string) => Promise<void>;
  readonly findLogo: LogoFinder;
  /** Finds the keys at an address that a client names. */
  readonly keysAt: KeyFinder;
  /** Ends fetches. */
  readonly close: () => Promise<void> | void;
}

interface DocumentSettings {
  readonly catalogue: ScopeCatalogue;
  readonly offered: Offered;
  /** `false`: nothing limits the fetches either. */
  readonly limits: unknown;
  readonly testing?: DocumentTesting | undefined;
}

interface DocumentSources {
  readonly policy: MetadataDocumentPolicy | undefined;
  readonly rules: ProgramRuleFinders;
  readonly records: Records;
  readonly limits: LimitManager;
  readonly audit: Audit;
}

export function createDocuments(
  settings: DocumentSettings,
  { policy, rules, records, limits, audit }: DocumentSources,
): Documents {
  const { catalogue, offered, testing } = settings;
  const { store } = records;
  const { onAudit, onFault } = audit;
  const { lifetimes } = limits;
  const { schoolRule, platformRule } = rules;
  const cache = createDocumentCache(store);
  const fetcher = observedFetcher(createDocumentFetcher({ testing }), audit);
  const budget = settings.limits === false ? undefined : createDocumentBudget();
  const findLogo: LogoFinder = policy ? createLogoFinder({ fetcher, budget }) : async () => undefined;
  const keysAt = createKeySets({ fetcher, budget, onAudit });
  const reviewing = createDocumentReviews({ store, lifetimes, onAudit, cache, policy, findLogo });
  const { reviews, reviewOf, recordShown, reportChange } = reviewing;
  const shared: Omit<Documents, 'find' | 'scopes' | 'close'> = {
    findStored: cachedDocuments({ cache, policy, offered }),
    approvedScopes: approvedScopes({ catalogue, cache, reviewOf }),
    reviews,
    recordShown,
    markUsed: (site, clientId, digest) => cache.markUsed(clientId, digest, lifetimes(site).grant),
    findLogo,
    keysAt,
  };
  if (!policy) return { ...shared, find: undefined, scopes: undefined, close: () => fetcher.close() };
  const refresher = createDocumentRefresher({
    policy,
    cache,
    fetcher,
    budget,
    reportChange,
    onAudit,
    storeTime: records.time,
  });
  const find = documentClientFinder({
    policy,
    catalogue,
    offered,
    cache,
    refresher,
    reviewOf,
    reportChange,
    schoolRule,
    platformRule,
    limit: limits.limiter('documents'),
    onFault,
  });
  const scopes = documentScopes({ catalogue, cache, reviewOf }, policy);
  return { ...shared, find, scopes, close: () => refresher.close() };
}

function observedFetcher(fetcher: DocumentFetcher, { telemetry }: Audit): DocumentFetcher {
  const observe = observer(telemetry, 'document');
  return {
    ...fetcher,
    fetch: observe('fetch', (url: string, used?: boolean) => fetcher.fetch(url, used)),
    fetchKeys: observe('fetch', (url: string, used?: boolean) => fetcher.fetchKeys(url, used)),
  };
}
