import type { AdapterPayload } from 'oidc-provider';
import {
  type EngineKind,
  type EngineRecord,
  isRedeemable,
  isToken,
  type RecordOf,
  type TokenKind,
  type WrittenKind,
} from '../records/record.ts';
import type { PlatformSession, Site } from '../host/school-platform.ts';
import type { PresentedToken } from '../core/access/token-permission.ts';
import type { Lifetimes } from '../core/limits/limits.ts';
import { recordKinds } from '../records/record-kinds.ts';
import { paths } from '../http/paths.ts';
import { type RefreshScopes, refreshScopes } from '../core/grants/added-scopes.ts';
import { currentOrigin, type SiteOrigins } from '../host/origins.ts';
import type { JsonMembers } from '../kernel/json.ts';
import {
  familyIdOf,
  grantIdOf,
  type GrantRecord,
  members,
  optional,
  serializeRecord,
  storedId,
  text,
} from '../records/codec.ts';
import { expiryOfLineToken, isLineToken } from '../records/line-tokens.ts';
import type { RecordReader } from '../records/record-reader.ts';
import type { FoundRecord } from '../records/found-record.ts';
import { type RecordStore, tokenKinds } from '../records/record-store.ts';
import { epochSeconds } from '../kernel/clock.ts';

/**
 * Seconds within which a code may be sent a second time, by the right client with the right verifier. Two, because times are whole seconds:
 * the client then has at least one.
 */
const codeGrace = 2;

/** What is asked of a request for its records. */
interface RecordsOwner {
  readonly site: Site;
  readonly lifetimes: Lifetimes;
  signedIn(): Promise<PlatformSession | undefined>;
  /** The path at which an interaction started. */
  startPathOf(interaction: object): string;
}

const redeemableKinds = tokenKinds.filter(isRedeemable);

interface Read<K extends EngineKind> {
  /** As the request has it. */
  readonly id: string;
  readonly keyInStore: string;
  readonly found: FoundRecord<K>;
}

/** A record as the engine writes it. */
export interface PayloadWrite<K extends EngineKind> {
  readonly kind: K;
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly ttl: number;
  /** Whether this is the stored id: what a browser has of the code of an app. @default false */
  readonly isStored?: boolean;
}

/** What one request reads and writes of the engine's records. It remembers the last one of each kind that it has read. */
export class EngineRecords {
  readonly #request: RecordsOwner;
  readonly #store: RecordStore;
  readonly #reader: RecordReader;
  readonly #last: { [K in EngineKind]?: Read<K> } = {};
  readonly #written: Set<WrittenKind> = new Set<WrittenKind>();
  /** The family and the grant of the code that the engine has issued. */
  issued: { readonly familyId: string; readonly grantId: string | undefined } | undefined;
  /** The code or refresh token that was read before the engine asked for it. */
  #ahead: { readonly kind: EngineKind; readonly keyInStore: string; readonly found: FoundAhead } | undefined;
  #ending: Promise<boolean> | undefined;

  constructor(request: RecordsOwner, store: RecordStore, reader: RecordReader) {
    this.#request = request;
    this.#store = store;
    this.#reader = reader;
  }

  last<K extends EngineKind>(kind: K): FoundRecord<K> | undefined {
    return this.#last[kind]?.found;
  }

  /** The id of the last one, as the request has it. */
  lastId(kind: EngineKind): string | undefined {
    return this.#last[kind]?.id;
  }

  /** The id in the store: one that was found has it already. */
  keyInStore(kind: EngineKind, id: string): string {
    const last = this.#last[kind];
    return last?.id === id ? last.keyInStore : storedId(kind, id);
  }

  /** The grant that the engine has read, alone or with a code or token. */
  get grant(): GrantRecord | undefined {
    return this.last('Grant')?.record;
  }

  /** The code or token that the engine has read: no endpoint takes more than one. */
  get token(): FoundRecord<TokenKind> | undefined {
    return tokenKinds.map((kind) => this.last(kind)).find((found) => found !== undefined);
  }

  /** The code or token that the engine has read, with its grant if it has one. */
  async presented(): Promise<PresentedToken | undefined> {
    const service = this.last('ClientCredentials');
    if (service) return { kind: 'ClientCredentials', record: service.record };
    const access = this.last('AccessToken');
    if (access) return { kind: 'AccessToken', record: access.record };
    for (const kind of redeemableKinds) {
      const found = this.last(kind);
      if (!found) continue;
      const grant = await this.#grantOf(found);
      return { kind, record: found.record, grant, scopes: refreshScopesIn(found, grant).all };
    }
    return undefined;
  }

  hasWritten(kind: WrittenKind): boolean {
    return this.#written.has(kind);
  }

  /** What the engine may use of a record. */
  async find(kind: EngineKind, id: string): Promise<AdapterPayload | undefined> {
    const { site } = this.#request;
    if (kind === 'RefreshToken' && isPastItsLife(id)) return undefined;
    const keyInStore = storedId(kind, id);
    // A grant was found with its code or token.
    const known = kind === 'Grant' && this.lastId(kind) === id ? this.last(kind) : undefined;
    const found = known ?? (await this.#read(kind, keyInStore));
    if (!found) return undefined;
    const payload = decodeRecord(kind, id, found.record, site, this.#request.startPathOf(found.record));
    if (kind === 'RefreshToken') payload.scope = (await this.#scopesOf(found)).all.join(' ') || undefined;
    // The engine takes 0 for "never".
    if (found.consumed !== undefined) payload.consumed = Math.max(1, found.consumed);
    const usable = await this.#usable(kind, payload, found);
    if (usable) this.#remember(kind, { id, keyInStore, found });
    return usable;
  }

  /** What a refresh with this token may ask for; `undefined` if there is no such token. The engine then gets the record that was read for this. */
  async scopesOfRefreshToken(token: string): Promise<RefreshScopes | undefined> {
    const read = await this.#readAhead('RefreshToken', token);
    return read && this.#scopesOf(read);
  }

  /** Whether there is such a token. The engine then gets the record that was read for this. */
  async hasRefreshToken(token: string): Promise<boolean> {
    return (await this.#readAhead('RefreshToken', token)) !== undefined;
  }

  /** What a code was issued for; `undefined` if there is no such code. The engine then gets the record that was read for this. */
  async bindingOfCode(code: string): Promise<CodeBinding | undefined> {
    const { record } = (await this.#readAhead('AuthorizationCode', code)) ?? {};
    return (
      record && {
        challenge: optional(record, 'codeChallenge', text),
        redirectUri: optional(record, 'redirectUri', text),
      }
    );
  }

  /** Writes a record. Returns `false` if the interaction that was read has changed since, or the code's grant has ended. */
  async save(write: PayloadWrite<Exclude<WrittenKind, 'AccessToken' | 'RefreshToken'>>): Promise<boolean> {
    const { kind, payload, ttl, isStored } = write;
    const id = isStored ? write.id : storedId(kind, write.id);
    const entry = { kind, id, record: encodeRecord(kind, payload), ttl };
    if (kind === 'Session' && this.#livesOn(write, entry.record)) return true;
    const links = isToken(kind) && { grantId: payload.grantId, familyId: familyIdOf(id) };
    const replaces = kind === 'Interaction' && this.lastId(kind) === write.id ? this.last(kind)?.text : undefined;
    const written = await this.#store.save(this.#request.site.id, { ...entry, ...links, replaces });
    if (written) this.#written.add(kind);
    if (written && links) this.issued = links;
    return written;
  }

  /**
   * Whether a session is stored as it is, and lives nearly as long. The engine writes it at each authorization request, so that it lives on:
   * in a twenty-fourth of its life, which is an hour where somebody is signed in, that is done once.
   */
  #livesOn({ id, payload: { exp = 0 }, ttl }: Omit<PayloadWrite<'Session'>, 'kind'>, record: string): boolean {
    const read = this.lastId('Session') === id ? this.last('Session')?.record : undefined;
    const shorter = exp - Number(read?.['exp']);
    return shorter < ttl / 24 && record === serializeRecord('Session', { ...read, exp });
  }

  /** Returns whether it was there. */
  remove(kind: EngineKind, id: string): Promise<boolean> {
    return this.#store.remove(this.#request.site.id, kind, storedId(kind, id));
  }

  /** Ends the family of the code or token that the engine has read, once: its other families are those of other devices. */
  async endFamily(): Promise<void> {
    const { token } = this;
    if (token?.familyId === undefined) throw new Error('the engine revokes a token that it did not look up');
    const grantId = grantIdOf(token.record.accountId, token.record.clientId);
    this.#ending ??= this.#store.endFamily(this.#request.site.id, grantId, token.familyId);
    await this.#ending;
  }

  /** A grant that was found with a code or token counts as read: the engine asks for it next. */
  #remember<K extends EngineKind>(kind: K, read: Read<K>): void {
    const last: { [P in K]?: Read<P> } = this.#last;
    last[kind] = read;
    const { grant } = read.found;
    if (!grant) return;
    const id = grantIdOf(grant.record.accountId, grant.record.clientId);
    this.#last.Grant = { id, keyInStore: id, found: grant };
  }

  #readAhead(kind: EngineKind, id: string): FoundAhead {
    const keyInStore = storedId(kind, id);
    const found = this.#read(kind, keyInStore);
    this.#ahead = { kind, keyInStore, found };
    return found;
  }

  async #read(kind: EngineKind, keyInStore: string): FoundAhead {
    const ahead = this.#ahead;
    if (ahead?.kind === kind && ahead.keyInStore === keyInStore) return ahead.found;
    return this.#reader.find(kind, keyInStore, { withGrant: isToken(kind) });
  }

  /** With what the person has added to its grant since. The engine gives no more than the grant has, and the client may have. */
  async #scopesOf(found: FoundRefreshToken): Promise<RefreshScopes> {
    return refreshScopesIn(found, await this.#grantOf(found));
  }

  /** A store may leave the grant out of what it finds. */
  async #grantOf({ record, grant }: FoundRefreshToken): Promise<GrantRecord | undefined> {
    const id = grantOf(record);
    const known = grant ?? (this.lastId('Grant') === id ? this.last('Grant') : undefined);
    return (known ?? (await this.#reader.find('Grant', id)))?.record;
  }

  async #usable(
    kind: EngineKind,
    payload: AdapterPayload,
    { consumedFor = Infinity }: { readonly consumedFor: number | undefined },
  ): Promise<AdapterPayload | undefined> {
    const { accountId, result } = payload;
    if (kind === 'Session') return (await this.#isSignedIn(accountId)) ? payload : undefined;
    if (kind === 'Interaction') {
      // When another person, or no one, is signed in by now, the engine must ask again.
      return (await this.#isSignedIn(result?.login?.accountId)) ? payload : { ...payload, result: undefined };
    }
    // For this long, a redeemed code or token passes as unused. Its second redemption fails later, or returns the first response (refresh).
    const window = kind === 'RefreshToken' ? this.#request.lifetimes.refreshGrace : codeGrace;
    return consumedFor < window ? { ...payload, consumed: undefined } : payload;
  }

  /** Whether the platform's session belongs to this account; a record without an account is usable by anyone. */
  async #isSignedIn(accountId: string | undefined): Promise<boolean> {
    return accountId === undefined || accountId === (await this.#request.signedIn())?.memberId;
  }
}

/** What the client must show to redeem a code, or to have sent before. */
export type CodeBinding = Readonly<Record<'challenge' | 'redirectUri', string | undefined>>;

type FoundAhead = Promise<FoundRecord<EngineKind> | undefined>;

interface FoundRefreshToken {
  readonly grant?: FoundRecord<'Grant'> | undefined;
  readonly record: JsonMembers;
  readonly familyId: string | undefined;
}

function refreshScopesIn({ record, familyId }: FoundRefreshToken, grant: GrantRecord | undefined): RefreshScopes {
  return refreshScopes(optional(record, 'scope', text), familyId, grant);
}

/** An earlier token of a line that has expired is as unknown as any other; without its date it would look like one that was redeemed. */
function isPastItsLife(token: string): boolean {
  return isLineToken(token) && expiryOfLineToken(token) <= epochSeconds();
}

const encoders: Readonly<Partial<Record<WrittenKind, (payload: JsonMembers) => EngineRecord>>> = {
  Interaction: interactionRecord,
  AccessToken: (payload) => {
    const { extra: _extra, ...rest } = payload;
    const extra = members(payload, 'extra');
    const audience = text(extra, 'client_audience');
    const { client_source: source, client_app: app, client_roles: roles, client_only: only } = extra;
    const { client_sub: sub, auth_time: authTime, acr } = extra;
    const told = { app, roles, only, sub, authTime, acr };
    return { ...rest, ...(source === 'static' ? { static: audience } : { audience }), ...told };
  },
  ClientCredentials: (payload) => {
    const { extra: _extra, ...rest } = payload;
    return { ...rest, secret: members(payload, 'extra')['client_secret_mark'] };
  },
};

const decoders: { readonly [K in EngineKind]?: (record: RecordOf<K>) => AdapterPayload } = {
  Grant: grantPayload,
  // What is in `extra` goes into the introspection response, so the rest does not come back.
  // How the person signed in is there if the platform says it. RFC 9470 section 6.2.
  AccessToken: ({
    audience,
    isStatic: _isStatic,
    app: _app,
    roles: _roles,
    only: _only,
    sub: _sub,
    authTime,
    acr,
    ...record
  }) => {
    const signedIn = acr !== undefined && { acr, ...(authTime !== undefined && { auth_time: authTime }) };
    return { ...record, extra: { client_audience: audience, ...signedIn } };
  },
  ClientCredentials: ({ secret: _secret, ...record }) => ({ ...record, extra: { client_audience: 'service' } }),
};

export function encodeRecord(kind: WrittenKind, payload: AdapterPayload): string {
  const unread: readonly string[] = recordKinds[kind].unread ?? [];
  const isOfGrant = isToken(kind);
  // To delete members of a copy would make the object slow for all that follows.
  const kept: Record<string, unknown> = {};
  for (const name in payload) {
    const isLeftOut = name === 'jti' || name === 'kind' || (isOfGrant && name === 'grantId') || unread.includes(name);
    if (!isLeftOut) kept[name] = payload[name];
  }
  // The id of its grant follows from the member and the client.
  if (isOfGrant && payload.grantId !== grantOf(kept))
    throw new Error('the engine wants to store a token that does not belong to the grant of its member and client');
  return serializeRecord(kind, encoders[kind]?.(kept) ?? kept);
}

export function decodeRecord<K extends EngineKind>(
  kind: K,
  id: string,
  record: RecordOf<K>,
  site: SiteOrigins,
  startPage: string = paths.authorize,
): AdapterPayload {
  const returnTo = kind === 'Interaction' && { returnTo: `${site.origin}${startPage}/${id}` };
  // What was given at a former origin goes on here; an access token, which has `aud` instead, does not.
  const resource: unknown = Reflect.get(record, 'resource');
  const isMoved = site.formerOrigins?.length && typeof resource === 'string';
  const current = isMoved ? { ...record, resource: currentOrigin(site, resource) } : record;
  const payload = decoders[kind]?.(current) ?? current;
  const ofGrant = isToken(kind) && { grantId: grantOf(record) };
  return { ...payload, jti: id, kind, ...ofGrant, ...returnTo };
}

/** The id of the grant of a code or token. */
function grantOf(record: JsonMembers): string {
  return grantIdOf(text(record, 'accountId'), text(record, 'clientId'));
}

/** Leaves out the session's cookie, which is a credential, the details of the prompt, which nothing reads, and who might sign in once somebody has. */
function interactionRecord(payload: JsonMembers): EngineRecord {
  const { name, reasons } = members(payload, 'prompt');
  const session = optional(payload, 'session', members);
  const { login_hint: loginHint, ...params } = members(payload, 'params');
  return {
    ...payload,
    params: name === 'consent' ? params : { ...params, login_hint: loginHint },
    prompt: { name, reasons },
    session: session && { accountId: session['accountId'], uid: session['uid'] },
  };
}

/** The engine has every scope twice: as its own and as the resource's. Here `iat` is when the person last consented. */
function grantPayload({
  scope,
  rejected,
  resource,
  declined: _declined,
  only: _only,
  added: _added,
  at,
  sub: _sub,
  ...grant
}: GrantRecord): AdapterPayload {
  const both = (granted: string): JsonMembers => ({ openid: { scope: granted }, resources: { [resource]: granted } });
  return {
    ...grant,
    iat: at ?? grant.iat,
    ...both(scope),
    rejected: rejected === undefined ? undefined : both(rejected),
  };
}
