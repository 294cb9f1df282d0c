import type { Only } from '../boundaries/boundary.ts';
import type { ExpectedVersion } from '../clients/expected-version.ts';
import type { NamedApp } from '../apps/apps.ts';
import type { Scope } from '../scopes/scopes.ts';
import type { Site } from '../../host/school-platform.ts';
import type { DescribedClient, ListQuery, ListPage } from '../clients/listed-client.ts';

/** A device on which a client is signed in, or another place. */
export interface ConnectedDevice {
  /** The identifier for `Connections.revokeDevice`. */
  readonly id: string;
  /** When it last received tokens, in seconds since the epoch. Absent if the store does not know. */
  readonly lastUsedAt?: number | undefined;
}

/** A connected app: a client that a member has authorized, on one device or several. */
export interface Connection extends DescribedClient {
  /** The identifier for `Connections.revoke`. In `devices`, it identifies a device for `revokeDevice`. */
  readonly id: string;
  /** The `sub` by which the client knows the member, if it is a pseudonym. Absent: the member's id. */
  readonly pseudonym?: string | undefined;
  /** The granted scopes. */
  readonly scopes: readonly Scope[];
  /** The member's limits for it, by the type of boundary. Absent if it is not limited. */
  readonly only?: Only | undefined;
  /** Changes with every change of its scopes or limits. */
  readonly version: string;
  /** The time when the member first authorized the client, in seconds since the epoch. */
  readonly createdAt: number;
  /** The time when the member last authorized the client, in seconds since the epoch. */
  readonly allowedAt: number;
  /**
   * The time when the client last received tokens, in seconds since the epoch. It may have used an access token later. Absent if the store
   * does not know, or if the client has no valid refresh token.
   */
  readonly lastUsedAt?: number | undefined;
  /** The time when its access ends unless the member authorizes it again, in seconds since the epoch. */
  readonly expiresAt: number;
  /**
   * The time of a decision of the school that has left it to the next refresh whether the connection stays, in seconds since the epoch.
   * Absent if there is none.
   */
  readonly unjudgedAt?: number | undefined;
  /** Requested scopes that the member, a rule or a policy refused. */
  readonly refused: readonly Scope[];
  /**
   * The devices or other places where the client is signed in: one for each authorization, the latest to receive tokens first. Device names
   * are not stored. Absent if the store does not know.
   */
  readonly devices?: readonly ConnectedDevice[] | undefined;
}

/** Which connections end: those of an app, or of people who have a role now, or both. */
export interface EndedBy {
  /** @default all apps; with it or `role` */
  readonly app?: NamedApp | undefined;
  /** A role that people have now. @default everyone */
  readonly role?: string | undefined;
  /** With a role, `next` of the call before. @default the first call */
  readonly cursor?: string | undefined;
}

/** Ends one connection of a person, or all, for an administrator who is signed in. Resolves with how many it ended. */
export type EndOfPerson = (site: Site, memberId: string, id?: string) => Promise<number>;

/** Connections that one call has ended. */
export interface EndedConnections {
  readonly connections: number;
  /** Where the next call goes on; absent after the last one. */
  readonly next?: string | undefined;
}

/**
 * A member's connected apps at a school. The caller must have authenticated the member; for `end`, an administrator of the school. Every method
 * throws `TemporarilyUnavailable` if the store fails.
 */
export interface Connections {
  /** Returns the member's connections, the latest allowed first; on a page, those of the same second are in order of name. */
  list(site: Site, memberId: string, query?: ListQuery): Promise<ListPage<Connection>>;
  /** Returns one connection, if this member has it. */
  find(site: Site, memberId: string, id: string): Promise<Connection | undefined>;
  /**
   * Removes scopes from a connection. Access tokens lose them immediately, and the next refresh returns the remaining scopes. Returns the
   * changed connection, or `undefined` if this member does not have it. The client can ask for the scopes again, and `widen` gives them
   * back.
   *
   * @throws InvalidRequest if no scope would be left: use `revoke`
   */
  narrow(site: Site, memberId: string, id: string, scopes: readonly Scope[]): Promise<Connection | undefined>;
  /**
   * Returns the scopes that `widen` can give to a connection: refused scopes that rules, approvals and consent policies now allow this
   * member. The list is empty if no device is signed in, if the type of a limit is no longer declared, or if this member does not have the
   * connection.
   */
  givable(site: Site, memberId: string, id: string): Promise<readonly Scope[]>;
  /**
   * Gives scopes to a connection, as if the member had ticked them at consent. Each signed-in device gets them at its next refresh.
   * Existing tokens do not change, unless `only` changes the limits. Returns the changed connection, or `undefined` if this member does not
   * have it or, with `only`, is no longer at the school. Scopes that it already has are ignored.
   *
   * @param only - the limits of the connection with these scopes, as for `limit`, even if it has the scopes already. A limit of a type that
   * is no longer declared stays. Omit it to keep the current limits
   * @throws InvalidRequest for a scope that `givable` does not return, for wrong limits as in `limit`, and if other limits are chosen at
   * the same time
   * @throws VersionConflict, status 409, if the member has changed it since `version`
   */
  widen(
    site: Site,
    memberId: string,
    id: string,
    scopes: readonly Scope[],
    only?: Only,
    expected?: ExpectedVersion,
  ): Promise<Connection | undefined>;
  /**
   * Sets the limits of a connection, wider or narrower than before: `{ class: ['7b'] }`. An absent type is not limited, and `{}` removes
   * all limits. Its access tokens end, and the next refresh has the new limits. Returns the changed connection, or `undefined` if this
   * member does not have it.
   *
   * @throws InvalidRequest for a type that does not limit a granted scope, for an item that the member does not have, and without a limit
   * that a rule requires
   * @throws VersionConflict as `widen` does
   */
  limit(
    site: Site,
    memberId: string,
    id: string,
    only: Only,
    expected?: ExpectedVersion,
  ): Promise<Connection | undefined>;
  /** Revokes one connection on all devices, with all its codes and tokens. Returns whether this member had it. */
  revoke(site: Site, memberId: string, id: string): Promise<boolean>;
  /** Signs one device out: its codes and tokens end. With the last device, the connection ends. Returns whether this member had it. */
  revokeDevice(site: Site, memberId: string, id: string, deviceId: string): Promise<boolean>;
  /** Revokes every connection, for example after a password change or a lost role. Returns their number. */
  revokeAll(site: Site, memberId: string): Promise<number>;
  /**
   * Ends all connections of an app or of one client. Returns their number. People can connect it again.
   * `campus.apps.list(site, { used: true })` returns the connected apps.
   *
   * With `role` it ends only the connections of people who have the role now, for example at the end of a school year. A call then looks at
   * up to 500 connections: call it again with `next` as `cursor`. `campus.people.find` returns these people. Who connects or refreshes
   * meanwhile can be missed, so begin again until a pass ends none.
   *
   * @throws InvalidRequest, with `role`, for an app that is not known, or a cursor that no call returned
   */
  end(site: Site, of: EndedBy): Promise<EndedConnections>;
}
