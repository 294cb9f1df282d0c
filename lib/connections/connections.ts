import type { ClientFinder } from '../clients/finder.ts';
import type { Connection, Connections } from '../contracts/connection.ts';
import type { Lifetimes } from '../contracts/limits.ts';
import type { Site } from '../contracts/platform.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import type { RecordStore } from '../records/record-store.ts';
import type { AuditDetails, OnAudit } from '../runtime/audit-event.ts';
import { describeClient } from './describe-client.ts';
import { narrowGrant } from './narrow-grant.ts';
import { connectionPage, findAll } from './page.ts';

export interface ConnectionsOptions {
  readonly store: Pick<RecordStore, 'find' | 'grantIds' | 'revoke' | 'save'>;
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
  readonly lifetimes: Pick<Lifetimes, 'grant' | 'refreshToken'>;
  readonly catalogue: ScopeCatalogue;
  readonly onAudit: OnAudit;
}

type MemberConnections = Pick<Connections, 'list' | 'page' | 'find' | 'narrow' | 'revoke' | 'revokeAll'>;

/** The engine calls a connection a grant. */
export function createConnections(options: ConnectionsOptions): MemberConnections {
  const { store, clients, lifetimes, catalogue, onAudit } = options;
  async function find(site: Site, memberId: string, id: string): Promise<Connection | undefined> {
    const found = await store.find(site.id, 'Grant', id);
    if (!found || found.record.accountId !== memberId) return undefined;
    const { clientId, scope, resource, iat, exp } = found.record;
    const client = await clients(site.id, clientId, 'identify');
    // A refresh token that expires with the grant does not show when it was issued.
    const until = found.refreshUntil ?? exp;
    return {
      id,
      ...describeClient(clientId, client),
      scopes: resource === site.origin ? splitScope(scope).filter(catalogue.has) : [],
      createdAt: iat,
      allowedAt: Math.max(iat, exp - lifetimes.grant),
      ...(until < exp && { lastUsedAt: Math.max(iat, until - lifetimes.refreshToken) }),
      ...(found.devices !== undefined && { devices: found.devices }),
    };
  }

  return {
    find,
    async list(site, memberId) {
      const ids = await store.grantIds(site.id, { memberId });
      const all = await findAll(ids, (id) => find(site, memberId, id));
      return all.sort((a, b) => b.createdAt - a.createdAt || a.clientId.localeCompare(b.clientId));
    },
    async page(site, memberId, query) {
      const ids = await store.grantIds(site.id, { memberId });
      return connectionPage(ids, (id) => find(site, memberId, id), query);
    },
    async narrow(site, memberId, id, scopes) {
      const narrowed = await narrowGrant({ store, catalogue }, site, { memberId, id, removed: new Set(scopes) });
      if (narrowed) onAudit(auditOf(site, memberId, { ...narrowed, connectionId: id }));
      return find(site, memberId, id);
    },
    async revoke(site, memberId, id) {
      const known = await find(site, memberId, id);
      const revoked = (await store.revoke(site.id, { memberId, grantId: id })) > 0;
      if (revoked) onAudit(auditOf(site, memberId, { clientId: known?.clientId, connectionId: id }));
      return revoked;
    },
    async revokeAll(site, memberId) {
      const revoked = await store.revoke(site.id, { memberId });
      if (revoked > 0) onAudit(auditOf(site, memberId, { connections: revoked }));
      return revoked;
    },
  };
}

function auditOf(
  site: Site,
  memberId: string,
  changed: Pick<AuditDetails, 'clientId' | 'connectionId' | 'connections' | 'scopes'>,
): AuditDetails {
  const action = changed.scopes ? 'connection.narrowed' : 'connection.ended';
  return { action, siteId: site.id, actor: { kind: 'member', id: memberId }, memberId, ...changed };
}
