import type { KoaContextWithOIDC } from 'oidc-provider';
import { audienceOf, clientInfo, isFirstParty } from '../clients/metadata.ts';
import type { ConsentPolicy } from '../contracts/consent.ts';
import { splitScope } from '../protocol/scopes.ts';
import { currentEngineRequest } from '../provider/engine-request.ts';
import { grantIdOf } from '../records/codec.ts';
import type { GrantRecord } from '../records/kinds.ts';
import { applyConsentPolicies } from './consent-policies.ts';
import { type Decide, type GrantOptions, grantUnlessBlocked } from './grants.ts';

export interface FirstPartyOptions extends GrantOptions {
  readonly consent: readonly ConsentPolicy[];
}

/**
 * - `asked`: this is not a first-party client, or it asks for the consent page itself.
 * - `granted`: the person's grant has all that the consent policies allow.
 * - `refused`: a policy denies the request, or the school blocks the client. The consent page says so.
 */
export type FirstPartyOutcome = 'asked' | 'granted' | 'refused';

/**
 * Writes the grant of a first-party client in place of a consent. Call it once the person has signed in. What a person has
 * declined on the consent page stays declined.
 */
export async function grantFirstParty(ctx: KoaContextWithOIDC, options: FirstPartyOptions): Promise<FirstPartyOutcome> {
  const { client, account, session, provider, params, result } = ctx.oidc;
  if (!client || !account || !session || !isFirstParty(client)) return 'asked';
  if (result?.consent !== undefined || ctx.oidc.promptPending('consent')) return 'asked';
  const request = currentEngineRequest();
  const { site } = request;
  const { clientId } = client;
  const member = await request.member(account.accountId);
  if (!member || (await options.isBlocked(site.id, clientId))) return 'refused';
  const asked = params?.['scope'];
  const requested = splitScope(typeof asked === 'string' ? asked : '').filter(options.catalogue.has);
  const outcome = await applyConsentPolicies(options.consent, {
    site,
    member,
    client: clientInfo(client),
    scopes: requested,
  });
  if (outcome.denied) return 'refused';
  const parties = { memberId: member.id, clientId, audience: audienceOf(client) };
  const decide: Decide = (before, granted) => {
    const declined = declinedIn(before);
    const allowed = outcome.scopes.filter((scope) => !declined.includes(scope));
    const known = new Set([...granted, ...splitScope(before?.rejected)]);
    const isDecided =
      requested.every((scope) => known.has(scope) && granted.has(scope) === allowed.includes(scope)) &&
      granted.size > 0;
    if (isDecided) return undefined;
    return { requested: [...new Set([...requested, ...declined])], allowed, declined, reason: 'first_party' };
  };
  if (!(await grantUnlessBlocked(options, site, parties, decide))) return 'refused';
  // As the engine does with a grant that it finds.
  const grant = await provider.Grant.find(grantIdOf(member.id, clientId));
  if (!grant) return 'refused';
  ctx.oidc.entity('Grant', grant);
  session.ensureClientContainer(clientId);
  session.grantIdFor(clientId, grant.jti);
  return 'granted';
}

/** What the person has declined, or taken away later. */
export function declinedIn(grant: GrantRecord | undefined): string[] {
  return splitScope(grant?.declined ?? grant?.rejected);
}
