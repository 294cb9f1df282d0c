import type { Site } from '../contracts/platform.ts';
import { type Scope, splitScope } from '../protocol/scopes.ts';
import { grantIdOf, serializeRecord } from '../records/codec.ts';
import type { GrantRecord } from '../records/kinds.ts';
import type { RecordStore } from '../records/record-store.ts';
import { epochSeconds } from '../runtime/clock.ts';

type GrantSite = Pick<Site, 'id' | 'origin'>;

/** What a person has decided about a client. */
interface Decision {
  readonly memberId: string;
  readonly clientId: string;
  readonly requested: readonly Scope[];
  readonly allowed: readonly Scope[];
}

/** Each lost attempt is a consent or revocation of the same person that came first. */
const maxAttempts = 100;

/** The scopes of a grant at this origin. */
export async function grantedScopes(
  store: Pick<RecordStore, 'find'>,
  site: GrantSite,
  grantId: string,
): Promise<ReadonlySet<string>> {
  return scopesAt(site, (await store.find(site.id, 'Grant', grantId))?.record);
}

/**
 * Writes the decision to the person's grant for this client. A refused scope is removed even if it was allowed before, and
 * no access token keeps it. The grant's lifetime starts again.
 *
 * The grant is written over the version that was read. If it has changed meanwhile, the decision is applied to the new one;
 * if it was revoked, only what was allowed just now is granted.
 */
export async function saveGrant(
  { store, grantLifetime }: { readonly store: Pick<RecordStore, 'find' | 'save'>; readonly grantLifetime: number },
  site: GrantSite,
  decision: Decision,
): Promise<void> {
  const { memberId, clientId } = decision;
  const id = grantIdOf(memberId, clientId);
  for (let i = 0; i < maxAttempts; i += 1) {
    const found = await store.find(site.id, 'Grant', id);
    const record = decided(decision, site, found?.record, grantLifetime);
    const left = scopesAt(site, record);
    const written = await store.save(site.id, {
      kind: 'Grant',
      id,
      record: serializeRecord(record),
      ttl: grantLifetime,
      memberId,
      clientId,
      replaces: found?.text ?? null,
      endsAccessTokens: [...scopesAt(site, found?.record)].some((scope) => !left.has(scope)),
    });
    if (written) return;
  }
  throw new Error(`a grant was changed ${maxAttempts} times while a consent was written`);
}

function decided(
  { memberId, clientId, requested, allowed }: Decision,
  site: GrantSite,
  before: GrantRecord | undefined,
  grantLifetime: number,
): GrantRecord {
  const now = epochSeconds();
  const refused = requested.filter((scope) => !allowed.includes(scope));
  const removed = new Set<string>(refused);
  const kept = [...scopesAt(site, before)].filter((scope) => !removed.has(scope));
  return {
    accountId: memberId,
    clientId,
    scope: [...new Set([...kept, ...allowed])].join(' '),
    rejected: refused.length > 0 ? refused.join(' ') : undefined,
    resource: site.origin,
    iat: before && before.exp > now ? before.iat : now,
    exp: now + grantLifetime,
  };
}

/** A grant that was given at another origin, or has expired, has none. */
function scopesAt({ origin }: GrantSite, grant: GrantRecord | undefined): ReadonlySet<string> {
  return new Set(grant?.resource === origin && grant.exp > epochSeconds() ? splitScope(grant.scope) : []);
}
