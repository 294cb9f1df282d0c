import type { Scope } from '../protocol/scopes.ts';
import type { ClientAudience } from './client.ts';

/** The settings of an OAuth application that its operator can change. Specification: Registration rules 5. */
export interface ApplicationInput {
  /** The name on the consent page, 1 to 100 characters. */
  readonly clientName: string;
  /** 1 to 10 redirect URIs: `https:` addresses or loopback addresses. The port of a loopback address may differ. */
  readonly redirectUris: readonly string[];
  /**
   * The scopes that the application may request. For members: identity scopes and those of a person's own account. For
   * operators: identity scopes, those of the Admin API and `account:write`, but never `account:read`.
   */
  readonly scopes: readonly Scope[];
  /** The home page of the application, an `https:` address. @default none */
  readonly clientUri?: string | undefined;
}

/** An OAuth application to create. Specification: Registration rules 5. */
export interface NewApplication extends ApplicationInput {
  /** Who can authorize it: the members of the site, or its operators only. It never changes. @default 'member' */
  readonly audience?: ClientAudience | undefined;
  /** Whether the application can keep a secret: `true` for a server, `false` for an app on a person's device. */
  readonly confidential: boolean;
}

/** An OAuth application: a client that an operator created for the members or for the operators of one site. */
export interface Application extends NewApplication {
  /** Who can authorize it. */
  readonly audience: ClientAudience;
  /** The `client_id`. */
  readonly clientId: string;
  /** Another one after each change, also of the secret. See `Applications.update`. */
  readonly version: string;
  /** When it was created, in seconds since the epoch. */
  readonly createdAt: number;
}

/** The result of creating an application or rotating its secret. The secret cannot be read again. */
export interface IssuedSecret {
  readonly application: Application;
  /** The new `client_secret`; absent for a public application. */
  readonly clientSecret?: string | undefined;
}
