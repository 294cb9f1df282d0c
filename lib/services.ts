import { EventEmitter } from 'node:events';
import { createVerify } from './bearer/verify.ts';
import { type ApplicationServices, createApplicationServices } from './clients/application-services.ts';
import { clientFinder, type ClientFinder, permittedClients } from './clients/finder.ts';
import { type ConnectionServices, createConnectionServices } from './connections/connection-services.ts';
import type { VerifyAccess } from './contracts/client.ts';
import type { DocumentReviews } from './contracts/document-review.ts';
import type { ConsentPolicy } from './contracts/consent.ts';
import type { RefusalCounter } from './contracts/plugin.ts';
import type { RegistrationPolicy } from './contracts/registration.ts';
import { type AccessRule, accessRule } from './host/access-rule.ts';
import { type AddedClaims, addedClaims as createAddedClaims } from './host/host-claims.ts';
import { wrapConsentPolicies, wrapDocumentPolicy, wrapRegistrationPolicies, wrapStore } from './host/faults.ts';
import { type HostPlatform, wrapPlatform } from './host/platform.ts';
import { createSiteFinder, type SiteFinder } from './host/site-finder.ts';
import { expiredPage } from './interaction/interaction-context.ts';
import { promptPolicy } from './interaction/policy.ts';
import { createDocumentBudget } from './metadata-documents/budget.ts';
import { createDocumentCache, type DocumentCache } from './metadata-documents/cache.ts';
import { createDocumentFetcher } from './metadata-documents/fetcher.ts';
import { documentClientFinder } from './metadata-documents/finder.ts';
import { createDocumentRefresher } from './metadata-documents/refresher.ts';
import {
  createDocumentReviews,
  type DocumentSeen,
  type ReportChange,
  type ReviewFinder,
} from './metadata-documents/reviews.ts';
import { cachedDocuments } from './metadata-documents/seen-documents.ts';
import type { Settings } from './options/options.ts';
import { type CsrfTokens, createCsrfTokens } from './pages/kit/csrf-tokens.ts';
import { sendBrowserError } from './pages/kit/error-page.ts';
import { createPages, type Pages } from './pages/kit/pages.ts';
import { createRegistry, type EngineFinder, engineMaker } from './provider/engine.ts';
import { InteractionEnded, type ShowError } from './provider/engine-errors.ts';
import { currentEngineRequest } from './provider/engine-request.ts';
import {
  type AddressLimit,
  createAuthorizationLimiter,
  createLimiter,
  createRefusalCounter,
  createTokenLimiter,
  type Limiter,
  type TokenLimiter,
} from './rate-limit/limiter.ts';
import { recordStore, type RecordStore } from './records/record-store.ts';
import {
  type CampusEmitter,
  type CampusEvents,
  emitAudit,
  emitFault,
  type OnAudit,
  type OnFault,
} from './runtime/events.ts';
import { RequestTime } from './runtime/timeout.ts';

/** What the routes of a campus are made from, each made once. */
export interface Services extends ApplicationServices, ConnectionServices {
  readonly events: CampusEmitter;
  readonly onFault: OnFault;
  readonly onAudit: OnAudit;
  readonly platform: HostPlatform;
  readonly store: RecordStore;
  /** The time of a request for the store. */
  readonly storeTime: RequestTime;
  readonly consentPolicies: readonly ConsentPolicy[];
  readonly registrationPolicies: readonly RegistrationPolicy[];
  readonly access: AccessRule;
  readonly addedClaims: AddedClaims;
  readonly clients: ClientFinder;
  readonly pages: Pages;
  readonly csrfTokens: CsrfTokens;
  readonly findSite: SiteFinder;
  readonly verify: VerifyAccess;
  readonly documents: DocumentReviews;
  readonly documentSeen: DocumentSeen;
  readonly documentUsed: DocumentCache['markUsed'];
  readonly limiter: (name: AddressLimit) => Limiter;
  readonly tokenLimiter: TokenLimiter;
  readonly refusals: RefusalCounter;
  readonly engineOf: EngineFinder;
}

export function createServices(settings: Settings): Services {
  const { keys, lifetimes, limits, catalogue, clients: staticClients } = settings;
  const events = new EventEmitter<CampusEvents>();
  const onFault: OnFault = (message, cause) => emitFault(events, { message, cause });
  const onAudit: OnAudit = (event) => emitAudit(events, event);
  const platform = wrapPlatform(settings.platform, onFault);
  const storeTime = new RequestTime((settings.store.deadline ?? Infinity) * 1000);
  const store = recordStore(wrapStore(settings.store, storeTime, onFault), onFault);
  const consentPolicies = wrapConsentPolicies(settings.consent, onFault);
  const access = accessRule(settings.operatorRoles);
  const addedClaims = createAddedClaims(settings.claims, onFault);
  const isClientPermitted = permittedClients(settings.metadataDocuments, staticClients);
  const limitAuthorizations = createAuthorizationLimiter(store, limits);
  const limiter = (name: AddressLimit): Limiter => createLimiter(store, name, limits);
  const cache = createDocumentCache(store, lifetimes.grant);
  const reviews = createDocumentReviews({ store, cache, onAudit });
  const { reviewOf, reportChange, seen: documentSeen, ...documents } = reviews;
  const findClients = (found?: ClientFinder): ClientFinder => clientFinder(staticClients, store, found, catalogue);
  const clients = findClients(
    documentClients(settings, { cache, reviewOf, reportChange, limiter: limiter('documents'), onFault, onAudit }),
  );
  const pages = createPages(settings.pages, catalogue);
  const storedClients = findClients(cachedDocuments(cache));
  const connected = createConnectionServices({ store, clients: storedClients, lifetimes, catalogue, onAudit });
  const { isBlocked } = connected;
  const grantLifetime = lifetimes.grant;
  const policy = promptPolicy({ store, grantLifetime, isBlocked, catalogue, consent: consentPolicies });
  const showError: ShowError = (ctx, site, error) =>
    sendBrowserError(pages, ctx, site, error, error instanceof InteractionEnded ? expiredPage : undefined);
  const parts = { store, clients, catalogue, policy, showError, limitAuthorizations };
  return {
    events,
    onFault,
    onAudit,
    platform,
    store,
    storeTime,
    consentPolicies,
    registrationPolicies: wrapRegistrationPolicies(settings.registration, onFault),
    access,
    addedClaims,
    clients,
    pages,
    csrfTokens: createCsrfTokens(keys),
    findSite: createSiteFinder(platform, settings.siteCache, onFault),
    verify: createVerify({ store, storeTime, platform, access, isClientPermitted, catalogue }),
    ...createApplicationServices(store, catalogue, keys),
    ...connected,
    documents,
    documentSeen,
    documentUsed: (...used) => cache.markUsed(...used),
    limiter,
    tokenLimiter: createTokenLimiter(store, limits),
    refusals: createRefusalCounter(limits),
    engineOf: createRegistry(
      engineMaker({ keys, lifetimes, access, addedClaims, isClientPermitted, ...parts }, { onFault, onAudit }),
      settings.engines,
    ),
  };
}

interface DocumentParts {
  readonly cache: DocumentCache;
  readonly reviewOf: ReviewFinder;
  readonly reportChange: ReportChange;
  readonly limiter: Limiter;
  readonly onFault: OnFault;
  readonly onAudit: OnAudit;
}

/** The finder of clients that are metadata documents, where a policy admits some. */
function documentClients(
  { metadataDocuments, catalogue, testing, limits }: Settings,
  { cache, reviewOf, reportChange, limiter, onFault, onAudit }: DocumentParts,
): ClientFinder | undefined {
  if (!metadataDocuments) return undefined;
  const policy = wrapDocumentPolicy(metadataDocuments, onFault);
  const fetcher = createDocumentFetcher({ testing });
  const budget = limits === false ? undefined : createDocumentBudget();
  return documentClientFinder({
    policy,
    catalogue,
    cache,
    refresher: createDocumentRefresher({ policy, cache, fetcher, budget, reportChange, onAudit }),
    reviewOf,
    reportChange,
    limit: (siteId) => limiter(currentEngineRequest().ctx, siteId),
    onFault,
  });
}
