import {
  isRecordKind,
  isToken,
  type ListedKind,
  type RecordKind,
  type RecordOf,
  type StoredRecord,
  type TokenKind,
} from './record.ts';
import { recordKinds } from './record-kinds.ts';
import type { FindOptions, Redemption, Store } from './store.ts';
import type { FoundRecord } from './found-record.ts';
import { RecordReader } from './record-reader.ts';
import { noHooks, type StoreHooks } from './store-hooks.ts';
import type { EventDetails } from '../observe/audit-event.ts';
import type { OnFault } from '../observe/events.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { inParts } from '../kernel/in-parts.ts';
import { reportFault } from '../observe/faults-to-503.ts';
import { parseRecord } from './codec.ts';
import { listedRecordParser } from './listed-records.ts';
import { checkSealed } from './sealed-responses.ts';

type Redeemed =
  | { readonly won: true }
  | { readonly won: false; readonly replay: string | undefined; readonly retryAfter: number | undefined };

/** A store whose records are parsed and whose `null` results are `undefined`. */
export interface RecordStore extends Omit<Store, 'find' | 'redeem' | 'list' | 'consumeQuota'> {
  find<K extends RecordKind>(
    siteId: string,
    kind: K,
    id: string,
    options?: FindOptions,
  ): Promise<FoundRecord<K> | undefined>;
  /** For the records of one request. */
  reader(siteId: string): RecordReader;
  redeem(siteId: string, redemption: Redemption): Promise<Redeemed>;
  list<K extends ListedKind>(siteId: string, kind: K): Promise<RecordOf<K>[]>;
  consumeQuota(...args: Parameters<Store['consumeQuota']>): Promise<number | undefined>;
  /** Tells whose connections have ended, once they have. */
  tellEnded(siteId: string, memberIds: readonly string[], details: EventDetails): Promise<void>;
}

/** A record that cannot be read is a fault: it says nothing about the token, client or session that it stands for. */
export function recordStore(
  store: Store,
  onFault: OnFault,
  { beforeRevoke, afterWrite, afterEnd }: StoreHooks = noHooks,
): RecordStore {
  const parseListed = listedRecordParser();
  function read<T>(what: string, parse: () => T): T {
    try {
      return parse();
    } catch (cause) {
      throw reportFault(onFault, `reading a stored ${what}`, cause);
    }
  }

  function readFound<K extends RecordKind>(
    kind: K,
    { record, familyId, consumed, now, devices, epoch, grant }: StoredRecord,
  ): FoundRecord<K> {
    return {
      record: read(kind, () => parseRecord(kind, record)),
      text: record,
      familyId: familyId ?? undefined,
      consumed: consumed ?? undefined,
      consumedFor: typeof consumed === 'number' ? (now ?? epochSeconds()) - consumed : undefined,
      devices: devices ?? undefined,
      epoch: epoch ?? 0,
      grant: grant ? readFound('Grant', grant) : undefined,
    };
  }

  return {
    ...store,
    find: async (siteId, kind, id, options) => {
      const found = await store.find(siteId, kind, id, options);
      return found ? readFound(kind, found) : undefined;
    },
    reader: (siteId) => new RecordReader({ find: (...args) => store.find(...args), parse: readFound }, siteId),
    save: async (siteId, entry) => {
      const saved = await store.save(siteId, entry);
      for (const learn of afterWrite) learn(siteId, entry.kind);
      return saved;
    },
    remove: async (siteId, kind, ...record) => {
      const removed = await store.remove(siteId, kind, ...record);
      for (const learn of afterWrite) learn(siteId, kind);
      return removed;
    },
    redeem: async (siteId, redemption) => {
      const outcome = await store.redeem(siteId, redemption);
      if (outcome.won) return outcome;
      const { replay, retryAfter } = outcome;
      return {
        won: false,
        replay: replay ? read('replay', () => checkSealed(replay)) : undefined,
        retryAfter: retryAfter ?? undefined,
      };
    },
    revoke: async (siteId, filter, ended) => {
      const afterwards = await Promise.all(beforeRevoke.map((look) => look(siteId, filter)));
      const count = await store.revoke(siteId, filter, ended);
      for (const act of afterwards) act?.();
      return count;
    },
    list: async (siteId, kind) => {
      const found: RecordOf<typeof kind>[] = [];
      for await (const records of inParts(await store.list(siteId, kind))) {
        found.push(...records.map((record) => read(kind, () => parseListed(kind, record))));
      }
      return found;
    },
    tellEnded: async (siteId, memberIds, details) => {
      for (const learn of afterEnd) await learn(siteId, memberIds, details);
    },
    consumeQuota: async (...args) => (await store.consumeQuota(...args)) ?? undefined,
  };
}

/** Codes and tokens. */
export const tokenKinds: readonly TokenKind[] = Object.keys(recordKinds).filter(isRecordKind).filter(isToken);
