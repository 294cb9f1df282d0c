import type { Scope } from '../protocol/scopes.ts';

/** What an operator decides about an OAuth application. Specification: Registration rules 5. */
export interface ApplicationInput {
  /** 1 to 100 characters; shown on the consent page. */
  readonly clientName: string;
  /** 1 to 10 addresses: `https:`, or loopback with any port. */
  readonly redirectUris: readonly string[];
  /** The most that it may ask for: scopes of member clients, which the Admin API's are not. */
  readonly scopes: readonly Scope[];
  /** The application's home page. */
  readonly clientUri?: string | undefined;
}

/** A new OAuth application. */
export interface NewApplication extends ApplicationInput {
  /** Whether it can keep a secret: a server can, an app on somebody's device can not. */
  readonly confidential: boolean;
}

/** An operator's OAuth application: a member client of one site. */
export interface Application extends NewApplication {
  readonly clientId: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
}

/** A secret that was just made; it is not shown again. */
export interface IssuedSecret {
  readonly application: Application;
  /** Absent for a public application. */
  readonly clientSecret?: string | undefined;
}
