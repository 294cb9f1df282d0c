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
  /** The identifier for `Connections.revoke`; in `devices`, the identifier of a device for `revokeDevice`. */
  readonly id: string;
  /** The `sub` by which the client knows the member, if that is a pseudonym. Absent: their id. */
  readonly pseudonym?: string | undefined;
  /** The granted scopes. */
  readonly scopes: readonly Scope[];
  /** What the member has limited it to, by the type of boundary. Absent if it is not limited. */
  readonly only?: Only | undefined;
  /** Another one after each change of its scopes or limits. */
  readonly version: string;
  /** When the member first authorized the client, in seconds since the epoch. */
  readonly createdAt: number;
  /** When the member last authorized the client, in seconds since the epoch. */
  readonly allowedAt: number;
  /**
   * When the client last received tokens, in seconds since the epoch; it may have used an access token later. Absent if
   * the store does not know, or if the client has no valid refresh token.
   */
  readonly lastUsedAt?: number | undefined;
  /** When its access ends unless the member authorizes it again, in seconds since the epoch. */
  readonly expiresAt: number;
  /** Scopes that it asked for and was not granted: the member, a rule or a policy refused them. */
  readonly refused: readonly Scope[];
  /**
   * The devices on which the client is signed in, or other places: each authorization starts one. Those that received tokens last
   * come first. Nothing tells what a device is. Absent if the store does not know.
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
  /** Returns the member's connections. Those that the member allowed last come first. */
  list(site: Site, memberId: string, query?: ListQuery): Promise<ListPage<Connection>>;
  /** Returns one connection, if this member has it. */
  find(site: Site, memberId: string, id: string): Promise<Connection | undefined>;
  /**
   * Takes scopes away from a connection: no access token has them afterwards, and the next refresh gives what is left. Returns the
   * connection as it is then, or nothing if this member does not have it. The client can ask the member for them again, and `widen` gives them back.
   *
   * @throws InvalidRequest if no scope would be left: use `revoke`
   */
  narrow(site: Site, memberId: string, id: string, scopes: readonly Scope[]): Promise<Connection | undefined>;
  /**
   * Returns the scopes that `widen` can give to a connection now: the client asked for them and was refused, and rules, approvals and consent
   * policies leave them to this member. None if no device is signed in, if it is limited by a type that is no longer declared, or if this
   * member does not have it.
   */
  givable(site: Site, memberId: string, id: string): Promise<readonly Scope[]>;
  /**
   * Gives scopes to a connection, as if the member had ticked them at consent: on each device that is signed in, the next refresh has them.
   * Tokens of before stay as they are, unless `only` changes the limits. Returns the connection as it is then, or nothing if this member does not have
   * it or, with `only`, is no longer at the school. A scope that it has is not given again.
   *
   * @param only - what the connection is limited to with these scopes, as for `limit`, also if it has them already; a limit of a type that is no longer
   * declared stays. Without it all limits stay: by a type that it was not limited by, these scopes are not limited either
   * @throws InvalidRequest for a scope that `givable` does not return, for limits as `limit` does, and if other limits are chosen at the same time
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
   * Sets what a connection is limited to, wider or narrower than before: `{ class: ['7b'] }`; a type that is absent is not limited, and `{}` removes
   * all limits. Its access tokens end, and the next refresh has the new limits. Returns the connection as it is then, or nothing if this
   * member does not have it.
   *
   * @throws InvalidRequest for a type that no granted scope is limited by, for an item that the member does not have, and where it leaves out a type
   * for which a rule demands a limit
   * @throws VersionConflict as `widen` does
   */
  limit(
    site: Site,
    memberId: string,
    id: string,
    only: Only,
    expected?: ExpectedVersion,
  ): Promise<Connection | undefined>;
  /** Revokes one connection on all devices: all of its codes and tokens. Returns whether this member had it. */
  revoke(site: Site, memberId: string, id: string): Promise<boolean>;
  /**
   * Signs one device out: its codes and tokens end, and with the last device the connection. Returns whether this member had it.
   */
  revokeDevice(site: Site, memberId: string, id: string, deviceId: string): Promise<boolean>;
  /** Revokes every connection, for example after a password change or a lost role. Returns how many there were. */
  revokeAll(site: Site, memberId: string): Promise<number>;
  /**
   * Ends all connections of an app, or of one client; people can connect it again. What people are connected to is in
   * `campus.apps.list(site, { used: true })`. Returns how many there were.
   *
   * With `role` it ends those of people who have the role now, for example at the end of a school year. A call then looks at up to 500
   * connections: call it again with `next` as `cursor`. `campus.people.find` returns these people. Who connects or refreshes meanwhile can be
   * missed, so begin again until a pass ends none.
   *
   * @throws InvalidRequest, with `role`, for an app that is not known, or a cursor that no call returned
   */
  end(site: Site, of: EndedBy): Promise<EndedConnections>;
}
