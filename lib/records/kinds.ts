import type { ClientAudience, ClientSource } from '../contracts/client.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { RecordKind } from '../contracts/record.ts';
import { json, number, oneOf, optional, text, texts } from './members.ts';
import { type OneTimeSecretRecord, oneTimeSecretRecord } from './one-time-secret.ts';

// Members that the engine reads have the engine's names. Times are seconds since the epoch, scopes are space-separated.

/** The engine checks the other members itself. */
export type EngineRecord = Readonly<Record<string, unknown>>;

/** A code or refresh token. */
export interface TokenRecord extends EngineRecord {
  readonly accountId: string;
  readonly clientId: string;
}

interface Granted extends EngineRecord {
  readonly accountId: string;
  readonly clientId: string;
  readonly scope: string;
  readonly iat: number;
  readonly exp: number;
}

interface AccessTokenRecord extends Granted {
  /** The site's origin when the token was issued. */
  readonly aud: string;
  readonly audience: ClientAudience;
  /** Whether the client is configured in code. Stored as the name of the member that has the audience. */
  readonly isStatic: boolean;
}

export interface GrantRecord extends Granted {
  /** Scopes that are not granted, although they were asked for. */
  readonly rejected?: string | undefined;
  /** Which of them the person declined. Absent: all; otherwise a consent policy refused the others to a first-party client. */
  readonly declined?: string | undefined;
  /** The site's origin when the person consented. */
  readonly resource: string;
}

/** A client's metadata under RFC 7591 names, and under `campus_` names what this package adds. */
export interface ClientMetadata extends EngineRecord {
  readonly client_id: string;
  readonly client_name?: string | undefined;
  readonly redirect_uris?: readonly string[] | undefined;
  readonly scope?: string | undefined;
  readonly client_uri?: string | undefined;
  readonly client_id_issued_at?: number | undefined;
  /** The SHA-256 of the secret. */
  readonly client_secret?: string | undefined;
  readonly campus_audience?: ClientAudience | undefined;
  readonly campus_source?: ClientSource | undefined;
  /** Only a client that is configured in code can have it. */
  readonly campus_first_party?: boolean | undefined;
  /** The member who created an application, if that is known. */
  readonly campus_created_by?: string | undefined;
  /** An application lost a scope, and its connections from before have not been ended yet. */
  readonly campus_narrowed?: boolean | undefined;
}

/** The last good copy of a metadata document, or after that was withdrawn, by what a change of it is noticed. */
export interface DocumentRecord {
  readonly document?: JsonObject | undefined;
  readonly digest: string;
  /** When the digest last changed; 0 if it never did. */
  readonly since: number;
  readonly fetchedAt: number;
  readonly freshUntil: number;
  /** Absent until a person allows its client or an operator approves it, at any school. */
  readonly usedUntil?: number | undefined;
}

/** What an operator of a school has been shown of a metadata document, or has decided on it. */
export interface DocumentReviewRecord {
  readonly client_id: string;
  /** Absent from the record of what was shown. */
  readonly decision?: 'approved' | 'rejected' | undefined;
  /** The version that was shown, or approved. */
  readonly digest?: string | undefined;
  readonly client_name?: string | undefined;
  readonly redirect_uris?: readonly string[] | undefined;
  /** Of the version that was approved: the digest does not cover it. */
  readonly logo_uri?: string | undefined;
  /** What was shown: the last changed version of which the school's audit log has learned. */
  readonly reported?: string | undefined;
  /** When it was shown or decided on. */
  readonly at: number;
}

/** A client that a school has blocked. */
export interface ClientBlockRecord {
  readonly client_id: string;
  /** When it was blocked. */
  readonly at: number;
}

/** A client that people have connected at a school. */
export interface ConnectedClientRecord {
  readonly client_id: string;
  /** When it received tokens, at most a day earlier than the last time. */
  readonly at: number;
}

interface Records {
  readonly Session: EngineRecord;
  readonly Interaction: EngineRecord;
  readonly Grant: GrantRecord;
  readonly AuthorizationCode: TokenRecord;
  readonly AccessToken: AccessTokenRecord;
  readonly RefreshToken: TokenRecord;
  readonly Client: ClientMetadata;
  readonly Document: DocumentRecord;
  readonly DocumentReview: DocumentReviewRecord;
  readonly ClientBlock: ClientBlockRecord;
  readonly ConnectedClient: ConnectedClientRecord;
  readonly OneTimeSecret: OneTimeSecretRecord;
}

export type RecordOf<K extends RecordKind> = Records[K];

const audience = oneOf('operator', 'member');
/** A record of which every member is kept, without its version. */
function engineRecord(record: JsonObject): JsonObject {
  const { v: _, ...members } = record;
  return members;
}
const tokenRecord = (record: JsonObject): TokenRecord => ({
  ...engineRecord(record),
  accountId: text(record, 'accountId'),
  clientId: text(record, 'clientId'),
});

/** What each kind of record is read by. A record has its version, too. */
export const parsers: { readonly [K in RecordKind]: (record: JsonObject) => RecordOf<K> } = {
  Session: engineRecord,
  Interaction: engineRecord,
  Grant: (record) => ({
    ...engineRecord(record),
    accountId: text(record, 'accountId'),
    clientId: text(record, 'clientId'),
    scope: text(record, 'scope'),
    iat: number(record, 'iat'),
    exp: number(record, 'exp'),
    rejected: optional(record, 'rejected', text),
    declined: optional(record, 'declined', text),
    resource: text(record, 'resource'),
  }),
  AuthorizationCode: tokenRecord,
  AccessToken: ({ static: staticAudience, ...record }) => ({
    ...engineRecord(record),
    accountId: text(record, 'accountId'),
    clientId: text(record, 'clientId'),
    scope: text(record, 'scope'),
    iat: number(record, 'iat'),
    exp: number(record, 'exp'),
    aud: text(record, 'aud'),
    audience: audience({ audience: staticAudience ?? record['audience'] }, 'audience'),
    isStatic: staticAudience !== undefined,
  }),
  RefreshToken: tokenRecord,
  Client: (record) => ({
    ...engineRecord(record),
    client_id: text(record, 'client_id'),
    client_name: optional(record, 'client_name', text),
    redirect_uris: optional(record, 'redirect_uris', texts),
    scope: optional(record, 'scope', text),
    client_uri: optional(record, 'client_uri', text),
    client_id_issued_at: optional(record, 'client_id_issued_at', number),
    client_secret: optional(record, 'client_secret', text),
    // An application that names no audience is from before there were two.
    campus_audience:
      optional(record, 'campus_audience', audience) ??
      (record['campus_source'] === 'application' ? 'member' : undefined),
    campus_source: optional(record, 'campus_source', oneOf('registered', 'application')),
    campus_created_by: optional(record, 'campus_created_by', text),
  }),
  Document: (record) => ({
    document: optional(record, 'document', json),
    digest: text(record, 'digest'),
    since: number(record, 'since'),
    fetchedAt: number(record, 'fetchedAt'),
    freshUntil: number(record, 'freshUntil'),
    usedUntil: optional(record, 'usedUntil', number),
  }),
  DocumentReview: (record) => ({
    client_id: text(record, 'client_id'),
    decision: optional(record, 'decision', oneOf('approved', 'rejected')),
    digest: optional(record, 'digest', text),
    client_name: optional(record, 'client_name', text),
    redirect_uris: optional(record, 'redirect_uris', texts),
    logo_uri: optional(record, 'logo_uri', text),
    reported: optional(record, 'reported', text),
    at: number(record, 'at'),
  }),
  ClientBlock: (record) => ({ client_id: text(record, 'client_id'), at: number(record, 'at') }),
  ConnectedClient: (record) => ({ client_id: text(record, 'client_id'), at: number(record, 'at') }),
  OneTimeSecret: oneTimeSecretRecord,
};
