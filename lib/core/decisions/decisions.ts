import type { Host } from '../../host/host.ts';
import type { Records } from '../../records/records.ts';
import type { ClientSource } from '../clients/client-source.ts';
import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import type { Clients } from '../clients/client-manager.ts';
import type { StaticClient } from '../clients/client.ts';
import type { Subjects } from '../clients/subjects.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import { type AccessRegister, accessRule } from './rights-by-role.ts';
import { type Allowance, type ApprovedScopes, clientAllowance, type RuleFinder, ruleFinder } from './allowance.ts';
import type { ApprovalFinder, ConsentPolicy } from './consent-policy.ts';
import { type EmailAccess, emailAccess } from './email-access.ts';
import { createExplain, type Explain } from './explain.ts';
import { createPermissionOf, type PermissionOf } from './permission.ts';
import { type PersonDecision, personDecision } from './person-decision.ts';
import { personDecisions } from './person-decisions.ts';
import { type AppRuleFinders, schoolRules, type RulePolicies } from './app-rules.ts';
import { schoolAppIds } from './school-apps.ts';
import { type ServiceAllowance, serviceAllowance } from './service-allowance.ts';
import { type ServiceDecision, serviceDecision } from './service-decision.ts';
import { type StoredClientFinder, storedClients } from './stored-client.ts';

interface RuleSettings {
  readonly catalogue: ScopeCatalogue;
  readonly boundaryTypes: readonly DeclaredBoundary[];
}

interface RuleParts {
  readonly policies: RulePolicies;
  readonly records: Records;
  readonly subjects: Subjects;
}

export function createRules(
  { catalogue, boundaryTypes: boundaries }: RuleSettings,
  { policies, records, subjects }: RuleParts,
): AppRuleFinders {
  const { platformRule, appIdOf, clientsInCode, reviewedInCode } = policies;
  const hasPseudonyms = subjects.pseudonymOf !== undefined;
  const sources = { platformRule, catalogue, boundaries, hasPseudonyms };
  const apps = schoolAppIds(records.store, policies.apps);
  return { schoolRule: schoolRules(records.store), sources, apps, appIdOf, clientsInCode, reviewedInCode };
}

/** Who may connect what, and who decides. */
export interface Decisions {
  /** What a client may get, for a person. */
  readonly allowance: Allowance;
  /** What a person gets of a client. */
  readonly personDecision: PersonDecision;
  /** What a service may get. */
  readonly serviceAllowance: ServiceAllowance;
  /** What a service gets with a new token. */
  readonly serviceDecision: ServiceDecision;
  readonly ruleOf: RuleFinder;
  /** Who may use a client, and who decides for the school. */
  readonly access: AccessRegister;
  /** What a code or token may do now, and for whom. */
  readonly permissionOf: PermissionOf;
  readonly explain: Explain;
  /** Whether a client sees a person's address without a scope. */
  readonly emailAccess: EmailAccess;
  readonly storedClient: StoredClientFinder;
}

interface DecisionSettings {
  readonly clients: readonly StaticClient[];
  readonly operatorRoles: ReadonlySet<string>;
  readonly adminRoles: ReadonlySet<string>;
  readonly catalogue: ScopeCatalogue;
}

interface DecisionSources {
  readonly policies: { readonly consent: readonly ConsentPolicy[] };
  readonly host: Host;
  readonly records: Records;
  readonly subjects: Subjects;
  readonly rules: AppRuleFinders;
  readonly source: ClientSource;
  readonly reviews: {
    readonly approvedScopes: ApprovedScopes;
    readonly approvalOf: ApprovalFinder;
    readonly isRejected: (siteId: string, clientId: string) => Promise<boolean>;
  };
  readonly clients: Clients;
}

export function createDecisions(
  { clients, operatorRoles, adminRoles, catalogue }: DecisionSettings,
  { policies, host, records, subjects, rules, source, reviews, clients: known }: DecisionSources,
): Decisions {
  const { schoolRule, appIdOf, sources } = rules;
  const ruleOf = ruleFinder(schoolRule, appIdOf);
  const personDecided = personDecisions(records.store);
  const allowance = clientAllowance({
    ...sources,
    clients,
    documentScopes: source.scopes,
    approvedScopes: reviews.approvedScopes,
    appIdOf,
    ruleOf,
    personDecided,
  });
  const access = accessRule({ operatorRoles, adminRoles });
  const ofServices = serviceAllowance(host.platform, allowance);
  const { consent } = policies;
  const { approvalOf, isRejected } = reviews;
  const storedClient = storedClients({ catalogue, clients: known.findStored, source, approvalOf, isRejected });
  const ofPerson = personDecision({ consent, approvalOf }, { catalogue, access });
  const withToken = serviceDecision({ consent, approvalOf }, { catalogue });
  return {
    allowance,
    personDecision: ofPerson,
    serviceAllowance: ofServices,
    serviceDecision: withToken,
    ruleOf,
    access,
    storedClient,
    permissionOf: createPermissionOf({
      boundaries: sources.boundaries,
      host,
      clients: known,
      subjects,
      access,
      allowance,
      serviceAllowance: ofServices,
    }),
    emailAccess: emailAccess({ store: records.store, clients: known.find, allowance, personDecision: ofPerson }),
    explain: createExplain({
      catalogue,
      platform: host.platform,
      store: records.store,
      storedClient,
      rules,
      personDecided,
      allowance,
      personDecision: ofPerson,
      serviceAllowance: ofServices,
      serviceDecision: withToken,
      access,
    }),
  };
}
