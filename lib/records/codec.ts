import type { AdapterPayload } from 'oidc-provider';
import type { RecordKind } from '../contracts/store.ts';
import { digest } from '../runtime/crypto.ts';
import { paths } from '../protocol/paths.ts';
import { type CompactKind, fromCompact, toCompact } from './compact.ts';

/** Kinds whose id is a credential: whoever knows it, has it. A store sees its digest only. */
const credentials: ReadonlySet<RecordKind> = new Set([
  'Session',
  'Interaction',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
]);

/** How much of a grant's random id is kept: 132 bits. Every record of a connection repeats it. */
const grantIdLength = 22;

/** The name under which a store keeps a record. A grant answers to its stored name as to its id. */
export function storedId(kind: RecordKind, id: string): string {
  if (kind === 'Grant') return id.slice(0, grantIdLength);
  return credentials.has(kind) ? digest(id) : id;
}

/** What a store keeps: everything but the id, wherever the engine repeats it, and the session cookie. */
export function encodeRecord(kind: RecordKind, payload: AdapterPayload, origin: string): string {
  const { jti: _id, kind: _kind, ...rest } = payload;
  if (rest.grantId !== undefined) rest.grantId = storedId('Grant', rest.grantId);
  if (isCompact(kind)) return toCompact(kind, rest, origin);
  if (kind !== 'Interaction') return JSON.stringify(rest);
  const { returnTo: _address, session, ...interaction } = rest;
  return JSON.stringify({ ...interaction, session: session && { ...session, cookie: undefined } });
}

/** The payload as the engine wrote it, but for what nobody asks for. */
export function decodeRecord(kind: RecordKind, id: string, record: string, origin: string): AdapterPayload {
  const payload: AdapterPayload = isCompact(kind) ? fromCompact(kind, record, origin) : JSON.parse(record);
  if (kind === 'Client') return payload;
  payload.jti = id;
  payload.kind = kind;
  if (kind === 'Interaction') payload.returnTo = `${origin}${paths.authorize}/${id}`;
  return payload;
}

function isCompact(kind: RecordKind): kind is CompactKind {
  return kind === 'Grant' || kind === 'AccessToken' || kind === 'RefreshToken';
}
