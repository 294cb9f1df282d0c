import type { Grant, Interaction } from 'oidc-provider';
import { clientInfo } from '../clients/metadata.ts';
import type { ClientInfo } from '../contracts/client.ts';
import type { Member, PlatformSession } from '../contracts/platform.ts';
import { field, type Form, readForm } from '../http/body.ts';
import { consentPage } from '../pages/consent-page.ts';
import { fixedScope } from '../pages/kit/scope-lists.ts';
import { redirectSeeOther } from '../pages/kit/pages.ts';
import { type EngineRequest, withEngineRequest } from '../provider/engine-request.ts';
import { isScope, type Scope, splitScope } from '../protocol/scopes.ts';
import { saveGrant } from './grant.ts';
import { type ConsentOutcome, applyConsentPolicies } from './consent-policies.ts';
import { finishInteraction, requestParameter } from './open.ts';
import type { InteractionOptions, InteractionContext } from './interaction-context.ts';

/** What the person decides on. */
interface PendingConsent {
  readonly member: Member;
  readonly client: ClientInfo;
  readonly requested: readonly Scope[];
  readonly outcome: ConsentOutcome;
}

/** Shows the consent page, or handles its form. */
export async function consent(
  options: InteractionOptions,
  context: InteractionContext,
  signedIn: PlatformSession,
): Promise<void> {
  const { route, request, interaction } = context;
  const { provider } = options.engineOf(route.site);
  const [member, found] = await Promise.all([
    request.member(signedIn.memberId),
    withEngineRequest(request, () => provider.Client.find(requestParameter(interaction, 'client_id'))),
  ]);
  if (!member || !found) return context.sendExpired();
  const client = clientInfo(found);
  const requested = splitScope(requestParameter(interaction, 'scope')).filter(isScope);
  const { site } = route;
  const outcome = await applyConsentPolicies(options.consent, { site, member, client, scopes: requested });
  if (outcome.denied && outcome.texts.length === 0) return deny(context);
  const pending = { member, client, requested, outcome };
  return route.ctx.method === 'POST' ? decide(options, context, pending) : show(options, context, pending, false);
}

async function show(
  options: InteractionOptions,
  context: InteractionContext,
  { member, client, outcome }: PendingConsent,
  nothingTicked: boolean,
): Promise<void> {
  const { route, request, interaction } = context;
  const { ctx, site } = route;
  const [previouslyAllowed, switchAccountUrl] = await Promise.all([
    grantedBefore(options, request, interaction, member.id),
    options.platform.signInUrl(ctx, site, context.restartUrl(), { fresh: true }),
  ]);
  const page = consentPage({
    ...outcome,
    site,
    member,
    client,
    previouslyAllowed,
    nothingTicked,
    switchAccountUrl,
    redirectUri: requestParameter(interaction, 'redirect_uri'),
    csrf: options.csrfTokens.issue(context.csrfBinding(member.id, outcome.scopes)),
    connectedApps: options.connectedApps,
  });
  context.send(page);
}

async function grantedBefore(
  { engineOf }: InteractionOptions,
  request: EngineRequest,
  { grantId }: Interaction,
  memberId: string,
): Promise<ReadonlySet<string>> {
  if (grantId === undefined) return new Set();
  const { site } = request;
  const grant = await withEngineRequest(request, () => engineOf(site).provider.Grant.find<Grant>(grantId));
  return new Set(grant?.accountId === memberId ? splitScope(grant.getResourceScope(site.origin)) : []);
}

async function decide(
  options: InteractionOptions,
  context: InteractionContext,
  pending: PendingConsent,
): Promise<void> {
  const { route, request, interaction } = context;
  const { member, client, requested, outcome } = pending;
  const form = await readForm(route.ctx);
  const decision = field(form, 'decision');
  const genuine = options.csrfTokens.verify(context.csrfBinding(member.id, outcome.scopes), field(form, 'csrf'));
  if (!genuine || (decision !== 'allow' && decision !== 'deny')) return context.sendExpired();
  if (decision === 'deny' || outcome.denied) return deny(context);
  const allowed = selectedScopes(form, outcome.scopes);
  if (allowed.length === 0 && requested.length > 0) return show(options, context, pending, true);
  const grantId = await saveGrant(options.engineOf(route.site), request, {
    memberId: member.id,
    clientId: client.clientId,
    allowed,
    refused: requested.filter((scope) => !allowed.includes(scope)),
  });
  await options.extendRegistration(route.site.id, client.clientId);
  redirectSeeOther(route.ctx, await finishInteraction(request, interaction, { consent: { grantId } }));
}

/** The scopes that the form selects; all of them for a form that shows no checkboxes. */
function selectedScopes(form: Form, scopes: readonly Scope[]): Scope[] {
  if (field(form, 'choice') !== 'shown') return [...scopes];
  const selected = new Set([fixedScope, ...[form['scope'] ?? []].flat()]);
  return scopes.filter((scope) => selected.has(scope));
}

async function deny({ route, request, interaction }: InteractionContext): Promise<void> {
  const result = { error: 'access_denied', error_description: 'the request was declined' };
  redirectSeeOther(route.ctx, await finishInteraction(request, interaction, result));
}
