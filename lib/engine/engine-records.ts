import type { AdapterPayload } from 'oidc-provider';
import { type EngineKind, type EngineRecord, isToken, type RecordOf, type WrittenKind } from '../records/record.ts';
import type { Site } from '../host/school-platform.ts';
import { recordKinds } from '../records/record-kinds.ts';
import { paths } from '../http/paths.ts';
import { scopesWithAdded } from '../core/grants/added-scopes.ts';
import { currentOrigin } from '../host/origins.ts';
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
import type { FoundRecord, RecordStore } from '../records/record-store.ts';
import { epochSeconds } from '../kernel/clock.ts';
import type { EngineRequest } from './engine-request.ts';

/**
 * Seconds within which a code may be sent a second time, by the right client with the right verifier. Two, because times are whole seconds:
 * the client then has at least one.
 */
const codeGrace = 2;

/** What the engine may use of a stored record in this request; the request remembers that it was read. */
export async function findPayload(
  request: EngineRequest,
  store: Pick<RecordStore, 'find'>,
  kind: EngineKind,
  id: string,
): Promise<AdapterPayload | undefined> {
  const { reads, site } = request;
  if (kind === 'RefreshToken' && isPastItsLife(id)) return undefined;
  const known = kind === 'Grant' ? reads.find(kind, id) : undefined;
  const stored = storedId(kind, id);
  const found = known ?? (await store.find(site.id, kind, stored, { withGrant: isToken(kind) }));
  if (!found) return undefined;
  const payload = decodeRecord(kind, id, found.record, site, request.startPathOf(found.record));
  if (kind === 'RefreshToken') payload.scope = await scopeOfRefreshToken(site.id, store, found);
  // The engine takes 0 for "never".
  if (found.consumed !== undefined) payload.consumed = Math.max(1, found.consumed);
  const visible = await visibleRecord(request, kind, payload, found);
  if (visible) reads.add(kind, id, found, stored);
  return visible;
}

/** With what the person has added to its grant since. The engine gives no more than the grant has, and the client may have. */
export async function scopeOfRefreshToken(
  siteId: string,
  store: Pick<RecordStore, 'find'>,
  { record, familyId, grant }: Pick<FoundRecord<EngineKind>, 'familyId' | 'grant'> & { readonly record: JsonMembers },
): Promise<string | undefined> {
  const { record: granted } = grant ?? (await store.find(siteId, 'Grant', grantOf(record))) ?? {};
  return scopesWithAdded(optional(record, 'scope', text), familyId, granted).join(' ') || undefined;
}

/** An earlier token of a line that has expired is as unknown as any other; without its date it would look like one that was redeemed. */
function isPastItsLife(token: string): boolean {
  return isLineToken(token) && expiryOfLineToken(token) <= epochSeconds();
}

async function visibleRecord(
  request: EngineRequest,
  kind: EngineKind,
  payload: AdapterPayload,
  { consumedFor = Infinity }: { readonly consumedFor: number | undefined },
): Promise<AdapterPayload | undefined> {
  const { accountId, result } = payload;
  if (kind === 'Session') return (await isSignedIn(request, accountId)) ? payload : undefined;
  if (kind === 'Interaction') {
    // When another person, or no one, is signed in by now, the engine must ask again.
    return (await isSignedIn(request, result?.login?.accountId)) ? payload : { ...payload, result: undefined };
  }
  // For this long, a redeemed code or token passes as unused. Its second redemption fails later, or returns the first response (refresh).
  const window = kind === 'RefreshToken' ? request.lifetimes.refreshGrace : codeGrace;
  return consumedFor < window ? { ...payload, consumed: undefined } : payload;
}

/** Whether the platform's session belongs to this account; a record without an account is usable by anyone. */
async function isSignedIn(request: EngineRequest, accountId: string | undefined): Promise<boolean> {
  return accountId === undefined || accountId === (await request.signedIn())?.memberId;
}

export interface PayloadWrite<K extends EngineKind> {
  readonly kind: K;
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly ttl: number;
  /** Whether this is the stored id: what a browser has of the code of a program. @default false */
  readonly isStored?: boolean;
}

/** Writes a record of the engine. Returns `false` if the interaction that was read has changed since, or the code's grant has ended. */
export async function savePayload(
  request: EngineRequest,
  store: Pick<RecordStore, 'save'>,
  { kind, id: plainId, payload, ttl, isStored }: PayloadWrite<Exclude<WrittenKind, 'AccessToken' | 'RefreshToken'>>,
): Promise<boolean> {
  const { site, reads, writes } = request;
  const id = isStored ? plainId : storedId(kind, plainId);
  const entry = { kind, id, record: encodeRecord(kind, payload), ttl };
  const links = isToken(kind) && { grantId: payload.grantId, familyId: familyIdOf(entry.id) };
  const replaces = kind === 'Interaction' ? reads.find(kind, plainId)?.text : undefined;
  const written = await store.save(site.id, { ...entry, ...links, replaces });
  if (written) writes.add(kind);
  if (written && links) request.issued = links;
  return written;
}

const encoders: Readonly<Partial<Record<WrittenKind, (payload: JsonMembers) => EngineRecord>>> = {
  Interaction: interactionRecord,
  AccessToken: (payload) => {
    const { extra: _extra, ...rest } = payload;
    const extra = members(payload, 'extra');
    const audience = text(extra, 'client_audience');
    const { client_source: source, client_program: program, client_roles: roles, client_only: only } = extra;
    const { client_sub: sub, auth_time: authTime, acr } = extra;
    const told = { program, roles, only, sub, authTime, acr };
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
    program: _program,
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
  site: Pick<Site, 'origin' | 'formerOrigins'>,
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
