import type { Scope } from '../protocol/scopes.ts';

/**
 * For whom a client acts. Specification: What the service does 2.
 * `operator`: operator clients, consented to by an operator of the site, for the Admin API.
 * `member`: member clients, consented to by anyone with a role, for that person's own data.
 */
export type ClientAudience = 'operator' | 'member';

/** A client that the platform itself runs or vouches for, written down in code. */
export interface StaticClient {
  /** The `client_id`. It may not start with `https://`: those are metadata documents. */
  readonly clientId: string;
  /** Shown on the consent page. */
  readonly clientName: string;
  readonly audience: ClientAudience;
  /** `https:` addresses, loopback (`http://127.0.0.1/…`, `http://[::1]/…`, any port), or a private-use scheme. */
  readonly redirectUris: readonly string[];
  /** The most that it may ask for: scopes of its audience. */
  readonly scopes: readonly Scope[];
  /** Makes it a confidential client (`client_secret_post`); without one it is public. Kept only as a hash. */
  readonly clientSecret?: string | undefined;
  /** May introspect every token of its site, not only its own. Needs `clientSecret`. @default false */
  readonly resourceServer?: boolean | undefined;
  /** The application's home page, shown as its host on the consent page. */
  readonly clientUri?: string | undefined;
  /** Ids of the sites that know it. @default every site */
  readonly sites?: readonly string[] | undefined;
}

/**
 * How a client came to be known.
 * `static`: written down in code. `registered`: it registered itself, so its name is a claim. `document`: a metadata
 * document, so its host is certain and its name a claim. `application`: an operator of the site made it.
 */
export type ClientSource = 'static' | 'registered' | 'document' | 'application';

/** What a policy and a page may know of a client. */
export interface ClientInfo {
  readonly clientId: string;
  readonly clientName: string;
  readonly audience: ClientAudience;
  readonly confidential: boolean;
  readonly redirectUris: readonly string[];
  readonly clientUri?: string | undefined;
  readonly source: ClientSource;
  /** Whether somebody has vouched for it: the platform, an operator, or a reviewer of metadata documents. */
  readonly reviewed: boolean;
}
