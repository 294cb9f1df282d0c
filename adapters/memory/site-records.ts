import type {
  Entry,
  Found,
  GrantFilter,
  ListedKind,
  RecordKind,
  Redemption,
  RedemptionOutcome,
  TokenKind,
} from '../../lib/contracts/store.ts';
import { ExpiringMap } from './expiring-map.ts';
import { Families } from './families.ts';
import { Quotas } from './quotas.ts';

interface StoredRecord {
  readonly entry: Entry;
  readonly expires: number;
  /** Of a grant. */
  readonly families: Families | undefined;
  consumed?: number;
}

/** The records of one site. Their keys are made of kind and id. */
export class SiteRecords {
  readonly quotas: Quotas = new Quotas();
  readonly #records = new ExpiringMap<StoredRecord>((key, { entry }) => this.#unlink(key, entry));
  readonly #replays = new ExpiringMap<{ readonly sealed: string; readonly expires: number }>();
  /** Keys of listed records. */
  readonly #listed = new Set<string>();
  /** Ids of grants by member. */
  readonly #byMember = new Map<string, Set<string>>();
  /** Ids of grants by client. */
  readonly #byClient = new Map<string, Set<string>>();

  find(kind: RecordKind, id: string): Found | undefined {
    const found = this.#records.get(keyOf(kind, id));
    if (!found || (isToken(kind) && !this.#isLive(found.entry))) return undefined;
    const { consumed, families, entry } = found;
    const until = families?.refreshUntil ?? Infinity;
    const refreshUntil = until < Infinity ? Math.ceil(until / 1000) : undefined;
    return { record: entry.record, familyId: entry.familyId, consumed, refreshUntil };
  }

  save(entry: Entry): void {
    const { kind, id, grantId = '', familyId = '' } = entry;
    const key = keyOf(kind, id);
    const expires = entry.ttl === undefined ? Infinity : Date.now() + entry.ttl * 1000;
    if (isToken(kind)) {
      const grant = this.#grant(grantId);
      if (!grant) return;
      grant.families?.prolong(familyId, { kind, expires: Math.min(expires, grant.expires) });
    }
    const families = kind === 'Grant' ? (this.#grant(id)?.families ?? new Families()) : undefined;
    this.#records.set(key, { entry, expires, families });
    if (kind === 'Grant') {
      link(this.#byMember, entry.memberId ?? '', id);
      link(this.#byClient, entry.clientId ?? '', id);
    }
    if (entry.listed === true) this.#listed.add(key);
  }

  remove(kind: RecordKind, id: string): void {
    this.#records.delete(keyOf(kind, id));
  }

  redeem({ kind, id, grantId, now, tokens, replay }: Redemption): RedemptionOutcome {
    const key = keyOf(kind, id);
    const found = this.#records.get(key);
    if (!found || found.entry.grantId !== grantId || !this.#isLive(found.entry)) return { won: false };
    if (found.consumed !== undefined) return { won: false, replay: this.#replays.get(key)?.sealed };
    found.consumed = now;
    const { familyId } = found.entry;
    for (const token of tokens) this.save({ ...token, grantId, familyId });
    if (replay) this.#replays.set(key, { sealed: replay.sealed, expires: Date.now() + replay.ttl * 1000 });
    return { won: true };
  }

  list(kind: ListedKind): string[] {
    const keys = [...this.#listed].filter((key) => key.startsWith(keyOf(kind, '')));
    return keys.flatMap((key) => this.#records.get(key)?.entry.record ?? []);
  }

  grantIds(filter: GrantFilter): string[] {
    const ids = 'clientId' in filter ? this.#byClient.get(filter.clientId) : this.#byMember.get(filter.memberId);
    const wanted = 'memberId' in filter ? filter.grantId : undefined;
    return [...(ids ?? [])].filter((id) => (wanted === undefined || id === wanted) && this.#grant(id));
  }

  endFamily(grantId: string, familyId: string): boolean {
    const { ended = false, last = false } = this.#grant(grantId)?.families?.end(familyId) ?? {};
    if (last) this.remove('Grant', grantId);
    return ended;
  }

  revoke(filter: GrantFilter): number {
    const ids = this.grantIds(filter);
    for (const id of ids) this.remove('Grant', id);
    return ids.length;
  }

  #grant(id: string): StoredRecord | undefined {
    return this.#records.get(keyOf('Grant', id));
  }

  #isLive({ grantId = '', familyId = '' }: Entry): boolean {
    return this.#grant(grantId)?.families?.has(familyId) === true;
  }

  #unlink(key: string, { kind, id, memberId = '', clientId = '' }: Entry): void {
    this.#replays.delete(key);
    this.#listed.delete(key);
    if (kind !== 'Grant') return;
    unlink(this.#byMember, memberId, id);
    unlink(this.#byClient, clientId, id);
  }
}

function keyOf(kind: RecordKind, id: string): string {
  return `${kind}:${id}`;
}

function isToken(kind: RecordKind): kind is TokenKind {
  return kind === 'AuthorizationCode' || kind === 'AccessToken' || kind === 'RefreshToken';
}

function link(index: Map<string, Set<string>>, of: string, id: string): void {
  const ids = index.get(of) ?? new Set();
  ids.add(id);
  index.set(of, ids);
}

function unlink(index: Map<string, Set<string>>, of: string, id: string): void {
  const ids = index.get(of);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(of);
}
