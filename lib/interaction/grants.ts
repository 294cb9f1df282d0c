import type { BlockCheck } from '../connections/blocks.ts';
import type { ClientAudience } from '../contracts/client.ts';
import type { Site } from '../contracts/platform.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import { grantIdOf, serializeRecord } from '../records/codec.ts';
import type { GrantRecord } from '../records/kinds.ts';
import type { RecordStore } from '../records/record-store.ts';
import type { AuditEvent, OnAudit } from '../runtime/audit-event.ts';
import { epochSeconds } from '../runtime/clock.ts';

type GrantSite = Pick<Site, 'id' | 'origin'>;

export interface GrantOptions {
  readonly store: Pick<RecordStore, 'find' | 'save' | 'revoke'>;
  readonly grantLifetime: number;
  readonly isBlocked: BlockCheck;
  readonly catalogue: ScopeCatalogue;
  readonly onAudit: OnAudit;
}

interface GrantParties {
  readonly memberId: string;
  readonly clientId: string;
  readonly audience: ClientAudience;
}

/** What is decided about a client. Of `requested`, what is not `allowed` is refused. */
interface Decision {
  readonly requested: readonly string[];
  readonly allowed: readonly string[];
  /** What the person has declined, if consent policies have refused the rest. @default all that is refused */
  readonly declined?: readonly string[] | undefined;
  /** Of the audit event. */
  readonly reason?: 'first_party' | undefined;
}

/** What the audit log says of a consent. */
interface SavedConsent extends Pick<AuditEvent, 'reason' | 'scopes'> {
  readonly isNarrowed: boolean;
}

/** Decides from the grant as it is, and the scopes that it has; nothing if that need not change. */
export type Decide = (before: GrantRecord | undefined, granted: ReadonlySet<string>) => Decision | undefined;

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
 * Writes a grant, unless the school has blocked the client: then the grant is removed again. Who blocks a client writes that
 * down and then removes all grants, so of both at the same moment one sees the other. Returns whether the grant stands.
 */
export async function grantUnlessBlocked(
  options: GrantOptions,
  site: GrantSite,
  parties: GrantParties,
  decide: Decide,
): Promise<boolean> {
  const saved = await saveGrant(options, site, parties, decide);
  if (!saved) return true;
  const { memberId, clientId, audience } = parties;
  if (!(await options.isBlocked(site.id, clientId))) {
    const { isNarrowed, ...details } = saved;
    const connection = { actor: { kind: audience, id: memberId }, clientId, memberId } as const;
    const connectionId = grantIdOf(memberId, clientId);
    const action = isNarrowed ? 'consent.narrowed' : 'consent.given';
    options.onAudit({ action, siteId: site.id, ...connection, connectionId, ...details });
    return true;
  }
  await options.store.revoke(site.id, { memberId, grantId: grantIdOf(memberId, clientId) });
  return false;
}

/**
 * Writes the decision to the person's grant for this client. A refused scope is removed even if it was allowed before, and
 * no access token keeps it. The grant's lifetime starts again.
 *
 * The grant is written over the version that was read. If it has changed meanwhile, the decision is applied to the new one;
 * if it was revoked, only what was allowed just now is granted. Returns what has changed, if anything was written.
 */
async function saveGrant(
  { store, grantLifetime, catalogue }: Pick<GrantOptions, 'store' | 'grantLifetime' | 'catalogue'>,
  site: GrantSite,
  parties: GrantParties,
  decide: Decide,
): Promise<SavedConsent | undefined> {
  const { memberId, clientId } = parties;
  const id = grantIdOf(memberId, clientId);
  for (let i = 0; i < maxAttempts; i += 1) {
    const found = await store.find(site.id, 'Grant', id);
    const before = scopesAt(site, found?.record, catalogue);
    const decision = decide(found?.record, before);
    if (!decision) return undefined;
    const grant = { grant: found?.record, scopes: before };
    const record = decided({ ...parties, ...decision }, site, grant, grantLifetime);
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
    if (!written) continue;
    const isNarrowed = decision.requested.some((scope) => !decision.allowed.includes(scope));
    return { isNarrowed, reason: decision.reason, scopes: { before: [...before], after: [...left] } };
  }
  throw new Error(`a grant was changed ${maxAttempts} times while a consent was written`);
}

function decided(
  { memberId, clientId, requested, allowed, declined }: Omit<GrantParties, 'audience'> & Decision,
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
    declined: declined?.join(' '),
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
