import type { HourlyLimit } from '../../kernel/hourly-limit.ts';

/** The number of requests of one person in an hour, 0 or more. */
export interface MemberLimit {
  /** From one member, for `tokenCalls` through one client. */
  readonly perMember: number;
}

/** The number of refreshes in an hour, 0 or more. */
export interface RefreshLimit {
  /** For one token family: one device of one person. Requests that get a stored response again are not counted. */
  readonly perFamily: number;
}

/** The number of assertions in an hour with which clients prove who they are (`private_key_jwt`), 0 or more. */
export interface AssertionLimit {
  /** Those of one client at one school that are right. Each is stored for an hour, so that it is used once. */
  readonly perClient: number;
  /** Wrong ones from one IPv4 address or one IPv6 /64 network; a network (IPv4 /24, IPv6 /48) has four times as many. Each process counts its own. */
  readonly failedPerAddress: number;
  /**
   * Wrong ones in the name of one client at one school. Above it, addresses from which one of them came are refused for this client, and no others:
   * strangers cannot lock it out. Each process counts its own.
   */
  readonly failedPerClient: number;
}

/** Rate limits of features, each with its own (`declare module`). */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface FeatureLimits {}

/** Rate limits. A request above a limit gets 429 `slow_down` with `Retry-After`. Specification: Limits. */
export interface Limits extends FeatureLimits {
  /**
   * Authorization requests that wait for a person. Requests of signed-in members are counted separately: `perAddress` applies to one
   * member, and `perSite` to all members of a school together. @default { perAddress: 1200, perSite: 6000 }
   */
  readonly authorizations: HourlyLimit;
  /**
   * Requests to `/mcp` without a token. Each started 16 KiB or 250 members of a message count as one request. Refused requests do not
   * count. After ten times `perAddress` refused requests, a process counts every message from that address before it reads it.
   * @default { perAddress: 3600, perSite: 36000 }
   */
  readonly anonymousCalls: HourlyLimit;
  /** Requests to `/mcp` with a token, of one member through one client, counted in the same way. @default { perMember: 3600 } */
  readonly tokenCalls: MemberLimit;
  /**
   * Requests of one member to `/member/graphql` and UserInfo, through all clients together. Each process counts separately.
   * @default { perMember: 3600 }
   */
  readonly memberCalls: MemberLimit;
  /**
   * Pages that one member or administrator opens, and forms that they send. Forms on the consent page count too, including each search in a
   * limit. A search or filter of a school's apps, or the page of a known app, counts as 10. The file of a list counts as 20. Each process
   * counts separately.
   * @default { perMember: 1200 }
   */
  readonly pages: MemberLimit;
  /**
   * Refreshes. `perFamily` applies to one device of one person, and to the access tokens that one service requests. A refused refresh does
   * not change its refresh token. @default { perFamily: 120 }
   */
  readonly refreshes: RefreshLimit;
  /**
   * Assertions of clients with keys, at the token, device authorization, introspection and revocation endpoints.
   * @default { perClient: 10000, failedPerAddress: 600, failedPerClient: 6000 }
   */
  readonly assertions: AssertionLimit;
}

/** Lifetimes in whole seconds, at least 1. An ID token is always valid for 600 seconds. Specification: Limits. */
export interface Lifetimes {
  /** Lifetime of an authorization code, in seconds. @default 60 */
  readonly authorizationCode: number;
  /** Lifetime of an access token, in seconds. @default 7200 (2 hours) */
  readonly accessToken: number;
  /** Lifetime of a refresh token, in seconds. Every refresh starts it again. @default 2592000 (30 days) */
  readonly refreshToken: number;
  /** Lifetime of a person's consent to a client, in seconds. @default 15552000 (180 days) */
  readonly grant: number;
  /** Longest time between the authorization request and sign-in, in seconds, if no one is signed in yet. @default 900 (15 minutes) */
  readonly pendingSignIn: number;
  /** Longest time between the authorization request, or sign-in, and the person's decision, in seconds. @default 3600 (1 hour) */
  readonly interaction: number;
  /**
   * Time in which a redeemed refresh token returns the same response again, in seconds. It helps when a response was lost, or when
   * processes share one token. 0 turns it off. @default 30
   */
  readonly refreshGrace: number;
}
