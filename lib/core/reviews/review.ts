import { type JsonObject, textsOf } from '../../kernel/json.ts';
import { type DocumentReviewRecord, optional, text } from '../../records/codec.ts';
import type { RecordOf } from '../../records/record.ts';
import { accessIn } from './stored-access.ts';

type RuleRecord = RecordOf<'ProgramRule'>;

/** What an administrator has approved of a client. */
export interface ApprovedVersion {
  readonly digest: string;
  /** @default unknown, for an approval of an old release */
  readonly clientName?: string | undefined;
  /** @default unknown, for an approval of an old release */
  readonly redirectUris?: readonly string[] | undefined;
  readonly logoUri?: string | undefined;
  readonly logoDigest?: string | undefined;
  /** Separated by spaces. @default every scope */
  readonly scopes?: string | undefined;
}

interface Decided {
  /** In seconds since the epoch. */
  readonly at: number;
  /** The member who decided, if that is known. */
  readonly by?: string | undefined;
}

/** What a school has decided about a version of a client, or about the client whatever its version. */
export type Review = Decided &
  (
    | { readonly decision: 'approved'; readonly version: ApprovedVersion }
    | { readonly decision: 'rejected'; readonly version?: undefined }
  );

/**
 * The review in a client's decision. `before` is the record that an older release has written for it; a decision of this one takes its
 * place.
 */
export function reviewIn(record: RuleRecord | undefined, before: DocumentReviewRecord | undefined): Review | undefined {
  if (record?.decided) {
    const { approved, by } = record;
    if (accessIn(record) === 'blocked') return { decision: 'rejected', at: record.at, by };
    return approved && { decision: 'approved', at: record.at, by, version: versionIn(approved) };
  }
  if (!before?.decision) return undefined;
  const { decision, at, digest = '', client_name: clientName, redirect_uris: redirectUris } = before;
  const { logo_uri: logoUri, logo_digest: logoDigest, scopes } = before;
  const version = { digest, clientName, redirectUris, logoUri, logoDigest, scopes };
  return decision === 'rejected' ? { decision, at } : { decision, at, version };
}

function versionIn(approved: JsonObject): ApprovedVersion {
  return {
    digest: text(approved, 'digest'),
    clientName: optional(approved, 'client_name', text),
    redirectUris: approved['redirect_uris'] === undefined ? undefined : textsOf(approved, 'redirect_uris'),
    logoUri: optional(approved, 'logo_uri', text),
    logoDigest: optional(approved, 'logo_digest', text),
    scopes: optional(approved, 'scopes', text),
  };
}

/** As a decision has it. */
export function storedVersion(version: ApprovedVersion): JsonObject {
  const { digest, clientName, redirectUris, logoUri, logoDigest, scopes } = version;
  return {
    digest,
    ...(clientName !== undefined && { client_name: clientName }),
    ...(redirectUris && { redirect_uris: [...redirectUris] }),
    ...(logoUri !== undefined && { logo_uri: logoUri }),
    ...(logoDigest !== undefined && { logo_digest: logoDigest }),
    ...(scopes !== undefined && { scopes }),
  };
}
