import { randomBytes } from 'node:crypto';
import type { Store } from '../contracts/store.ts';
import { parseRecord, serializeRecord } from '../records/codec.ts';
import { digest } from '../runtime/crypto.ts';

/**
 * A store in which every confidential client that is stored has another secret: nobody knows the real ones, of which only the
 * digests are stored. What is written is written as ever, and no client is.
 */
export function storeWithSecret(store: Store): { readonly store: Store; readonly secret: string } {
  const secret = randomBytes(32).toString('base64url');
  const find: Store['find'] = async (siteId, kind, id) => {
    const found = await store.find(siteId, kind, id);
    if (!found || kind !== 'Client') return found;
    const client = parseRecord('Client', found.record);
    if (client.client_secret === undefined) return found;
    return { ...found, record: serializeRecord({ ...client, client_secret: digest(secret) }) };
  };
  return {
    secret,
    store: {
      find,
      save: store.save.bind(store),
      remove: store.remove.bind(store),
      redeem: store.redeem.bind(store),
      list: store.list.bind(store),
      consumeQuota: store.consumeQuota.bind(store),
      grantIds: store.grantIds.bind(store),
      countGrants: store.countGrants.bind(store),
      endFamily: store.endFamily.bind(store),
      revoke: store.revoke.bind(store),
      ping: store.ping.bind(store),
      deadline: store.deadline,
    },
  };
}
