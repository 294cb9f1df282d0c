import type { Only } from '../boundaries/boundary.ts';
import { type LimitChoice, limitsWith } from '../boundaries/limit-choices.ts';
import { canConnect, outcomeOf, type Permission } from '../access/permission.ts';
import { countsWith } from '../access/demanded-limits-are-chosen.ts';
import type { UsedClient } from '../access/used-client.ts';
import { personAudience } from '../clients/client-metadata.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import { ruledId } from '../access/app.ts';
import { splitScope, type ScopeCatalogue } from '../scopes/scopes.ts';
import { grantIdOf, type GrantRecord } from '../../records/codec.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { NoteClient } from './redemption.ts';
import { withoutAdded } from './added-scopes.ts';
import { changeGrant, type ChangeOptions, type CurrentGrant, type GrantSite, scopesAt } from './changes.ts';
import type { Core } from '../core.ts';

/** With what consents are decided and written. */
export interface ConsentOptions {
  readonly core: Core;
  readonly catalogue: ScopeCatalogue;
  readonly noteClient: NoteClient;
}

/** The client and the person who decides on it. */
export interface Parties {
  readonly site: Site;
  readonly client: UsedClient;
  readonly member: Member;
}

/** What is decided about a client: the scopes of `requested` that are not `allowed` are refused. */
interface Decision {
  readonly requested: readonly string[];
  readonly allowed: readonly string[];
  /** What the person has declined: rules have refused the rest. */
  readonly declined: readonly string[];
  /** What the person has limited it to. @default as before */
  readonly limits?: LimitChoice | undefined;
}

/**
 * Writes what `decide` returns. If the client may not get it by now, the grant goes again, and the result is `false`: a rule is
 * written before the connections end that the client's note leads to, so each sees the other.
 */
export async function writeConsent(
  options: ConsentOptions,
  { site, client, member }: Parties,
  decide: (current: CurrentGrant) => Decision | undefined,
  reason?: 'first_party',
): Promise<boolean> {
  const { records, limits, access, audit } = options.core;
  const { store } = records;
  const { clientId, audience, appKey, isStatic } = client;
  const memberId = member.id;
  const connectionId = grantIdOf(memberId, clientId);
  let decided: Decision | undefined;
  const app = client.identity && ruledId(client.identity);
  const sub = await pseudonymFor(options, { site, client, member });
  await options.noteClient(site.id, { clientId, app: isStatic ? undefined : app });
  const changed = await changeGrant({ store, catalogue: options.catalogue }, site, connectionId, (current) => {
    decided = decide(current);
    const named = { ...(sub !== undefined && { sub }), ...(appKey !== undefined && { app: appKey }) };
    const parties = { accountId: memberId, clientId, resource: site.origin, ...named };
    if (!decided) return undefined;
    const only = limitsWith(current.grant?.only, decided.limits);
    return { ...granted(parties, decided, current, limits.lifetimes(site).grant), only };
  });
  if (!changed) return true;
  const { allowed = [] } = decided ?? {};
  const chosen = { only: changed.record.only };
  const now = await access.permit({ site, client, member, scopes: allowed, at: 'connect', chosen });
  if (now.refused || now.scopes.length < allowed.length) {
    await store.revoke(site.id, { memberId, grantId: connectionId });
    return false;
  }
  const action = changed.record.rejected === undefined ? 'consent.given' : 'consent.narrowed';
  const actor = { kind: personAudience(audience), id: memberId };
  const { scopes, first } = changed;
  const only = changed.record.only;
  audit.onAudit({
    action,
    siteId: site.id,
    reason,
    actor,
    clientId,
    app,
    memberId,
    connectionId,
    scopes,
    only,
    first,
  });
  return true;
}

/** What the client knows the person by, if not by their id. */
async function pseudonymFor({ core }: ConsentOptions, { site, client, member }: Parties): Promise<string | undefined> {
  const { pseudonymOf } = core.subjects;
  if (!pseudonymOf || !client.sector) return undefined;
  const { pseudonym } = await core.access.permit({ site, client, member, scopes: ['openid'], at: 'connect' });
  return pseudonym ? pseudonymOf(site.id, client.sector(), member.id) : undefined;
}

/** Whose grant it is. */
interface GrantParties {
  readonly accountId: string;
  readonly clientId: string;
  readonly resource: string;
  readonly sub?: string;
  readonly app?: string;
}

/** A refused scope is removed even if it was allowed before. The grant's lifetime starts again. */
function granted(
  parties: GrantParties,
  { requested, allowed, declined }: Decision,
  { grant: before, scopes }: CurrentGrant,
  grantLifetime: number,
): GrantRecord {
  const now = epochSeconds();
  const refused = requested.filter((scope) => !allowed.includes(scope));
  const kept = [...scopes].filter((scope) => !refused.includes(scope));
  const iat = before && before.exp > now ? before.iat : now;
  return {
    ...parties,
    scope: [...new Set([...kept, ...allowed])].join(' '),
    rejected: refused.length > 0 ? refused.join(' ') : undefined,
    declined: declined.join(' '),
    added: withoutAdded(before?.added, (scope) => !kept.includes(scope)),
    iat,
    at: iat < now ? now : undefined,
    exp: now + grantLifetime,
  };
}

/** Writes a first-party client's grant. What a person declined stays declined. Returns whether school and policies allow it. */
export async function consentToFirstParty(
  options: ConsentOptions,
  parties: Parties,
  { requested, permission }: { readonly requested: readonly string[]; readonly permission: Permission },
): Promise<boolean> {
  const { rules } = options.core;
  if (!canConnect(outcomeOf(permission, requested, options.catalogue))) return false;
  const sub = await pseudonymFor(options, parties);
  const decide = ({ grant, scopes }: CurrentGrant): Decision | undefined => {
    const declined = declinedIn(grant);
    // Nobody is asked, so what needs a limit by a rule is not given without one.
    const counts = countsWith(permission.rule, grant?.only, rules.sources.boundaries);
    const given = permission.scopes.filter((scope) => !declined.includes(scope) && counts(scope));
    const known = new Set([...scopes, ...splitScope(grant?.rejected)]);
    const isDecided =
      grant?.sub === sub &&
      scopes.size > 0 &&
      requested.every((scope) => known.has(scope) && scopes.has(scope) === given.includes(scope));
    return isDecided ? undefined : { requested: [...new Set([...requested, ...declined])], allowed: given, declined };
  };
  return writeConsent(options, parties, decide, 'first_party');
}

/** What a person decided about a client before. */
export interface EarlierConsent {
  readonly allowed: ReadonlySet<string>;
  readonly declined: ReadonlySet<string>;
  /** What they limited it to. Absent if nothing. */
  readonly only?: Only | undefined;
}

export async function earlierConsent(
  { store, catalogue }: ChangeOptions,
  site: GrantSite,
  grantId: string,
): Promise<EarlierConsent> {
  const grant = (await store.find(site.id, 'Grant', grantId))?.record;
  const allowed = scopesAt(site, grant, catalogue);
  if (allowed.size === 0) return { allowed, declined: new Set() };
  return { allowed, declined: new Set(declinedIn(grant)), only: grant?.only };
}

/** What the person has declined, or taken away later. */
export function declinedIn(grant: GrantRecord | undefined): string[] {
  return splitScope(grant?.declined);
}
