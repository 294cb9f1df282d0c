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
  /** The redirect URIs, 1 to 10: `https:` addresses or loopback addresses. The port of a loopback address may differ. */
  readonly redirectUris: readonly string[];
  /**
   * The scopes that the application may request. For members: identity scopes and scopes of a person's own account. For operators: identity
   * scopes, scopes of the Admin API and `account:write`, but never `account:read`. For services: scopes of the Admin API.
   */
  readonly scopes: readonly Scope[];
  /** The home page of the application, an `https:` address. @default none */
  readonly clientUri?: string | undefined;
  /**
   * The public keys of an application that authenticates with `private_key_jwt` instead of a secret: 1 to 10 keys, or their `https:`
   * address. You can replace the keys, but not switch between keys and a secret. @default none
   */
  readonly publicKeys?: PublicKeys | undefined;
}

/** An OAuth application to create. Specification: Registration rules 5. */
export interface NewApplication extends ApplicationInput {
  /** The people who can authorize it: the members of the school, or only its operators. It never changes. @default 'member' */
  readonly audience?: PersonAudience | undefined;
  /** Whether the application can keep a secret, or a private key: `true` for a server, `false` for an app on a person's device. */
  readonly confidential: boolean;
  /** The member who creates it. Other administrators see it. @default not known */
  readonly createdBy?: string | undefined;
  /** The known app that it is for. Its rules apply to the application, which gets no extra access. It never changes. @default none */
  readonly app?: KnownAppId | undefined;
}

/** A service to create: an application that acts for the school, not for a person, and has no redirect URIs. RFC 6749 section 4.4. */
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
  /** The people who can authorize it. A service needs no one. */
  readonly audience: ClientAudience;
  /** The `client_id`. */
  readonly clientId: string;
  /** Changes with every update, including the secret. See `Applications.update`. */
  readonly version: string;
  /** The time of its creation, in seconds since the epoch. */
  readonly createdAt: number;
  /** The time of its last change, including the secret, in seconds since the epoch. @default never */
  readonly changedAt?: number | undefined;
  /** The id of the member who made that change. @default unknown */
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
  /** The new `client_secret`. Absent for a public application and for an application with keys. */
  readonly clientSecret?: string | undefined;
}

/** With what an administrator changes an application. */
export interface ApplicationChange extends ExpectedVersion {
  /** The id of the member who changes it, for other administrators to see. @default unknown */
  readonly by?: string | undefined;
}

/** Options of a secret rotation. */
export interface SecretRotation extends ApplicationChange {
  /** How long the old secret stays valid, in seconds, at most a week. At most two secrets are valid. @default 0, it ends immediately */
  readonly overlap?: number | undefined;
}

/** Facts about a valid secret. The secret itself cannot be read again. */
export interface ApplicationSecret {
  /** The time when it ends, in seconds since the epoch. Absent for the current secret. */
  readonly validUntil?: number | undefined;
  /** The time when the application last got tokens with it, in seconds since the epoch, to within a day. Absent if it never did. */
  readonly lastUsedAt?: number | undefined;
}

/**
 * The OAuth applications that administrators create at a school: for its members, for its operators or as services. The caller must check
 * that the request comes from an administrator. Methods that write throw `AccessDenied` while the school's `connectionsEnabled` is false.
 * Specification: Registration rules 5 and 6.
 */
export interface Applications {
  /**
   * Creates an application. Only this result has the secret of a confidential application.
   *
   * @throws InvalidApplication with all problems
   */
  create(site: Site, application: NewApplication | NewService): Promise<IssuedSecret>;
  /** Returns the applications of the school, oldest first, with their use. */
  list(site: Site, query?: ListQuery): Promise<ListPage<ListedApplication>>;
  /** Returns an application, or `undefined` if the school does not have it. */
  find(site: Site, clientId: string): Promise<Application | undefined>;
  /**
   * Changes an application, but not its audience. Removing a scope ends all its connections, so that no token keeps that scope. If that
   * fails, the next change ends them. With `version`, the change is only made if the application still has that version.
   *
   * @throws InvalidApplication with all problems
   * @throws OAuthError with status 404 for an unknown application
   * @throws VersionConflict, status 409, if it has another version, or changed at the same moment
   */
  update(
    site: Site,
    clientId: string,
    changes: Partial<ApplicationInput>,
    options?: ApplicationChange,
  ): Promise<Application>;
  /**
   * Replaces the secret of a confidential application. The old secret is invalid immediately, or after an overlap. `version` works as in
   * `update`.
   *
   * @throws OAuthError with status 404 for an unknown application, 400 for one without a secret
   * @throws VersionConflict as `update` does
   */
  rotateSecret(site: Site, clientId: string, options?: SecretRotation): Promise<IssuedSecret>;
  /** Returns the valid secrets, the current one first. The list is empty for an application without a secret. */
  secrets(site: Site, clientId: string): Promise<readonly ApplicationSecret[]>;
  /** Returns the number of people who are connected to it. */
  connections(site: Site, clientId: string): Promise<number>;
  /**
   * Removes an application with all its codes and tokens. Returns the number of its connections. If it fails, repeat the call to end the
   * rest. `version` works as in `update`.
   *
   * @throws OAuthError with status 404 for an unknown application
   * @throws VersionConflict, status 409, if it has another version
   */
  remove(site: Site, clientId: string, expected?: ExpectedVersion): Promise<{ readonly connections: number }>;
}
