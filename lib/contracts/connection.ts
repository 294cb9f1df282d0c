import type { Scope } from '../protocol/scopes.ts';
import type { ClientAudience, ClientInfo, ClientSource } from './client.ts';
import type { Site } from './platform.ts';

/** A client as lists show it. */
export interface DescribedClient extends Pick<
  ClientInfo,
  'clientId' | 'source' | 'program' | 'firstParty' | 'audience' | 'usesKey'
> {
  /** The client's name; the `client_id` if there is no such client. */
  readonly clientName: string;
  /** The host of the metadata document; for a static client or an application, the host of its home page. */
  readonly host?: string | undefined;
}

/** A connected app: a client that a member has authorized, on one device or several. */
export interface Connection extends DescribedClient {
  /** The identifier for `Connections.revoke`; that of a device, for `revokeDevice`. */
  readonly id: string;
  /** The granted scopes. */
  readonly scopes: readonly Scope[];
  /** When the member first authorized the client, in seconds since the epoch. */
  readonly createdAt: number;
  /** When the member last authorized the client, in seconds since the epoch. */
  readonly allowedAt: number;
  /**
   * When the client last received tokens, in seconds since the epoch; it may have used an access token later. Absent if
   * the store does not know, or if the client has no valid refresh token.
   */
  readonly lastUsedAt?: number | undefined;
  /** When its access ends unless the member authorizes it again, in seconds since the epoch. */
  readonly expiresAt: number;
  /** Scopes that it asked for and was not granted: the member, a rule or a consent policy refused them. */
  readonly refused: readonly Scope[];
  /**
   * The devices on which the client is signed in, or other places: each authorization starts one. Those that received tokens last
   * come first. Nothing tells what a device is. Absent if the store does not know.
   */
  readonly devices?: readonly Pick<Connection, 'id' | 'lastUsedAt'>[] | undefined;
}

/** Which entries of a list to return. An entry that lacks what a filter is for, such as a request without an audience, does not pass it. */
export interface ListQuery {
  /** Words that must all be in the client's name, host or `client_id`, in any case. @default every entry */
  readonly search?: string | undefined;
  /** The number of the page, from 1. Out of range, the nearest page is meant. @default 1 */
  readonly page?: number | undefined;
  /** Entries on a page, 1 to 100. Out of range, the nearest number is meant. @default all are on one page */
  readonly size?: number | undefined;
  /** Only clients that act for operators, or for members. @default both */
  readonly audience?: ClientAudience | undefined;
  /** Only clients whose metadata comes from there. @default all */
  readonly source?: ClientSource | undefined;
  /** Only applications that can, or cannot, keep a secret. @default both */
  readonly confidential?: boolean | undefined;
  /** Only clients in this state, or programs; `waiting` means for a program that an operator has to approve its clients. @default all */
  readonly state?: ConnectedClient['state'] | undefined;
  /** Only what was last active, or created without being active since, more than so many days ago. @default all */
  readonly unusedDays?: number | undefined;
  /**
   * By name; the most people first; what was active last first, or what was unused longest.
   * @default the order of the list
   */
  readonly sort?: 'name' | 'people' | 'active' | 'unused' | undefined;
}

/** Where a page is in its list. */
export interface PageNumbers {
  /** The number of this page, from 1. */
  readonly page: number;
  /** The number of pages, at least 1. */
  readonly pages: number;
  /** The number of entries on all pages. */
  readonly total: number;
}

/**
 * One page of a list: an array of its entries that also has the numbers, which are not enumerable. Without search, filter and sort,
 * nothing is read of the entries on other pages.
 */
export type ListPage<T> = T[] & PageNumbers;

/** A client that a school has blocked. */
export interface BlockedClient extends DescribedClient {
  /** When it was blocked, in seconds since the epoch. */
  readonly blockedAt: number;
}

/** A client that people have connected at a school, or for which the school has a rule. */
export interface ConnectedClient extends DescribedClient {
  /**
   * The scopes that it may request. Empty if that is not known: it has gone, or is a metadata document, of which a review
   * decides (`campus.documents`).
   */
  readonly scopes: readonly Scope[];
  /** Its redirect URIs; empty for a metadata document. */
  readonly redirectUris: readonly string[];
  /** How many people are connected now. */
  readonly people: number;
  /**
   * `blocked` by a rule of the school or the platform, or a review; `waiting` for an operator's review; otherwise `allowed`. A rule
   * can say less for some people.
   */
  readonly state: 'allowed' | 'blocked' | 'waiting';
  /** When it last received tokens, to within a day, in seconds since the epoch. Absent if the store does not know. */
  readonly lastActiveAt?: number | undefined;
  /** When it was blocked, in seconds since the epoch. Absent if it is not. */
  readonly blockedAt?: number | undefined;
}

/**
 * A member's connected apps at a site, and the clients that the school has blocked. The caller must have authenticated the member;
 * for every method that takes no member, an operator of the site. Every method throws `TemporarilyUnavailable` if the store fails.
 */
export interface Connections {
  /** Returns the member's connections. Those that the member allowed last come first. */
  list(site: Site, memberId: string, query?: ListQuery): Promise<ListPage<Connection>>;
  /** Returns one connection, if this member has it. */
  find(site: Site, memberId: string, id: string): Promise<Connection | undefined>;
  /**
   * Takes scopes away from a connection: no access token has them afterwards, and the next refresh gives what is left. Returns the
   * connection as it is then, or nothing if this member does not have it. The client can ask the member for them again.
   *
   * @throws InvalidRequest if no scope would be left: use `revoke`
   */
  narrow(site: Site, memberId: string, id: string, scopes: readonly Scope[]): Promise<Connection | undefined>;
  /** Revokes one connection on all devices: all of its codes and tokens. Returns whether this member had it. */
  revoke(site: Site, memberId: string, id: string): Promise<boolean>;
  /**
   * Signs one device out: its codes and tokens end, and with the last device the connection. Returns whether this member had it.
   */
  revokeDevice(site: Site, memberId: string, id: string, deviceId: string): Promise<boolean>;
  /** Revokes every connection, for example after a password change or a lost role. Returns how many there were. */
  revokeAll(site: Site, memberId: string): Promise<number>;
  /**
   * Blocks a client at this site, whatever kind of client it is: all its connections end at once, with all codes and tokens,
   * and nobody can authorize it until `unblock`. It is the rule `{ access: 'blocked' }` (`campus.programs`). Returns how many connections there were. If it fails, call it again: connections
   * that it left end then. An unknown client can be blocked as well.
   *
   * @throws InvalidRequest for text that cannot be a `client_id`
   */
  block(site: Site, clientId: string): Promise<{ readonly connections: number }>;
  /** Removes that rule, whatever rule there was before. Returns whether it was blocked. Connections that have ended do not come back. */
  unblock(site: Site, clientId: string): Promise<boolean>;
  /** Returns the clients that the site has blocked, the latest first. */
  listBlocked(site: Site, query?: ListQuery): Promise<ListPage<BlockedClient>>;
  /**
   * Returns the clients that people have connected at the site, those that were active last first, then those that have a
   * rule and were never connected. A client is listed from its first consent on, for as long as a connection can last. At most 5,000
   * are: for another one, that with the fewest people leaves of the 20 that were active longest ago, and its connections end.
   * A client that another process has connected appears up to 10 seconds later.
   */
  listAll(site: Site, query?: ListQuery): Promise<ListPage<ConnectedClient>>;
  /** Returns one of them; `undefined` for a client that nobody has connected and that has no rule. */
  findClient(site: Site, clientId: string): Promise<ConnectedClient | undefined>;
  /** Ends all connections of a client; people can connect it again. Returns how many there were. */
  revokeClient(site: Site, clientId: string): Promise<{ readonly connections: number }>;
}
