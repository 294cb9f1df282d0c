import type { Decided, ChangeNote, AppStatus } from '../clients/client-status.ts';
import type { AppRule } from '../access/rule.ts';
import type { ExpectedVersion } from '../clients/expected-version.ts';
import type { ClientAudience, ClientSource } from '../clients/client.ts';
import type { ListPage, ListQuery } from '../clients/listed-client.ts';
import type { RuleOrigin } from '../access/app-rule.ts';
import type { AppReview } from '../access/app-review.ts';
import type { Site } from '../../host/school-platform.ts';

/**
 * The subject of a school's decision: an app by its id, however it becomes a client, or one client by its `client_id`. The rule of a client
 * replaces the rule of its app.
 */
export type NamedApp = string | { readonly clientId: string };

/** A person who may connect an app or client that the school approves for each person. */
export interface AllowedPerson extends Decided {
  readonly memberId: string;
  /** Another one after each decision on this person. */
  readonly version: string;
}

/** An app or client, with its rule at a school. */
export interface ListedApp {
  /** The id of the app. Absent for a client of another app. */
  readonly app?: string | undefined;
  /** The `client_id`. Absent for an app. */
  readonly clientId?: string | undefined;
  /** Its name. */
  readonly clientName: string;
  /** The rule in force: the strictest rule of the school and the policies. */
  readonly rule: AppRule;
  /** The status, in one word. Policies answer for it as to a stranger: what they say of people by their roles is left out. */
  readonly status: AppStatus;
  /** The origin of the rule. `platform` if the platform makes it stricter than the school does. */
  readonly from: RuleOrigin;
  /** The school's own rule for exactly this app or client, if it has one. */
  readonly own?: AppRule | undefined;
  /** The school's decision about it: who, when and why. @default no decision */
  readonly decided?: Decided | undefined;
  /** The incidents that block it, until they are over or the school decides: `campus.incidents`. @default none */
  readonly incidents?: readonly string[] | undefined;
  /**
   * The version of what an administrator sees now. It changes with the school's decision, the version in `review` and the logo from `find`.
   * For a client without its own rule, it also changes with the decision about its app.
   */
  readonly version: string;
  /**
   * The version of a client that people were shown to review or have connected, whether it waits or not. Absent for an app, for a client that nobody has
   * seen, and for one that the platform or the school has made, unless a rule asks for its approval.
   */
  readonly review?: AppReview | undefined;
  /** The number of people who are connected to it now. */
  readonly people: number;
  /**
   * The time when one of its clients last received tokens, to within a day, in seconds since the epoch. Absent if the store does not know.
   */
  readonly lastActiveAt?: number | undefined;
  /** The time when somebody first connected it, in seconds since the epoch. Absent if the store does not know. */
  readonly connectedAt?: number | undefined;
  /** The source of the client's metadata. */
  readonly source?: ClientSource | undefined;
  /** The kind of people or service for whom a client acts. */
  readonly audience?: ClientAudience | undefined;
  /** The host of a client’s metadata document or home page. */
  readonly host?: string | undefined;
}

/** Which apps to return. */
export interface AppsQuery extends ListQuery {
  /** Only what waits for a review: each is a client, with its `review`, the latest first. @default all */
  readonly waiting?: boolean | undefined;
  /** Only what people are connected to now. @default all */
  readonly used?: boolean | undefined;
}

/** What became of the connections that a decision reaches. */
export interface DecisionEffect {
  /** The number of connections that ended. */
  readonly ended: number;
  /** The number of connections that may end at their next refresh: people were not looked up, since they are more than 500, or that took too long. */
  readonly atRefresh: number;
}

/** With what an administrator decides. */
export interface ChangeDetails extends ChangeNote, ExpectedVersion {}

/**
 * The decisions of a school about apps. The caller must have authenticated an administrator of the school. Every method throws
 * `TemporarilyUnavailable` if the store fails.
 *
 * With the `version` that the administrator saw, a method throws `VersionConflict`, status 409, if the version has changed since. It then
 * changes nothing, and the error says who decided and when. The same decision can be repeated.
 */
export interface Apps {
  /**
   * Returns the known apps, and other clients that people have connected, that have a rule or that were shown for review. Entries with a
   * rule of the school come first. At most 1,000 clients wait for a first review, and the oldest makes room for a new one. A version that
   * the platform has `reviewed` does not wait.
   */
  list(site: Site, query?: AppsQuery): Promise<ListPage<ListedApp>>;
  /**
   * Returns one entry of the list, or the entry that the app would have.
   *
   * @throws InvalidRequest if the app is unknown and has no rule. The message suggests an id
   */
  find(site: Site, app: NamedApp): Promise<ListedApp>;
  /**
   * Sets the school's rule. A rule that is stricter than the previous rule ends the connections of people whom it refuses, and the access
   * tokens of all others: the next refresh gives what the rule allows. It ends all connections if it blocks the app, or if `pseudonym`
   * changes. If it fails, repeat the call: the rule is already stored, and the call then does what is left.
   *
   * With more than 500 connections, the call does not look people up. All access tokens end, and each connection that the rule refuses ends
   * at its next refresh. The same applies to people whom `findMember` has not returned after two seconds.
   *
   * With `version`, a rule with the access `allowed` also approves the version in `review`. The client then gets all that the rule allows,
   * until it changes. If the rule equals the rule of the client's app, the client keeps following its app. Without `version`, the call does
   * not approve anything.
   *
   * The id of an app must be in `knownApps`, in an option, or belong to a client of the school. For other clients, use `{ clientId }`.
   *
   * @throws InvalidRequest for an unknown app, an invalid id, an unknown scope, or a role that `platform.roles` does not list. Also for a
   * type in `limited` that `boundaries` does not have. Values of the previous rule are accepted
   * @throws VersionConflict if the decision or the approved version has changed since `version`
   * @throws TemporarilyUnavailable if the store or `platform.roles` fails
   */
  set(site: Site, app: NamedApp, rule: AppRule, details?: ChangeDetails): Promise<DecisionEffect>;
  /**
   * Removes the school's decision and approval, even for an app that is no longer known. If stricter rules then apply, connections and
   * access tokens end as with `set`.
   *
   * @throws VersionConflict if the decision has changed since `version`
   */
  reset(site: Site, app: NamedApp, details?: Omit<ChangeDetails, 'note'>): Promise<DecisionEffect>;
  /**
   * Allows one person to connect it if a rule has `ask`, or if the person lacks the roles of the school's rule. It does not lift a block.
   * `version` is the version of the app or client.
   *
   * @throws InvalidRequest for an unknown app or an invalid id
   * @throws VersionConflict if the decision has changed since `version`
   */
  allowPerson(site: Site, app: NamedApp, memberId: string, details?: ChangeDetails): Promise<void>;
  /**
   * Takes that permission back, and ends the person's connections with it. `version` is the version of the `AllowedPerson`.
   *
   * @throws VersionConflict if the decision about the person has changed since `version`
   */
  resetPerson(
    site: Site,
    app: NamedApp,
    memberId: string,
    details?: Omit<ChangeDetails, 'note'>,
  ): Promise<DecisionEffect>;
  /**
   * Returns the people whom the school has allowed, the latest first.
   *
   * @throws InvalidRequest for an unknown app without allowed people
   */
  allowedPeople(site: Site, app: NamedApp): Promise<readonly AllowedPerson[]>;
}
