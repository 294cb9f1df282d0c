import { type JsonObject, textsOf } from '../../kernel/json.ts';
import { optional, text } from '../../records/codec.ts';
import type { RecordOf } from '../../records/record.ts';

/** What an administrator has approved of a client. */
export interface ApprovedVersion {
  readonly digest: string;
  /** @default none */
  readonly clientName?: string | undefined;
  readonly redirectUris: readonly string[];
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

/** Returns the review in a school's decision on a client. */
export function reviewIn(record: RecordOf<'AppRule'> | undefined): Review | undefined {
  if (!record) return undefined;
  const { access, approved, at, by } = record;
  if (access === 'blocked') return { decision: 'rejected', at, by };
  return approved && { decision: 'approved', at, by, version: versionIn(approved) };
}

function versionIn(approved: JsonObject): ApprovedVersion {
  return {
    digest: text(approved, 'digest'),
    clientName: optional(approved, 'client_name', text),
    redirectUris: textsOf(approved, 'redirect_uris'),
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
    redirect_uris: [...redirectUris],
    ...(logoUri !== undefined && { logo_uri: logoUri }),
    ...(logoDigest !== undefined && { logo_digest: logoDigest }),
    ...(scopes !== undefined && { scopes }),
  };
}
