/** The kinds of record. The id of a session, interaction, code or token reaches a store as its SHA-256 digest only. */
export type RecordKind =
  | 'Session'
  | 'Interaction'
  | 'Grant'
  | 'AuthorizationCode'
  | 'AccessToken'
  | 'RefreshToken'
  | 'Client'
  | 'Document'
  | 'DocumentReview'
  | 'ClientBlock'
  | 'ConnectedClient'
  | 'OneTimeSecret';

/** Kinds whose records can be listed. */
export type ListedKind = 'Client' | 'DocumentReview' | 'ClientBlock' | 'ConnectedClient';

/** Kinds that can be redeemed, once. */
export type RedeemableKind = 'AuthorizationCode' | 'RefreshToken';

/**
 * Codes and tokens. Each belongs to a grant, and there to a token family: the code of one authorization and all tokens that
 * come of it, on one device of the person. They are valid only while the grant exists and the family is on its list of live
 * families, so that one small write ends all of them.
 */
export type TokenKind = RedeemableKind | 'AccessToken';

/** A record that was found. Wherever a store has no value, `null` means the same as `undefined`. */
export interface Found {
  /** The text that was saved. A store never looks inside. */
  readonly record: string;
  /** Codes and tokens: their family. */
  readonly familyId?: string | null | undefined;
  /** When the record was redeemed, in seconds since the epoch; absent if it was not. */
  readonly consumed?: number | null | undefined;
  /**
   * Grants: when the newest refresh token of its live families expires, the latest of them and no later than the grant, in
   * seconds since the epoch; absent if there is none.
   */
  readonly refreshUntil?: number | null | undefined;
  /** Grants: how many of their live families have a refresh token that has not expired. It may be a second late. */
  readonly devices?: number | null | undefined;
  /**
   * Codes and tokens, found with `FindOptions.withGrant`: their grant at that moment, as `find` returns it. A store that does
   * not have it at hand leaves it out; the caller then looks it up.
   */
  readonly grant?: Found | null | undefined;
  /** Grants: their epoch, the number of times that `Entry.endsAccessTokens` was used. @default 0 */
  readonly epoch?: number | null | undefined;
}

/** A record to write. */
export interface Entry {
  readonly kind: RecordKind;
  readonly id: string;
  readonly record: string;
  /** Seconds to live; a code or token lives no longer than its grant. @default until it is removed */
  readonly ttl?: number | undefined;
  /** A `ListedKind`: whether `list` lists it. A listed record lives until it is removed and has no `ttl`. @default false */
  readonly listed?: boolean | undefined;
  /** Codes and tokens, required: their grant. */
  readonly grantId?: string | undefined;
  /** Codes and tokens, required: their family. Its id is unique within the grant, also among families that have ended. */
  readonly familyId?: string | undefined;
  /** Grants, required: the member who gave it, always the same for one id. */
  readonly memberId?: string | undefined;
  /** Grants, required: the client that received it, always the same for one id. */
  readonly clientId?: string | undefined;
  /**
   * Every kind but codes and tokens: write only if the stored text is still this one, as it was read; `null`: only if the
   * record does not exist. If it is another one by now, nothing is written. It counts as written if that other one is the new
   * one already: then this write was sent a second time, and nothing changes. @default write whatever is stored
   */
  readonly replaces?: string | null | undefined;
  /**
   * Grants: the access tokens written so far, of all families, are no longer found. Codes and refresh tokens stay valid.
   * The grant's epoch goes up by one. Other kinds ignore it. @default false
   */
  readonly endsAccessTokens?: boolean | undefined;
}
