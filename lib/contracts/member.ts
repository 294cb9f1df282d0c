/** A value or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** A school of the platform. */
export interface Site {
  /** Stable identifier: 1 to 128 letters, digits, `.`, `_` or `-`. All stored data of the school is keyed by it. */
  readonly id: string;
  /** The school's origin in the form of `new URL(x).origin`: `https://harbour.example`. It is the issuer. */
  readonly origin: string;
  /** The name on pages and in documents. */
  readonly name: string;
  /** The `https:` address of the school's logo. @default none */
  readonly logoUrl?: string | undefined;
  /** Whether operators of this school can create OAuth applications. Specification: Registration rules 5. */
  readonly connectionsEnabled: boolean;
  /** Language tag of the pages if the browser accepts no available language, for example `zh-Hant`. @default 'en' */
  readonly language?: string | undefined;
  /** IANA name of the time zone of the dates on the pages, for example `Asia/Taipei`. @default 'UTC' */
  readonly timeZone?: string | undefined;
  /** The colours of the pages. @default the built-in colours */
  readonly colours?: SiteColours | undefined;
}

/** A school's colours. */
export interface SiteColours {
  /** The colour of buttons and links as `#rrggbb`, adjusted if the contrast is too low. Other values are ignored. */
  readonly accent?: string | undefined;
}

/** A person at one school. */
export interface Member {
  /** Stable identifier; the claim `sub`. */
  readonly id: string;
  /** The claim `name`. */
  readonly name: string;
  /** The claim `email`. */
  readonly email: string;
  /** The claim `email_verified`. @default not included */
  readonly emailVerified?: boolean | undefined;
  /** The claim `picture`: the address of an image. @default not included */
  readonly picture?: string | undefined;
  /** The claim `roles`: roles at this school, highest privilege first. A member without roles has no access. */
  readonly roles: readonly string[];
}
