import type {
  Entry,
  Found,
  GrantFilter,
  ListedKind,
  RecordKind,
  Redemption,
  RedemptionOutcome,
} from '../../lib/contracts/store.ts';
import { ExpiringMap } from './expiring-map.ts';
import { Quotas } from './quotas.ts';

interface StoredRecord {
  readonly entry: Entry;
  readonly expires: number;
  consumed?: number;
}

/** The records of one site. Their keys are made of kind and id. */
export class SiteRecords {
  readonly quotas: Quotas = new Quotas();
  readonly #records = new ExpiringMap<StoredRecord>((key, { entry }) => this.#unlink(key, entry));
  readonly #replays = new ExpiringMap<{ readonly sealed: string; readonly expires: number }>();
  /** Keys of listed records. */
  readonly #listed = new Set<string>();
  /** Keys of codes and tokens by grant. */
  readonly #byGrant = new Map<string, Set<string>>();
  /** Keys of grants by member. */
  readonly #byMember = new Map<string, Set<string>>();

  find(kind: RecordKind, id: string): Found | undefined {
    const found = this.#records.get(keyOf(kind, id));
    if (!found) return undefined;
    const refreshUntil = kind === 'Grant' ? this.#refreshUntil(id) : undefined;
    return { record: found.entry.record, consumed: found.consumed, refreshUntil };
  }

  #refreshUntil(grantId: string): number | undefined {
    const keys = [...(this.#byGrant.get(grantId) ?? [])].filter((key) => key.startsWith(keyOf('RefreshToken', '')));
    const last = Math.max(0, ...keys.map((key) => this.#records.get(key)?.expires ?? 0));
    return last > 0 && last < Infinity ? Math.ceil(last / 1000) : undefined;
  }

  save(entry: Entry): void {
    const key = keyOf(entry.kind, entry.id);
    const expires = entry.ttl === undefined ? Infinity : Date.now() + entry.ttl * 1000;
    this.#records.set(key, { entry, expires });
    if (entry.kind === 'Grant' && entry.memberId !== undefined) link(this.#byMember, entry.memberId, key);
    if (entry.listed === true) this.#listed.add(key);
    if (entry.grantId !== undefined) link(this.#byGrant, entry.grantId, key);
  }

  remove(kind: RecordKind, id: string): void {
    this.#records.delete(keyOf(kind, id));
  }

  redeem({ kind, id, now, entries, replay }: Redemption): RedemptionOutcome {
    const key = keyOf(kind, id);
    const found = this.#records.get(key);
    const grantId = found?.entry.grantId;
    const hasGrant = grantId === undefined || this.#records.get(keyOf('Grant', grantId)) !== undefined;
    if (!found || found.consumed !== undefined || !hasGrant) {
      return { won: false, replay: found && this.#replays.get(key)?.sealed };
    }
    found.consumed = now;
    for (const entry of entries) this.save(entry);
    if (replay) this.#replays.set(key, { sealed: replay.sealed, expires: Date.now() + replay.ttl * 1000 });
    return { won: true };
  }

  list(kind: ListedKind): string[] {
    const keys = [...this.#listed].filter((key) => key.startsWith(keyOf(kind, '')));
    return keys.flatMap((key) => this.#records.get(key)?.entry.record ?? []);
  }

  grantIds({ grantId, memberId, clientId }: GrantFilter): string[] {
    const listed = memberId === undefined ? this.#records.keys() : (this.#byMember.get(memberId) ?? []);
    const keys = grantId === undefined ? listed : [keyOf('Grant', grantId)];
    return [...keys].flatMap((key) => {
      const entry = this.#records.get(key)?.entry;
      if (entry?.kind !== 'Grant') return [];
      if (memberId !== undefined && entry.memberId !== memberId) return [];
      return clientId === undefined || entry.clientId === clientId ? entry.id : [];
    });
  }

  revoke(filter: GrantFilter): number {
    const ids = this.grantIds(filter);
    const { grantId, memberId, clientId } = filter;
    // Tokens can outlive their grant in memory; a revocation of the grant by its id removes them all the same.
    const onlyById = grantId !== undefined && memberId === undefined && clientId === undefined;
    for (const id of onlyById ? [grantId] : ids) {
      for (const key of this.#byGrant.get(id) ?? []) this.#records.delete(key);
      this.remove('Grant', id);
    }
    return ids.length;
  }

  #unlink(key: string, { grantId, memberId }: Entry): void {
    this.#replays.delete(key);
    this.#listed.delete(key);
    if (grantId !== undefined) unlink(this.#byGrant, grantId, key);
    if (memberId !== undefined) unlink(this.#byMember, memberId, key);
  }
}

function keyOf(kind: RecordKind, id: string): string {
  return `${kind}:${id}`;
}

function link(index: Map<string, Set<string>>, of: string, key: string): void {
  const keys = index.get(of) ?? new Set();
  keys.add(key);
  index.set(of, keys);
}

function unlink(index: Map<string, Set<string>>, of: string, key: string): void {
  const keys = index.get(of);
  keys?.delete(key);
  if (keys?.size === 0) index.delete(of);
}
