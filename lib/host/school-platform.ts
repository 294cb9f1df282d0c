import type { Context } from 'koa';

/** A value or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** A school of the platform. */
export interface Site {
  /** Stable identifier: 1 to 128 letters, digits, `.`, `_` or `-`. All stored data of the school is keyed by it. */
  readonly id: string;
  /**
   * The school's origin in the form of `new URL(x).origin`: `https://harbour.example`. Its host has letters, digits, `.`, `_` and `-`, and begins
   * and ends with neither `.` nor `-`. It is the issuer.
   */
  readonly origin: string;
  /**
   * The origins at which the school was before, at most 10: connections and refresh tokens from there go on, and `findSite` returns the school for
   * them too. Access tokens from there have ended. `docs/operate/move-a-school.md` describes a move. @default []
   */
  readonly formerOrigins?: readonly string[] | undefined;
  /** The name on pages and in documents. */
  readonly name: string;
  /** The `https:` address of the school's logo. @default none */
  readonly logoUrl?: string | undefined;
  /**
   * Whether administrators of this school can create OAuth applications in _Developers_, and members can ask the school for them in _Requests_.
   * Other apps connect without it. Specification: Registration rules 5.
   */
  readonly connectionsEnabled: boolean;
  /** Language tag of the pages if the browser accepts no available language, for example `zh-Hant`. @default 'en' */
  readonly language?: string | undefined;
  /** IANA name of the time zone of the dates on the pages, for example `Asia/Taipei`. @default 'UTC' */
  readonly timeZone?: string | undefined;
  /** The colours of the pages. @default the built-in colours */
  readonly colors?: SiteColors | undefined;
  /**
   * CSS of the school, up to 20,000 characters, after that of the pages: `docs/guides/look-and-feel.md` lists custom properties and classes. It loads
   * nothing, but it can hide things, so take it only from people whom you let decide what a consent page shows. @default none
   */
  readonly stylesheet?: string | undefined;
}

/** The colours of a school. */
export interface SiteColors {
  /** The colour of buttons and links as `#rrggbb`, adjusted if the contrast is too low. Other values are ignored. */
  readonly accent?: string | undefined;
}

/**
 * A person at one school. Only `id` and `roles` are needed: `null` and an empty or blank text mean the same as `undefined`, and the claim
 * is left out. A value of a wrong type is left out too, and the event `fault` names it once an hour.
 */
export interface Member {
  /**
   * Stable identifier; the claim `sub`. Apps know the person by it, so never give it to somebody else: erase the person first
   * (`campus.members.erase`) if you must.
   */
  readonly id: string;
  /** The claim `name`. Pages show `email` without it, or `id`. @default not included */
  readonly name?: string | null | undefined;
  /** The claim `email`: an e-mail address, which many pupils lack. @default not included */
  readonly email?: string | null | undefined;
  /** The claim `email_verified`, beside `email`. @default not included */
  readonly emailVerified?: boolean | null | undefined;
  /** The claim `picture`: the `https:` or `http:` address of an image. @default not included */
  readonly picture?: string | null | undefined;
  /** The claim `roles`: roles at this school, highest privilege first. A member without roles has no access. */
  readonly roles: readonly string[];
}

/** A service at one school: a client that acts for the school and not for a person. */
export interface Service {
  /** Its roles, for your own API. A rule of the school for people with certain roles lets only a service with one of them in. */
  readonly roles: readonly string[];
}

/** A role that people can have at a school. */
export interface SchoolRole {
  /** As `Member.roles` has it: 1 to 128 characters. */
  readonly role: string;
  /** Its name for people, in the language of the school: 1 to 100 characters. @default role */
  readonly name?: string | undefined;
}

/** The signed-in person according to the platform's own session. */
export interface PlatformSession {
  /** The member's id, a non-empty string. */
  readonly memberId: string;
  /** When the person last signed in, in whole seconds since the epoch. @default when this session is first seen */
  readonly authTime?: number | undefined;
  /** Authentication method references (RFC 8176). @default none */
  readonly amr?: readonly string[] | undefined;
  /** How strongly the person is authenticated: one of `acrValues`. OIDC Core section 2. @default not known */
  readonly acr?: string | undefined;
  /**
   * What identifies this session, 16 to 512 characters that nobody can guess: applications get a digest of it as `sid`, with the option `logout`.
   * The same in each request of a session. @default none
   */
  readonly sessionId?: string | undefined;
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
  /** One of these, in order of preference, is needed as `acr`: the page asks for a second factor, for example. @default none */
  readonly acrValues?: readonly string[] | undefined;
  /** The `login_hint` of the authorization request. */
  readonly loginHint?: string | undefined;
}

/**
 * The host's platform. If a method throws, rejects or takes longer than 10 seconds, the client gets 503
 * `temporarily_unavailable` and the event `fault` has the cause; it never means that a person or token is refused.
 * A result of `null` means the same as `undefined`.
 *
 * What `findSite` and `findMember` return may have more members than `Site` and `Member` name. `createCampus` infers both types, and
 * policies, claims, hooks, tools and resolvers get them: `docs/guides/types.md`.
 */
export interface SchoolPlatform<School extends Site = Site, Person extends Member = Member> {
  /**
   * Returns the school at this origin, or that was there before; `undefined` if there is none. Others get a copy of its enumerable
   * members, with the methods of its class; `#private` members are not copied.
   */
  findSite(origin: string): MaybePromise<School | null | undefined>;
  /** Returns who has completed the platform's own sign-in, or `undefined` if no one is signed in. */
  signedInMember(ctx: Context, site: Fixed<School>): MaybePromise<PlatformSession | null | undefined>;
  /** Returns the address of the sign-in page. After sign-in, redirect to `returnTo`, which is on the school's origin. */
  signInUrl(ctx: Context, site: Fixed<School>, returnTo: string, hint: SignInHint): MaybePromise<string>;
  /**
   * Returns the member at this school. With `undefined` the person is gone: the first use of a token that sees it ends all that they have
   * connected here, for good (event `connection.ended`, `reason` `person_gone`). A member without roles is suspended: tokens are refused, and work
   * again once there is a role. Throw while your database is away: that is 503, and ends nothing.
   */
  findMember(site: Fixed<School>, memberId: string): MaybePromise<Person | null | undefined>;
  /**
   * Returns what a service may be at this school. `undefined`: it has no access there. Called at each use of one of its tokens.
   * @default every service has access, without roles
   */
  findService?(site: Fixed<School>, clientId: string): MaybePromise<Service | null | undefined>;
  /**
   * Returns the roles that people can have at this school, at most 100, each once: rules for apps can name these and no others, and
   * the page of a rule offers them. Called where a rule is shown or set and by `campus.diagnose()`, never for a token.
   * @default not known: the page offers the roles of the options and those that people were seen with, and takes any other
   */
  roles?(site: Fixed<School>): MaybePromise<readonly SchoolRole[] | null | undefined>;
  /**
   * Returns the people of this school whose name or e-mail address has this text, best first; the first 20 are used. Called for an
   * administrator or for support, by `campus.people.find` and `campus.explain`. @default nobody can be found by name or address
   */
  searchMembers?(site: Fixed<School>, text: string): MaybePromise<readonly Person[] | null | undefined>;
  /** The roles that make a member an operator, who can connect apps that act for operators. @default ['owner', 'admin'] */
  readonly operatorRoles?: readonly string[] | undefined;
  /**
   * Roles that make a member an administrator, who decides for the school: approvals, rules, requests, applications and the connections
   * of others. @default operatorRoles
   */
  readonly adminRoles?: readonly string[] | undefined;
  /**
   * What `acr` of `signedInMember` can be. The metadata lists it (`acr_values_supported`), and a request with `acr_values` succeeds only
   * with one of them: `unmet_authentication_requirements` if the person comes back without (RFC 9470). @default none, and `acr_values` is a
   * wish
   */
  readonly acrValues?: readonly string[] | undefined;
}

/** A type that is inferred elsewhere, and not from what stands here. */
export type Fixed<T> = [T][T extends unknown ? 0 : never];

/**
 * The type in which others get what `findSite` returns: `Site` where nothing is known of it, as of a row of a database that is `any`, or
 * of a function that only throws.
 */
export type SchoolOf<School extends Site> = [School] extends [never] ? Site : 0 extends 1 & School ? Site : School;

/** The same for what `findMember` returns. */
export type PersonOf<Person extends Member> = [Person] extends [never]
  ? Member
  : 0 extends 1 & Person
    ? Member
    : Person;

/** What the package reads of a school. */
export const siteMembers = {
  id: true,
  origin: true,
  formerOrigins: true,
  name: true,
  logoUrl: true,
  connectionsEnabled: true,
  language: true,
  timeZone: true,
  colors: true,
  stylesheet: true,
} satisfies Record<keyof Site, true>;

export const colorMembers = { accent: true } satisfies Record<keyof SiteColors, true>;

export const platformMethods = ['findSite', 'signedInMember', 'signInUrl', 'findMember'] as const;
