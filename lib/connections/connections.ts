import type { ClientFinder } from '../clients/finder.ts';
import type { Connection, Connections } from '../contracts/connection.ts';
import type { Lifetimes } from '../contracts/limits.ts';
import type { Site } from '../contracts/platform.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import type { RecordStore } from '../records/record-store.ts';
import type { AuditDetails, OnAudit } from '../runtime/audit-event.ts';
import { describeClient } from './describe-client.ts';

export interface ConnectionsOptions {
  readonly store: Pick<RecordStore, 'find' | 'grantIds' | 'revoke'>;
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
  readonly lifetimes: Pick<Lifetimes, 'grant' | 'refreshToken'>;
  readonly catalogue: ScopeCatalogue;
  readonly onAudit: OnAudit;
}

type MemberConnections = Pick<Connections, 'list' | 'revoke' | 'revokeAll'>;

/** The engine calls a connection a grant. */
export function createConnections(options: ConnectionsOptions): MemberConnections {
  const { store, clients, lifetimes, catalogue, onAudit } = options;
  async function connection(site: Site, memberId: string, id: string): Promise<Connection[]> {
    const found = await store.find(site.id, 'Grant', id);
    if (!found || found.record.accountId !== memberId) return [];
    const { clientId, scope, resource, iat, exp } = found.record;
    const client = await clients(site.id, clientId, 'identify');
    // A refresh token that expires with the grant does not show when it was issued.
    const until = found.refreshUntil ?? exp;
    return [
      {
        id,
        ...describeClient(clientId, client),
        scopes: resource === site.origin ? splitScope(scope).filter(catalogue.has) : [],
        createdAt: iat,
        allowedAt: Math.max(iat, exp - lifetimes.grant),
        ...(until < exp && { lastUsedAt: Math.max(iat, until - lifetimes.refreshToken) }),
      },
    ];
  }

  const audit = (
    site: Site,
    memberId: string,
    ended: Pick<AuditDetails, 'clientId' | 'connectionId' | 'connections'>,
  ) =>
    onAudit({
      action: 'connection.ended',
      siteId: site.id,
      actor: { kind: 'member', id: memberId },
      memberId,
      ...ended,
    });

  return {
    async list(site, memberId) {
      const ids = await store.grantIds(site.id, { memberId });
      const all = await Promise.all(ids.map((id) => connection(site, memberId, id)));
      return all.flat().sort((a, b) => b.createdAt - a.createdAt || a.clientId.localeCompare(b.clientId));
    },
    async revoke(site, memberId, id) {
      const [known] = await connection(site, memberId, id);
      const revoked = (await store.revoke(site.id, { memberId, grantId: id })) > 0;
      if (revoked) audit(site, memberId, { clientId: known?.clientId, connectionId: id });
      return revoked;
    },
    async revokeAll(site, memberId) {
      const revoked = await store.revoke(site.id, { memberId });
      if (revoked > 0) audit(site, memberId, { connections: revoked });
      return revoked;
    },
  };
}
