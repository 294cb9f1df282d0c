import type { Host } from '../../host/host.ts';
import type { Records } from '../../records/records.ts';
import type { ClientSource } from '../clients/client-source.ts';
import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import type { Clients } from '../clients/client-manager.ts';
import type { StaticClient } from '../clients/client.ts';
import type { Subjects } from '../clients/subjects.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import type { ApprovalFinder } from './version-approvals.ts';
import { type EmailAccess, emailAccess } from './email-access.ts';
import { createExplain, type Explain } from './explain.ts';
import {
  type ApprovedScopes,
  createOfPlatform,
  createPermit,
  type FindSchool,
  LookUps,
  type LookUpSources,
  type OfPlatform,
  type Parties,
  type Permit,
} from './look-ups.ts';
import { allowedPersons } from './allowed-people.ts';
import { schoolRules } from './school-rules.ts';
import type { AccessOptions, AppRuleFinders } from './rule-finders.ts';
import { type RoleRegister, roleRights } from './operator-and-admin-roles.ts';
import { schoolAppIds } from './school-apps.ts';
import { createPermitService, type PermitService } from './service-permission.ts';
import { type StoredClientFinder, storedClients } from './stored-client.ts';
import { createPermissions, type PermissionAtRefresh, type PermissionOf } from './token-permission.ts';

interface RuleSettings {
  readonly catalogue: ScopeCatalogue;
  readonly boundaryTypes: readonly DeclaredBoundary[];
}

interface RuleParts {
  readonly policies: AccessOptions;
  readonly records: Records;
  readonly subjects: Subjects;
}

export function createRules(
  { catalogue, boundaryTypes: boundaries }: RuleSettings,
  { policies, records, subjects }: RuleParts,
): AppRuleFinders {
  const { access, rowOf, appIdOf, waysOf, clientsInCode, reviewedInCode } = policies;
  const sources = { policies: access, catalogue, boundaries, hasPseudonyms: subjects.pseudonymOf !== undefined };
  const apps = schoolAppIds(records.store, policies.apps);
  const ofHost = { access, rowOf, appIdOf, waysOf, clientsInCode, reviewedInCode };
  return { schoolRule: schoolRules(records.store), sources, apps, ...ofHost };
}

/** Who may connect what, and who decides. */
export interface Access {
  /** What a client may get for a person. */
  readonly permit: Permit;
  /** What is looked up for that; a request keeps it, and asks several times. */
  readonly lookUps: (parties: Parties, findSchool?: FindSchool) => LookUps;
  /** What policies alone say of it. */
  readonly ofPlatform: OfPlatform;
  /** What a service may get. */
  readonly permitService: PermitService;
  /** Who may use a client, and who decides for the school. */
  readonly rights: RoleRegister;
  /** What a code or token may do now, and for whom. */
  readonly permissionOf: PermissionOf;
  /** What a connection may do at its next refresh, by the rules that are in force or that `lookups` has. */
  readonly permissionAtRefresh: PermissionAtRefresh;
  readonly explain: Explain;
  /** Whether a client sees a person's address without a scope. */
  readonly emailAccess: EmailAccess;
  readonly storedClient: StoredClientFinder;
}

interface AccessSettings {
  readonly clients: readonly StaticClient[];
  readonly operatorRoles: ReadonlySet<string>;
  readonly adminRoles: ReadonlySet<string>;
  readonly catalogue: ScopeCatalogue;
}

interface AccessSources {
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

export function createAccess(
  { clients, operatorRoles, adminRoles, catalogue }: AccessSettings,
  { host, records, subjects, rules, source, reviews, clients: known }: AccessSources,
): Access {
  const rights = roleRights({ operatorRoles, adminRoles });
  const sitesOf = new Map(clients.map(({ clientId, sites }) => [clientId, sites]));
  const pairwise = new Set(clients.filter(({ subject }) => subject !== undefined).map(({ clientId }) => clientId));
  const isPersonAllowed = allowedPersons(records.store);
  const sources: LookUpSources = {
    ...rules.sources,
    rights,
    isConfigured: (siteId, clientId) => sitesOf.has(clientId) && sitesOf.get(clientId)?.includes(siteId) !== false,
    isPairwise: (clientId) => pairwise.has(clientId),
    rowOf: rules.rowOf,
    schoolRule: rules.schoolRule,
    isPersonAllowed,
    documentScopes: source.scopes,
    approvedScopes: reviews.approvedScopes,
  };
  const permit = createPermit(sources);
  const permitService = createPermitService(host.platform, permit);
  const { approvalOf, isRejected } = reviews;
  const storedClient = storedClients({ clients: known.findStored, source, approvalOf, isRejected });
  const { boundaries } = rules.sources;
  return {
    permit,
    lookUps: (parties, findSchool) => new LookUps(sources, parties, findSchool),
    ofPlatform: createOfPlatform(sources, known.findStored),
    permitService,
    rights,
    storedClient,
    ...createPermissions({ boundaries, host, clients: known, subjects, sources, permit, permitService }),
    emailAccess: emailAccess({ store: records.store, clients: known.find, permit }),
    explain: createExplain({
      catalogue,
      platform: host.platform,
      store: records.store,
      storedClient,
      rules,
      isPersonAllowed,
      permit,
      permitService,
      rights,
    }),
  };
}
