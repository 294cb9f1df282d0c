/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** A school of the platform. */
export interface Site {
  /** Stable identifier: letters, digits, `.`, `_`, `-`. Everything that is stored hangs under it. */
  readonly id: string;
  /** The school's origin, as `new URL(x).origin` writes it: `https://harbour.example`. It is the issuer. */
  readonly origin: string;
  /** The name that people read. */
  readonly name: string;
  /** `https:` address of the school's logo. */
  readonly logoUrl?: string | undefined;
  /** Whether operators of this school may make OAuth applications. Specification: Registration rules 5. */
  readonly connectionsEnabled: boolean;
  /** The language of its pages for visitors who ask for none that there is: a tag such as `zh-Hant`. @default 'en' */
  readonly language?: string | undefined;
  /** Colours of its pages. */
  readonly colours?: SiteColours | undefined;
}

/** A school's colours. */
export interface SiteColours {
  /** Of buttons and links, as `#rrggbb`; made darker or lighter where it could not be read. Others are ignored. */
  readonly accent?: string | undefined;
}

/** A person as one school knows them. */
export interface Member {
  /** The `sub` claim. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified?: boolean | undefined;
  readonly picture?: string | undefined;
  /** Roles at this school, the highest privilege first. Empty: no access. */
  readonly roles: readonly string[];
}
