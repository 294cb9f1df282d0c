import type { ClientMembers } from '../enabled/client-member.ts';
import type { PublicKeys } from '../keys/public-keys.ts';
import type { KnownAppId } from '../known-apps/known-apps.ts';
import type { Scope } from '../scopes/scopes.ts';
import type { AssertingClient } from '../clients/assertion-audience.ts';
import type { SignInClient } from '../clients/sign-in-client.ts';
import type { ClientAudience, PersonAudience } from '../clients/client.ts';
import type { ExpectedVersion } from '../clients/expected-version.ts';
import type { ListPage, ListQuery } from '../clients/listed-client.ts';
import type { Site } from '../../host/school-platform.ts';
import type { AppStatus } from '../clients/client-status.ts';

/** The settings of an OAuth application that an administrator can change. Specification: Registration rules 5. */
export interface ApplicationInput extends ClientMembers, SignInClient, AssertingClient {
  /** The name on the consent page, 1 to 100 characters. */
  readonly clientName: string;
  /** 1 to 10 redirect URIs: `https:` addresses or loopback addresses. The port of a loopback address may differ. */
  readonly redirectUris: readonly string[];
  /**
   * The scopes that the application may request. For members: identity scopes and those of a person's own account. For
   * operators: identity scopes, those of the Admin API and `account:write`, but never `account:read`. For services: those of the
   * Admin API.
   */
  readonly scopes: readonly Scope[];
  /** The home page of the application, an `https:` address. @default none */
  readonly clientUri?: string | undefined;
  /**
   * The public keys with which it authenticates in place of a secret (`private_key_jwt`): 1 to 10, or their `https:` address. Whether an
   * application has keys never changes; which ones, does. @default none
   */
  readonly publicKeys?: PublicKeys | undefined;
}

/** An OAuth application to create. Specification: Registration rules 5. */
export interface NewApplication extends ApplicationInput {
  /** Who can authorize it: the members of the school, or its operators only. It never changes. @default 'member' */
  readonly audience?: PersonAudience | undefined;
  /** Whether the application can keep a secret, or a private key: `true` for a server, `false` for an app on a person's device. */
  readonly confidential: boolean;
  /** The member who creates it, for other administrators to see. @default not known */
  readonly createdBy?: string | undefined;
  /**
   * The known app that it is for: rules for the app apply to the application, and it gains nothing by it. It never
   * changes. @default none
   */
  readonly app?: KnownAppId | undefined;
}

/** An application to create that is a service: it acts for the school, not for a person, and nobody is sent to it. RFC 6749 section 4.4. */
export interface NewService extends Omit<
  NewApplication,
  'audience' | 'redirectUris' | 'confidential' | keyof ClientMembers | keyof SignInClient
> {
  readonly audience: 'service';
  /** None. @default [] */
  readonly redirectUris?: readonly [] | undefined;
  /** A service always has a secret, or keys. @default true */
  readonly confidential?: true | undefined;
  /** The member who is responsible for it. @default not known */
  readonly createdBy?: string | undefined;
}

/** An OAuth application: a client that an administrator created for the members or for the operators of one school. */
export interface Application extends Omit<NewApplication, 'audience'> {
  /** Who can authorize it; nobody for a service. */
  readonly audience: ClientAudience;
  /** The `client_id`. */
  readonly clientId: string;
  /** Another one after each change, also of the secret. See `Applications.update`. */
  readonly version: string;
  /** When it was created, in seconds since the epoch. */
  readonly createdAt: number;
  /** When it was last changed, also its secret, in seconds since the epoch. @default never */
  readonly changedAt?: number | undefined;
  /** The id of the member who did that. @default unknown */
  readonly changedBy?: string | undefined;
}

/** An application with what people do with it. */
export interface ListedApplication extends Application {
  /** How many people are connected now. */
  readonly people: number;
  /** What it may do at the school, in one word. */
  readonly status: AppStatus;
  /** When it last received tokens, to within a day, in seconds since the epoch. Absent if the store does not know. */
  readonly lastActiveAt?: number | undefined;
}

/** The result of creating an application or rotating its secret. The secret cannot be read again. */
export interface IssuedSecret {
  readonly application: Application;
  /** The new `client_secret`; absent for a public application, and for one with keys. */
  readonly clientSecret?: string | undefined;
}

/** With what an administrator changes an application. */
export interface ApplicationChange extends ExpectedVersion {
  /** The id of the member who changes it, for other administrators to see. @default unknown */
  readonly by?: string | undefined;
}

/** How a secret is replaced. */
export interface SecretRotation extends ApplicationChange {
  /** For how many seconds the old secret stays valid, at most a week: there are two at most. @default 0, it ends at once */
  readonly overlap?: number | undefined;
}

/** What is known of a secret that is valid now. The secret itself cannot be read again. */
export interface ApplicationSecret {
  /** When it ends, in seconds since the epoch; absent for the current one. */
  readonly validUntil?: number | undefined;
  /** When the application last got tokens with it, in seconds since the epoch, to within a day; absent if it never did. */
  readonly lastUsedAt?: number | undefined;
}

/**
 * The OAuth applications that administrators create at a school, for its members, for its operators or as services. The caller must check
 * that the request comes from an administrator. Every method that writes throws `AccessDenied` while the school's
 * `connectionsEnabled` is false. Specification: Registration rules 5 and 6.
 */
export interface Applications {
  /**
   * Creates an application. The secret of a confidential one is in this result only.
   *
   * @throws InvalidApplication with everything that is wrong
   */
  create(site: Site, application: NewApplication | NewService): Promise<IssuedSecret>;
  /** The applications of the school, oldest first, with what people do with them. */
  list(site: Site, query?: ListQuery): Promise<ListPage<ListedApplication>>;
  /** `undefined` if the school has no such application. */
  find(site: Site, clientId: string): Promise<Application | undefined>;
  /**
   * Changes an application, but not its audience. Removing a scope ends all its connections, so that no token keeps that scope;
   * if that fails, the next change ends them.
   * With `version`, only if the application still has that version: what someone saw is what they change.
   *
   * @throws InvalidApplication with everything that is wrong; OAuthError with status 404 for an unknown application
   * @throws VersionConflict, status 409, if it has another version, or changed at the same moment
   */
  update(
    site: Site,
    clientId: string,
    changes: Partial<ApplicationInput>,
    options?: ApplicationChange,
  ): Promise<Application>;
  /**
   * Replaces the secret of a confidential application. The old secret is invalid immediately, or after an overlap. `version` as
   * for `update`.
   *
   * @throws OAuthError with status 404 for an unknown application, 400 for one without a secret
   * @throws VersionConflict as `update` does
   */
  rotateSecret(site: Site, clientId: string, options?: SecretRotation): Promise<IssuedSecret>;
  /** The secrets that are valid now, the current one first; none of an application without one. */
  secrets(site: Site, clientId: string): Promise<readonly ApplicationSecret[]>;
  /** The number of people who are connected to it. */
  connections(site: Site, clientId: string): Promise<number>;
  /**
   * Removes an application with all its codes and tokens. Returns how many connections it had. If it fails half-way, the same
   * call again ends what is left. `version` as for `update`.
   *
   * @throws OAuthError with status 404 for an unknown application
   * @throws VersionConflict, status 409, if it has another version
   */
  remove(site: Site, clientId: string, expected?: ExpectedVersion): Promise<{ readonly connections: number }>;
}
