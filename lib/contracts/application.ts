import type { Scope } from '../protocol/scopes.ts';

/** The settings of an OAuth application that its operator can change. Specification: Registration rules 5. */
export interface ApplicationInput {
  /** The name on the consent page, 1 to 100 characters. */
  readonly clientName: string;
  /** 1 to 10 redirect URIs: `https:` addresses or loopback addresses. The port of a loopback address may differ. */
  readonly redirectUris: readonly string[];
  /** The scopes that the application may request. Scopes of the Admin API are not allowed. */
  readonly scopes: readonly Scope[];
  /** The home page of the application, an `https:` address. @default none */
  readonly clientUri?: string | undefined;
}

/** An OAuth application to create. Specification: Registration rules 5. */
export interface NewApplication extends ApplicationInput {
  /** Whether the application can keep a secret: `true` for a server, `false` for an app on a person's device. */
  readonly confidential: boolean;
}

/** An OAuth application: a member client that an operator created for one site. */
export interface Application extends NewApplication {
  /** The `client_id`. */
  readonly clientId: string;
  /** When it was created, in seconds since the epoch. */
  readonly createdAt: number;
}

/** The result of creating an application or rotating its secret. The secret cannot be read again. */
export interface IssuedSecret {
  readonly application: Application;
  /** The new `client_secret`; absent for a public application. */
  readonly clientSecret?: string | undefined;
}
