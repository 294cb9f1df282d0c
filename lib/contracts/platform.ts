import type { Context } from 'koa';
import type { MaybePromise, Member, Site, SiteColours } from './member.ts';

export type { MaybePromise, Member, Site, SiteColours };

/** The signed-in person according to the platform's own session. */
export interface PlatformSession {
  /** The member's id, a non-empty string. */
  readonly memberId: string;
  /** When the person last signed in, in whole seconds since the epoch. @default when this session is first seen */
  readonly authTime?: number | undefined;
  /** Authentication method references (RFC 8176). @default none */
  readonly amr?: readonly string[] | undefined;
}

/** Information for the platform's sign-in page. */
export interface SignInHint {
  /**
   * The page must be shown, even if a person is already signed in: the client requires a new sign-in (`prompt=login`,
   * `max_age`), another person (`id_token_hint`) or a choice of account.
   */
  readonly reauthenticate: boolean;
  /**
   * The client asks for a choice of account (`prompt=select_account`). A choice among accounts that are signed in is enough;
   * a platform without such a page lets the person sign in. @default false
   */
  readonly selectAccount?: boolean | undefined;
  /** The `login_hint` of the authorization request. */
  readonly loginHint?: string | undefined;
}

/**
 * The host's platform. If a method throws, rejects or takes longer than 10 seconds, the client gets 503
 * `temporarily_unavailable` and the event `fault` has the cause; it never means that a person or token is refused.
 * A result of `null` means the same as `undefined`.
 */
export interface SchoolPlatform {
  /** Returns the school at this origin, or `undefined` if there is none. */
  findSite(origin: string): MaybePromise<Site | null | undefined>;
  /** Returns who has completed the platform's own sign-in, or `undefined` if no one is signed in. */
  signedInMember(ctx: Context, site: Site): MaybePromise<PlatformSession | null | undefined>;
  /** Returns the address of the sign-in page. After sign-in, redirect to `returnTo`, which is on the school's origin. */
  signInUrl(ctx: Context, site: Site, returnTo: string, hint: SignInHint): MaybePromise<string>;
  /** Returns the member at this school. `undefined`, or a member without roles, has no access. */
  findMember(site: Site, memberId: string): MaybePromise<Member | null | undefined>;
  /** Roles that make a member an operator. @default ['owner', 'admin'] */
  readonly operatorRoles?: readonly string[] | undefined;
}

export const platformMethods = ['findSite', 'signedInMember', 'signInUrl', 'findMember'] as const;
