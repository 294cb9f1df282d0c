import type { Grant, Interaction } from 'oidc-provider';
import { clientInfo } from '../clients/metadata.ts';
import type { ClientInfo } from '../contracts/client.ts';
import type { Member, PlatformSession } from '../contracts/platform.ts';
import { field, type Form, readForm } from '../http/body.ts';
import { consentPage } from '../pages/consent/consent-page.ts';
import { fixedScope } from '../pages/kit/scope-lists.ts';
import { redirectSeeOther } from '../pages/kit/redirect.ts';
import { type EngineRequest, withEngineRequest } from '../provider/engine-request.ts';
import { isScope, type Scope, splitScope } from '../protocol/scopes.ts';
import { saveGrant } from './grant.ts';
import { type ConsentOutcome, applyConsentPolicies } from './consent-policies.ts';
import { finishInteraction, requestParameter } from './open.ts';
import type { InteractionOptions, InteractionContext } from './interaction-context.ts';

/** Asks the person, or takes their answer. */
export async function consent(
  options: InteractionOptions,
  visit: InteractionContext,
  signedIn: PlatformSession,
): Promise<void> {
  const { route, call, interaction } = visit;
  const engine = options.engineOf(route.site);
  const [member, found] = await Promise.all([
    call.member(signedIn.memberId),
    withEngineRequest(call, () => engine.provider.Client.find(requestParameter(interaction, 'client_id'))),
  ]);
  if (!member || !found) return visit.expired();
  const client = clientInfo(found);
  const requested = splitScope(requestParameter(interaction, 'scope')).filter(isScope);
  const judgement = await applyConsentPolicies(options.consent, {
    site: route.site,
    member,
    client,
    scopes: requested,
  });
  if (judgement.denied && judgement.texts.length === 0) return deny(visit);
  const question = { member, client, requested, judgement };
  return route.ctx.method === 'POST' ? answer(options, visit, question) : ask(options, visit, question, false);
}

interface Question {
  readonly member: Member;
  readonly client: ClientInfo;
  readonly requested: readonly Scope[];
  readonly judgement: ConsentOutcome;
}

async function ask(
  options: InteractionOptions,
  visit: InteractionContext,
  { member, client, judgement }: Question,
  nothingTicked: boolean,
): Promise<void> {
  const { route, call, interaction } = visit;
  const { ctx, site } = route;
  const [previouslyAllowed, switchAccountUrl] = await Promise.all([
    grantedBefore(options, call, interaction, member.id),
    options.platform.signInUrl(ctx, site, visit.again(), { fresh: true }),
  ]);
  const page = consentPage({
    ...judgement,
    site,
    member,
    client,
    previouslyAllowed,
    nothingTicked,
    switchAccountUrl,
    redirectUri: requestParameter(interaction, 'redirect_uri'),
    csrf: options.csrfTokens.issue(visit.form(member.id, judgement.scopes)),
    connectedApps: options.connectedApps,
  });
  visit.send(page);
}

/** What the person allowed this client before. */
async function grantedBefore(
  { engineOf }: InteractionOptions,
  call: EngineRequest,
  { grantId }: Interaction,
  memberId: string,
): Promise<ReadonlySet<string>> {
  if (grantId === undefined) return new Set();
  const grant = await withEngineRequest(call, () => engineOf(call.site).provider.Grant.find<Grant>(grantId));
  return new Set(grant?.accountId === memberId ? splitScope(grant.getResourceScope(call.site.origin)) : []);
}

async function answer(options: InteractionOptions, visit: InteractionContext, question: Question): Promise<void> {
  const { route, call, interaction } = visit;
  const { member, client, requested, judgement } = question;
  const form = await readForm(route.ctx);
  const decision = field(form, 'decision');
  const genuine = options.csrfTokens.verify(visit.form(member.id, judgement.scopes), field(form, 'csrf'));
  if (!genuine || (decision !== 'allow' && decision !== 'deny')) return visit.expired();
  if (decision === 'deny' || judgement.denied) return deny(visit);
  const allowed = ticked(form, judgement.scopes);
  if (allowed.length === 0 && requested.length > 0) return ask(options, visit, question, true);
  const grantId = await saveGrant(options.engineOf(route.site), call, {
    memberId: member.id,
    clientId: client.clientId,
    allowed,
    refused: requested.filter((scope) => !allowed.includes(scope)),
  });
  await options.extendRegistration(route.site.id, client.clientId);
  redirectSeeOther(route.ctx, await finishInteraction(call, interaction, { consent: { grantId } }));
}

/** What is still ticked of what may be granted; all of it for a form that shows no choice. */
function ticked(form: Form, scopes: readonly Scope[]): Scope[] {
  if (field(form, 'choice') !== 'shown') return [...scopes];
  const chosen = new Set([fixedScope, ...[form['scope'] ?? []].flat()]);
  return scopes.filter((scope) => chosen.has(scope));
}

async function deny({ route, call, interaction }: InteractionContext): Promise<void> {
  const result = { error: 'access_denied', error_description: 'the request was declined' };
  redirectSeeOther(route.ctx, await finishInteraction(call, interaction, result));
}
