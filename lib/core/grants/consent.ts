import type { Only } from '../boundaries/boundary.ts';
import { type LimitChoice, limitsWith } from '../boundaries/limit-choices.ts';
import type { ClientUse } from '../decisions/allowance.ts';
import { personAudience } from '../clients/client-metadata.ts';
import type { Member } from '../../host/school-platform.ts';
import type { PolicySources } from '../decisions/consent-policy.ts';
import { canConnect, type PersonQuestion } from '../decisions/person-decision.ts';
import { splitScope, type ScopeCatalogue } from '../scopes/scopes.ts';
import { grantIdOf, type GrantRecord } from '../../records/codec.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { NoteClient } from './redemption.ts';
import { withoutAdded } from './added-scopes.ts';
import { changeGrant, type ChangeOptions, type CurrentGrant, type GrantSite, scopesAt } from './changes.ts';
import type { Core } from '../core.ts';

/** With what consents are decided and written. */
export interface ConsentOptions extends PolicySources {
  readonly core: Core;
  readonly catalogue: ScopeCatalogue;
  readonly noteClient: NoteClient;
}

/** The client and the person who decides on it. */
type Parties = ClientUse & { readonly member: Member };

/** What is decided about a client: the scopes of `requested` that are not `allowed` are refused. */
interface Decision {
  readonly requested: readonly string[];
  readonly allowed: readonly string[];
  /** What the person has declined: rules and consent policies have refused the rest. */
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
  use: Parties,
  decide: (current: CurrentGrant) => Decision | undefined,
  reason?: 'first_party',
): Promise<boolean> {
  const { records, limits, decisions, audit } = options.core;
  const { store } = records;
  const { site, clientId, audience } = use;
  const memberId = use.member.id;
  const connectionId = grantIdOf(memberId, clientId);
  let decided: Decision | undefined;
  const app = use.app?.id;
  const sub = await pseudonymFor(options.core, use);
  await options.noteClient(site.id, { clientId, app: use.isStatic ? undefined : app });
  const changed = await changeGrant({ store, catalogue: options.catalogue }, site, connectionId, (current) => {
    decided = decide(current);
    const named = { ...(sub !== undefined && { sub }), ...(use.appKey !== undefined && { app: use.appKey }) };
    const parties = { accountId: memberId, clientId, resource: site.origin, ...named };
    if (!decided) return undefined;
    const only = limitsWith(current.grant?.only, decided.limits);
    return { ...granted(parties, decided, current, limits.lifetimes(site).grant), only };
  });
  if (!changed) return true;
  const { refusal, countsWith } = await decisions.allowance(use);
  if (refusal || decided?.allowed.every(countsWith(changed.record.only)) !== true) {
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
async function pseudonymFor({ subjects: { pseudonymOf }, decisions }: Core, use: Parties): Promise<string | undefined> {
  if (!pseudonymOf || !use.sector) return undefined;
  const { pseudonym } = await decisions.allowance(use);
  return pseudonym ? pseudonymOf(use.site.id, use.sector(), use.member.id) : undefined;
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
  use: ClientUse,
  question: Omit<PersonQuestion, 'member' | 'allowed' | 'purpose'> & { readonly member: Member },
): Promise<boolean> {
  const { decisions } = options.core;
  const { member, requested } = question;
  const allowed = await decisions.allowance(use);
  const decision = await decisions.personDecision({ ...question, allowed, purpose: 'first_party' });
  if (!canConnect(decision)) return false;
  const sub = await pseudonymFor(options.core, { ...use, member });
  const decide = ({ grant, scopes }: CurrentGrant): Decision | undefined => {
    const declined = declinedIn(grant);
    // Nobody is asked, so what needs a limit by a rule is not given without one.
    const counts = allowed.countsWith(grant?.only);
    const given = decision.scopes.filter((scope) => !declined.includes(scope) && counts(scope));
    const known = new Set([...scopes, ...splitScope(grant?.rejected)]);
    const isDecided =
      grant?.sub === sub &&
      scopes.size > 0 &&
      requested.every((scope) => known.has(scope) && scopes.has(scope) === given.includes(scope));
    return isDecided ? undefined : { requested: [...new Set([...requested, ...declined])], allowed: given, declined };
  };
  return writeConsent(options, { ...use, member }, decide, 'first_party');
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
