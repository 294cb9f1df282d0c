import type { Site } from '../contracts/platform.ts';
import { type Scope, type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
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

interface GrantOptions {
  readonly store: Pick<RecordStore, 'find' | 'save'>;
  readonly grantLifetime: number;
  readonly catalogue: ScopeCatalogue;
}

/** Each lost attempt is a consent or revocation of the same person that came first. */
const maxAttempts = 100;

/** The scopes of a grant at this origin. */
export async function grantedScopes(
  { store, catalogue }: { readonly store: Pick<RecordStore, 'find'>; readonly catalogue: ScopeCatalogue },
  site: GrantSite,
  grantId: string,
): Promise<ReadonlySet<string>> {
  return scopesAt(site, (await store.find(site.id, 'Grant', grantId))?.record, catalogue);
}

/**
 * Writes the decision to the person's grant for this client. A refused scope is removed even if it was allowed before, and
 * no access token keeps it. The grant's lifetime starts again.
 *
 * The grant is written over the version that was read. If it has changed meanwhile, the decision is applied to the new one;
 * if it was revoked, only what was allowed just now is granted.
 */
export async function saveGrant(
  { store, grantLifetime, catalogue }: GrantOptions,
  site: GrantSite,
  decision: Decision,
): Promise<void> {
  const { memberId, clientId } = decision;
  const id = grantIdOf(memberId, clientId);
  for (let i = 0; i < maxAttempts; i += 1) {
    const found = await store.find(site.id, 'Grant', id);
    const before = scopesAt(site, found?.record, catalogue);
    const record = decided(decision, site, { grant: found?.record, scopes: before }, grantLifetime);
    const left = scopesAt(site, record, catalogue);
    const written = await store.save(site.id, {
      kind: 'Grant',
      id,
      record: serializeRecord(record),
      ttl: grantLifetime,
      memberId,
      clientId,
      replaces: found?.text ?? null,
      endsAccessTokens: [...before].some((scope) => !left.has(scope)),
    });
    if (written) return;
  }
  throw new Error(`a grant was changed ${maxAttempts} times while a consent was written`);
}

function decided(
  { memberId, clientId, requested, allowed }: Decision,
  site: GrantSite,
  { grant: before, scopes }: { readonly grant: GrantRecord | undefined; readonly scopes: ReadonlySet<string> },
  grantLifetime: number,
): GrantRecord {
  const now = epochSeconds();
  const refused = requested.filter((scope) => !allowed.includes(scope));
  const removed = new Set<string>(refused);
  const kept = [...scopes].filter((scope) => !removed.has(scope));
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

/** A grant that was given at another origin, or has expired, has none. A scope that is not there any more is not granted. */
function scopesAt({ origin }: GrantSite, grant: GrantRecord | undefined, { has }: ScopeCatalogue): ReadonlySet<string> {
  const isValid = grant?.resource === origin && grant.exp > epochSeconds();
  return new Set(isValid ? splitScope(grant.scope).filter(has) : []);
}
