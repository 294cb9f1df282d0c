import type { Scene } from '../pages/examples/example.ts';
import type { LimitChoices, ShownBoundary } from '../core/boundaries/limit-choices.ts';
import { type Listed, pageOf, select } from '../core/clients/paging.ts';
import { clientMetadata } from '../core/clients/client-metadata.ts';
import type { Connection, Connections } from '../core/connections/connection.ts';
import type { ListPage, ListQuery } from '../core/clients/listed-client.ts';
import type { Site } from '../host/school-platform.ts';
import type { RegistrationExplanation } from '../core/clients/registered-metadata.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import { accessRule } from '../core/decisions/rights-by-role.ts';
import { ReviewConflict } from '../core/reviews/review-conflict.ts';
import type { DemandedLimits } from '../features/connected-apps/domain/demanded-limits.ts';
import type { ApplicationPagesOptions } from '../features/applications/pages/page-request.ts';
import type { DecisionByRules } from '../core/decisions/decision-by-rules.ts';
import type { ListedProgram } from '../core/decisions/program-rule.ts';
import type { PageKit } from '../pages/kit/page-access.ts';
import type { ConsentPreview } from '../pages/consent-preview.ts';
import type { SchoolConnectionsOptions } from '../features/programs/pages/routes.ts';
import { OAuthError } from '../kernel/errors.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import { digest } from '../kernel/crypto.ts';
import { clients, exampleTime, people } from '../pages/examples/example-clients.ts';
import { type ExampleData, exampleData, exampleDecision, noData } from './example-data.ts';

/** What the pages of members are made from. */
export interface ExampleServices
  extends
    Pick<PageKit, 'platform' | 'access' | 'csrfTokens' | 'limitPages'>,
    Pick<ApplicationPagesOptions, 'applications' | 'requests' | 'preview' | 'platformRule'>,
    Pick<
      SchoolConnectionsOptions,
      | 'clients'
      | 'connections'
      | 'clientRows'
      | 'documents'
      | 'recordLookedUp'
      | 'programs'
      | 'schoolRoles'
      | 'findApps'
      | 'approvable'
    > {
  readonly applicationIssuer: ApplicationPagesOptions['issuer'];
  readonly oneTimeSecrets: ApplicationPagesOptions['secrets'];
  readonly limitChoices: LimitChoices;
  readonly demandedLimits: DemandedLimits;
  readonly programDecisions: (site: Site) => Promise<ReadonlyMap<string, DecisionByRules>>;
  /** Absent if nobody can register here. */
  readonly explain: ApplicationPagesOptions['explain'];
}

/** An example only shows: a form that would do something is answered as if somebody else had been faster. */
const refuse = async (): Promise<never> => {
  throw new OAuthError('conflict', 'an example changes nothing', { status: 409 });
};

/** Services with invented data. They read and write nothing. */
export function exampleServices(
  { catalogue, enabled }: { readonly catalogue: ScopeCatalogue; readonly enabled: Enabled },
  preview: ConsentPreview,
  { as, empty, limits = [] }: Scene,
): ExampleServices {
  const all = exampleData(catalogue);
  const data = empty === true ? noData : all;
  return {
    platform: {
      findSite: async () => undefined,
      signedInMember: async () => as && { memberId: people[as].id },
      signInUrl: async () => '#',
      findService: async () => undefined,
      roles: async () => undefined,
      seenRoles: () => [],
      acrValues: [],
      findMember: async (_site, id) => Object.values(people).find((person) => person.id === id),
    },
    access: accessRule({ operatorRoles: new Set(people.operator.roles), adminRoles: new Set(people.operator.roles) }),
    limitPages: () => undefined,
    csrfTokens: { issue: () => '', verify: (_binding, token) => token !== 'expired' },
    clients: async (_siteId, id) => {
      const found = byId(data.applications, id);
      return found && clientMetadata(enabled.known, found);
    },
    ...ofApplications(data),
    ...ofSchool(data, all),
    platformRule: undefined,
    connections: connections(data),
    limitChoices: limitChoices(limits),
    demandedLimits: async () => [],
    clientRows: async (_site, query) => select(data.connected, query),
    requests: {
      list: async (_site, { status, ...query } = {}) => {
        const wanted = data.requests.filter((each) =>
          status === 'decided' ? each.status !== 'open' : each.status === (status ?? each.status),
        );
        return listed(wanted, query);
      },
      find: async (_site, id) => data.requests.find((request) => request.id === id),
      ask: refuse,
      withdraw: refuse,
      grant: refuse,
      decline: refuse,
      allow: refuse,
    },
    approvable: async () => undefined,
    recordLookedUp: refuse,
    explain: async () => refused,
    preview,
  };
}

const refused: RegistrationExplanation = {
  outcome: 'refused',
  policy: 'loopback clients',
  status: 400,
  body: { error: 'invalid_redirect_uri', error_description: 'redirect_uris[0] must be a loopback address' },
};

/** An example is its own key. */
function listed<T extends Listed>(rows: readonly T[], query?: ListQuery): Promise<ListPage<T>> {
  return pageOf({ keys: rows, read: async (keys) => keys }, query);
}

function byId<T extends { readonly clientId?: string | undefined }>(rows: readonly T[], id: string): T | undefined {
  return rows.find(({ clientId }) => clientId === id);
}

type OfApplications = Pick<ExampleServices, 'applications' | 'applicationIssuer' | 'oneTimeSecrets'>;

function ofApplications(data: ExampleData): OfApplications {
  const { clientId } = clients.ofMembers;
  const used = { people: 12, status: 'allowed', lastActiveAt: exampleTime } as const;
  const rows = data.applications.map((each) => ({ ...each, ...used }));
  return {
    applications: {
      list: async (_site, query) => listed(rows, query),
      find: async (_site, id) => byId(data.applications, id),
      secrets: async () => [{ lastUsedAt: exampleTime }],
      connections: async () => 12,
      create: refuse,
      update: refuse,
      rotateSecret: refuse,
      remove: refuse,
    },
    applicationIssuer: {
      create: refuse,
      rotateSecret: refuse,
      hasSecret: async (_site, { clientSecret }) => clientSecret !== undefined,
    },
    oneTimeSecrets: {
      reserve: async ({ form }) => (form === digest('twice') ? undefined : { clientId, credentials: { clientId } }),
      take: async ({ form }) => (form === 'gone' ? undefined : { clientId, clientSecret: 'an-example-of-a-secret' }),
    },
  };
}

/** Applies to all scopes that the app has or can get, whatever a form says. */
function limitChoices(limits: readonly ShownBoundary[]): LimitChoices {
  return {
    declared: [],
    show: async ({ scopes }) => (scopes.length > 0 ? limits : []),
    read: async () => (limits.length > 0 ? 'limits.problem.none' : {}),
    named: async () => [],
    check: async () => ({}),
  };
}

function connections(data: ExampleData): Connections {
  const find = async (_site: Site, _member: string, id: string): Promise<Connection | undefined> =>
    data.connections.find((each) => each.id === id);
  return {
    list: async (_site, _member, query) => listed(data.connections, query),
    find,
    narrow: find,
    // A rule takes the rest from the other one.
    givable: async (site, member, id) => (id === 'board' ? [] : ((await find(site, member, id))?.refused ?? [])),
    widen: find,
    limit: find,
    listAll: async (_site, query) => listed(data.connected, query),
    findClient: async (_site, id) => byId(data.connected, id),
    listBlocked: async () => listed([]),
    revoke: refuse,
    revokeDevice: refuse,
    revokeAll: refuse,
    block: refuse,
    unblock: refuse,
    revokeClient: refuse,
  };
}

/** The decision on a client of the list that is blocked. */
function blockedClient({ connected }: ExampleData, clientId: string): Partial<ListedProgram> | undefined {
  const blocked = connected.find((each) => each.clientId === clientId && each.status === 'blocked');
  const rule = { access: 'blocked' } as const;
  return blocked && { rule, own: rule, status: 'blocked', from: 'school', decided: exampleDecision, people: 0 };
}

/** What the list says of a client. */
function appOf({ apps }: ExampleData, clientId: string): Partial<ListedProgram> | undefined {
  const app = apps.find((each) => each.clientId === clientId);
  return app && { clientName: app.clientName, rule: app.rule, status: app.status, from: app.from, people: app.people };
}

type OfSchool = Pick<ExampleServices, 'documents' | 'programs' | 'programDecisions' | 'schoolRoles' | 'findApps'>;

function ofSchool(data: ExampleData, all: ExampleData): OfSchool {
  const { clientName } = clients.ofMembers;
  const rule = { clientName, rule: { access: 'allowed' }, status: 'allowed', from: 'default', people: 12 } as const;
  return {
    documents: {
      list: async (_site, query) => listed(data.documents, query),
      find: async (_site, id) => byId(data.documents, id),
      approve: async (_site, id) => {
        throw new ReviewConflict(id, 'version');
      },
      reject: refuse,
    },
    programs: {
      list: async (_site, query) => listed(data.programs, query),
      find: async (_site, target) => ({
        ...rule,
        ...('program' in target ? all.programs[0] : target),
        ...('clientId' in target && appOf(all, target.clientId)),
        ...('clientId' in target && blockedClient(all, target.clientId)),
      }),
      set: refuse,
      reset: refuse,
      allowPerson: refuse,
      resetPerson: refuse,
      listPeople: async (_site, target) => ('program' in target ? data.allowedPeople : []),
    },
    programDecisions: async () => new Map(),
    schoolRoles: async () => data.schoolRoles,
    findApps: async (_site, { status, ...query }) => {
      const found = select(data.apps, query);
      const counts = { allowed: 0, view_only: 0, needs_approval: 0, blocked: 0 };
      for (const app of found) counts[app.status] += 1;
      return { list: await listed(found.filter((app) => status === undefined || app.status === status)), counts };
    },
  };
}
