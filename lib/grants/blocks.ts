import type { ClientFinder } from '../clients/finder.ts';
import { pageOf } from '../clients/listing.ts';
import { describeClient } from '../clients/metadata.ts';
import type { Connections } from '../contracts/connection.ts';
import { InvalidRequest } from '../protocol/errors.ts';
import { serializeRecord } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';
import { epochSeconds } from '../runtime/timeout.ts';
import { digest } from '../runtime/crypto.ts';
import type { OnAudit } from '../runtime/audit-event.ts';
import { endGrants } from './changes.ts';

/** Whether a school has blocked a client. */
export type BlockCheck = (siteId: string, clientId: string) => Promise<boolean>;

interface BlockOptions {
  readonly store: Pick<RecordStore, 'find' | 'save' | 'remove' | 'list' | 'revoke'>;
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
  readonly onAudit: OnAudit;
}

interface ClientBlocks extends Pick<Connections, 'block' | 'unblock' | 'listBlocked'> {
  readonly isBlocked: BlockCheck;
}

/** The host has authenticated them. */
const actor = { kind: 'operator' } as const;

const maxIdLength = 2048;

/**
 * The clients that schools have blocked. A block is written first, and then all grants are removed. A consent looks for a block
 * after it has written its grant (`consent.ts`). So a block and a consent at the same moment see each other, and verification
 * need not look.
 */
export function createClientBlocks(options: BlockOptions): ClientBlocks {
  const { store, clients, onAudit } = options;
  return {
    isBlocked: async (siteId, clientId) => (await store.find(siteId, 'ClientBlock', digest(clientId))) !== undefined,
    async block({ id: siteId }, clientId) {
      if (clientId === '' || clientId.length > maxIdLength) {
        throw new InvalidRequest(`a client_id is a string of 1 to ${maxIdLength} characters`);
      }
      const record = serializeRecord({ client_id: clientId, at: epochSeconds() });
      await store.save(siteId, { kind: 'ClientBlock', id: digest(clientId), record, listed: true });
      onAudit({ action: 'client.blocked', siteId, actor, clientId });
      const reason = 'client_blocked';
      return { connections: await endGrants(options, siteId, { clientId }, { reason, actor, clientId }) };
    },
    async unblock({ id: siteId }, clientId) {
      const unblocked = await store.remove(siteId, 'ClientBlock', digest(clientId));
      if (unblocked) onAudit({ action: 'client.unblocked', siteId, actor, clientId });
      return unblocked;
    },
    async listBlocked({ id: siteId }, query) {
      const blocks = await store.list(siteId, 'ClientBlock');
      const latestFirst = blocks.sort((a, b) => b.at - a.at || a.client_id.localeCompare(b.client_id));
      // A document whose host is no longer permitted is not found, and is still blocked.
      const describe = async ({ client_id: clientId, at }: (typeof blocks)[number]) => ({
        ...describeClient(clientId, await clients(siteId, clientId, 'identify')),
        blockedAt: at,
      });
      return pageOf(latestFirst, describe, query);
    },
  };
}
