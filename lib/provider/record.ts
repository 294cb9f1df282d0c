import type { AdapterPayload } from 'oidc-provider';
import type { RecordKind } from '../contracts/store.ts';
import { digest } from '../digest.ts';
import { paths } from '../paths.ts';

/** Kinds whose id is a credential: whoever knows it, has it. A store sees its digest only. */
const credentials: ReadonlySet<RecordKind> = new Set([
  'Session',
  'Interaction',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
]);

/** The name under which a store keeps a record. */
export function storedId(kind: RecordKind, id: string): string {
  return credentials.has(kind) ? digest(id) : id;
}

/** What a store keeps: everything but the id, wherever the engine repeats it, and the session cookie. */
export function encodeRecord(kind: RecordKind, payload: AdapterPayload): string {
  const { jti: _id, kind: _kind, ...rest } = payload;
  if (kind !== 'Interaction') return JSON.stringify(rest);
  const { returnTo: _address, session, ...interaction } = rest;
  return JSON.stringify({ ...interaction, session: session && { ...session, cookie: undefined } });
}

/** The payload as the engine wrote it. */
export function decodeRecord(kind: RecordKind, id: string, record: string, origin: string): AdapterPayload {
  const payload: AdapterPayload = JSON.parse(record);
  if (kind === 'Client') return payload;
  payload.jti = id;
  payload.kind = kind;
  if (kind === 'Interaction') payload.returnTo = `${origin}${paths.authorize}/${id}`;
  return payload;
}
