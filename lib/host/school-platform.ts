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
   * The previous origins of the school, at most 10. `findSite` returns the school for them too. Connections and refresh tokens from there
   * keep working, but access tokens from there have ended. `docs/operate/move-a-school.md` describes a move. @default []
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
   * CSS of the school, up to 20,000 characters, after the CSS of the pages: `docs/guides/look-and-feel.md` lists custom properties and
   * classes. It cannot load resources, but it can hide things. Accept it only from people who may decide what a consent page shows.
   * @default none
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
   * The stable identifier of the person, in the claim `sub`. Apps know the person by it, so never reuse it. If you must, erase the person
   * first (`campus.members.erase`).
   */
  readonly id: string;
  /** The claim `name`. Pages show `email` without it, or `id`. @default not included */
  readonly name?: string | null | undefined;
  /** The claim `email`: an e-mail address, which many pupils lack. @default not included */
  readonly email?: string | null | undefined;
  /** The claim `email_verified`, for `email`. @default not included */
  readonly emailVerified?: boolean | null | undefined;
  /** The claim `picture`: the `https:` or `http:` address of an image. @default not included */
  readonly picture?: string | null | undefined;
  /** The claim `roles`: roles at this school, highest privilege first. A member without roles has no access. */
  readonly roles: readonly string[];
}

/** A service at one school: a client that acts for the school and not for a person. */
export interface Service {
  /** Its roles, for your own API. If a rule of the school requires roles, a service needs one of them. */
  readonly roles: readonly string[];
}

/** A role that people can have at a school. */
export interface SchoolRole {
  /** The role in `Member.roles`: 1 to 128 characters. */
  readonly role: string;
  /** Its name for people, in the language of the school: 1 to 100 characters. @default role */
  readonly name?: string | undefined;
}

/** The signed-in person according to the platform's own session. */
export interface PlatformSession {
  /** The member's id, a non-empty string. */
  readonly memberId: string;
  /** The time of the person's last sign-in, in whole seconds since the epoch. @default the time when this session is first seen */
  readonly authTime?: number | undefined;
  /** Authentication method references (RFC 8176). @default none */
  readonly amr?: readonly string[] | undefined;
  /** The strength of the authentication: one of `acrValues`. OIDC Core section 2. @default not known */
  readonly acr?: string | undefined;
  /**
   * The id of this session: 16 to 512 unguessable characters, the same in every request of the session. With the option `logout`,
   * applications get a digest of it as `sid`. @default none
   */
  readonly sessionId?: string | undefined;
}

/** Information for the platform's sign-in page. */
export interface SignInHint {
  /**
   * Whether the page must be shown even to a signed-in person: the client requires a new sign-in (`prompt=login`, `max_age`), another
   * person (`id_token_hint`) or a choice of account.
   */
  readonly reauthenticate: boolean;
  /**
   * Whether the client asks for a choice of account (`prompt=select_account`). A choice among signed-in accounts is enough. A platform
   * without such a page lets the person sign in. @default false
   */
  readonly selectAccount?: boolean | undefined;
  /** The accepted `acr` values, in order of preference. For example, the page asks for a second factor. @default none */
  readonly acrValues?: readonly string[] | undefined;
  /** The `login_hint` of the authorization request. */
  readonly loginHint?: string | undefined;
}

/**
 * Your platform. If a method throws, rejects or takes longer than 10 seconds, the client gets 503 `temporarily_unavailable`, and the event
 * `fault` has the cause. It never refuses a person or token. A result of `null` means the same as `undefined`.
 *
 * The results of `findSite` and `findMember` may have more members than `Site` and `Member`. `createCampus` infers both types, and
 * policies, claims, hooks, tools and resolvers get them: `docs/guides/types.md`.
 */
export interface SchoolPlatform<School extends Site = Site, Person extends Member = Member> {
  /**
   * Returns the school at this origin, or the school that was there before, or `undefined`. Your other functions get a copy of its
   * enumerable members, with the methods of its class. `#private` members are not copied.
   */
  findSite(origin: string): MaybePromise<School | null | undefined>;
  /** Returns the person who has completed the platform's sign-in, or `undefined` if no one is signed in. */
  signedInMember(ctx: Context, site: Fixed<School>): MaybePromise<PlatformSession | null | undefined>;
  /** Returns the address of the sign-in page. After sign-in, redirect to `returnTo`, which is on the school's origin. */
  signInUrl(ctx: Context, site: Fixed<School>, returnTo: string, hint: SignInHint): MaybePromise<string>;
  /**
   * Returns the member at this school, or `undefined` if the person is gone. The next use of one of their tokens then ends all their
   * connections here, permanently (event `connection.ended`, `reason` `person_gone`). A member without roles is suspended: tokens are
   * refused until they have a role again. If your database fails, throw: the client gets 503, and connections stay.
   */
  findMember(site: Fixed<School>, memberId: string): MaybePromise<Person | null | undefined>;
  /**
   * Returns the facts about a service at this school, or `undefined` if it has no access there. Called at each use of one of its tokens.
   * @default every service has access, without roles
   */
  findService?(site: Fixed<School>, clientId: string): MaybePromise<Service | null | undefined>;
  /**
   * Returns the roles that people can have at this school, at most 100, each once. Rules for apps can name only these, and the page of a
   * rule offers them. Called when a rule is shown or set and by `campus.diagnose()`, but never for a token.
   * @default unknown: the page offers the roles of the options and of people so far, and accepts any other
   */
  roles?(site: Fixed<School>): MaybePromise<readonly SchoolRole[] | null | undefined>;
  /**
   * Returns the people of this school whose name or e-mail address contains this text, best first. The first 20 are used. Called for an
   * administrator or for support, by `campus.people.find` and `campus.explain`. @default no search by name or address
   */
  searchMembers?(site: Fixed<School>, text: string): MaybePromise<readonly Person[] | null | undefined>;
  /** The roles that make a member an operator, who can connect apps that act for operators. @default ['owner', 'admin'] */
  readonly operatorRoles?: readonly string[] | undefined;
  /**
   * The roles that make a member an administrator, who decides for the school: approvals, rules, requests, applications and the connections
   * of others. @default operatorRoles
   */
  readonly adminRoles?: readonly string[] | undefined;
  /**
   * The possible values of `acr` in `signedInMember`, which the metadata lists (`acr_values_supported`). A request with `acr_values`
   * succeeds only with one of them. If the person comes back without the required `acr`, the client gets
   * `unmet_authentication_requirements` (RFC 9470). @default none: `acr_values` is then only a preference
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
