import {
  isToken,
  lineOf,
  type ListedKind,
  type NewRecord,
  type RecordKind,
  type StoredRecord,
  type TokenKind,
} from '../../lib/records/record.ts';
import { type Grantee, granteeNamed } from '../../lib/records/grantee.ts';
import type {
  FindOptions,
  GivenGrant,
  GrantFilter,
  PageQuery,
  Redemption,
  RedemptionOutcome,
  StorePage,
  SweepFilter,
  UsedGrantee,
  RecordCounts,
} from '../../lib/records/store.ts';
import { pageOf, type Place, placeIn, sizeOf } from '../shared/places.ts';
import { ExpiringMap } from './expiring-map.ts';
import { Families } from './families.ts';
import { Quotas } from './quotas.ts';
import { compare, UseOrder } from './use-order.ts';

interface KeptRecord {
  readonly entry: NewRecord;
  readonly expires: number;
  readonly families: Families | undefined;
  /** The epoch of a grant, or of the grant of an access token. */
  readonly epoch: number;
  consumed?: number;
  /** The name of the live token of a line; empty if there is none. */
  live?: string | undefined;
}

/** A stored response, and when its token was redeemed. */
interface Replay {
  readonly sealed: string;
  readonly expires: number;
  readonly redeemed: number;
}

/** The records of one school. Their keys are made of kind and id. */
export class SiteRecords {
  readonly quotas: Quotas = new Quotas();
  readonly #records = new ExpiringMap<KeptRecord>((key, { entry }) => this.#unlink(key, entry));
  readonly #replays = new ExpiringMap<Replay>();
  readonly #listed = new Set<string>();
  readonly #byMember = new Map<string, Set<string>>();
  readonly #byGrantee = new Map<string, Set<string>>();
  readonly #byUse = new UseOrder();

  find(kind: RecordKind, id: string, { withGrant = false, also }: FindOptions = {}): StoredRecord | undefined {
    const found = this.#records.get(keyOf(kind, id));
    if (!found || (isToken(kind) && !this.#isLive(found))) return undefined;
    const { families, epoch, entry } = found;
    const consumed = this.#consumed(found, kind, id);
    const ofGrant = kind === 'Grant' ? { epoch, devices: families?.devices } : {};
    const ofToken = withGrant && isToken(kind) ? { grant: this.find('Grant', entry.grantId ?? '') } : {};
    const others = also && { also: also.map((other) => this.find(other.kind, other.id)) };
    return { record: entry.record, familyId: entry.familyId, consumed, ...ofGrant, ...ofToken, ...others };
  }

  save(entry: NewRecord): boolean {
    const { kind, id } = entry;
    if (isToken(kind)) return this.#saveToken(entry, kind, this.#grant(entry.grantId ?? '')?.epoch ?? 0);
    const key = keyOf(kind, id);
    const before = this.#records.get(key);
    const stored = before?.entry.record ?? null;
    if (entry.replaces !== undefined && entry.replaces !== stored) return entry.record === stored;
    const families = kind === 'Grant' ? (before?.families ?? new Families()) : undefined;
    const epoch = (before?.epoch ?? 0) + (entry.endsAccessTokens === true ? 1 : 0);
    this.#records.set(key, { entry, expires: expiryOf(entry), families, epoch });
    if (kind === 'Grant') this.#link(entry);
    if (entry.listed === true) this.#listed.add(key);
    return true;
  }

  remove(kind: RecordKind, id: string, text?: string): boolean {
    const key = keyOf(kind, id);
    const found = this.#records.get(key);
    if (text !== undefined && found?.entry.record !== text) return false;
    const existed = found !== undefined && (found.live === undefined || found.live === lineOf(kind, id)?.token);
    if (existed) this.#records.delete(key);
    return existed;
  }

  redeem({ kind, id, grantId, epoch = 0, now, tokens, replay, quota }: Redemption): RedemptionOutcome {
    const key = keyOf(kind, id);
    const found = this.#records.get(key);
    if (!found || found.entry.grantId !== grantId || !this.#isLive(found)) return { won: false };
    const replayKey = replayKeyOf(kind, id);
    if (this.#consumed(found, kind, id) !== undefined)
      return { won: false, replay: this.#replays.get(replayKey)?.sealed };
    const retryAfter = quota && this.quotas.consumeQuota([quota], quota.window);
    if (retryAfter !== undefined) return { won: false, retryAfter };
    // The successor takes the place of a token of a line.
    if (found.live === undefined) found.consumed = now;
    else found.live = '';
    const { familyId } = found.entry;
    for (const token of tokens) this.#saveToken({ ...token, grantId, familyId }, token.kind, epoch);
    if (replay) {
      const expires = Date.now() + replay.ttl * 1000;
      this.#replays.set(replayKey, { sealed: replay.sealed, expires, redeemed: now });
    }
    return { won: true };
  }

  list(kind: ListedKind): string[] {
    const keys = [...this.#listed].filter((key) => key.startsWith(keyOf(kind, '')));
    return keys.flatMap((key) => this.#records.get(key)?.entry.record ?? []);
  }

  grantIds(filter: GrantFilter): string[] {
    const ids = 'clientId' in filter ? this.#byGrantee.get(nameOf(filter)) : this.#byMember.get(filter.memberId);
    const wanted = 'memberId' in filter ? filter.grantId : undefined;
    return this.#live(ids)
      .filter(({ id }) => wanted === undefined || id === wanted)
      .sort(compare)
      .map(({ id }) => id);
  }

  countGrants(grantees: readonly Grantee[]): number[] {
    return grantees.map((grantee) => this.#live(this.#byGrantee.get(nameOf(grantee))).length);
  }

  clientsByUse(query: PageQuery): StorePage<UsedGrantee> {
    const size = sizeOf(query);
    const places = this.#byUse.after(placeIn(query), size);
    const used = places.map(({ name }) => ({
      ...granteeNamed(name),
      grants: this.#live(this.#byGrantee.get(name)).length,
    }));
    const entries = used.filter(({ grants }) => grants > 0).sort((a, b) => b.grants - a.grants);
    return pageOf(entries, places, size);
  }

  grantsOf(query: Grantee & PageQuery): StorePage<GivenGrant> {
    const [place, size] = [placeIn(query), sizeOf(query)];
    const all = this.#live(this.#byGrantee.get(nameOf(query))).sort(compare);
    const found = all.filter((each) => !place || compare(each, place) > 0).slice(0, size);
    return pageOf(
      found.map(({ id, memberId }) => ({ id, memberId })),
      found,
      size,
    );
  }

  endFamily(grantId: string, familyId: string): boolean {
    const { ended = false, last = false } = this.#grant(grantId)?.families?.end(familyId) ?? {};
    if (last) this.remove('Grant', grantId);
    return ended;
  }

  revoke(filter: GrantFilter, onRemoved?: (memberId: string) => void): number {
    const ids = this.grantIds(filter);
    for (const id of ids) {
      const memberId = this.#grant(id)?.entry.memberId;
      this.remove('Grant', id);
      onRemoved?.(memberId ?? '');
    }
    return ids.length;
  }

  /** Counts the records, and removes those of the filter. */
  sweep(removes: boolean | SweepFilter): RecordCounts {
    const counts: Partial<Record<RecordKind, number>> = {};
    for (const [key, { entry }] of this.#records.entries()) {
      const { kind, record } = entry;
      const isRemoved = typeof removes === 'function' && removes(kind, record);
      if (isRemoved) this.#records.delete(key);
      if (isRemoved || typeof removes === 'boolean') counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return counts;
  }

  /** When this was redeemed. Every token of a line but the live one was. */
  #consumed({ consumed, live }: KeptRecord, kind: RecordKind, id: string): number | undefined {
    if (live === undefined || live === lineOf(kind, id)?.token) return consumed;
    return this.#replays.get(replayKeyOf(kind, id))?.redeemed ?? 1;
  }

  #grant(id: string): KeptRecord | undefined {
    return this.#records.get(keyOf('Grant', id));
  }

  #saveToken(entry: NewRecord, kind: TokenKind, epoch: number): boolean {
    const { id, grantId = '', familyId = '' } = entry;
    const grant = this.#grant(grantId);
    if (!grant) return false;
    const expires = expiryOf(entry);
    grant.families?.prolong(familyId, kind, Math.min(expires, grant.expires));
    const live = lineOf(kind, id)?.token;
    this.#records.set(keyOf(kind, id), { entry, expires, families: undefined, epoch, live });
    return true;
  }

  #isLive({ entry: { kind, grantId = '', familyId = '' }, epoch }: KeptRecord): boolean {
    const grant = this.#grant(grantId);
    return grant?.families?.has(familyId) === true && (kind !== 'AccessToken' || epoch === grant.epoch);
  }

  /** The live grants among these. */
  #live(ids: ReadonlySet<string> | undefined): (Place & GivenGrant)[] {
    return [...(ids ?? [])].flatMap((id) => {
      const { expires, entry } = this.#grant(id) ?? {};
      if (expires === undefined) return [];
      return { id, memberId: entry?.memberId ?? '', number: expires, name: encodeURIComponent(id) };
    });
  }

  #link({ id, memberId = '', clientId = '', app }: NewRecord): void {
    link(this.#byMember, memberId, id);
    link(this.#byGrantee, nameOf({ clientId }), id);
    if (app !== undefined) link(this.#byGrantee, nameOf({ app }), id);
    this.#count(clientId, app);
  }

  #unlink(key: string, { kind, id, memberId = '', clientId = '', app }: NewRecord): void {
    this.#replays.delete(key);
    this.#listed.delete(key);
    if (kind !== 'Grant') return;
    unlink(this.#byMember, memberId, id);
    unlink(this.#byGrantee, nameOf({ clientId }), id);
    if (app !== undefined) unlink(this.#byGrantee, nameOf({ app }), id);
    this.#count(clientId, app);
  }

  /** A client of an app counts for the app. */
  #count(clientId: string, app: string | undefined): void {
    const name = nameOf(app === undefined ? { clientId } : { app });
    this.#byUse.set(name, this.#byGrantee.get(name)?.size ?? 0);
  }
}

/** The whole id is in it: nothing is short here. */
function nameOf(grantee: Grantee): string {
  return 'app' in grantee ? `@${encodeURIComponent(grantee.app)}` : encodeURIComponent(grantee.clientId);
}

function expiryOf({ ttl }: NewRecord): number {
  return ttl === undefined ? Infinity : Date.now() + ttl * 1000;
}

/** A line has one record, whichever of its tokens is live. */
function keyOf(kind: RecordKind, id: string): string {
  const line = lineOf(kind, id)?.line;
  return line === undefined ? `${kind}:${id}` : `${kind} line:${line}`;
}

function replayKeyOf(kind: RecordKind, id: string): string {
  return `${kind}:${id}`;
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
