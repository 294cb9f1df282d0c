/**
 * What an app or client may do at a school, in one word. Roles and the decision on one person can say less for some.
 *
 * - `allowed`: people can connect it, and choose what it may do.
 * - `view_only`: people can connect it, and it changes nothing, until an administrator allows that.
 * - `needs_approval`: nobody can connect it before an administrator has allowed it for them.
 * - `blocked`: nobody can connect it.
 */
export type AppStatus = 'allowed' | 'view_only' | 'needs_approval' | 'blocked';

/** What is decided about the current version of a client: `waiting` if a metadata document waits for that. */
export type VersionState = 'approved' | 'waiting' | 'rejected' | 'undecided';

/** What an administrator may write with a decision. */
export interface ChangeNote {
  /** The id of the member who decides. @default unknown */
  readonly by?: string | undefined;
  /** Why, for the administrators of the school. At most 1,000 characters. @default none */
  readonly note?: string | undefined;
}

/** Who decided, when and why. */
export interface Decided extends ChangeNote {
  /** In seconds since the epoch. */
  readonly at: number;
}
