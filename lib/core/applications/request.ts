import { digest } from '../../kernel/crypto.ts';
import type { KnownAppId } from '../known-apps/known-apps.ts';
import type { ExpectedVersion } from '../clients/expected-version.ts';
import type { RuledApp } from '../access/app-rule.ts';
import type { ListPage, ListQuery } from '../clients/listed-client.ts';
import type { Member, Site } from '../../host/school-platform.ts';

/** What a member asks the school for: an application, whose client ID they enter into their app. */
export interface NewAppRequest {
  /** The app; `other` for one that is not known. */
  readonly app: KnownAppId | 'other';
  /** Its name, 1 to 100 characters. */
  readonly clientName: string;
  /** At most 10 redirect URIs, as for an application. @default none: the administrator who creates the application enters them */
  readonly redirectUris?: readonly string[] | undefined;
  /** Why, in at most 500 characters. It is not verified, like all of this. @default '' */
  readonly note?: string | undefined;
}

/**
 * What became of a request, by the decisions that are in force when it is read: `granted` as soon as a decision lets the person connect the
 * client, and `declined` once the school has taken that back.
 */
export type RequestStatus = 'open' | 'granted' | 'declined';

/** A request of a member. */
export interface AppRequest extends NewAppRequest {
  readonly id: string;
  /** The member who asks. */
  readonly memberId: string;
  readonly redirectUris: readonly string[];
  readonly note: string;
  readonly status: RequestStatus;
  /** When it was last made or decided, in seconds since the epoch. */
  readonly at: number;
  /** Another one whenever the member has asked for something else. */
  readonly version: string;
  /**
   * The client that they want to connect as it is, and that the school does not let them connect: they ask for a decision on it
   * (`campus.apps`) and for no application. Made on the consent page that refuses it. @default they ask for an application
   */
  readonly connects?: string | undefined;
  /** What the client asked for, with `connects`. @default not known */
  readonly scopes?: readonly string[] | undefined;
  /** The application that it was granted with. It may have been removed since. */
  readonly clientId?: string | undefined;
  /** Why it was declined. */
  readonly answer?: string | undefined;
  /** The id of the member who decided. @default unknown, or nobody has */
  readonly by?: string | undefined;
}

/** With what an administrator decides on a request. */
export interface RequestDecision extends ExpectedVersion {
  /** The id of the member who decides. @default unknown */
  readonly by?: string | undefined;
}

/**
 * Requests of members for applications. One member has at most one for each app; a school keeps 500, each for 90 days after its last
 * change. The caller must have authenticated the member, or an administrator. What writes throws `AccessDenied` while the school's
 * `connectionsEnabled` is false.
 */
export interface AppRequests {
  /**
   * Lists them, the latest first; with `memberId`, those of one member, with `status`, those that have it: `decided` is granted or
   * declined.
   */
  list(
    site: Site,
    query?: Omit<ListQuery, 'status'> & {
      readonly memberId?: string | undefined;
      readonly status?: RequestStatus | 'decided' | undefined;
    },
  ): Promise<ListPage<AppRequest>>;
  /** Returns one of them. */
  find(site: Site, id: string): Promise<AppRequest | undefined>;
  /**
   * Asks the school for an application. Asking again for the same app replaces the request, also after it was decided.
   *
   * @throws InvalidApplication with all problems; OAuthError `slow_down`, status 429, if the member or the school has too many
   */
  ask(site: Site, memberId: string, request: NewAppRequest): Promise<AppRequest>;
  /** Removes a request of this member, open or decided; an application stays. Returns whether they had it. */
  withdraw(site: Site, memberId: string, id: string): Promise<boolean>;
  /**
   * Marks a request as granted with an application that exists: create it first with `campus.applications`. With `version`, only
   * if the member has not asked for something else since: what an administrator saw is what they decide on.
   *
   * @throws OAuthError with status 404 for an unknown request or application, 409 `conflict` if the request is not open, or has
   * another version
   */
  grant(site: Site, id: string, clientId: string, decision?: RequestDecision): Promise<AppRequest>;
  /**
   * Declines a request, with an answer for the member of at most 500 characters.
   *
   * @throws as `grant`
   */
  decline(site: Site, id: string, answer?: string, decision?: RequestDecision): Promise<AppRequest>;
}

/** A client that a person wants to connect, and that their school does not let them connect. */
export interface WantedClient {
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUris: readonly string[];
  readonly app?: RuledApp | undefined;
  /** What it asks for. @default not known */
  readonly scopes?: readonly string[] | undefined;
  /** Why the person wants it, in their words. It is cut to 500 characters. @default '' */
  readonly note?: string | undefined;
}

/** Open requests that one answer is for: those for one app. */
export interface RequestGroup {
  /** Stable while people ask for the same. */
  readonly key: string;
  /** The name of the app, as the latest of them has it. */
  readonly clientName: string;
  /** The latest first; one at least. */
  readonly requests: readonly AppRequest[];
  readonly latest: AppRequest;
  /** Another one whenever somebody asks, withdraws, or asks for something else. */
  readonly version: string;
}

/** A request as its own person reads it. */
export interface OwnRequest extends AppRequest {
  /** When a decision answered it that was made on the app and not on the request. @default an answer to the request, or none */
  readonly answeredAt?: number | undefined;
}

/** Requests for a decision on a client. All throw as the methods of `AppRequests`. */
export interface ConnectRequests {
  /** Asks the school to let this person connect it. */
  askToConnect(site: Site, memberId: string, client: WantedClient): Promise<AppRequest>;
  /** The requests of a member, the latest first, by what their roles let them connect now. */
  ofMember(site: Site, member: Member): Promise<readonly OwnRequest[]>;
  /** The open requests of a school, those that were made last first. */
  openGroups(site: Site): Promise<readonly RequestGroup[]>;
  /** Marks such a request as granted: the person can connect it now. */
  allow(site: Site, id: string, decision?: RequestDecision): Promise<AppRequest>;
}

/** The `reason` of events of a request to connect a client as it is. */
export const connectReason = 'connect';

/**
 * One for each member and app; another one to connect it as it is.
 *
 * @param connects - the client that the member wants to connect, whose id counts if its app is not known
 */
export function appRequestId(memberId: string, app: string, connects?: string): string {
  const asked = connects === undefined ? ['request'] : ['connect', ...(app === 'other' ? [connects] : [])];
  return digest(JSON.stringify([...asked, memberId, app])).slice(0, 22);
}
