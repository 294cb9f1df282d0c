import type {
  Entry,
  Found,
  GrantFilter,
  RecordKind,
  Redemption,
  RedemptionOutcome,
  Store,
} from '../../lib/contracts/store.ts';
import { Quotas } from './quotas.ts';
import { link, name, unlink } from './index-sets.ts';

interface Row {
  readonly entry: Entry;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  consumed?: number;
}

/** How many rows are looked at for having expired, at each write. */
const sweep = 10;

/**
 * Keeps everything in this process: for development, tests and single-process demos. What has expired is not found, and
 * is thrown out bit by bit with each write.
 */
export function memoryStore(): Store {
  const sites = new Map<string, SiteRows>();
  const of = (siteId: string): SiteRows => {
    let rows = sites.get(siteId);
    if (!rows) sites.set(siteId, (rows = new SiteRows()));
    return rows;
  };
  return {
    find: async (siteId, kind, id) => of(siteId).find(kind, id),
    save: async (siteId, entry) => of(siteId).save(entry),
    remove: async (siteId, kind, id) => of(siteId).remove(kind, id),
    redeem: async (siteId, redemption) => of(siteId).redeem(redemption),
    listClients: async (siteId) => of(siteId).listClients(),
    consumeQuota: async (siteId, quotas, window) => of(siteId).counters.consumeQuota(quotas, window),
    grantIds: async (siteId, filter) =>
      of(siteId)
        .grants(filter)
        .map((grant) => grant.id),
    revoke: async (siteId, filter) => of(siteId).revoke(filter),
    ping: async () => {},
  };
}

class SiteRows {
  readonly counters = new Quotas();
  readonly #rows = new Map<string, Row>();
  readonly #replays = new Map<string, { readonly sealed: string; readonly expires: number }>();
  /** Names of listed clients. */
  readonly #listed = new Set<string>();
  /** Names of codes and tokens by grant. */
  readonly #byGrant = new Map<string, Set<string>>();
  /** Names of grants by member. */
  readonly #byMember = new Map<string, Set<string>>();
  #sweeper: Iterator<[string, Row]> = this.#rows.entries();

  find(kind: RecordKind, id: string): Found | undefined {
    const row = this.#live(name(kind, id));
    return row && { record: row.entry.record, consumed: row.consumed, refreshUntil: this.#refreshUntil(row.entry) };
  }

  #refreshUntil({ kind, id }: Entry): number | undefined {
    if (kind !== 'Grant') return undefined;
    const keys = [...(this.#byGrant.get(id) ?? [])].filter((key) => key.startsWith(name('RefreshToken', '')));
    const last = Math.max(0, ...keys.map((key) => this.#rows.get(key)?.expires ?? 0));
    return last > 0 && last < Infinity ? Math.ceil(last / 1000) : undefined;
  }

  save(entry: Entry): void {
    this.#sweep();
    const key = name(entry.kind, entry.id);
    this.#drop(key);
    const expires = entry.ttl === undefined ? Infinity : Date.now() + entry.ttl * 1000;
    this.#rows.set(key, { entry, expires });
    if (entry.kind === 'Grant' && entry.memberId !== undefined) link(this.#byMember, entry.memberId, key);
    if (entry.listed === true) this.#listed.add(key);
    if (entry.grantId !== undefined) link(this.#byGrant, entry.grantId, key);
  }

  remove(kind: RecordKind, id: string): void {
    this.#drop(name(kind, id));
  }

  redeem({ kind, id, now, entries, replay }: Redemption): RedemptionOutcome {
    const key = name(kind, id);
    const row = this.#live(key);
    const alive = row?.entry.grantId === undefined || this.#live(name('Grant', row.entry.grantId)) !== undefined;
    if (!row || row.consumed !== undefined || !alive) return { won: false, replay: this.#replay(key) };
    row.consumed = now;
    for (const entry of entries) this.save(entry);
    if (replay) this.#replays.set(key, { sealed: replay.sealed, expires: Date.now() + replay.ttl * 1000 });
    return { won: true };
  }

  listClients(): string[] {
    return [...this.#listed].flatMap((key) => this.#live(key)?.entry.record ?? []);
  }

  grants({ grantId, memberId, clientId }: GrantFilter): Entry[] {
    const keys =
      grantId !== undefined
        ? [name('Grant', grantId)]
        : memberId !== undefined
          ? (this.#byMember.get(memberId) ?? [])
          : this.#rows.keys();
    return [...keys].flatMap((key) => {
      const entry = this.#live(key)?.entry;
      const matches =
        entry?.kind === 'Grant' &&
        (memberId === undefined || entry.memberId === memberId) &&
        (clientId === undefined || entry.clientId === clientId);
      return matches ? [entry] : [];
    });
  }

  revoke(filter: GrantFilter): number {
    const grants = this.grants(filter);
    const { grantId, memberId, clientId } = filter;
    const alone = grantId !== undefined && memberId === undefined && clientId === undefined;
    const ids = alone ? [grantId] : grants.map((grant) => grant.id);
    for (const id of ids) {
      for (const key of this.#byGrant.get(id) ?? []) this.#drop(key);
      this.#drop(name('Grant', id));
    }
    return grants.length;
  }

  #live(key: string): Row | undefined {
    const row = this.#rows.get(key);
    if (row && row.expires <= Date.now()) {
      this.#drop(key);
      return undefined;
    }
    return row;
  }

  #replay(key: string): string | undefined {
    const kept = this.#replays.get(key);
    return kept && kept.expires > Date.now() && this.#live(key) ? kept.sealed : undefined;
  }

  #drop(key: string): void {
    const entry = this.#rows.get(key)?.entry;
    if (!entry) return;
    this.#rows.delete(key);
    this.#replays.delete(key);
    this.#listed.delete(key);
    if (entry.grantId !== undefined) unlink(this.#byGrant, entry.grantId, key);
    if (entry.memberId !== undefined) unlink(this.#byMember, entry.memberId, key);
  }

  #sweep(): void {
    for (let i = 0; i < sweep; i += 1) {
      const { value, done } = this.#sweeper.next();
      if (done) {
        this.#sweeper = this.#rows.entries();
        return;
      }
      this.#live(value[0]);
      if ((this.#replays.get(value[0])?.expires ?? Infinity) <= Date.now()) this.#replays.delete(value[0]);
    }
  }
}
