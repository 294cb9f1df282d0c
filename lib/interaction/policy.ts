import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { ConsentPolicy } from '../contracts/consent.ts';
import { currentEngineRequest } from '../provider/engine-request.ts';
import { inEngine } from '../provider/engine-errors.ts';
import { clientInfo, isFirstParty } from '../clients/metadata.ts';
import { type Scope, type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import { applyConsentPolicies } from './consent-policies.ts';
import { type FirstPartyOptions, type FirstPartyOutcome, grantFirstParty } from './first-party.ts';
import { hintedMember } from './hinted-member.ts';

/** When a choice of account, sign-in and consent are needed: the engine's rules, and some of our own. */
export function promptPolicy(options: FirstPartyOptions): interactionPolicy.Prompt[] {
  const { consent: policies, isBlocked, catalogue } = options;
  const prompts = interactionPolicy.base();
  const [login, consent] = [prompts.get('login'), prompts.get('consent')];
  if (!login || !consent) throw new Error('the engine has no prompt for sign-in or consent');
  const { Check, Prompt } = interactionPolicy;
  // OIDC Core section 3.1.2.1. Sign-in comes after it: the choice decides who has to.
  prompts.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  // It asks nobody: after sign-in, and before it is looked at what was consented to, it consents for first-party clients.
  const firstParty = new WeakMap<KoaContextWithOIDC, FirstPartyOutcome>();
  const consents = new Check('first_party', 'a first-party client needs no consent', async (ctx) => {
    firstParty.set(ctx, await inEngine(() => grantFirstParty(ctx, options)));
    return false;
  });
  prompts.add(new Prompt({ name: 'first_party', requestable: false }, consents), prompts.indexOf(consent));
  login.checks.add(
    // The engine compares when the request arrives, but not when it goes on after an interaction.
    new Check('hinted_member', 'another person is signed in than id_token_hint names', 'login_required', ({ oidc }) => {
      const hinted = hintedMember(oidc.params ?? {});
      return hinted !== undefined && oidc.session?.accountId !== hinted;
    }),
  );
  consent.checks.remove('native_client_prompt');
  consent.checks.add(
    new Check('client_blocked', 'this school has blocked the client', 'access_denied', ({ oidc: { client } }) =>
      inEngine(async () => client !== undefined && isBlocked(currentEngineRequest().site.id, client.clientId)),
    ),
    0,
  );
  consent.checks.add(
    // A consent is answered before its grant is written; if that failed, the grant is still the old one.
    new Check('refused_scope', 'the grant does not show what was decided', 'consent_required', (ctx) => {
      const refused: unknown = ctx.oidc.result?.consent?.['refused'];
      return Array.isArray(refused) && refused.some((scope) => grantedScopes(ctx, catalogue).includes(scope));
    }),
  );
  consent.checks.add(
    // RFC 6749 section 10.2: a public client cannot prove that it is the one that got consent before.
    new Check('public_client', 'a public client needs consent each time', 'consent_required', (ctx) => {
      const { client, result } = ctx.oidc;
      return !result?.consent && client?.tokenEndpointAuthMethod === 'none' && !isFirstParty(client);
    }),
  );
  consent.checks.add(
    new Check('consent_policy', 'a consent policy no longer allows all that was granted', 'consent_required', (ctx) =>
      inEngine(async () => {
        const outcome = firstParty.get(ctx);
        if (outcome === 'granted' || outcome === 'refused') return outcome === 'refused';
        return !ctx.oidc.result?.consent && policies.length > 0 && !(await stillAllowed(ctx, policies, catalogue));
      }),
    ),
  );
  return prompts;
}

/** Whether the policies still allow all scopes that would be granted without the consent page. */
async function stillAllowed(
  ctx: KoaContextWithOIDC,
  policies: readonly ConsentPolicy[],
  catalogue: ScopeCatalogue,
): Promise<boolean> {
  const { client, account, grant } = ctx.oidc;
  const request = currentEngineRequest();
  const member = account && (await request.member(account.accountId));
  if (!client || !grant || !member) return false;
  const scopes = grantedScopes(ctx, catalogue);
  const { site } = request;
  const outcome = await applyConsentPolicies(policies, { site, member, client: clientInfo(client), scopes });
  return outcome.scopes.length === scopes.length;
}

/** What the request asks for and the grant has. */
function grantedScopes(
  { oidc: { grant, issuer, requestParamScopes } }: KoaContextWithOIDC,
  { has }: ScopeCatalogue,
): Scope[] {
  return splitScope(grant?.getResourceScopeFiltered(issuer, requestParamScopes)).filter(has);
}
