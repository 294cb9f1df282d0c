import type { ClientAudience } from '../contracts/client.ts';
import type { ConsentPolicy, ConsentRequest } from '../contracts/hooks.ts';
import { type Scope, splitScope } from '../protocol/scopes.ts';
import { grantIdOf, type GrantRecord } from '../records/codec.ts';
import type { Core } from '../records/core.ts';
import { epochSeconds } from '../runtime/timeout.ts';
import { type BlockCheck, changeGrant, type CurrentGrant, type GrantSite } from './changes.ts';

export interface ConsentOptions extends Pick<Core, 'store' | 'catalogue' | 'onAudit'> {
  readonly grantLifetime: number;
  readonly isBlocked: BlockCheck;
  readonly consent: readonly ConsentPolicy[];
}

export interface ConsentOutcome {
  readonly scopes: readonly Scope[];
  readonly denied: boolean;
  /** Explanations of the policies, for the person. */
  readonly texts: readonly string[];
}

/** Applies the policies in order; each gets the scopes that the one before it left. A policy cannot add a scope. */
export async function applyConsentPolicies(
  policies: readonly ConsentPolicy[],
  request: ConsentRequest,
): Promise<ConsentOutcome> {
  let scopes = request.scopes;
  const texts: string[] = [];
  for (const policy of policies) {
    const verdict = await policy({ ...request, scopes });
    if (verdict === undefined || verdict.decision === 'allow') continue;
    if (verdict.text) texts.push(verdict.text);
    if (verdict.decision === 'deny') return { scopes: [], denied: true, texts };
    const left = new Set(verdict.scopes);
    scopes = scopes.filter((scope) => left.has(scope));
  }
  return { scopes, denied: scopes.length === 0 && request.scopes.length > 0, texts };
}

interface Parties {
  readonly memberId: string;
  readonly clientId: string;
  readonly audience: ClientAudience;
  readonly reason?: 'first_party' | undefined;
}

/** What is decided about a client: the scopes of `requested` that are not `allowed` are refused. */
interface Decision {
  readonly requested: readonly string[];
  readonly allowed: readonly string[];
  /** What the person has declined, if consent policies have refused the rest. @default all that is refused */
  readonly declined?: readonly string[] | undefined;
}

/** Writes what `decide` returns. If the school has blocked the client meanwhile, the grant goes again, and the result is `false`. */
export async function writeConsent(
  options: ConsentOptions,
  site: GrantSite,
  { memberId, clientId, audience, reason }: Parties,
  decide: (current: CurrentGrant) => Decision | undefined,
): Promise<boolean> {
  const connectionId = grantIdOf(memberId, clientId);
  const changed = await changeGrant(options, site, connectionId, (current) => {
    const decision = decide(current);
    const parties = { accountId: memberId, clientId, resource: site.origin };
    return decision && granted(parties, decision, current, options.grantLifetime);
  });
  if (!changed) return true;
  if (await options.isBlocked(site.id, clientId)) {
    await options.store.revoke(site.id, { memberId, grantId: connectionId });
    return false;
  }
  const action = changed.record.rejected === undefined ? 'consent.given' : 'consent.narrowed';
  const parties = { actor: { kind: audience, id: memberId }, clientId, memberId, connectionId } as const;
  const { scopes, first } = changed;
  options.onAudit({ action, siteId: site.id, reason, ...parties, scopes, first });
  return true;
}

/** A refused scope is removed even if it was allowed before. The grant's lifetime starts again. */
function granted(
  parties: Pick<GrantRecord, 'accountId' | 'clientId' | 'resource'>,
  { requested, allowed, declined }: Decision,
  { grant: before, scopes }: CurrentGrant,
  grantLifetime: number,
): GrantRecord {
  const now = epochSeconds();
  const refused = requested.filter((scope) => !allowed.includes(scope));
  const kept = [...scopes].filter((scope) => !refused.includes(scope));
  return {
    ...parties,
    scope: [...new Set([...kept, ...allowed])].join(' '),
    rejected: refused.length > 0 ? refused.join(' ') : undefined,
    declined: declined?.join(' '),
    iat: before && before.exp > now ? before.iat : now,
    exp: now + grantLifetime,
  };
}

/** Writes a first-party client's grant. What a person declined stays declined. Returns whether school and policies allow it. */
export async function consentToFirstParty(options: ConsentOptions, request: ConsentRequest): Promise<boolean> {
  const { site, member, client, scopes: requested } = request;
  if (await options.isBlocked(site.id, client.clientId)) return false;
  const outcome = await applyConsentPolicies(options.consent, request);
  if (outcome.denied) return false;
  const { clientId, audience } = client;
  const parties = { memberId: member.id, clientId, audience, reason: 'first_party' } as const;
  return writeConsent(options, site, parties, ({ grant, scopes }) => {
    const declined = declinedIn(grant);
    const allowed = outcome.scopes.filter((scope) => !declined.includes(scope));
    const known = new Set([...scopes, ...splitScope(grant?.rejected)]);
    const isDecided =
      scopes.size > 0 && requested.every((scope) => known.has(scope) && scopes.has(scope) === allowed.includes(scope));
    return isDecided ? undefined : { requested: [...new Set([...requested, ...declined])], allowed, declined };
  });
}

/** What the person has declined, or taken away later. */
export function declinedIn(grant: GrantRecord | undefined): string[] {
  return splitScope(grant?.declined ?? grant?.rejected);
}
