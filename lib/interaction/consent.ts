import type { Grant, Interaction } from 'oidc-provider';
import { clientInfo } from '../clients/metadata.ts';
import type { ClientInfo } from '../contracts/client.ts';
import type { Member, SignedIn } from '../contracts/platform.ts';
import { field, type Form, readForm } from '../http/body.ts';
import { consentPage } from '../pages/consent-page.ts';
import { fixedScope } from '../pages/scope-lists.ts';
import { seeOther } from '../pages/see-other.ts';
import { type EngineCall, withCall } from '../provider/call.ts';
import { isScope, type Scope, splitScope } from '../scopes.ts';
import { saveGrant } from './grant.ts';
import { type Judgement, judge } from './judge.ts';
import { finishInteraction, requestParameter } from './open.ts';
import type { InteractionOptions, Visit } from './visit.ts';

/** Asks the person, or takes their answer. */
export async function consent(options: InteractionOptions, visit: Visit, signedIn: SignedIn): Promise<void> {
  const { route, call, interaction } = visit;
  const engine = options.engineOf(route.site);
  const [member, found] = await Promise.all([
    call.member(signedIn.memberId),
    withCall(call, () => engine.provider.Client.find(requestParameter(interaction, 'client_id'))),
  ]);
  if (!member || !found) return visit.expired();
  const client = clientInfo(found);
  const requested = splitScope(requestParameter(interaction, 'scope')).filter(isScope);
  const judgement = await judge(options.consent, { site: route.site, member, client, scopes: requested });
  if (judgement.denied && judgement.texts.length === 0) return deny(visit);
  const question = { member, client, requested, judgement };
  return route.ctx.method === 'POST' ? answer(options, visit, question) : ask(options, visit, question, false);
}

interface Question {
  readonly member: Member;
  readonly client: ClientInfo;
  readonly requested: readonly Scope[];
  readonly judgement: Judgement;
}

async function ask(
  options: InteractionOptions,
  visit: Visit,
  { member, client, judgement }: Question,
  nothingTicked: boolean,
): Promise<void> {
  const { route, call, interaction } = visit;
  const { ctx, site } = route;
  const [before, notYou] = await Promise.all([
    grantedBefore(options, call, interaction, member.id),
    options.platform.signInUrl(ctx, site, visit.again(), { fresh: true }),
  ]);
  const page = consentPage({
    ...judgement,
    site,
    member,
    client,
    before,
    nothingTicked,
    notYou,
    redirectUri: requestParameter(interaction, 'redirect_uri'),
    csrf: options.tokens.issue(visit.form(member.id, judgement.scopes)),
    connectedApps: options.connectedApps,
  });
  visit.send(page);
}

/** What the person allowed this client before. */
async function grantedBefore(
  { engineOf }: InteractionOptions,
  call: EngineCall,
  { grantId }: Interaction,
  memberId: string,
): Promise<ReadonlySet<string>> {
  if (grantId === undefined) return new Set();
  const grant = await withCall(call, () => engineOf(call.site).provider.Grant.find<Grant>(grantId));
  return new Set(grant?.accountId === memberId ? splitScope(grant.getResourceScope(call.site.origin)) : []);
}

async function answer(options: InteractionOptions, visit: Visit, question: Question): Promise<void> {
  const { route, call, interaction } = visit;
  const { member, client, requested, judgement } = question;
  const form = await readForm(route.ctx);
  const decision = field(form, 'decision');
  const genuine = options.tokens.verify(visit.form(member.id, judgement.scopes), field(form, 'csrf'));
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
  await options.keepUsed(route.site.id, client.clientId);
  seeOther(route.ctx, await finishInteraction(call, interaction, { consent: { grantId } }));
}

/** What is still ticked of what may be granted; all of it for a form that shows no choice. */
function ticked(form: Form, scopes: readonly Scope[]): Scope[] {
  if (field(form, 'choice') !== 'shown') return [...scopes];
  const chosen = new Set([fixedScope, ...[form['scope'] ?? []].flat()]);
  return scopes.filter((scope) => chosen.has(scope));
}

async function deny({ route, call, interaction }: Visit): Promise<void> {
  const result = { error: 'access_denied', error_description: 'the request was declined' };
  seeOther(route.ctx, await finishInteraction(call, interaction, result));
}
