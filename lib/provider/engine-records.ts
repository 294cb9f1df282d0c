import type { AdapterPayload } from 'oidc-provider';
import type { RedeemableKind, TokenKind } from '../contracts/record.ts';
import { AccessDenied } from '../protocol/errors.ts';
import { paths } from '../protocol/paths.ts';
import { familyIdOf, grantIdOf, serializeRecord, storedId } from '../records/codec.ts';
import type { EngineRecord, GrantRecord, RecordOf, TokenRecord } from '../records/kinds.ts';
import { type Members, members, optional, text } from '../records/members.ts';
import type { RecordStore } from '../records/record-store.ts';
import { epochSeconds } from '../runtime/clock.ts';
import { toEngineError } from './engine-errors.ts';
import type { EngineKind, EngineRequest, WrittenKind } from './engine-request.ts';

export function isToken(kind: string): kind is TokenKind {
  return kind === 'AccessToken' || isRedeemable(kind);
}

export function isRedeemable(kind: string): kind is RedeemableKind {
  return kind === 'AuthorizationCode' || kind === 'RefreshToken';
}

/**
 * Seconds in which a code that is sent again is no sign of theft, if client and verifier are right: requests at the same
 * moment. Records have whole seconds, so of two one is complete.
 */
const codeGrace = 2;

interface FindingOptions {
  readonly store: Pick<RecordStore, 'find'>;
  readonly refreshGrace: number;
}

/** What the engine may use of a stored record in this request; the request remembers that it was read. */
export async function findPayload(
  request: EngineRequest,
  { store, refreshGrace }: FindingOptions,
  kind: EngineKind,
  id: string,
): Promise<AdapterPayload | undefined> {
  const { reads, site } = request;
  const known = kind === 'Grant' ? reads.find(kind, id) : undefined;
  const found = known ?? (await store.find(site.id, kind, storedId(kind, id), { withGrant: isToken(kind) }));
  if (!found) return undefined;
  const payload = decodeRecord(kind, id, found.record, site.origin);
  if (found.consumed !== undefined) payload.consumed = found.consumed;
  const visible = await visibleRecord(request, kind, payload, refreshGrace);
  if (visible) reads.add(kind, id, found);
  return visible;
}

async function visibleRecord(
  request: EngineRequest,
  kind: EngineKind,
  payload: AdapterPayload,
  refreshGrace: number,
): Promise<AdapterPayload | undefined> {
  const { accountId, consumed, result } = payload;
  if (kind === 'Session') return (await isSignedIn(request, accountId)) ? payload : undefined;
  if (kind === 'Interaction') {
    // When another person, or no one, is signed in by now, the engine must ask again.
    return (await isSignedIn(request, result?.login?.accountId)) ? payload : { ...payload, result: undefined };
  }
  // Within its window the engine handles a redeemed code or refresh token like a fresh one: it authenticates the client and
  // checks the request. The redemption then loses; for a refresh it returns the first response.
  const window = kind === 'RefreshToken' ? refreshGrace : codeGrace;
  const inWindow = typeof consumed === 'number' && epochSeconds() < consumed + window;
  return inWindow ? { ...payload, consumed: undefined } : payload;
}

/** Whether the platform's session belongs to this account; a record without an account is usable by anyone. */
async function isSignedIn(request: EngineRequest, accountId: string | undefined): Promise<boolean> {
  return accountId === undefined || accountId === (await request.signedIn())?.memberId;
}

interface PayloadWrite {
  readonly kind: Exclude<WrittenKind, 'AccessToken' | 'RefreshToken'>;
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly ttl: number;
}

/** Another request has answered the interaction since this one read it. */
export class InteractionAnswered extends Error {}

/**
 * Writes a record of the engine; an interaction over the version that this request has read. A code starts a family.
 *
 * @throws InteractionAnswered if the interaction has changed since
 */
export async function savePayload(
  request: EngineRequest,
  store: Pick<RecordStore, 'save'>,
  { kind, id: plainId, payload, ttl }: PayloadWrite,
): Promise<void> {
  const entry = { kind, id: storedId(kind, plainId), record: encodeRecord(kind, payload), ttl };
  const links = kind === 'AuthorizationCode' && { grantId: payload.grantId, familyId: familyIdOf(entry.id) };
  const replaces = kind === 'Interaction' ? request.reads.find(kind, plainId)?.text : undefined;
  if (await store.save(request.site.id, { ...entry, ...links, replaces })) {
    request.writes.add(kind);
    return;
  }
  if (kind === 'Interaction') throw new InteractionAnswered('another request has answered this interaction');
  throw toEngineError(
    new AccessDenied('the connection was ended at the same moment; start a new authorization request'),
  );
}

const signIn = ['authTime', 'amr'];

/** Members of the engine's payloads that no enabled feature reads back, or that are computed again. All others are stored. */
const unread: Readonly<Record<WrittenKind, readonly string[]>> = {
  Session: ['iat', 'authorizations', 'state'],
  Interaction: ['returnTo', 'trusted', 'cid'],
  AuthorizationCode: ['iat', 'sessionUid'],
  AccessToken: ['gty', 'sessionUid'],
  RefreshToken: ['gty', 'sessionUid', 'nonce', 'claims', ...signIn, 'iiat', 'rotations'],
};

const encoders: Readonly<Record<WrittenKind, (payload: Members) => EngineRecord>> = {
  Session: (payload) => payload,
  Interaction: interactionRecord,
  AuthorizationCode: tokenRecord,
  AccessToken: (payload) => {
    const { extra: _extra, ...rest } = tokenRecord(payload);
    const extra = members(payload, 'extra');
    const audience = text(extra, 'client_audience');
    return { ...rest, ...(extra['client_source'] === 'static' ? { static: audience } : { audience }) };
  },
  RefreshToken: tokenRecord,
};

const decoders: { readonly [K in EngineKind]: (record: RecordOf<K>) => AdapterPayload } = {
  Session: (record) => record,
  Interaction: (record) => record,
  Grant: grantPayload,
  AuthorizationCode: tokenPayload,
  // What is in `extra` goes into the introspection response, so the source does not come back.
  AccessToken: ({ audience, isStatic: _isStatic, ...record }) =>
    tokenPayload({ ...record, extra: { client_audience: audience } }),
  RefreshToken: tokenPayload,
};

export function encodeRecord(kind: WrittenKind, payload: AdapterPayload): string {
  const { jti: _jti, kind: _kind, ...kept } = payload;
  for (const name of unread[kind]) delete kept[name];
  return serializeRecord(encoders[kind](kept));
}
export function decodeRecord<K extends EngineKind>(
  kind: K,
  id: string,
  record: RecordOf<K>,
  origin: string,
): AdapterPayload {
  const returnTo = kind === 'Interaction' && { returnTo: `${origin}${paths.authorize}/${id}` };
  return { ...decoders[kind](record), jti: id, kind, ...returnTo };
}

/** Leaves out the session's cookie, which is a credential, and the details of the prompt, which nothing reads. */
function interactionRecord(payload: Members): EngineRecord {
  const { name, reasons } = members(payload, 'prompt');
  const session = optional(payload, 'session', members);
  return {
    ...payload,
    prompt: { name, reasons },
    session: session && { accountId: session['accountId'], uid: session['uid'] },
  };
}

/** Leaves out the grant's id, which follows from the member and the client. */
function tokenRecord({ grantId, ...payload }: Members): EngineRecord {
  if (grantId === grantIdOf(text(payload, 'accountId'), text(payload, 'clientId'))) return payload;
  throw new Error('the engine wants to store a token that does not belong to the grant of its member and client');
}

function tokenPayload(record: TokenRecord): AdapterPayload {
  return { ...record, grantId: grantIdOf(record.accountId, record.clientId) };
}

/** The engine has every scope twice: as its own and as the resource's. */
function grantPayload({ scope, rejected, resource, declined: _declined, ...grant }: GrantRecord): AdapterPayload {
  const both = (granted: string): Members => ({ openid: { scope: granted }, resources: { [resource]: granted } });
  return { ...grant, ...both(scope), rejected: rejected === undefined ? undefined : both(rejected) };
}
