import type { AppInfo } from '../clients/client.ts';
import type { ListPage, ListQuery } from '../clients/listed-client.ts';
import type { DecisionNote } from '../clients/client-status.ts';
import type { AppRule } from './rule.ts';
import type { ExpectedVersion } from '../clients/expected-version.ts';
import type { Scope } from '../scopes/scopes.ts';
import type { Site } from '../../host/school-platform.ts';

/**
 * A metadata document that an operator of a school has been shown, in the version that was last fetched. If that was
 * withdrawn or is no longer stored: in the version that an operator was shown last.
 */
export interface SeenDocument {
  /** The URL of the document, which is the `client_id` of its client. */
  readonly clientId: string;
  /** The name in the document. It is not verified: show the host of `clientId` beside it. @default none */
  readonly clientName?: string | undefined;
  /** The app that publishes it, if that is known by its URL. */
  readonly app?: AppInfo | undefined;
  /** The redirect URIs in the document. */
  readonly redirectUris: readonly string[];
  /** The address of the logo in the document. @default none */
  readonly logoUri?: string | undefined;
  /** The picture at that address now. Only `find` has it, and not if it cannot be fetched within a second. @default none */
  readonly logo?: SeenLogo | undefined;
  /** A digest of the name, the redirect URIs and the keys. */
  readonly digest: string;
  /** The day of the copy that this is, if the document was never fetched (`ClientInfo.copyDate`). */
  readonly copyDate?: string | undefined;
  /** When an operator was first shown the document or a changed version of it, in seconds since the epoch. */
  readonly seenAt: number;
  /**
   * - `unreviewed`: there is no decision; the client can get identity and read scopes only.
   * - `approved`: the client can also get what was approved.
   * - `changed`: another version was approved; this one counts as unreviewed.
   * - `rejected`: the client is refused at this school.
   */
  readonly status: DocumentStatus;
  /** The version that was approved, if this is another one. */
  readonly approved?:
    { readonly clientName?: string | undefined; readonly redirectUris: readonly string[] } | undefined;
  /**
   * The scopes that this version was approved for on consent pages, which approve what they show.
   * @default every operator scope, if it is approved
   */
  readonly approvedScopes?: readonly Scope[] | undefined;
  /** When the decision was made, in seconds since the epoch. */
  readonly decidedAt?: number | undefined;
  /** The id of the member who made it. @default unknown */
  readonly decidedBy?: string | undefined;
  /** Another one after each decision of the school: that of `campus.apps.find`. `digest` names the version of the document. */
  readonly version: string;
}

/** What a school has decided on a version of a document. */
export type DocumentStatus = 'unreviewed' | 'approved' | 'changed' | 'rejected';

/** A logo that an operator is shown. */
export interface SeenLogo {
  /** The picture, as a `data:` URL. */
  readonly picture: string;
  /** A digest of its address and the picture. */
  readonly digest: string;
  /** Whether consent pages show it: it was approved, with this version of the document. Instead of any other they show a monogram. */
  readonly approved: boolean;
}

/** What an operator looked at beside the version of a document. A `SeenDocument` is one. */
export interface SeenBeside extends DecisionNote, ExpectedVersion {
  /** The logo. Without it, the document is approved without a logo. @default none */
  readonly logo?: { readonly digest: string } | undefined;
  /** The scopes to approve, beside those of an earlier approval of the same version. @default every operator scope */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * The school's rule for the client from now on, in the same decision. Its access is `allowed` or `ask`.
   *
   * @default what applies stays, and a block of exactly this client ends
   */
  readonly rule?: AppRule | undefined;
}

/**
 * A school's decisions on clients that are metadata documents. A decision counts at that school only, and immediately. The
 * caller must check that the request comes from an administrator. Every method throws `TemporarilyUnavailable` if the store
 * fails. Specification: Registration rules 3.
 */
export interface DocumentReviews {
  /**
   * The documents whose consent page an operator of the school has been shown, the latest first. At most 1,000 of them are
   * without a decision: the oldest of those makes room for a new one. With `part`, only those that wait for a decision, or those
   * with one: a version that the policy of the platform has `reviewed` does not wait. A client that is no document is in the list
   * if a rule has made it wait, and waits as long as a rule asks for an approval.
   */
  list(
    site: Site,
    query?: ListQuery & { readonly part?: 'waiting' | 'decided' | undefined },
  ): Promise<ListPage<SeenDocument>>;
  /** Returns one of them; `undefined` if no operator of the school was shown it. */
  find(site: Site, clientId: string): Promise<SeenDocument | undefined>;
  /**
   * Approves one version of a document: its client can get every operator scope, or those in `beside`, until the document
   * changes. A rejection ends. Where a rule in `beside` is stricter than the one before, connections end as with `campus.apps.set`.
   *
   * @param digest - `digest` of the version that the administrator has looked at
   * @param beside - what else the administrator has looked at: the document that `find` returned. Without its `version`, an earlier decision
   * is replaced
   * @throws OAuthError with status 404 if no operator of the school was shown the document; 409 if document or logo are others by now
   * @throws DecisionConflict, status 409, if somebody else has decided since `version`. The same approval can be repeated
   * @throws InvalidRequest for a rule that approves nothing, or with a scope or role that does not exist
   */
  approve(site: Site, clientId: string, digest: string, beside?: SeenBeside): Promise<void>;
  /**
   * Refuses the client at this school, whatever its document says, until a version is approved, and ends its connections.
   * Returns how many there were.
   *
   * @throws OAuthError with status 404 if no operator of the school was shown the document
   * @throws DecisionConflict, status 409, if somebody else has decided since `version`
   */
  reject(
    site: Site,
    clientId: string,
    note?: DecisionNote & ExpectedVersion,
  ): Promise<{ readonly connections: number }>;
}
