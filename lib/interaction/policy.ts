import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { ConsentPolicy } from '../contracts/consent.ts';
import { currentEngineRequest } from '../provider/engine-request.ts';
import { inEngine } from '../provider/engine-errors.ts';
import { clientInfo } from '../clients/metadata.ts';
import { isScope, splitScope } from '../protocol/scopes.ts';
import { applyConsentPolicies } from './consent-policies.ts';

/** When the person is asked: the engine's rules, and two of ours. */
export function promptPolicy(policies: readonly ConsentPolicy[]): interactionPolicy.Prompt[] {
  const prompts = interactionPolicy.base();
  const consent = prompts.get('consent');
  if (!consent) throw new Error('the engine has no consent prompt');
  const { Check } = interactionPolicy;
  consent.checks.remove('native_client_prompt');
  consent.checks.add(
    // RFC 6749 section 10.2: nothing proves that a public client is the one that was consented to before.
    new Check('public_client', 'a public client asks the person each time', 'consent_required', (ctx) => {
      return !ctx.oidc.result?.consent && ctx.oidc.client?.tokenEndpointAuthMethod === 'none';
    }),
  );
  consent.checks.add(
    new Check('consent_policy', 'a consent policy says otherwise than at the last consent', 'consent_required', (ctx) =>
      inEngine(async () => !ctx.oidc.result?.consent && policies.length > 0 && !(await stillAllowed(ctx, policies))),
    ),
  );
  return prompts;
}

/** Whether the policies still allow all that is about to be granted without asking. */
async function stillAllowed(ctx: KoaContextWithOIDC, policies: readonly ConsentPolicy[]): Promise<boolean> {
  const { client, account, grant, issuer, requestParamScopes } = ctx.oidc;
  const call = currentEngineRequest();
  const member = account && (await call.member(account.accountId));
  if (!client || !grant || !member) return false;
  const scopes = splitScope(grant.getResourceScopeFiltered(issuer, requestParamScopes)).filter(isScope);
  const judgement = await applyConsentPolicies(policies, {
    site: call.site,
    member,
    client: clientInfo(client),
    scopes,
  });
  return judgement.scopes.length === scopes.length;
}
