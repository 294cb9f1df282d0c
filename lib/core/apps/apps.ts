import type { Decided, ChangeNote, AppStatus } from '../clients/client-status.ts';
import type { AppRule } from '../access/rule.ts';
import type { ExpectedVersion } from '../clients/expected-version.ts';
import type { ClientAudience, ClientSource } from '../clients/client.ts';
import type { ListPage, ListQuery } from '../clients/listed-client.ts';
import type { RuleOrigin } from '../access/app-rule.ts';
import type { AppReview } from '../access/app-review.ts';
import type { Site } from '../../host/school-platform.ts';

/**
 * What a school decides on: an app by its id, however it becomes a client, or one client by its `client_id`. The rule of a client is in
 * place of that of its app.
 */
export type NamedApp = string | { readonly clientId: string };

/** A person who may connect an app or client that the school approves for each person. */
export interface AllowedPerson extends Decided {
  readonly memberId: string;
  /** Another one after each decision on this person. */
  readonly version: string;
}

/** An app or client and the rule that is in force for it at a school. */
export interface ListedApp {
  /** The id of the app; absent for a client of another app. */
  readonly app?: string | undefined;
  /** The `client_id`; absent for an app. */
  readonly clientId?: string | undefined;
  /** Its name. */
  readonly clientName: string;
  /** The rule in force: the stricter of the school's and those of policies. */
  readonly rule: AppRule;
  /** What it may do, in one word. Policies answer for it as to a stranger: what they say of people by their roles is left out. */
  readonly status: AppStatus;
  /** Where it comes from; `platform` if the platform makes it stricter than the school does. */
  readonly from: RuleOrigin;
  /** The school's own rule for exactly this app or client, if it has one. */
  readonly own?: AppRule | undefined;
  /** The school's decision on it: who, when and why. @default there is none */
  readonly decided?: Decided | undefined;
  /**
   * What somebody sees who looks at it now: what the school has decided on it and, for a client without a rule of its own, on its app; and
   * the version of it in `review`, with its logo where `find` has one. Another one after each change of these.
   */
  readonly version: string;
  /**
   * The version of a client that people were shown to review or have connected, whether it waits or not. Absent for an app, for a client that nobody has
   * seen, and for one that the platform or the school has made, unless a rule asks for its approval.
   */
  readonly review?: AppReview | undefined;
  /** How many people are connected to it now. */
  readonly people: number;
  /** When a client of it last received tokens, to within a day, in seconds since the epoch. Absent if the store does not know. */
  readonly lastActiveAt?: number | undefined;
  /** Where the metadata of a client comes from. */
  readonly source?: ClientSource | undefined;
  /** For whom a client acts. */
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

/** With what an administrator decides. */
export interface ChangeDetails extends ChangeNote, ExpectedVersion {}

/**
 * What a school allows. The caller must have authenticated an administrator of the school. Every method throws `TemporarilyUnavailable` if
 * the store fails.
 *
 * What someone saw is what they decide on: with the `version` that they saw, a method throws `VersionConflict`, status 409, if there is
 * another one by now, and changes nothing. It says who has decided, and when. The same decision can be repeated.
 */
export interface Apps {
  /**
   * Returns the known apps, and other clients that people have connected, that have a rule or that people were shown to review: those with a
   * rule of the school first. At most 1,000 clients wait for a first review: the oldest makes room for a new one. A version that the platform
   * has `reviewed` does not wait.
   */
  list(site: Site, query?: AppsQuery): Promise<ListPage<ListedApp>>;
  /**
   * Returns one of them, or what it would be there.
   *
   * @throws InvalidRequest for the id of an app that is not known and has no rule; the message says which one was meant
   */
  find(site: Site, app: NamedApp): Promise<ListedApp>;
  /**
   * Sets the school's rule. Where it is stricter than the one before, the connections of all its clients end at once; the result
   * says how many. If it fails, call it again: the rule stands already, and connections that are left end then.
   *
   * With `version`, a rule with the access `allowed` also approves what that shows in `review`: what needed a review gets all that the rule
   * leaves, until it changes. A client for which that rule is the one of its app goes on following its app. Without a version nothing is approved.
   *
   * The id of an app must be one of `knownApps`, or one that a client of the school has or that an option names. Any other client is named
   * by `{ clientId }`, whether it is known or not.
   *
   * @throws InvalidRequest for an app that is not known, text that cannot be an id, a scope that does not exist, or a role that `platform.roles` does not list,
   * unless the rule before has it. The same for a type in `limited` that `boundaries` does not have
   * @throws VersionConflict if something else is decided since `version`, or what it approves is another version by now
   * @throws TemporarilyUnavailable also if `platform.roles` fails
   */
  set(site: Site, app: NamedApp, rule: AppRule, details?: ChangeDetails): Promise<{ readonly connections: number }>;
  /**
   * Removes the school's decision, with what it approved, also for an app that is no longer known. Where what applies then is stricter,
   * connections end as with `set`.
   *
   * @throws VersionConflict if something else is decided since `version`
   */
  reset(site: Site, app: NamedApp, details?: Omit<ChangeDetails, 'note'>): Promise<{ readonly connections: number }>;
  /**
   * Lets one person connect it where a rule has `ask`, or that of the school has roles that the person lacks. It does not lift a block.
   * `version` is that of the app or client: the rule that the decision is made under.
   *
   * @throws InvalidRequest for an app that is not known, or text that cannot be an id
   * @throws VersionConflict if something else is decided since `version`
   */
  allowPerson(site: Site, app: NamedApp, memberId: string, details?: ChangeDetails): Promise<void>;
  /**
   * Takes that back, and ends what the person has connected of it. `version` is that of the `AllowedPerson`.
   *
   * @throws VersionConflict if something else is decided on the person since `version`
   */
  resetPerson(
    site: Site,
    app: NamedApp,
    memberId: string,
    details?: Omit<ChangeDetails, 'note'>,
  ): Promise<{ readonly connections: number }>;
  /**
   * Returns the people for whom the school has decided so, the latest first.
   *
   * @throws InvalidRequest for an app that is not known and for which nobody is decided on
   */
  allowedPeople(site: Site, app: NamedApp): Promise<readonly AllowedPerson[]>;
}
