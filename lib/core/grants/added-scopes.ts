import { splitScope } from '../scopes/scopes.ts';
import type { GrantRecord } from '../../records/codec.ts';

/**
 * What a person has given to a connection later, by the token families that it had then: the devices that were signed in. Their refresh
 * tokens have the scopes of their own consent. A family that starts later has a consent of its own.
 */
type Added = Readonly<Record<string, readonly string[]>>;

/** The families that no longer exist are left out. */
export function withScopesAdded(
  before: Added | undefined,
  familyIds: readonly string[],
  scopes: readonly string[],
): Added {
  return Object.fromEntries(familyIds.map((id) => [id, [...new Set([...(before?.[id] ?? []), ...scopes])]]));
}

export function withoutAdded(before: Added | undefined, isLost: (scope: string) => boolean): Added | undefined {
  const left = Object.entries(before ?? {})
    .map(([id, scopes]) => [id, scopes.filter((scope) => !isLost(scope))] as const)
    .filter(([, scopes]) => scopes.length > 0);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** What a refresh may ask for. */
export interface RefreshScopes {
  /** The scopes that it can give: those of the refresh token, and what was added for its family and is still granted. */
  readonly all: readonly string[];
  /** Those that the refresh token was issued with, as far as they are still granted. */
  readonly issued: readonly string[];
  /** What its client was given or refused at some time, on any device. */
  readonly known: ReadonlySet<string>;
}

export function refreshScopes(
  own: string | undefined,
  familyId: string | undefined,
  grant: GrantRecord | undefined,
): RefreshScopes {
  const issued = splitScope(own);
  const granted = splitScope(grant?.scope);
  const added = (familyId === undefined ? undefined : grant?.added?.[familyId]) ?? [];
  return {
    all: [...new Set([...issued, ...added.filter((scope) => granted.includes(scope))])],
    issued: issued.filter((scope) => granted.includes(scope)),
    known: new Set([...issued, ...granted, ...splitScope(grant?.rejected), ...splitScope(grant?.declined)]),
  };
}

/**
 * Whether a refresh names at least all that its refresh token was issued with: several apps repeat in each refresh what they were
 * given, and get what the person gives them later only if that says no more than naming nothing.
 */
export function namesAll(named: readonly string[], { issued, known }: RefreshScopes): boolean {
  return issued.every((scope) => named.includes(scope)) && named.every((scope) => known.has(scope));
}
