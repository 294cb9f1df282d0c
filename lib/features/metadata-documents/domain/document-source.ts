import type { ClientSource } from '../../../core/clients/client-source.ts';
import type { SourceParts, SourceSettings, VersionParts } from '../../../core/access/client-source-parts.ts';
import type { ClientVersions } from '../../../core/access/client-versions.ts';
import { documentScopes } from './allowed-scopes.ts';
import { createDocumentCache, shippedCopy } from './document-cache.ts';
import { documentClientFinder } from './document-client-finder.ts';
import { createLogoFinder } from './logos.ts';
import { createDocumentRefresher } from './document-refresher.ts';
import { storedDocuments } from './stored-documents.ts';
import type { DocumentPolicies } from './wrapped-policy.ts';

/** The versions of metadata documents: what is stored, also without a policy, what came with the policy, and the logos. */
export function documentVersions({ policies, records, outbound }: VersionParts<DocumentPolicies>): ClientVersions {
  const { documents: policy } = policies;
  const cache = createDocumentCache(records.store);
  return {
    find: cache.find,
    shipped: (clientId, stored) => policy && shippedCopy(policy, clientId, stored),
    appOf: (clientId) => policy?.known?.(clientId)?.app,
    findLogo: policy ? createLogoFinder(outbound.fetcher, outbound.budget) : async () => undefined,
    markUsed: cache.markUsed,
  };
}

/** Clients that are metadata documents. */
export function documentSource(
  { catalogue, enabled }: SourceSettings,
  parts: SourceParts<DocumentPolicies>,
): ClientSource {
  const { policies, records, outbound, rules, reviews, limits, audit } = parts;
  const { documents: policy } = policies;
  const { reviewOf, reportChange } = reviews;
  const { onAudit, onFault } = audit;
  const cache = createDocumentCache(records.store);
  const findStored = storedDocuments({ cache, policy, enabled });
  if (!policy) return { find: undefined, findStored, scopes: undefined, servedCopies: () => [], close: async () => {} };
  const { fetcher, budget } = outbound;
  const { schoolRule } = rules;
  const storeTime = records.time;
  const refresher = createDocumentRefresher({ policy, cache, fetcher, budget, reportChange, onAudit, storeTime });
  const find = documentClientFinder({
    policy,
    catalogue,
    enabled,
    cache,
    refresher,
    reviewOf,
    reportChange,
    schoolRule,
    limit: limits.limiter('documents'),
    onFault,
  });
  return {
    find,
    findStored,
    scopes: documentScopes({ catalogue, cache, reviewOf }, policy),
    servedCopies: refresher.servedCopies,
    close: refresher.close,
  };
}
