import { type Only, sameLimits } from '../boundaries/boundary.ts';
import { type LimitChoice, limitsWith } from '../boundaries/limit-choices.ts';
import type { GrantFilter } from '../../records/store.ts';
import { digest } from '../../kernel/crypto.ts';
import { VersionConflict, type ExpectedVersion } from '../clients/expected-version.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { type ScopeCatalogue, splitScope } from '../scopes/scopes.ts';
import { type GrantRecord, serializeRecord } from '../../records/codec.ts';
import type { OnAudit, EventDetails } from '../../observe/audit-event.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { withoutAdded, withScopesAdded } from './added-scopes.ts';
import type { RecordStore } from '../../records/record-store.ts';

export interface GrantSite {
  readonly id: string;
  readonly origin: string;
  readonly formerOrigins?: readonly string[] | undefined;
}

/** A grant as it is, if there is one, and the scopes that it has at this origin. */
export interface CurrentGrant {
  readonly grant: GrantRecord | undefined;
  readonly scopes: ReadonlySet<string>;
  /** Its devices that are signed in, as far as the store knows. */
  readonly familyIds: readonly string[];
}

export interface ChangedGrant {
  readonly record: GrantRecord;
  readonly scopes: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** There was none before. */
  readonly first: true | undefined;
}

export type ChangeOptions = { readonly store: RecordStore; readonly catalogue: ScopeCatalogue };

/** Each lost attempt is another decision about the same grant that came first. */
const maxAttempts = 100;

/** Changes a grant over the version that was read. No access token keeps a scope that it loses. Without a record, nothing is written. */
export async function changeGrant(
  { store, catalogue }: ChangeOptions,
  site: GrantSite,
  id: string,
  change: (current: CurrentGrant) => GrantRecord | undefined,
): Promise<ChangedGrant | undefined> {
  for (let i = 0; i < maxAttempts; i += 1) {
    const found = await store.find(site.id, 'Grant', id);
    const before = scopesAt(site, found?.record, catalogue);
    const familyIds = (found?.devices ?? []).map(({ familyId }) => familyId);
    const record = change({ grant: found?.record, scopes: before, familyIds });
    if (!record) return undefined;
    const after = scopesAt(site, record, catalogue);
    const written = await store.save(site.id, {
      kind: 'Grant',
      id,
      record: serializeRecord('Grant', record),
      ttl: record.exp - epochSeconds(),
      memberId: record.accountId,
      clientId: record.clientId,
      app: record.app,
      replaces: found?.text ?? null,
      // An access token has a copy of the limits, and says who the person is for the client.
      endsAccessTokens:
        [...before].some((scope) => !after.has(scope)) ||
        !sameLimits(found?.record.only, record.only) ||
        (found !== undefined && found.record.sub !== record.sub),
    });
    const first = found ? undefined : true;
    if (written) return { record, scopes: { before: [...before], after: [...after] }, first };
  }
  throw new Error(`a grant was changed ${maxAttempts} times by others while one change was written`);
}

interface Narrowing {
  readonly memberId: string;
  readonly id: string;
  readonly removed: ReadonlySet<string>;
}

/** Takes scopes away from a grant, as a consent that refuses them does: they stay refused. Its lifetime stays as it was. */
export function narrowGrant(
  options: ChangeOptions,
  site: GrantSite,
  { memberId, id, removed }: Narrowing,
): Promise<ChangedGrant | undefined> {
  return changeGrant(options, site, id, ({ grant, scopes }) => {
    const lost = [...scopes].filter((scope) => removed.has(scope));
    if (grant?.accountId !== memberId || lost.length === 0) return undefined;
    if (lost.length === scopes.size) {
      throw new InvalidRequest('cannot remove the last scope; call connections.revoke to end the connection');
    }
    return { ...withoutScopes(grant, lost), changed: epochSeconds() };
  });
}

/** A grant that has lost scopes: the member has refused them. */
export function withoutScopes(grant: GrantRecord, lost: readonly string[]): GrantRecord {
  const joined = (before: string | undefined): string => [...new Set([...splitScope(before), ...lost])].join(' ');
  const left = splitScope(grant.scope).filter((scope) => !lost.includes(scope));
  const added = withoutAdded(grant.added, (scope) => lost.includes(scope));
  return { ...grant, scope: left.join(' '), rejected: joined(grant.rejected), declined: joined(grant.declined), added };
}

interface Widening extends ExpectedVersion {
  readonly memberId: string;
  readonly id: string;
  /** What may be given by now. */
  readonly given: readonly string[];
  /** What the grant is limited to from then on, also if another call has given the scopes first. @default what it is limited to already */
  readonly choice?: LimitChoice | undefined;
  /** What it was limited to when that was chosen. */
  readonly before: Only | undefined;
}

/**
 * Gives a grant scopes that it was refused, for the devices that are signed in. Its lifetime stays as it was, and its access tokens do unless its limits change.
 * A limit of a type that is no longer declared stays: the choice is about other types.
 *
 * @throws InvalidRequest if another call has changed the limits since
 * @throws VersionConflict if it has another version than the person saw
 */
export function widenGrant(
  options: ChangeOptions,
  site: GrantSite,
  { memberId, id, given, choice, before, version }: Widening,
): Promise<ChangedGrant | undefined> {
  return changeGrant(options, site, id, ({ grant, scopes, familyIds }) => {
    const refused = refusedIn(grant);
    const gained = given.filter((scope) => refused.includes(scope) && !scopes.has(scope));
    if (grant?.accountId !== memberId || scopes.size === 0) return undefined;
    const only = choice ? limitsWith(grant.only, choice) : grant.only;
    const isLimited = !sameLimits(only, grant.only);
    if (isLimited || gained.length > 0) checkVersion(id, grant, version);
    if (isLimited && !sameLimits(grant.only, before)) {
      throw new InvalidRequest(
        'the limits of the connection have changed since they were read; read them and choose again',
      );
    }
    const changed = epochSeconds();
    if (gained.length === 0) return isLimited ? { ...grant, only, changed } : undefined;
    const left = (list: string | undefined): string =>
      splitScope(list)
        .filter((scope) => !gained.includes(scope))
        .join(' ');
    const scope = [...splitScope(grant.scope), ...gained].join(' ');
    const added = withScopesAdded(grant.added, familyIds, gained);
    return {
      ...grant,
      scope,
      rejected: left(grant.rejected) || undefined,
      declined: left(grant.declined),
      added,
      only,
      changed,
    };
  });
}

/** Another one after each change of what a grant gives. */
export function grantVersion({ scope, only = {} }: GrantRecord): string {
  const limits = Object.entries(only).map(([type, ids]) => [type, [...ids].sort()] as const);
  return digest(JSON.stringify([splitScope(scope).sort(), limits.sort(([a], [b]) => (a < b ? -1 : 1))]));
}

/** @throws VersionConflict if the person has changed the grant since */
function checkVersion(id: string, grant: GrantRecord, version: string | undefined): void {
  if (version === undefined || version === grantVersion(grant)) return;
  const { iat, at = iat, changed = at, accountId: by } = grant;
  throw new VersionConflict(`the connection ${id}`, { at: Math.max(at, changed), by });
}

/** What the client asked for at some time, and was not given. */
export function refusedIn(grant: GrantRecord | undefined): string[] {
  return [...new Set([...splitScope(grant?.rejected), ...splitScope(grant?.declined)])];
}

interface Limiting extends ExpectedVersion {
  readonly memberId: string;
  readonly id: string;
  readonly choice: LimitChoice;
}

/**
 * Changes what a grant is limited to, in the types of the choice. Its lifetime stays as it was.
 *
 * @throws VersionConflict if it has another version than the person saw
 */
export function limitGrant(
  options: ChangeOptions,
  site: GrantSite,
  { memberId, id, choice, version }: Limiting,
): Promise<ChangedGrant | undefined> {
  return changeGrant(options, site, id, ({ grant, scopes }) => {
    if (grant?.accountId !== memberId || scopes.size === 0) return undefined;
    const only = limitsWith(grant.only, choice);
    if (sameLimits(only, grant.only)) return undefined;
    checkVersion(id, grant, version);
    return { ...grant, only, changed: epochSeconds() };
  });
}

/** Grants for other origins and expired ones carry no scopes. A scope that is not in the catalogue is not granted. */
export function scopesAt(
  site: GrantSite,
  grant: GrantRecord | undefined,
  { has }: ScopeCatalogue,
): ReadonlySet<string> {
  const isHere = grant && (grant.resource === site.origin || site.formerOrigins?.includes(grant.resource));
  const isValid = isHere && grant.exp > epochSeconds();
  return new Set(isValid ? splitScope(grant.scope).filter(has) : []);
}

/** No store takes a member and a client: it would take the client alone. */
type EndedGrants =
  Extract<GrantFilter, { memberId: string }> | { readonly clientId: string; readonly memberId?: undefined };

/** An event names so many of the people whose connections have ended, and counts all. */
const maxNamed = 100;

/** So many people find it among what is new. The others see that the app is not connected. */
const maxTold = 5000;

/** Removes grants with all their tokens, and reports it if any was left, with the people. Returns how many it removed. */
export async function endGrants(
  { store, onAudit }: { readonly store: RecordStore; readonly onAudit: OnAudit },
  siteId: string,
  filter: EndedGrants,
  details: EventDetails,
): Promise<number> {
  const people: string[] = [];
  const connections = await store.revoke(siteId, filter, (memberId) => {
    if (people.length < maxTold) people.push(memberId);
  });
  const memberIds = people.slice(0, maxNamed);
  // One connection has an id in place of a number, and those of one person have theirs.
  const named = details.memberId === undefined && memberIds.length > 0 && { memberIds };
  const counted = details.connectionId === undefined && { connections, ...named };
  if (connections > 0) {
    onAudit({ action: 'connection.ended', siteId, ...details, ...counted });
    await store.tellEnded(siteId, details.memberId === undefined ? people : [details.memberId], details);
  }
  return connections;
}
