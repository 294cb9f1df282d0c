import type { AdapterPayload } from 'oidc-provider';
import type { ClientFinder } from '../clients/finder.ts';
import { sourceOf } from '../clients/metadata.ts';
import type { Connection, Connections } from '../contracts/connection.ts';
import type { Site } from '../contracts/platform.ts';
import type { Store } from '../contracts/store.ts';
import type { OnAudit } from '../runtime/events.ts';
import type { Lifetimes } from '../contracts/lifetimes.ts';
import { decodeRecord, storedId } from '../records/codec.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';
import { isScope, splitScope } from '../protocol/scopes.ts';

/** What connections rest on. */
export interface ConnectionsOptions {
  readonly store: Pick<Store, 'find' | 'grantIds' | 'revoke'>;
  /** Finds clients without asking anybody outside. */
  readonly clients: ClientFinder;
  readonly lifetimes: Pick<Lifetimes, 'grant' | 'refreshToken'>;
  readonly onAudit: OnAudit;
}

/** A member's connections: what the engine calls grants. */
export function createConnections({ store, clients, lifetimes, onAudit }: ConnectionsOptions): Connections {
  async function connection(site: Site, memberId: string, id: string): Promise<Connection[]> {
    const found = await store.find(site.id, 'Grant', id);
    if (!found) return [];
    const grant = decodeRecord('Grant', id, found.record, site.origin);
    const { accountId, clientId = '', iat = 0, exp = 0, resources } = grant;
    const scope: unknown = Reflect.get(Object(resources), site.origin);
    if (accountId !== memberId) return [];
    const client = await clients(site.id, clientId);
    // A token that ends with the grant does not tell when it was made.
    const until = found.refreshUntil ?? exp;
    return [
      {
        id,
        ...describe(clientId, client),
        scopes: splitScope(typeof scope === 'string' ? scope : undefined).filter(isScope),
        createdAt: iat,
        allowedAt: Math.max(iat, exp - lifetimes.grant),
        ...(until < exp && { lastUsedAt: Math.max(iat, until - lifetimes.refreshToken) }),
      },
    ];
  }

  const tell = (site: Site, memberId: string, clientId?: string): void =>
    onAudit({ what: 'revocation', decision: 'allowed', siteId: site.id, memberId, clientId });

  return {
    async list(site, memberId) {
      const ids = await store.grantIds(site.id, { memberId });
      const all = await Promise.all(ids.map((id) => connection(site, memberId, id)));
      return all.flat().sort((a, b) => b.createdAt - a.createdAt || a.clientId.localeCompare(b.clientId));
    },
    async revoke(site, memberId, id) {
      const grantId = storedId('Grant', id);
      const [known] = await connection(site, memberId, grantId);
      const ended = (await store.revoke(site.id, { memberId, grantId })) > 0;
      if (ended) tell(site, memberId, known?.clientId);
      return ended;
    },
    async revokeAll(site, memberId) {
      const ended = await store.revoke(site.id, { memberId });
      if (ended > 0) tell(site, memberId);
      return ended;
    },
  };
}

type Described = Pick<Connection, 'clientId' | 'clientName' | 'host' | 'source' | 'audience'>;

function describe(clientId: string, client: AdapterPayload | undefined): Described {
  const source = isMetadataDocumentId(clientId) ? 'document' : sourceOf(client?.['campus_source']);
  const name: unknown = client?.client_name;
  const host = source === 'document' ? clientId : source === 'registered' ? undefined : client?.client_uri;
  return {
    clientId,
    clientName: typeof name === 'string' && name !== '' ? name : clientId,
    host: host === undefined ? undefined : URL.parse(host)?.host,
    source,
    audience: client?.['campus_audience'] === 'member' ? 'member' : 'operator',
  };
}
