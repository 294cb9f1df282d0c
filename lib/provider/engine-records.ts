import type { AdapterPayload } from 'oidc-provider';
import type { RecordKind } from '../contracts/record.ts';
import { paths } from '../protocol/paths.ts';
import { grantIdOf, serializeRecord } from '../records/codec.ts';
import type { EngineRecord, GrantRecord, RecordOf, TokenRecord } from '../records/kinds.ts';
import { type Members, members, optional, text } from '../records/members.ts';

export type EngineKind = Exclude<
  RecordKind,
  'Client' | 'Document' | 'DocumentReview' | 'ClientBlock' | 'ConnectedClient' | 'OneTimeSecret' | 'KeyFingerprints'
>;

/** The consent page writes grants. */
export type WrittenKind = Exclude<EngineKind, 'Grant'>;

const token = ['accountId', 'clientId', 'grantId', 'scope'];
const signIn = ['authTime', 'amr'];
const pkce = ['codeChallenge', 'codeChallengeMethod'];

/** Members of the engine's payloads that are read back. */
const stored: Readonly<Record<WrittenKind, readonly string[]>> = {
  Session: ['uid', 'accountId', 'loginTs', 'amr', 'exp'],
  Interaction: ['params', 'prompt', 'session', 'grantId', 'result', 'lastSubmission', 'iat', 'exp'],
  AuthorizationCode: [...token, 'resource', 'redirectUri', ...pkce, 'nonce', 'claims', ...signIn, 'exp'],
  AccessToken: [...token, 'aud', 'extra', 'iat', 'exp'],
  RefreshToken: [...token, 'resource', 'iat', 'exp'],
};

/** Members that no enabled feature reads back, or that are computed again. */
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
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(payload)) {
    if (stored[kind].includes(name)) kept[name] = payload[name];
    // Dropping it could, for example, lose the key that a token is bound to.
    else if (payload[name] !== undefined && name !== 'jti' && name !== 'kind' && !unread[kind].includes(name)) {
      throw new Error(`the engine wants to store ${kind}.${name}, which belongs to a feature that is off`);
    }
  }
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
