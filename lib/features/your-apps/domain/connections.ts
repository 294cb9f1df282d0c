import type { Only } from '../../../core/boundaries/boundary.ts';
import type { LimitChoice, LimitChoices, NamedLimit } from '../../../core/boundaries/limit-choices.ts';
import type { HostPlatform } from '../../../host/checked-platform.ts';
import type { NamedApp } from '../../../core/apps/apps.ts';
import { oneByOne, pageOf } from '../../../core/clients/paging.ts';
import { describeClient } from '../../../core/clients/client-metadata.ts';
import type { Connection, Connections, EndOfPerson } from '../../../core/connections/connection.ts';
import { newestFirst } from '../../../core/connections/connection-order.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { Access } from '../../../core/access/access.ts';
import { type DemandedLimits, demandedLimits } from './demanded-limits.ts';
import {
  endGrants,
  grantVersion,
  limitGrant,
  narrowGrant,
  refusedIn,
  widenGrant,
} from '../../../core/grants/changes.ts';
import { currentOrigin } from '../../../host/origins.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';
import { InvalidRequest } from '../../../kernel/errors.ts';
import type { AuditActor } from '../../../observe/audit-event.ts';
import {
  type ConnectionsOptions,
  createConnectedClients,
  type ClientRows,
  type ConnectedClientFinder,
} from './connected-clients.ts';
import type { ConnectRequests } from '../../../core/applications/request.ts';
import { personalNews, type PersonalNews } from './news.ts';
import { endByRole } from './end-by-role.ts';
import { leftByRules, type LeftByRulesFinder } from './left-by-rules.ts';
import { givableScopes } from './givable-scopes.ts';
import type { Settings } from '../../../options/options.ts';
import type { Core } from '../../../core/core.ts';
import type { ClientActive, NoteClient } from '../../../core/grants/redemption.ts';

/** What people have connected at a school, and how it ends. */
export interface ConnectionManager {
  readonly connections: Connections;
  readonly demandedLimits: DemandedLimits;
  readonly leftByRules: LeftByRulesFinder;
  /** The limits of a connection of this person, with names; none for a person who is no longer at the school. */
  readonly namedLimits: (site: Site, memberId: string, only: Only) => Promise<readonly NamedLimit[]>;
  readonly clientActive: ClientActive;
  readonly noteClient: NoteClient;
  readonly clientRows: ClientRows;
  readonly findClient: ConnectedClientFinder;
  readonly endOfPerson: EndOfPerson;
  readonly news: PersonalNews;
}

declare module '../../parts.ts' {
  interface School {
    readonly connections: ConnectionManager;
  }
}

/** How the connections of an app end. */
interface AppConnections {
  readonly endAll: (site: Site, app: NamedApp) => Promise<{ readonly connections: number }>;
}

export function createConnections(
  { catalogue }: Settings,
  { host, access, records, clients, limits, audit, choices, rules, news }: Core,
  { endAll }: AppConnections,
  requests: ConnectRequests,
): ConnectionManager {
  const options: ConnectionsOptions = {
    store: records.store,
    catalogue,
    lifetimes: limits.lifetimes,
    clients: clients.findStored,
    connected: clients.connected,
    rules,
    onAudit: audit.onAudit,
  };
  const { clientActive, noteClient, clientRows, findClient } = createConnectedClients(options);
  const demanded = demandedLimits({ clients: clients.findStored, permit: access.permit, choices });
  const ofMembers = memberConnections(options, { platform: host.platform, access, choices, demanded });
  const roleEnd = { store: records.store, platform: host.platform, rules, onAudit: audit.onAudit };
  const end: Connections['end'] = async (site, { role, app, cursor }) => {
    if (role !== undefined) return endByRole(roleEnd, site, { role, app, cursor });
    return app === undefined ? { connections: 0 } : endAll(site, app);
  };
  const connections: Connections = { ...ofMembers, end };
  const namedLimits: ConnectionManager['namedLimits'] = async (site, memberId, only) => {
    const member = await host.platform.findMember(site, memberId);
    return member ? choices.named(site, member, only) : [];
  };
  const endOfPerson: EndOfPerson = async (site, memberId, id) => {
    const { clientId, app } = (id !== undefined && (await ofMembers.find(site, memberId, id))) || {};
    const parties = { memberId, clientId, app: app?.id, connectionId: id };
    const details = { actor: { kind: 'administrator' }, reason: 'client_disconnected', ...parties } as const;
    return endGrants(options, site.id, { memberId, grantId: id }, details);
  };
  return {
    connections,
    demandedLimits: demanded,
    leftByRules: leftByRules({ store: records.store, access }),
    namedLimits,
    clientActive,
    noteClient,
    clientRows,
    findClient,
    news: personalNews({ store: records.store, news, access, requests }),
    endOfPerson,
  };
}

type MemberConnections = Pick<
  Connections,
  'list' | 'find' | 'narrow' | 'givable' | 'widen' | 'limit' | 'revoke' | 'revokeDevice' | 'revokeAll'
>;

/** With what is decided which changes a member can make. */
interface Changing {
  readonly platform: HostPlatform;
  readonly access: Access;
  readonly choices: LimitChoices;
  readonly demanded: DemandedLimits;
}

/** The engine calls a connection a grant. */
function memberConnections(options: ConnectionsOptions, changing: Changing): MemberConnections {
  const { store, clients, lifetimes, catalogue, onAudit } = options;
  async function find(site: Site, memberId: string, id: string): Promise<Connection | undefined> {
    const found = await store.find(site.id, 'Grant', id);
    if (!found || found.record.accountId !== memberId) return undefined;
    const { clientId, scope, resource, iat, exp, at, only, sub, unjudged } = found.record;
    const isHere = currentOrigin(site, resource) === site.origin;
    const client = await clients(site.id, clientId, 'identify');
    const families = found.devices?.map(({ familyId, refreshUntil }) => {
      // A refresh token that expires with the grant does not show when it was issued.
      const until = refreshUntil ?? exp;
      return { id: familyId, ...(until < exp && { lastUsedAt: Math.max(iat, until - lifetimes(site).refreshToken) }) };
    });
    families?.sort((a, b) => (b.lastUsedAt ?? 0) - (a.lastUsedAt ?? 0));
    const lastUsedAt = families?.[0]?.lastUsedAt;
    const scopes = isHere ? splitScope(scope).filter(catalogue.has) : [];
    return {
      id,
      ...describeClient(clientId, client),
      ...(sub !== undefined && { pseudonym: sub }),
      scopes,
      ...(only && { only }),
      refused: isHere ? refusedIn(found.record).filter((each) => catalogue.has(each) && !scopes.includes(each)) : [],
      version: grantVersion(found.record),
      createdAt: iat,
      allowedAt: at ?? iat,
      expiresAt: exp,
      ...(lastUsedAt !== undefined && { lastUsedAt }),
      ...(unjudged !== undefined && { unjudgedAt: unjudged }),
      ...(families && { devices: families }),
    };
  }

  /** The limits in a call. Nothing for a person who is no longer at the school. */
  async function choose(
    site: Site,
    memberId: string,
    { clientId, scopes }: Connection,
    only: Only,
  ): Promise<LimitChoice | undefined> {
    const member = await changing.platform.findMember(site, memberId);
    if (!member) return undefined;
    const demanded = await changing.demanded(site, member, clientId);
    return changing.choices.check({ site, member, scopes, demanded }, only);
  }

  return {
    find,
    async list(site, memberId, query) {
      const ids = await store.grantIds(site.id, { memberId });
      const read = oneByOne((id: string) => find(site, memberId, id));
      return pageOf({ keys: ids, read: async (some) => newestFirst(await read(some)) }, query);
    },
    async narrow(site, memberId, id, scopes) {
      const changed = await narrowGrant(options, site, { memberId, id, removed: new Set(scopes) });
      if (changed) {
        const { clientId } = changed.record;
        const parties = { actor: actorOf(memberId), memberId, clientId, connectionId: id };
        onAudit({ action: 'connection.narrowed', siteId: site.id, ...parties, scopes: changed.scopes });
      }
      return find(site, memberId, id);
    },
    async givable(site, memberId, id) {
      const connection = await find(site, memberId, id);
      return connection ? givableScopes(changing, site, memberId, connection) : [];
    },
    async widen(site, memberId, id, scopes, only, { version } = {}) {
      const connection = await find(site, memberId, id);
      if (!connection) return undefined;
      const wanted = scopes.filter((scope) => !connection.scopes.includes(scope));
      if (wanted.length === 0 && !only) return connection;
      const givable = wanted.length > 0 ? await givableScopes(changing, site, memberId, connection) : [];
      const other = wanted.find((scope) => !givable.includes(scope));
      if (other !== undefined) throw notGivable(other, givable);
      const limited = [...connection.scopes, ...wanted];
      const choice = only && (await choose(site, memberId, { ...connection, scopes: limited }, only));
      // Without the limits, the scopes would count for everything.
      if (only && !choice) return undefined;
      const given = { memberId, id, given: wanted, choice, before: connection.only, version };
      const changed = await widenGrant(options, site, given);
      if (changed) {
        const { clientId, app } = connection;
        const parties = { actor: actorOf(memberId), memberId, clientId, app: app?.id, connectionId: id };
        const limits = only && { only: changed.record.only ?? {} };
        const { before, after } = changed.scopes;
        const what =
          after.length > before.length
            ? ({ action: 'connection.widened', scopes: changed.scopes } as const)
            : ({ action: 'connection.limited' } as const);
        onAudit({ ...what, siteId: site.id, ...parties, ...limits });
      }
      return find(site, memberId, id);
    },
    async limit(site, memberId, id, only, { version } = {}) {
      const connection = await find(site, memberId, id);
      const choice = connection && (await choose(site, memberId, connection, only));
      if (!choice) return undefined;
      const changed = await limitGrant(options, site, { memberId, id, choice, version });
      if (changed) {
        const { clientId, app } = connection;
        const parties = { actor: actorOf(memberId), memberId, clientId, app: app?.id, connectionId: id };
        onAudit({ action: 'connection.limited', siteId: site.id, ...parties, only: changed.record.only ?? {} });
      }
      return find(site, memberId, id);
    },
    async revoke(site, memberId, id) {
      const { clientId, app } = (await find(site, memberId, id)) ?? {};
      const parties = { actor: actorOf(memberId), memberId, clientId, app: app?.id, connectionId: id };
      return (await endGrants(options, site.id, { memberId, grantId: id }, parties)) > 0;
    },
    async revokeDevice(site, memberId, id, familyId) {
      const { clientId, app } = (await find(site, memberId, id)) ?? {};
      if (clientId === undefined || !(await store.endFamily(site.id, id, familyId))) return false;
      const parties = {
        actor: actorOf(memberId),
        memberId,
        clientId,
        app: app?.id,
        connectionId: id,
        familyId,
      };
      onAudit({ action: 'token.revoked', siteId: site.id, reason: 'signed_out', ...parties });
      return true;
    },
    revokeAll: (site, memberId) => endGrants(options, site.id, { memberId }, { actor: actorOf(memberId), memberId }),
  };
}

function notGivable(scope: string, givable: readonly string[]): InvalidRequest {
  const can = givable.length > 0 ? givable.join(' ') : 'nothing';
  return new InvalidRequest(
    `scopes must be scopes that the client asked for, was refused and may have now (${can}), not ${scope}`,
  );
}

function actorOf(memberId: string): AuditActor {
  return { kind: 'member', id: memberId };
}
