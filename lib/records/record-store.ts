import { LRUCache } from 'lru-cache';
import type { EngineKind, ListedKind, RecordKind, RecordOf, StoredRecord } from '../contracts/record.ts';
import type { FindOptions, Redemption, Store } from '../contracts/store.ts';
import type { OnFault } from '../runtime/events.ts';
import { reportFault } from '../host/faults.ts';
import { grantIdOf, parseRecord } from './codec.ts';
import { checkSealed } from './sealing.ts';

export interface FoundRecord<K extends RecordKind> {
  readonly record: RecordOf<K>;
  readonly text: string;
  readonly familyId: string | undefined;
  readonly consumed: number | undefined;
  readonly devices: NonNullable<StoredRecord['devices']> | undefined;
  readonly epoch: number;
  readonly grant: FoundRecord<'Grant'> | undefined;
}

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
  redeem(siteId: string, redemption: Redemption): Promise<Redeemed>;
  list<K extends ListedKind>(siteId: string, kind: K): Promise<RecordOf<K>[]>;
  consumeQuota(...args: Parameters<Store['consumeQuota']>): Promise<number | undefined>;
}

/** A record that cannot be read is a fault: it says nothing about the token, client or session that it stands for. */
export function recordStore(store: Store, onFault: OnFault): RecordStore {
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
    { record, familyId, consumed, devices, epoch, grant }: StoredRecord,
  ): FoundRecord<K> {
    return {
      record: read(kind, () => parseRecord(kind, record)),
      text: record,
      familyId: familyId ?? undefined,
      consumed: consumed ?? undefined,
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
    list: async (siteId, kind) => {
      const records = await store.list(siteId, kind);
      return records.map((record) => read(kind, () => parseListed(kind, record)));
    },
    consumeQuota: async (...args) => (await store.consumeQuota(...args)) ?? undefined,
  };
}

interface Parsed<K extends ListedKind> {
  readonly kind: K;
  readonly record: RecordOf<K>;
}

/** What a record takes beside its text, in characters. */
const overhead = 500;

/** Parses the records of lists, which are long and change little: a text that was parsed before is not parsed again. */
function listedRecordParser(): <K extends ListedKind>(kind: K, text: string) => RecordOf<K> {
  const caches = new Map<ListedKind, LRUCache<string, Parsed<ListedKind>>>();
  return (kind, text) => {
    let cache = caches.get(kind);
    if (!cache) {
      cache = new LRUCache({ maxSize: 4_000_000, sizeCalculation: (_parsed, key) => key.length + overhead });
      caches.set(kind, cache);
    }
    const known = cache.get(text);
    if (isOf(kind, known)) return known.record;
    const record = parseRecord(kind, text);
    cache.set(text, { kind, record });
    return record;
  };
}

function isOf<K extends ListedKind>(kind: K, parsed: Parsed<ListedKind> | undefined): parsed is Parsed<K> {
  return parsed?.kind === kind;
}

type EngineFound = FoundRecord<EngineKind>;

/** What a request has read from the store and may use: the last record of each kind. */
export class Reads {
  readonly #last = new Map<EngineKind, { readonly id: string; readonly found: EngineFound }>();

  /** A grant that was found with a code or token counts as read: the engine asks for it next. */
  add(kind: EngineKind, id: string, found: EngineFound): void {
    this.#last.set(kind, { id, found });
    const { grant } = found;
    if (grant) this.add('Grant', grantIdOf(grant.record.accountId, grant.record.clientId), grant);
  }

  find(kind: EngineKind, id: string): EngineFound | undefined {
    const last = this.#last.get(kind);
    return last?.id === id ? last.found : undefined;
  }

  get session(): EngineFound | undefined {
    return this.#last.get('Session')?.found;
  }

  get grant(): EngineFound | undefined {
    return this.#last.get('Grant')?.found;
  }

  get serviceToken(): EngineFound | undefined {
    return this.#last.get('ClientCredentials')?.found;
  }

  /** No endpoint takes more than one. */
  get token(): EngineFound | undefined {
    const last = this.#last;
    const kinds = ['AuthorizationCode', 'RefreshToken', 'AccessToken', 'DeviceCode'] as const;
    return kinds.map((kind) => last.get(kind)).find((read) => read !== undefined)?.found;
  }
}
