import type { AppInfo } from '../clients/client.ts';
import type { ChangeNote } from '../clients/client-status.ts';
import type { AppRule } from './rule.ts';
import type { ExpectedVersion } from '../clients/expected-version.ts';
import type { ListPage, ListQuery } from '../clients/listed-client.ts';
import type { Scope } from '../scopes/scopes.ts';
import type { Site } from '../../host/school-platform.ts';
import type { DocumentReviewRecord } from '../../records/codec.ts';

/**
 * The version of a client that a school reviews. For a metadata document this is the one that was last fetched. Where that was withdrawn or is no longer
 * stored, and for any other client, it is the one that people were shown last to review, or have connected.
 */
export interface AppReview {
  /** The name that it claims. It is not verified, so show it together with the host of `clientId`. @default none */
  readonly clientName?: string | undefined;
  /** Its redirect URIs. */
  readonly redirectUris: readonly string[];
  /** The address of its logo. @default none */
  readonly logoUri?: string | undefined;
  /** The current picture at that address. Only `find` returns it, and only if it can be fetched within a second. @default none */
  readonly logo?: SeenLogo | undefined;
  /** A digest of the name, the redirect URIs and the keys. */
  readonly digest: string;
  /** The day of the copy, if the document was never fetched (`ClientInfo.copyDate`). */
  readonly copyDate?: string | undefined;
  /**
   * The time when a person first saw this version for review, in seconds since the epoch. Without one: when the client last received
   * tokens, to within a day.
   */
  readonly seenAt: number;
  /**
   * - `unreviewed`: no version is approved. Until a required review, the client can only get identity and read scopes.
   * - `approved`: the client can also get what was approved.
   * - `changed`: another version was approved, so this version is treated as unreviewed.
   */
  readonly status: ReviewStatus;
  /** The approved version, if it differs from this one. */
  readonly approved?:
    { readonly clientName?: string | undefined; readonly redirectUris: readonly string[] } | undefined;
  /**
   * The scopes that were approved for this version on consent pages.
   * @default every operator scope, if it is approved
   */
  readonly approvedScopes?: readonly Scope[] | undefined;
}

/** Whether a school has approved a version of a client. A block is of all versions: `ListedApp.status` says it. */
export type ReviewStatus = 'unreviewed' | 'approved' | 'changed';

/** A logo that an administrator is shown. */
export interface SeenLogo {
  /** The picture, as a `data:` URL. */
  readonly picture: string;
  /** A digest of its address and the picture. */
  readonly digest: string;
  /** Whether consent pages show it: it was approved, with this version. Instead of any other they show a monogram. */
  readonly approved: boolean;
}

/** The version of a client that people were shown. @internal */
export interface ShownVersion extends AppReview {
  readonly clientId: string;
  /** The app that publishes it, if that is known by its URL. */
  readonly app?: AppInfo | undefined;
  /** Another one after each decision of the school; `digest` names the version of the client. */
  readonly version: string;
}

/** What an administrator looked at beside the version of a client. A `ShownVersion` is one. @internal */
export interface SeenBeside extends ChangeNote, ExpectedVersion {
  /** The logo. Without it, the version is approved without a logo. @default none */
  readonly logo?: { readonly digest: string } | undefined;
  /** What the administrator was shown of a client that nobody was shown before. @default nothing: it is not approved */
  readonly reviewed?: DocumentReviewRecord | undefined;
  /** The scopes to approve, beside those of an earlier approval of the same version. @default every operator scope */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * The school's rule for the client from now on, in the same decision. Its access is `allowed`.
   *
   * @default what applies stays
   */
  readonly rule?: AppRule | undefined;
}

/** A decision that is stored, before what it takes away has ended. @internal */
export interface UnfinishedDecision {
  /** Whether nobody keeps a connection. */
  readonly refusesAll: boolean;
  readonly by: string | undefined;
  readonly app: string | undefined;
  /** Notes that all has ended. */
  readonly finished: () => Promise<unknown>;
}

/** The versions of clients that people of a school were shown, and their approval. @internal */
export interface ShownVersions {
  /**
   * Those of a school, the latest first. A client that is no document is among them if a rule has made it wait, and waits as long as a rule
   * asks for an approval. A version that the platform has reviewed does not wait.
   */
  list(site: Site, query?: ListQuery & { readonly waiting?: boolean | undefined }): Promise<ListPage<ShownVersion>>;
  /** The clients that wait for a review, the latest first. */
  waiting(site: Site): Promise<readonly string[]>;
  /** Returns one of them; `undefined` if nobody was shown it. */
  find(site: Site, clientId: string): Promise<ShownVersion | undefined>;
  /**
   * Approves the version with this digest: its client can get every operator scope, or those in `beside`, until it changes. Where a
   * rule in `beside` is stricter than the one before, the decision is unfinished: what it takes away has to end.
   *
   * @throws VersionConflict if the version or the logo are others by now, or somebody else has decided since `version`
   * @throws InvalidRequest for a rule with a scope or role that does not exist
   */
  approve(
    site: Site,
    clientId: string,
    digest: string,
    beside?: SeenBeside,
  ): Promise<{ readonly unfinished?: UnfinishedDecision | undefined }>;
}
