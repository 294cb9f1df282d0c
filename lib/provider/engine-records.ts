import type { AdapterPayload } from 'oidc-provider';
import type { RecordKind } from '../contracts/store.ts';
import { paths } from '../protocol/paths.ts';
import { serializeRecord } from '../records/codec.ts';
import type { EngineRecord, GrantRecord, RecordOf } from '../records/kinds.ts';
import { type Members, members, number, optional, text } from '../records/members.ts';

/** Kinds that the engine reads and writes itself. */
export type EngineKind = Exclude<RecordKind, 'Client' | 'Document'>;

const token = ['accountId', 'clientId', 'grantId', 'scope', 'exp'];

/** Members that the engine or this package reads back. */
const stored: Readonly<Record<EngineKind, readonly string[]>> = {
  Session: ['uid', 'accountId', 'loginTs', 'amr', 'exp'],
  Interaction: ['params', 'prompt', 'session', 'grantId', 'result', 'lastSubmission', 'iat', 'exp'],
  Grant: ['accountId', 'clientId', 'openid', 'resources', 'rejected', 'iat', 'exp'],
  AuthorizationCode: [
    ...token,
    'resource',
    'redirectUri',
    'codeChallenge',
    'codeChallengeMethod',
    'nonce',
    'claims',
    'authTime',
    'amr',
  ],
  AccessToken: [...token, 'aud', 'extra', 'iat'],
  RefreshToken: [...token, 'resource', 'iat'],
};

/** Members that the engine writes, but does not read back with the features that are on, or computes again. */
const unread: Readonly<Record<EngineKind, readonly string[]>> = {
  Session: ['iat', 'authorizations', 'state'],
  Interaction: ['returnTo', 'trusted', 'cid'],
  Grant: [],
  AuthorizationCode: ['iat', 'sessionUid'],
  AccessToken: ['gty', 'sessionUid'],
  RefreshToken: ['gty', 'sessionUid', 'nonce', 'claims', 'authTime', 'amr', 'iiat', 'rotations'],
};

/** The text to store for a payload of the engine. */
export function encodeRecord(kind: EngineKind, payload: AdapterPayload, origin: string): string {
  const { jti: _id, kind: _kind, ...rest } = payload;
  const kept = Object.entries(rest).filter(([name, value]) => value !== undefined && !unread[kind].includes(name));
  const other = kept.find(([name]) => !stored[kind].includes(name));
  // Dropping it could, for example, lose the key that a token is bound to.
  if (other) throw new Error(`the engine wants to store ${kind}.${other[0]}, which belongs to a feature that is off`);
  const record = Object.fromEntries(kept);
  if (kind === 'Grant') return serializeRecord(grantRecord(record, origin));
  if (kind === 'Interaction') return serializeRecord(interactionRecord(record));
  return serializeRecord(record);
}

/** The payload of the engine for a record. */
export function decodeRecord<K extends EngineKind>(
  kind: K,
  id: string,
  record: RecordOf<K>,
  origin: string,
): AdapterPayload {
  const payload: AdapterPayload = { ...decoders[kind](record), jti: id, kind };
  return kind === 'Interaction' ? { ...payload, returnTo: `${origin}${paths.authorize}/${id}` } : payload;
}

const decoders: { readonly [K in EngineKind]: (record: RecordOf<K>) => AdapterPayload } = {
  Session: (record) => record,
  Interaction: (record) => record,
  Grant: grantPayload,
  AuthorizationCode: (record) => record,
  AccessToken: (record) => ({ ...record }),
  RefreshToken: (record) => record,
};

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

/** The engine has every scope twice: as its own and as the resource's. */
function grantRecord(payload: Members, origin: string): GrantRecord {
  const scopeIn = (given: Members): string | undefined => {
    const resources = optional(given, 'resources', members);
    return resources && optional(resources, origin, text);
  };
  return {
    accountId: text(payload, 'accountId'),
    clientId: text(payload, 'clientId'),
    scope: scopeIn(payload) ?? '',
    rejected: scopeIn(optional(payload, 'rejected', members) ?? {}),
    resource: origin,
    iat: number(payload, 'iat'),
    exp: number(payload, 'exp'),
  };
}

function grantPayload({ scope, rejected, resource, ...grant }: GrantRecord): AdapterPayload {
  const both = (granted: string): Members => ({ openid: { scope: granted }, resources: { [resource]: granted } });
  return { ...grant, ...both(scope), rejected: rejected === undefined ? undefined : both(rejected) };
}
