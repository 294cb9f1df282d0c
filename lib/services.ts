import { EventEmitter } from 'node:events';
import { createServiceVerifier } from './core/bearer/service-token.ts';
import { createVerify } from './core/bearer/verify.ts';
import { type ApplicationServices, createApplicationServices } from './core/clients/applications.ts';
import { type Allowance, clientAllowance, type RuleFinder, ruleFinder } from './core/clients/allowance.ts';
import type { KeyFinder } from './core/clients/client-keys.ts';
import { connectedList } from './core/clients/connected-list.ts';
import { clientFinder, type ClientFinder, programIds } from './core/clients/finder.ts';
import { serviceAllowance, type ServiceAllowance } from './core/clients/service-allowance.ts';
import { createProgramRequests } from './core/clients/program-requests.ts';
import { type ConnectionServices, createConnectionServices } from './connections/connections.ts';
import { createHookCaller } from './connections/hooks.ts';
import type { VerifyToken } from './core/clients/client.ts';
import type { DocumentReviews } from './metadata-documents/document-review.ts';
import type { ProgramRequests } from './core/clients/program-request.ts';
import type { RegistrationPolicy } from './registration/registration-policy.ts';
import type { ConsentOptions } from './core/grants/consent.ts';
import { type AccessRegister, accessRule } from './core/clients/access-rule.ts';
import { wrapPlatform } from './host/platform.ts';
import type { EngineParts, Feature } from './features/feature.ts';
import { featuresOn } from './features/features.ts';
import { addedClaims } from './host/host-claims.ts';
import { observeAudit } from './observe/observer.ts';
import { atSite } from './host/at-site.ts';
import { wrapStore } from './records/observed-store.ts';
import { wrapPolicies } from './options/wrapped-policies.ts';
import { createSiteFinder, type SiteRegister } from './host/site-finder.ts';
import { hostNames } from './i18n/translations.ts';
import { errorShower } from './interaction/denied.ts';
import type { InteractionOptions } from './interaction/interaction-context.ts';
import { promptPolicy } from './interaction/policy.ts';
import { approvedScopes } from './metadata-documents/allowed-scopes.ts';
import { createDocumentCache } from './metadata-documents/cache.ts';
import { createFetched } from './metadata-documents/document-clients.ts';
import type { LogoFinder } from './metadata-documents/logos.ts';
import { schoolRules } from './core/clients/program-rules.ts';
import { createDocumentReviews, type DocumentSeen } from './metadata-documents/reviews.ts';
import { cachedDocuments } from './metadata-documents/seen-documents.ts';
import { createKeyRing } from './core/keys/key-ring.ts';
import { lifetimesSchema, limitsSchema } from './core/limits/options.ts';
import type { Settings } from './options/options.ts';
import type { KeyRing } from './core/keys/keys.ts';
import { offered } from './core/offered/offered.ts';
import { createCsrfTokens, type CsrfTokens } from './pages/kit/csrf-tokens.ts';
import { createPages, type Pages } from './pages/kit/pages.ts';
import type { EngineFeature } from './engine/engine-feature.ts';
import { createRegistry, type EngineFinder, engineMaker } from './engine/engine.ts';
import { type AuditedLimiters, auditedLimiters } from './core/limits/audited-limiters.ts';
import type { Core } from './core/core.ts';
import { recordStore } from './records/record-store.ts';
import { auditEmitter, type CampusEmitter, type CampusEvents, emitFault, type OnFault } from './observe/events.ts';
import type { OnAudit } from './observe/audit-event.ts';
import { RequestTime } from './kernel/request-time.ts';
import { currentTrace } from './observe/request-trace.ts';

/** What the routes of a campus are made from, each made once. */
export interface Services
  extends
    Core,
    ApplicationServices,
    ConnectionServices,
    Pick<AuditedLimiters, 'limiter' | 'limitPages' | 'assertions' | 'quotas'> {
  readonly events: CampusEmitter;
  readonly keys: KeyRing;
  readonly consenting: ConsentOptions;
  readonly registrationPolicies: readonly RegistrationPolicy[];
  readonly clients: ClientFinder;
  readonly allowance: Allowance;
  readonly ruleOf: RuleFinder;
  readonly pages: Pages;
  readonly csrfTokens: CsrfTokens;
  readonly findSite: SiteRegister;
  readonly access: AccessRegister;
  readonly services: ServiceAllowance;
  readonly verify: VerifyToken;
  readonly documents: DocumentReviews;
  readonly requests: ProgramRequests;
  readonly documentSeen: DocumentSeen;
  readonly documentUsed: InteractionOptions['documentUsed'];
  readonly findLogo: LogoFinder;
  readonly keysAt: KeyFinder;
  /** Those that are on. */
  readonly features: readonly Feature[];
  readonly engineFeatures: readonly EngineFeature[];
  readonly engineOf: EngineFinder;
  /** Ends what goes on without a request, and resolves when it has ended. */
  readonly close: () => Promise<void>;
}

export function createServices(settings: Settings): Services {
  const { catalogue, clients: staticClients, telemetry } = settings;
  const events = new EventEmitter<CampusEvents>();
  const onFault: OnFault = (message, cause) =>
    emitFault(events, { message, cause, requestId: currentTrace()?.requestId });
  const keys = createKeyRing(settings, onFault);
  const policies = wrapPolicies(settings, onFault, catalogue);
  const { metadataDocuments: policy } = policies;
  const programIdOf = programIds(policy, staticClients);
  const onAudit = observeAudit(auditEmitter(events, programIdOf), telemetry);
  const core = createCore(settings, onFault, onAudit);
  const limiters = auditedLimiters(core);
  const { limiter, limitRequests, limitPages, quotas } = limiters;
  const cache = createDocumentCache(core.store);
  const findLogo: LogoFinder = async (...logo) => fetched.findLogo(...logo);
  const { documents, ...reviews } = createDocumentReviews({ ...core, cache, policy, findLogo });
  const findClients = (found?: ClientFinder): ClientFinder => clientFinder(staticClients, core.store, found, core);
  const connected = connectedList(core);
  const rules = { schoolRule: schoolRules(core.store), platformRule: policies.platformRule, programIdOf };
  const documentParts = { ...core, ...rules, cache, ...reviews, limit: limiter('documents') };
  const { byDocument, ...fetched } = createFetched({ ...settings, ...policies }, documentParts);
  const clients = findClients(byDocument?.find);
  const ofDocuments = { documentScopes: byDocument?.scopes, approvedScopes: approvedScopes(documentParts) };
  const ruleOf = ruleFinder(rules.schoolRule, programIdOf);
  const allowance = clientAllowance({ clients: staticClients, catalogue, ...ofDocuments, ...rules, ruleOf });
  const pages = createPages(settings.pages, catalogue, onFault);
  const storedClients = findClients(cachedDocuments({ ...core, cache, policy }));
  const applications = createApplicationServices({ ...core, ...rules, connected }, keys);
  const requests = createProgramRequests({ ...core, ...applications, limit: limitRequests });
  const ofPeople = { ...core, requests, clients: storedClients };
  const hooks = createHookCaller({ ...ofPeople, hooks: settings.hooks });
  if (hooks) events.on('audit', hooks.call);
  const connections = createConnectionServices({ ...ofPeople, ...rules, ...applications, connected });
  const consenting = { ...core, allowance, noteClient: connections.noteClient, consent: policies.consent };
  return {
    ...core,
    events,
    keys,
    consenting,
    registrationPolicies: policies.registration,
    clients,
    allowance,
    ruleOf,
    pages,
    csrfTokens: createCsrfTokens(keys),
    ...verifying(core, { clients, allowance }),
    ...applications,
    requests,
    ...connections,
    documents,
    documentSeen: reviews.recordShown,
    documentUsed: (site, ...used) => cache.markUsed(...used, core.lifetimes(site).grant),
    ...fetched,
    limiter,
    assertions: limiters.assertions,
    limitPages,
    quotas,
    ...engines(settings, { ...core, ...limiters, pages, consenting, keys }),
    close: async () => void (await Promise.all([fetched.close(), hooks?.close()])),
  };
}

type EngineSources = EngineParts & Pick<Services, 'consenting' | 'keys'>;

function engines(settings: Settings, parts: EngineSources): Pick<Services, 'features' | 'engineFeatures' | 'engineOf'> {
  const features = featuresOn(parts.offered);
  const engineFeatures = features.map(({ engine }) => engine(parts));
  const showError = errorShower(parts.pages);
  const make = engineMaker({ ...parts, ...promptPolicy(parts.consenting), showError, features: engineFeatures });
  return {
    features,
    engineFeatures,
    engineOf: createRegistry(make, settings.engines, parts.keys, settings.telemetry),
  };
}

function verifying(core: Core, { clients, allowance }: Pick<Services, 'clients' | 'allowance'>) {
  const services = serviceAllowance(core.platform, allowance);
  const isOn = core.offered.hasGrant('client_credentials');
  const verifyService = isOn ? createServiceVerifier({ ...core, clients, services }) : undefined;
  return { services, verify: createVerify({ ...core, allowance, verifyService }) };
}

function createCore(
  settings: Settings,
  onFault: OnFault,
  onAudit: OnAudit,
): Core & Pick<Services, 'findSite' | 'access'> {
  const { catalogue, telemetry, grants, clientAuthentication } = settings;
  const platform = wrapPlatform(settings.platform, onFault, telemetry);
  const storeTime = new RequestTime((settings.store.deadline ?? Infinity) * 1000);
  return {
    platform,
    findSite: createSiteFinder(platform, settings.siteCache, onFault),
    access: accessRule(settings.operatorRoles),
    addedClaims: addedClaims(settings.claims, hostNames(settings.pages.texts).claims, onFault),
    store: recordStore(wrapStore(settings.store, { time: storeTime, telemetry, onFault }), onFault, storeTime),
    storeTime,
    catalogue,
    offered: offered(grants, clientAuthentication),
    limits: atSite('limits', settings.limits, limitsSchema, onFault),
    lifetimes: atSite('lifetimes', settings.lifetimes, lifetimesSchema, onFault),
    telemetry,
    onFault,
    onAudit,
  };
}
