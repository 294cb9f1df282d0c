import type { Site } from '../contracts/platform.ts';
import { InvalidRequest } from '../protocol/errors.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import { serializeRecord } from '../records/codec.ts';
import type { GrantRecord } from '../records/kinds.ts';
import type { RecordStore } from '../records/record-store.ts';
import type { AuditDetails } from '../runtime/audit-event.ts';
import { epochSeconds } from '../runtime/clock.ts';

interface NarrowOptions {
  readonly store: Pick<RecordStore, 'find' | 'save'>;
  readonly catalogue: ScopeCatalogue;
}

interface Narrowing {
  readonly memberId: string;
  readonly id: string;
  readonly removed: ReadonlySet<string>;
}

/** Each lost attempt is another decision of the same person that came first. */
const maxAttempts = 100;

/**
 * Takes scopes away from a grant, as a consent that refuses them does: they stay refused, and no access token keeps them. Its
 * lifetime stays as it was. Like a consent, it is written over the version that was read. Returns what has changed, or nothing if no
 * scope was taken away.
 */
export async function narrowGrant(
  { store, catalogue }: NarrowOptions,
  site: Pick<Site, 'id'>,
  { memberId, id, removed }: Narrowing,
): Promise<Pick<AuditDetails, 'clientId' | 'scopes'> | undefined> {
  for (let i = 0; i < maxAttempts; i += 1) {
    const found = await store.find(site.id, 'Grant', id);
    if (!found || found.record.accountId !== memberId) return undefined;
    const { clientId, scope, exp } = found.record;
    const before = splitScope(scope).filter(catalogue.has);
    const lost = before.filter((each) => removed.has(each));
    if (lost.length === 0) return undefined;
    if (lost.length === before.length) {
      throw new InvalidRequest('at least one scope must be left; revoke the connection in place of its last scope');
    }
    const written = await store.save(site.id, {
      kind: 'Grant',
      id,
      record: serializeRecord(without(lost, found.record)),
      ttl: exp - epochSeconds(),
      memberId,
      clientId,
      replaces: found.text,
      endsAccessTokens: true,
    });
    if (written) return { clientId, scopes: { before, after: before.filter((each) => !removed.has(each)) } };
  }
  throw new Error(`a grant was changed ${maxAttempts} times while scopes were taken from it`);
}

function without(lost: readonly string[], grant: GrantRecord): GrantRecord {
  const joined = (before: string | undefined): string => [...new Set([...splitScope(before), ...lost])].join(' ');
  return {
    ...grant,
    scope: splitScope(grant.scope)
      .filter((each) => !lost.includes(each))
      .join(' '),
    rejected: joined(grant.rejected),
    declined: grant.declined === undefined ? undefined : joined(grant.declined),
  };
}
