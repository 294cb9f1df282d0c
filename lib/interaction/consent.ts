import { startOf } from '../core/offered/offered.ts';
import { type Refusal, refusals } from '../core/decisions/allowance.ts';
import { isLimitSearch, type LimitProblem } from '../core/boundaries/limit-choices.ts';
import { personAudience } from '../core/clients/client-metadata.ts';
import { declinedIn, earlierConsent, writeConsent } from '../core/grants/consent.ts';
import { field, type Form, readForm } from '../http/body.ts';
import { ReviewConflict } from '../core/reviews/review-conflict.ts';
import { presetScopes } from '../pages/consent-choice.ts';
import { consentPage } from '../pages/consent-page.ts';
import { vouchingFor } from '../pages/consent-vouching.ts';
import { targetPath } from '../pages/kit/console.ts';
import { choosable } from '../pages/kit/permissions.ts';
import type { Scope } from '../core/scopes/scopes.ts';
import { grantIdOf, optional, text } from '../records/codec.ts';
import { currentTrace } from '../observe/request-trace.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { rememberConnected } from './answered.ts';
import { InteractionContext, showEnded } from './interaction-context.ts';
import { type PendingConsent, pendingConsent, shownBy, type Staleness, staleness } from './shown-consent.ts';

export async function consent(context: InteractionContext, memberId: string): Promise<void> {
  const pending = context.decided ? undefined : await pendingConsent(context, memberId);
  if (!pending) return context.sendEnded();
  const { member, client, outcome, waits, refusal } = pending;
  // The engine asks for the role when it goes on, and an approval comes before that.
  if (context.options.sources.decisions.access(member, client.audience) !== 'permitted')
    return sendBack(context, 'no_access');
  // Without a word for the person the client tells them.
  if (outcome.denied && outcome.texts.length === 0 && !refusal && !waits) return sendBack(context, deniedBy(pending));
  return context.route.ctx.method === 'POST' ? decide(context, pending) : show(context, pending);
}

/** Why a form decides nothing. */
interface Refused {
  /** What is ticked on the page. */
  readonly posted?: readonly Scope[] | undefined;
  readonly problem?: 'consent.none' | 'consent.approve.none' | LimitProblem;
  /** What was sent, of which the choices of limits stay. */
  readonly form?: Form;
  readonly stale?: Staleness;
  /** The school was asked to let the person connect it. */
  readonly asked?: true;
}

async function show(context: InteractionContext, pending: PendingConsent, refused: Refused = {}): Promise<void> {
  const { options, route } = context;
  const { member, client, beyond, waits, document, outcome, refusal, pseudonym, demanded } = pending;
  const { ctx, site } = route;
  const { posted, problem, stale, asked, form } = refused;
  const shown = shownBy(pending);
  const [before, switchAccountUrl, logo] = await Promise.all([
    earlierConsent(options.consenting, site, grantIdOf(member.id, client.clientId)),
    options.sources.host.platform.signInUrl(ctx, site, context.restartUrl(), { reauthenticate: true }),
    logoOf(context, pending),
  ]);
  const question = { site, member, scopes: [...outcome.scopes, ...beyond], demanded };
  const start = startOf(options.sources.offered.known, context.interaction);
  const asker = { client, redirectUri: context.parameter('redirect_uri'), startPlaces: start ? [start] : [] };
  const proposed = vouchingFor(asker) !== 'vouched' && before.allowed.size === 0;
  const limitsBefore = { only: before.only, asked: context.parameter('authorization_details'), proposed };
  const limits = await options.consenting.limits.show(question, limitsBefore, form);
  const page = consentPage({
    ...outcome,
    ...asker,
    limits,
    beyond,
    waits,
    logoToApprove: document?.logo?.picture,
    refusal,
    pseudonym,
    site,
    member,
    before,
    ticked: posted && new Set(posted),
    selected: posted !== undefined && !problem,
    problem,
    stale,
    decider: pending.decider,
    changePath: pending.mayChange ? pathOfApp(context, client) : undefined,
    asking: asked ? 'asked' : mayAsk(context, pending) ? 'offered' : undefined,
    requestsPath: options.requestsPath,
    switchAccountUrl,
    logo,
    shown,
    action: new URL(context.url()).pathname,
    csrf: options.csrfTokens.issue(context.csrfBinding(member.id, shown)),
    connectedApps: options.connectedApps,
    open: options.open,
    until: epochSeconds() + options.consenting.lifetimes(site).grant,
  });
  await context.send(page);
  if (outcome.denied && !asked) await context.reportRefused(deniedBy(pending));
}

/** Whether the person can ask the school for a decision: its administrators have a page for that. */
function mayAsk({ options, route }: InteractionContext, { asksSchool }: PendingConsent): boolean {
  return asksSchool && options.askToConnect !== undefined && route.site.connectionsEnabled;
}

/** Where an administrator decides on the client. */
function pathOfApp({ options }: InteractionContext, { clientId }: PendingConsent['client']): string | undefined {
  return options.connectionsPath && targetPath(options.connectionsPath, { clientId });
}

/** Why the person can only go back. */
function deniedBy({ refusal, waits, isOfPolicy }: PendingConsent): Refusal | 'policy' | 'scope' {
  if (refusal) return refusal;
  if (waits) return 'needs_approval';
  return isOfPolicy ? 'policy' : 'scope';
}

/** The logo of a client, if it has a reviewed metadata document: others could show the logo of another program. */
async function logoOf({ options, route }: InteractionContext, { client, metadata }: PendingConsent) {
  const address = client.source === 'document' && client.reviewed ? optional(metadata, 'logo_uri', text) : undefined;
  const found = address === undefined ? undefined : await options.reviews.findLogo(route.site.id, address);
  // The digest of the picture that was approved; without it, any picture at the address counts.
  const approved = optional(metadata, 'campus_logo_digest', text);
  return approved === undefined || approved === found?.digest ? found?.picture : undefined;
}

async function decide(context: InteractionContext, pending: PendingConsent): Promise<void> {
  const { options, route } = context;
  const { member, client, digest, requested, outcome, beyond, refusal } = pending;
  const form = await readForm(route.ctx);
  const decision = field(form, 'decision');
  const current = shownBy(pending);
  const shown = field(form, 'shown') ?? current;
  const genuine = options.csrfTokens.verify(context.csrfBinding(member.id, shown), field(form, 'csrf'));
  const stale = staleness(shown, current);
  // The client was refused after the page was shown, so the form belongs to a page that is no longer shown.
  if (refusal && (stale || !genuine)) return show(context, pending);
  const isForeign = !['', 'null', route.site.origin].includes(route.ctx.get('Origin'));
  const selected = presetScopes(field(form, 'select'), choosable([...outcome.scopes, ...beyond]));
  const pressed = field(form, 'select');
  const searches = isLimitSearch(pressed) && pending.limits.length > 0;
  const asks = decision === 'ask' && !isForeign && mayAsk(context, pending);
  const isOffered =
    asks ||
    searches ||
    selected !== undefined ||
    decision === 'allow' ||
    (decision === 'approve' && !isForeign && (stale || beyond.length > 0));
  if (!genuine || !(isOffered || decision === 'deny')) return context.sendEnded();
  if (asks && !stale) {
    await options.askToConnect?.(route.site, member.id, client);
    return show(context, pending, { asked: true });
  }
  if (decision === 'deny' || outcome.denied) {
    return outcome.denied ? goBack(context, deniedBy(pending)) : decline(context, pending);
  }
  if (stale || selected) return show(context, pending, stale ? { stale } : { posted: selected, form });
  const ticked = [...selectedScopes(form, outcome.scopes), ...selectedScopes(form, beyond)];
  if (searches) return show(context, pending, { posted: ticked, form });
  const approved = decision === 'approve' ? selectedScopes(form, beyond) : [];
  const allowed = [...selectedScopes(form, outcome.scopes), ...approved];
  const problem = decision === 'approve' && approved.length === 0 ? 'consent.approve.none' : 'consent.none';
  if (problem === 'consent.approve.none' || (allowed.length === 0 && requested.length > 0))
    return show(context, pending, { posted: allowed, problem, form });
  const question = { site: route.site, member, scopes: allowed, demanded: pending.demanded };
  const limits = await options.consenting.limits.read(question, form);
  if (typeof limits === 'string') return show(context, pending, { posted: ticked, problem: limits, form });
  const conflict = approved.length > 0 ? await approve(context, pending, allowed) : undefined;
  if (conflict) return showAgain(context, member.id, conflict.difference);
  // Before anything is granted: the first of several submissions for one request counts.
  const grantId = grantIdOf(member.id, client.clientId);
  if (!(await context.save({ consent: { grantId, refused: requested.filter((scope) => !allowed.includes(scope)) } }))) {
    return context.sendEnded();
  }
  const use = await context.request.use(client.clientId, member.id);
  if (!use) return context.sendEnded();
  const stands = await writeConsent(options.consenting, { ...use, member }, ({ grant }) => {
    // What a rule or a policy refuses, the client can ask for once it does not: the person has not declined it.
    const offered = decision === 'approve' ? [...outcome.scopes, ...beyond] : outcome.scopes;
    const earlier = declinedIn(grant).filter((scope) => !requested.includes(scope));
    const declined = [...earlier, ...offered.filter((scope) => !allowed.includes(scope))];
    // A first-party client is not asked again about what was declined before, so it has to stay declined.
    return { requested: client.firstParty ? [...requested, ...earlier] : requested, allowed, declined, limits };
  });
  // Refused just now: the engine asks again, and then the page says so.
  if (!stands) return context.resume();
  rememberConnected({ csrfTokens: options.csrfTokens, route }, member.id, grantId);
  if (client.source !== 'document') await options.extendRegistration(route.site, client.clientId);
  else await options.reviews.markUsed(route.site, client.clientId, digest);
  return context.resume();
}

/** Approves what the page has shown, as the page of the reviews does. Returns what has changed at the same moment. */
async function approve(
  { options, route }: InteractionContext,
  { member, client, digest, document, approval }: PendingConsent,
  allowed: readonly Scope[],
): Promise<ReviewConflict | undefined> {
  const trace = currentTrace();
  const actor = trace?.actor;
  if (trace) trace.actor = { kind: 'administrator', id: member.id };
  if (trace) trace.client = { clientId: client.clientId, program: client.program?.id };
  try {
    await options.reviews.documents.approve(route.site, client.clientId, digest, {
      ...document,
      scopes: allowed.filter((scope) => approval.includes(scope)),
      by: member.id,
    });
    return undefined;
  } catch (error) {
    if (error instanceof ReviewConflict) return error;
    throw error;
  } finally {
    // What the person then allows, they allow for themselves.
    if (trace) trace.actor = actor;
  }
}

/** With all that was read for this request read again. */
async function showAgain({ options, route }: InteractionContext, memberId: string, stale: Staleness): Promise<void> {
  const context = await InteractionContext.open(options, route);
  const pending = context?.decided === false ? await pendingConsent(context, memberId) : undefined;
  if (!context || !pending) return showEnded(options, route);
  return show(context, pending, { stale });
}

/** The scopes that the form selects, and those that have no checkbox; all of them for a form without checkboxes. */
function selectedScopes(form: Form, scopes: readonly Scope[]): Scope[] {
  if (field(form, 'choice') !== 'shown') return [...scopes];
  const choice = new Set(choosable(scopes));
  const ticked = new Set([form['scope'] ?? []].flat());
  return scopes.filter((scope) => ticked.has(scope) || !choice.has(scope));
}

const denials = {
  policy: 'the request was declined',
  scope: 'the rules of this school leave nothing of what was asked for; ask an administrator of the school',
  ...refusals,
  no_access: 'the signed-in person may not use this application at this school',
} as const;

type Denied = keyof typeof denials;

/** Sends the person back without a page: it is reported once they are. */
function sendBack(context: InteractionContext, reason: Denied): Promise<void> {
  return context.finish({ error: 'access_denied', error_description: denials[reason], reason });
}

/** Sends a person back who has been shown why, which has been reported. */
function goBack(context: InteractionContext, reason: Denied): Promise<void> {
  return context.finish({ error: 'access_denied', error_description: denials[reason], told: true });
}

async function decline(context: InteractionContext, { member, client }: PendingConsent): Promise<void> {
  const { clientId, audience, program } = client;
  const result = { error: 'access_denied', error_description: 'the request was declined', told: true };
  if (!(await context.save(result))) return context.sendEnded();
  const { options, route } = context;
  const actor = { kind: personAudience(audience), id: member.id };
  options.consenting.onAudit({
    action: 'consent.denied',
    siteId: route.site.id,
    reason: 'declined',
    actor,
    clientId,
    program: program?.id,
    memberId: member.id,
  });
  return context.resume();
}
