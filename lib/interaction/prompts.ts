import { errors, type Grant, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { undeclaredIn } from '../core/boundaries/boundary.ts';
import { isFirstParty } from '../core/clients/client-metadata.ts';
import { countsWith } from '../core/access/demanded-limits-are-chosen.ts';
import type { Permission } from '../core/access/permission.ts';
import { type ConsentOptions, consentToFirstParty } from '../core/grants/consent.ts';
import { type Scope, splitScope } from '../core/scopes/scopes.ts';
import type { PromptOptions } from '../engine/configuration.ts';
import { askedScopes } from '../engine/engine-callbacks.ts';
import { type EngineRequest, requestOf } from '../engine/engine-request.ts';
import { inEngine } from '../engine/engine-errors.ts';
import { grantIdOf } from '../records/codec.ts';

const { Check, Prompt } = interactionPolicy;

/**
 * When the person is needed: the engine's rules, and some of our own. The engine takes the prompts in this order, each only if those before it
 * need nothing: the choice of account, sign-in, the grant of a first-party client, and consent.
 */
export function promptPolicy(options: ConsentOptions): PromptOptions {
  const prompts = interactionPolicy.base();
  const [login, consent] = [prompts.get('login'), prompts.get('consent')];
  if (!login || !consent) throw new Error('the engine has no prompt for sign-in or consent');
  // OIDC Core section 3.1.2.1. Sign-in comes after it: the choice decides who has to.
  const selectAccount = new Prompt({ name: 'select_account', requestable: true });
  prompts.add(selectAccount, 0);
  login.checks.add(
    // The engine compares when the request arrives, but not when it goes on after an interaction.
    new Check('hinted_member', 'the signed-in person must be the person of id_token_hint', 'login_required', (ctx) =>
      inEngine(async () => {
        const { params = {}, session, client } = ctx.oidc;
        return !(await isHinted(requestOf(ctx), client?.clientId, params, session?.accountId));
      }),
    ),
  );
  login.checks.add(
    new Check('acr', unmetAcr.error_description, unmetAcr.error, (ctx) => {
      const needed = requestOf(ctx).neededAcr(ctx.oidc.params ?? {});
      return needed.length > 0 && !needed.includes(ctx.oidc.session?.acr ?? '');
    }),
  );
  addConsentChecks(consent.checks, options);
  prompts.add(firstPartyGrant(options), prompts.indexOf(consent));
  return { policy: prompts, loadGrant };
}

/** RFC 9470 section 5. */
export const unmetAcr = {
  error: 'unmet_authentication_requirements',
  error_description: 'the person is not authenticated in one of the ways that acr_values names',
} as const;

/** One grant for each member and client. That of a first-party client is read once it is written. */
async function loadGrant(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  return isGrantedUnasked(ctx) ? undefined : findGrant(ctx);
}

async function findGrant({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { provider, client, account } = oidc;
  if (!client || !account) throw new errors.InvalidRequest('no client or account to load a grant for');
  return provider.Grant.find(grantIdOf(account.accountId, client.clientId));
}

/** Nobody is asked about a first-party client, unless the request asks for the consent page. */
function isGrantedUnasked({ oidc }: KoaContextWithOIDC): boolean {
  return (
    oidc.client !== undefined &&
    isFirstParty(oidc.client) &&
    oidc.result?.consent === undefined &&
    !oidc.promptPending('consent')
  );
}

/**
 * The step between sign-in and consent: it writes the grant of a first-party client, and asks nothing. Where school or policies do not
 * allow that, the consent prompt asks.
 */
function firstPartyGrant(options: ConsentOptions): interactionPolicy.Prompt {
  const step = new Check('first_party_grant', 'the grant of a first-party client is written', (ctx) =>
    inEngine(async () => {
      if (isGrantedUnasked(ctx)) await grantUnasked(ctx, options);
      return Check.NO_NEED_TO_PROMPT;
    }),
  );
  return new Prompt({ name: 'first_party' }, step);
}

async function grantUnasked(ctx: KoaContextWithOIDC, options: ConsentOptions): Promise<void> {
  const { oidc } = ctx;
  const { client, account, session } = oidc;
  if (!client || !account) throw new errors.InvalidRequest('no client or account to write a grant for');
  const use = await requestOf(ctx).use(client.clientId, account.accountId);
  if (use?.member) {
    const parties = { ...use, member: use.member };
    const requested = askedScopes(ctx, options.catalogue) ?? [];
    const asked = { requested, permission: await permissionIn(ctx, options) };
    requestOf(ctx).consented = await consentToFirstParty(options, parties, asked);
  }
  const grant = await findGrant(ctx);
  if (!grant) return;
  // What the engine does with a grant that it loads itself.
  session?.ensureClientContainer(client.clientId);
  session?.grantIdFor(client.clientId, grant.jti);
  oidc.entity('Grant', grant);
}

function addConsentChecks(checks: interactionPolicy.Prompt['checks'], options: ConsentOptions): void {
  checks.remove('native_client_prompt');
  checks.add(
    new Check('client_blocked', 'this school does not let the person connect the client', 'access_denied', (ctx) =>
      inEngine(async () => ctx.oidc.client !== undefined && (await permissionIn(ctx, options)).refused !== undefined),
    ),
    0,
  );
  checks.add(
    new Check('subject_changed', 'the sub of this person has changed for the client', 'consent_required', (ctx) =>
      inEngine(async () => {
        const { client, account, result } = ctx.oidc;
        const { grant } = requestOf(ctx).records;
        if (!client || !account || !grant || result?.consent) return false;
        return grant.sub !== (await requestOf(ctx).pseudonym(client.clientId, account.accountId));
      }),
    ),
  );
  checks.add(
    // A consent is answered before its grant is written; if that failed, the grant is still the old one.
    new Check('refused_scope', 'the consent of the person was not saved', 'consent_required', (ctx) => {
      const refused: unknown = ctx.oidc.result?.consent?.['refused'];
      return Array.isArray(refused) && refused.some((scope) => grantedScopes(ctx, options).includes(scope));
    }),
  );
  checks.add(
    // RFC 6749 section 10.2: a public client cannot prove that it is the one that got consent before.
    new Check('public_client', 'a public client needs consent each time', 'consent_required', (ctx) => {
      const { client, result } = ctx.oidc;
      return !result?.consent && client?.tokenEndpointAuthMethod === 'none' && !isFirstParty(client);
    }),
  );
  checks.add(
    new Check('rule_lifted', 'the client may now have a scope that was refused before', 'consent_required', (ctx) =>
      inEngine(async () => !ctx.oidc.result?.consent && (await canGetMore(ctx, options))),
    ),
  );
  checks.add(
    new Check(
      'limit_demanded',
      'this school now demands a limit that the person has not chosen',
      'consent_required',
      (ctx) => inEngine(async () => !ctx.oidc.result?.consent && (await lacksLimit(ctx, options))),
    ),
  );
  checks.add(
    new Check(
      'limit_removed',
      'the person has limited the client to something that no longer exists at this school',
      'consent_required',
      (ctx) => {
        const { grant } = requestOf(ctx).records;
        return !ctx.oidc.result?.consent && undeclaredIn(options.core.choices.declared, grant?.only) !== undefined;
      },
    ),
  );
  checks.add(
    new Check(
      'first_party_refused',
      'this school does not let the person connect the client',
      'consent_required',
      (ctx) => {
        return requestOf(ctx).consented === false;
      },
    ),
  );
}

/** Whether the client would get more if the person chose a limit. Nobody is asked about a first-party client. */
async function lacksLimit(ctx: KoaContextWithOIDC, options: ConsentOptions): Promise<boolean> {
  const { client } = ctx.oidc;
  const { grant } = requestOf(ctx).records;
  if (!client || !grant || isFirstParty(client)) return false;
  const { rule, scopes } = await permissionIn(ctx, options);
  const counts = countsWith(rule, grant.only, options.core.rules.sources.boundaries);
  return grantedScopes(ctx, options).some((scope) => scopes.includes(scope) && !counts(scope));
}

function grantedScopes({ oidc }: KoaContextWithOIDC, { catalogue }: ConsentOptions): Scope[] {
  return splitScope(oidc.grant?.getResourceScopeFiltered(oidc.issuer, oidc.requestParamScopes)).filter(catalogue.has);
}

/** What the client may get for the person. */
function permissionIn(ctx: KoaContextWithOIDC, { catalogue }: ConsentOptions): Promise<Permission> {
  const { client, account } = ctx.oidc;
  if (!client) throw new errors.InvalidRequest('no client to decide on');
  return requestOf(ctx).permit(client.clientId, account?.accountId, askedScopes(ctx, catalogue) ?? []);
}

/** Whether the client may get by now what only a rule or a policy refused when the person consented. */
async function canGetMore(ctx: KoaContextWithOIDC, options: ConsentOptions): Promise<boolean> {
  const { client, requestParamScopes } = ctx.oidc;
  const { grant } = requestOf(ctx).records;
  if (!client || isFirstParty(client) || !grant) return false;
  const refused = splitScope(grant.rejected).filter((scope) => requestParamScopes.has(scope));
  const { scopes } = await permissionIn(ctx, options);
  return refused.some((scope) => !splitScope(grant.declined).includes(scope) && scopes.includes(scope));
}

/** Whether a person is the one that `id_token_hint` names, by the id or by the pseudonym that the client knows them by. */
export async function isHinted(
  request: EngineRequest,
  clientId: unknown,
  params: Readonly<Record<string, unknown>>,
  memberId: string | undefined,
): Promise<boolean> {
  const hinted = hintedMember(params);
  if (hinted === undefined || hinted === memberId) return true;
  if (memberId === undefined || typeof clientId !== 'string') return false;
  return hinted === (await request.pseudonym(clientId, memberId));
}

/** The member that `id_token_hint` named, which is all that was kept of it when the request arrived. OIDC Core section 3.1.2.1. */
export function hintedMember({ id_token_hint: hint }: Readonly<Record<string, unknown>>): unknown {
  return hint;
}
