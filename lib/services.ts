import { EventEmitter } from 'node:events';
import { createVerify } from './bearer/verify.ts';
import { type ApplicationServices, createApplicationServices } from './clients/applications.ts';
import { clientFinder, type ClientFinder, permittedClients } from './clients/finder.ts';
import { type ConnectionServices, createConnectionServices } from './connections/connections.ts';
import type { VerifyAccess } from './contracts/client.ts';
import type { DocumentReviews } from './contracts/document-review.ts';
import type { RegistrationPolicy } from './contracts/registration.ts';
import type { ConsentOptions } from './grants/consent.ts';
import { accessRule, type AccessRule, type HostPlatform, wrapPlatform } from './host/platform.ts';
import { type AddedClaims, addedClaims as createAddedClaims } from './host/host-claims.ts';
import { observeAudit, observer } from './host/observe.ts';
import { wrapStore } from './host/faults.ts';
import { wrapPolicies } from './host/policies.ts';
import { createSiteFinder, type SiteRegister } from './host/site-finder.ts';
import { expiredPage } from './interaction/interaction-context.ts';
import { promptPolicy } from './interaction/policy.ts';
import { createDocumentBudget } from './metadata-documents/budget.ts';
import { createDocumentCache, type DocumentCache } from './metadata-documents/cache.ts';
import { createDocumentFetcher } from './metadata-documents/fetcher.ts';
import { documentClientFinder, type FinderOptions } from './metadata-documents/finder.ts';
import { createLogoFinder, type LogoFinder } from './metadata-documents/logos.ts';
import { createDocumentRefresher, type RefresherOptions } from './metadata-documents/refresher.ts';
import { createDocumentReviews, type DocumentSeen } from './metadata-documents/reviews.ts';
import { cachedDocuments } from './metadata-documents/seen-documents.ts';
import { createKeyRing } from './options/key-ring.ts';
import type { Settings } from './options/options.ts';
import type { KeyRing } from './protocol/keys.ts';
import { createCsrfTokens, type CsrfTokens } from './pages/kit/csrf-tokens.ts';
import { sendBrowserError } from './pages/kit/error-page.ts';
import { createPages, type Pages } from './pages/kit/pages.ts';
import { createRegistry, type EngineFinder, engineMaker } from './provider/engine.ts';
import { InteractionEnded, type ShowError } from './provider/engine-errors.ts';
import { type AuditedLimiters, auditedLimiters } from './rate-limit/audited-limiters.ts';
import { recordStore, type RecordStore } from './records/record-store.ts';
import { auditEmitter } from './runtime/audit.ts';
import type { OnAudit } from './runtime/audit-event.ts';
import { type CampusEmitter, type CampusEvents, emitFault, type OnFault } from './runtime/events.ts';
import { RequestTime } from './runtime/timeout.ts';

/** What the routes of a campus are made from, each made once. */
export interface Services extends ApplicationServices, ConnectionServices, Pick<AuditedLimiters, 'limiter' | 'quotas'> {
  readonly events: CampusEmitter;
  readonly keys: KeyRing;
  readonly onFault: OnFault;
  readonly onAudit: OnAudit;
  readonly platform: HostPlatform;
  readonly store: RecordStore;
  /** The time of a request for the store. */
  readonly storeTime: RequestTime;
  readonly consenting: ConsentOptions;
  readonly registrationPolicies: readonly RegistrationPolicy[];
  readonly access: AccessRule;
  readonly addedClaims: AddedClaims;
  readonly clients: ClientFinder;
  readonly pages: Pages;
  readonly csrfTokens: CsrfTokens;
  readonly findSite: SiteRegister;
  readonly verify: VerifyAccess;
  readonly documents: DocumentReviews;
  readonly documentSeen: DocumentSeen;
  readonly documentUsed: DocumentCache['markUsed'];
  readonly findLogo: LogoFinder;
  readonly engineOf: EngineFinder;
  /** Ends what goes on without a request, and resolves when it has ended. */
  readonly close: () => Promise<void>;
}

export function createServices(settings: Settings): Services {
  const { lifetimes, limits, catalogue, clients: staticClients, telemetry } = settings;
  const events = new EventEmitter<CampusEvents>();
  const onFault: OnFault = (message, cause) => emitFault(events, { message, cause });
  const onAudit = observeAudit(auditEmitter(events), telemetry);
  const keys = createKeyRing(settings, onFault);
  const platform = wrapPlatform(settings.platform, onFault, telemetry);
  const storeTime = new RequestTime((settings.store.deadline ?? Infinity) * 1000);
  const store = recordStore(wrapStore(settings.store, { time: storeTime, telemetry, onFault }), onFault);
  const policies = wrapPolicies(settings, onFault, catalogue);
  const access = accessRule(settings.operatorRoles);
  const addedClaims = createAddedClaims(settings.claims, onFault);
  const isClientPermitted = permittedClients(policies.metadataDocuments, staticClients);
  const { limiter, limitAuthorizations, quotas } = auditedLimiters(store, limits, { onAudit, onFault });
  const cache = createDocumentCache(store, lifetimes.grant);
  const findLogo: LogoFinder = async (...logo) => byDocument?.findLogo(...logo);
  const { documents, ...reviews } = createDocumentReviews({ store, cache, findLogo, onAudit });
  const findClients = (found?: ClientFinder): ClientFinder => clientFinder(staticClients, store, found, catalogue);
  const documentParts = { cache, ...reviews, limit: limiter('documents'), storeTime, onFault, onAudit };
  const byDocument = documentClients({ ...settings, ...policies }, documentParts);
  const clients = findClients(byDocument?.find);
  const pages = createPages(settings.pages, catalogue, onFault);
  const storedClients = findClients(cachedDocuments(cache));
  const connections = createConnectionServices({ store, clients: storedClients, lifetimes, catalogue, onAudit });
  const { isBlocked } = connections;
  const { consent } = policies;
  const consenting = { store, grantLifetime: lifetimes.grant, isBlocked, catalogue, consent, onAudit };
  const showError: ShowError = (ctx, site, error) =>
    sendBrowserError(pages, ctx, site, error, error instanceof InteractionEnded ? expiredPage : undefined);
  const rules = { ...promptPolicy(consenting), lifetimes, access, addedClaims, isClientPermitted, limitAuthorizations };
  const makeEngine = engineMaker({ ...rules, store, catalogue, showError }, { onFault, onAudit });
  return {
    events,
    keys,
    onFault,
    onAudit,
    platform,
    store,
    storeTime,
    consenting,
    registrationPolicies: policies.registration,
    access,
    addedClaims,
    clients,
    pages,
    csrfTokens: createCsrfTokens(keys),
    findSite: createSiteFinder(platform, settings.siteCache, onFault),
    verify: createVerify({ store, storeTime, platform, access, isClientPermitted, catalogue, onAudit, telemetry }),
    ...createApplicationServices(store, { catalogue, keys, onAudit }),
    ...connections,
    documents,
    documentSeen: reviews.recordShown,
    documentUsed: (...used) => cache.markUsed(...used),
    findLogo,
    limiter,
    quotas,
    engineOf: createRegistry(makeEngine, settings.engines, keys, telemetry),
    close: async () => byDocument?.close(),
  };
}

interface DocumentClients {
  readonly find: ClientFinder;
  readonly findLogo: LogoFinder;
  readonly close: () => Promise<void>;
}

type DocumentParts = Pick<FinderOptions, 'cache' | 'reviewOf' | 'reportChange' | 'limit' | 'onFault'> &
  Pick<RefresherOptions, 'onAudit' | 'storeTime'>;

/** The finder of clients that are metadata documents, where a policy admits some, and that of their logos. */
function documentClients(
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
  return { find, findLogo: createLogoFinder({ fetcher, budget }), close: () => refresher.close() };
}
