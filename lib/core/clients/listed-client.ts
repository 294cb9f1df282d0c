import type { Scope } from '../scopes/scopes.ts';
import type { ClientAudience, ClientInfo, ClientSource } from './client.ts';
import type { AppStatus } from './client-status.ts';

/** A client as lists show it. */
export interface DescribedClient extends Pick<
  ClientInfo,
  'clientId' | 'source' | 'app' | 'firstParty' | 'audience' | 'usesKey'
> {
  /** The client's name, or the `client_id` if the client no longer exists. */
  readonly clientName: string;
  /** The host of the metadata document, or the host of the home page of a static client or an application. */
  readonly host?: string | undefined;
  /** `pairwise` if it always knows people by pseudonyms. @default a rule decides */
  readonly subject?: 'pairwise' | undefined;
}

/** In which order a list is. */
export type ListSort = 'name' | 'people' | 'active' | 'unused' | 'new';

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
  /** Only clients or apps with this status. @default all */
  readonly status?: AppStatus | undefined;
  /** Only what was last active, or created without being active since, more than so many days ago. @default all */
  readonly unusedDays?: number | undefined;
  /**
   * By name; the most people first; what was active last first, or what was unused longest; what was connected or created last first.
   * @default the order of the list
   */
  readonly sort?: ListSort | undefined;
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

/** A client that people have connected at a school, or for which the school has a rule. */
export interface ConnectedClient extends DescribedClient {
  /**
   * The scopes that it may request. Empty if that is not known: it has gone, or is a metadata document, of which a review
   * decides (`campus.apps`).
   */
  readonly scopes: readonly Scope[];
  /** Its redirect URIs; empty for a metadata document. */
  readonly redirectUris: readonly string[];
  /** How many people are connected now. */
  readonly people: number;
  /** What it may do at the school, in one word. */
  readonly status: AppStatus;
  /** When it last received tokens, to within a day, in seconds since the epoch. Absent if the store does not know. */
  readonly lastActiveAt?: number | undefined;
  /** When it was blocked, in seconds since the epoch. Absent if it is not. */
  readonly blockedAt?: number | undefined;
}
