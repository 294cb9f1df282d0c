import { splitScope } from '../scopes/scopes.ts';
import type { GrantRecord } from '../../records/codec.ts';

/**
 * What a person has given to a connection later, by the token families that it had then: the devices that were signed in. Their refresh
 * tokens have the scopes of their own consent. A family that starts later has a consent of its own.
 */
type Added = NonNullable<GrantRecord['added']>;

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

/** The scopes of a refresh token: its own, and what was added for its family and is still granted. */
export function scopesWithAdded(
  own: string | undefined,
  familyId: string | undefined,
  grant: Pick<GrantRecord, 'scope' | 'added'> | undefined,
): string[] {
  const added = familyId === undefined ? undefined : grant?.added?.[familyId];
  if (!grant || !added) return splitScope(own);
  const granted = splitScope(grant.scope);
  return [...new Set([...splitScope(own), ...added.filter((scope) => granted.includes(scope))])];
}
