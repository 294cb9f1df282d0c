import type { Only } from '../boundaries/boundary.ts';
import type { ClientMembers } from '../enabled/client-member.ts';
import type { AssertingClient } from './assertion-audience.ts';
import type { SignInClient } from './sign-in-client.ts';
import type { PublicKeys } from '../keys/public-keys.ts';
import type { AppKind } from '../known-apps/app-kind.ts';
import type { DescribedApp, KnownAppId } from '../known-apps/known-apps.ts';
import type { Scope, ScopeRow } from '../scopes/scopes.ts';
import type { Member, Service, Site } from '../../host/school-platform.ts';

/**
 * The kind of people or service for whom a client acts. Specification: What the service does 2.
 *
 * - `operator`: an operator of the school authorizes the client, which can then call the Admin API.
 * - `member`: anyone with a role at the school authorizes the client, which can then access that person's own data.
 * - `service`: no person authorizes the client. It acts for the school, with scopes of the Admin API: `clientCredentials()`.
 */
export type ClientAudience = 'operator' | 'member' | 'service';

/** The audience of clients that a person authorizes. */
export type PersonAudience = Exclude<ClientAudience, 'service'>;

export const personAudiences: readonly PersonAudience[] = ['operator', 'member'];

export const allAudiences: readonly ClientAudience[] = [...personAudiences, 'service'];

/** A client that is configured in code, because the platform runs it or knows whose it is. */
export interface StaticClient<Allowed extends string = Scope> extends ClientMembers, SignInClient, AssertingClient {
  /** The `client_id`: printable ASCII. It must not start with `https://`, which identifies a metadata document. */
  readonly clientId: string;
  /** The name on the consent page. */
  readonly clientName: string;
  /** The kind of people or service for whom the client acts. */
  readonly audience: ClientAudience;
  /**
   * The redirect URIs. Empty for a service. Otherwise `https:` addresses, loopback addresses (`http://127.0.0.1/…`, `http://[::1]/…`,
   * `http://localhost/…`, with any port) or private-use schemes (RFC 8252 section 7.1).
   */
  readonly redirectUris: readonly string[];
  /** The scopes that the client may request. Each must be allowed for its audience. */
  readonly scopes: readonly Allowed[];
  /** The secret of a confidential client (`client_secret_post`), stored as a hash. @default none (a public client) */
  readonly clientSecret?: string | undefined;
  /**
   * The public keys of a client that authenticates with `private_key_jwt` instead of a secret: a JSON Web Key Set, or the `https:` address
   * of one. @default none
   */
  readonly publicKeys?: PublicKeys | undefined;
  /**
   * Whether the client is part of the platform. People are not asked for consent, but policies still apply. It must have a `clientSecret`
   * or `publicKeys`, or only fixed `https:` callbacks. A school can block it. @default false
   */
  readonly firstParty?: boolean | undefined;
  /** The address of the application's home page, `https:` or `http:`. The consent page shows its host. @default none */
  readonly clientUri?: string | undefined;
  /** The ids of the schools that accept the client. @default every school */
  readonly sites?: readonly string[] | undefined;
  /** The app of the client: an id of `knownApps`, or your own app. @default no known app */
  readonly app?: KnownAppId | DescribedApp | undefined;
  /**
   * The kind of app, for the policies of `access`.
   * @default `website` for a first-party client and for a sign-in client, `service` for a service, otherwise the kind of its app
   */
  readonly kind?: AppKind | undefined;
}

/** A client that the options name: in code, or as the row of a vendor. */
export interface ConfiguredClient extends StaticClient {
  readonly isVendor?: boolean | undefined;
}

/**
 * The source of the client's metadata. Specification: Registration rules.
 *
 * - `static`: it is configured in code.
 * - `registered`: the client registered itself, so its name is not verified.
 * - `document`: it is a metadata document, so its host is verified and its name is not.
 * - `application`: an administrator of the school created it.
 */
export type ClientSource = 'static' | 'registered' | 'document' | 'application';

/** The app that a client is. */
export interface AppInfo extends DescribedApp {
  /**
   * Whether a row of the platform says so: that of a vendor, of a metadata document, or a client in code. Otherwise it is the
   * name under which a loopback client registered, which any app can claim: good to refuse it something, and never to
   * give it more.
   */
  readonly verified: boolean;
}

/** A client as policies and pages see it. */
export interface ClientInfo {
  /** The `client_id`. */
  readonly clientId: string;
  /** The name, or the `client_id` without a name. */
  readonly clientName: string;
  /** The kind of people or service for whom the client acts. */
  readonly audience: ClientAudience;
  /** Whether the client has a secret, or a key. */
  readonly confidential: boolean;
  /** Whether it authenticates with a private key (`private_key_jwt`). Absent if it does not. */
  readonly usesKey?: boolean | undefined;
  /** The registered redirect URIs. */
  readonly redirectUris: readonly string[];
  /** The home page, if the client has one. */
  readonly clientUri?: string | undefined;
  /** The source of the metadata. */
  readonly source: ClientSource;
  /** Whether the platform, an administrator or a reviewer of metadata documents has approved it. */
  readonly reviewed: boolean;
  /** Whether the client is part of the platform, so that people are not asked for consent. */
  readonly firstParty: boolean;
  /** The app, if it is a known one. */
  readonly app?: AppInfo | undefined;
  /**
   * The day of the copy of a metadata document, such as `2026-11-22`. Only set if the document was never fetched and cannot be fetched now.
   */
  readonly copyDate?: string | undefined;
}

/** A verified access token: the member, the client and the granted scopes. Specification: Tokens 1. */
export interface VerifiedToken<School extends Site = Site, Person extends Member = Member> {
  /** The school at which the token is valid. */
  readonly site: School;
  /** The member to whom the token belongs, with the current roles. */
  readonly member: Person;
  /** The client to which the token was issued. */
  readonly clientId: string;
  /** Whether the client acts for an operator or for a member. */
  readonly audience: PersonAudience;
  /** The scopes of the token, without scopes whose limit is not honoured here. */
  readonly scopes: readonly string[];
  /** The person's limits for the client, by the type of boundary: `{ class: ['7b'] }`. Absent if it is not limited. */
  readonly only?: Only | undefined;
  /**
   * Returns the ids of the items to which the person has limited the client, or `undefined` if it may see all of this type.
   *
   * @throws TypeError for a type that is not in the option `boundaries`, so that a typo cannot look like "no limit"
   */
  limitTo(type: string): readonly string[] | undefined;
  /**
   * A cache key for results of this token: a digest of the school, the person, the client, and the scopes and limits of the token. Tokens
   * with the same values have the same key.
   */
  readonly cacheKey: string;
  /** When the token expires, in seconds since the epoch. */
  readonly expiresAt: number;
  /** The time when the person signed in, in seconds since the epoch. Absent for a service. */
  readonly authTime?: number | undefined;
  /** The strength of the authentication at that time, if the platform reports it (`acr` of `signedInMember`). */
  readonly acr?: string | undefined;
}

/** How the person of a token must have signed in. RFC 9470. */
export interface AuthenticationRequirement {
  /** The token needs one of these values of `platform.acrValues`. @default any */
  readonly acr?: string | readonly string[] | undefined;
  /** How many seconds ago the person may have signed in at most. @default any */
  readonly maxAge?: number | undefined;
}

/** A verified access token of a service, which acts for the school and not for a person. RFC 6749 section 4.4. */
export interface VerifiedServiceToken<School extends Site = Site> extends Omit<
  VerifiedToken<School>,
  'member' | 'audience' | 'only'
> {
  readonly member?: undefined;
  /** Always absent: people do not limit a service. */
  readonly only?: undefined;
  /** The facts about the service from the platform. */
  readonly service: Service;
  readonly audience: 'service';
}

/** The verified token of a client of this audience. */
export type TokenOf<
  A extends ClientAudience = PersonAudience,
  School extends Site = Site,
  Person extends Member = Member,
> = A extends 'service' ? VerifiedServiceToken<School> : VerifiedToken<School, Person>;

/** Which tokens are accepted. */
export interface AcceptedTokens<A extends ClientAudience = PersonAudience> {
  /** The audiences of the clients whose tokens are accepted. @default ['operator', 'member'] */
  readonly audience?: readonly A[] | undefined;
  /**
   * The types of `boundaries` that are honoured here: what is served is within `token.only`. For a token with a limit of another type, the
   * scopes that it limits are not there. @default []
   */
  readonly honours?: readonly string[] | undefined;
}

/** A client that a policy of the host knows in advance. */
export interface PolicyClient extends Omit<StaticClient, 'scopes'> {
  /** The scopes that the client may request. @default every scope for its audience */
  readonly scopes?: readonly Scope[] | undefined;
}

/** A policy of the host that may know clients in advance. */
export interface ClientPolicy {
  /** Where it is in the options, `registration[0]`. */
  readonly path: string;
  readonly policy: {
    readonly clients?: readonly PolicyClient[] | undefined;
    /** @throws TypeError that names an option with a scope that is not there */
    checkScopes?(scopes: readonly ScopeRow[]): void;
  };
}
