import type { Context } from 'koa';
import type { PublicCatalogue } from './catalogue.ts';
import type { MaybePromise, Member, Site, SiteColours } from './member.ts';
import type { MemberData } from './member-data.ts';

export type { MaybePromise, Member, Site, SiteColours };

/** Who the platform's own session says is here. */
export interface PlatformSession {
  readonly memberId: string;
  /** When the person proved who they are, in seconds since the epoch. @default the moment we first see them */
  readonly authTime?: number | undefined;
  /** How they proved it (RFC 8176). */
  readonly amr?: readonly string[] | undefined;
}

/** What the platform's sign-in page may want to know. */
export interface SignInHint {
  /** The application asked for a new proof of identity (`prompt=login`, `max_age`): ask even someone who is signed in. */
  readonly fresh: boolean;
  /** The application's `login_hint`. */
  readonly loginHint?: string | undefined;
}

/**
 * What only the host knows. A method that throws or rejects is a fault, not a verdict: the caller gets 503
 * `temporarily_unavailable`, and the event `fault` tells you why.
 */
export interface SchoolPlatform {
  /** The school at this origin; `undefined` for an origin that is none of yours. */
  findSite(origin: string): MaybePromise<Site | undefined>;
  /** Who your own session says is signed in, once your sign-in is complete; `undefined` for nobody. */
  signedInMember(ctx: Context, site: Site): MaybePromise<PlatformSession | undefined>;
  /** Where to send a browser to sign in; afterwards send it to `returnTo`, an address on the school's origin. */
  signInUrl(ctx: Context, site: Site, returnTo: string, hint: SignInHint): MaybePromise<string>;
  /** The member at this school; `undefined`, or no roles: no access here. */
  findMember(site: Site, memberId: string): MaybePromise<Member | undefined>;
  /** Roles that make a member an operator. @default ['owner', 'admin'] */
  readonly operatorRoles?: readonly string[] | undefined;
  /** The Member API's data. Without it the API says who the viewer is, and that the rest is not served here. */
  readonly memberData?: MemberData | undefined;
  /** What the school shows of itself to anybody, for the tools `list_courses` and `search_courses`. */
  readonly publicCatalogue?: PublicCatalogue | undefined;
}

/** Every method of a `SchoolPlatform`. */
export const platformMethods: readonly Exclude<
  keyof SchoolPlatform,
  'operatorRoles' | 'memberData' | 'publicCatalogue'
>[] = ['findSite', 'signedInMember', 'signInUrl', 'findMember'];
