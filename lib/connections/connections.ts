import { pageOf } from '../clients/listing.ts';
import { describeClient } from '../clients/metadata.ts';
import type { Connection, Connections } from '../contracts/connection.ts';
import type { Site } from '../contracts/platform.ts';
import { endGrants, narrowGrant } from '../grants/changes.ts';
import type { Programs } from '../contracts/program.ts';
import { currentOrigin } from '../protocol/protected-resources.ts';
import { splitScope } from '../protocol/scopes.ts';
import type { AuditActor } from '../runtime/audit-event.ts';
import { type ConnectedClients, type ConnectionsOptions, createConnectedClients } from './connected-clients.ts';
import { type ProgramRules, programRules, type ProgramsOptions } from './listed-programs.ts';
import { createPrograms } from './programs.ts';

export interface ConnectionServices extends Pick<ConnectedClients, 'clientActive' | 'noteClient'> {
  readonly connections: Connections;
  readonly programs: Programs;
  readonly programRules: ProgramRules;
}

export function createConnectionServices(options: ConnectionsOptions & ProgramsOptions): ConnectionServices {
  const { clientActive, noteClient, ...connected } = createConnectedClients(options);
  const { programs, ...blocks } = createPrograms(options);
  const connections = { ...memberConnections(options), ...connected, ...blocks };
  return { connections, programs, programRules: programRules(options), clientActive, noteClient };
}

type MemberConnections = Pick<Connections, 'list' | 'find' | 'narrow' | 'revoke' | 'revokeAll'>;

/** The engine calls a connection a grant. */
function memberConnections(options: ConnectionsOptions): MemberConnections {
  const { store, clients, lifetimes, catalogue, onAudit } = options;
  async function find(site: Site, memberId: string, id: string): Promise<Connection | undefined> {
    const found = await store.find(site.id, 'Grant', id);
    if (!found || found.record.accountId !== memberId) return undefined;
    const { clientId, scope, resource, iat, exp, at } = found.record;
    const client = await clients(site.id, clientId, 'identify');
    // A refresh token that expires with the grant does not show when it was issued.
    const until = found.refreshUntil ?? exp;
    return {
      id,
      ...describeClient(clientId, client),
      scopes: currentOrigin(site, resource) === site.origin ? splitScope(scope).filter(catalogue.has) : [],
      createdAt: iat,
      allowedAt: at ?? iat,
      expiresAt: exp,
      ...(until < exp && { lastUsedAt: Math.max(iat, until - lifetimes(site).refreshToken) }),
      ...(found.devices !== undefined && { devices: found.devices }),
    };
  }

  return {
    find,
    async list(site, memberId, query) {
      const ids = await store.grantIds(site.id, { memberId });
      return pageOf(ids, (id) => find(site, memberId, id), query);
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
    async revoke(site, memberId, id) {
      const clientId = (await find(site, memberId, id))?.clientId;
      const parties = { actor: actorOf(memberId), memberId, clientId, connectionId: id };
      return (await endGrants(options, site.id, { memberId, grantId: id }, parties)) > 0;
    },
    revokeAll: (site, memberId) => endGrants(options, site.id, { memberId }, { actor: actorOf(memberId), memberId }),
  };
}

function actorOf(memberId: string): AuditActor {
  return { kind: 'member', id: memberId };
}
