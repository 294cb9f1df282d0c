import { personAudience } from '../core/clients/client-metadata.ts';
import { isLimitSearch } from '../core/boundaries/limit-choices.ts';
import { type Refusal, refusals } from '../core/access/who-can-change.ts';
import { declinedIn, writeConsent } from '../core/grants/consent.ts';
import { VersionConflict } from '../core/clients/expected-version.ts';
import type { Scope } from '../core/scopes/scopes.ts';
import { field, type Form, readForm } from '../http/body.ts';
import { currentTrace } from '../observe/request-trace.ts';
import { isPreset } from '../pages/consent-choice.ts';
import { choosable } from '../pages/kit/permissions.ts';
import { grantIdOf } from '../records/codec.ts';
import { rememberConnected, showEnded } from './ended.ts';
import { connectAgain } from './connect-again.ts';
import { mayAsk, showConsent } from './consent.ts';
import { Interaction } from './interaction.ts';
import {
  deniedBy,
  digestOfPage,
  type PendingConsent,
  pendingConsent,
  type Staleness,
  staleness,
} from './pending-consent.ts';

/** A form that the person has sent from the consent page. */
interface Submission {
  readonly interaction: Interaction;
  readonly pending: PendingConsent;
  readonly form: Form;
  /** What has changed since the page was shown. */
  readonly stale: Staleness | undefined;
}

type Answer = (submission: Submission) => Promise<void>;
type Button = (typeof decisions)[number] | 'select' | 'search';

/** The buttons that are named `decision`. Those named `select` draw the page again, and decide nothing. */
const decisions = ['deny', 'ask', 'again', 'approve', 'allow'] as const;

/** What each button of the page does. */
const answers: Readonly<Record<Button, Answer>> = {
  deny,
  ask,
  select: onCurrentPage(select),
  search: onCurrentPage(search),
  again: onCurrentPage(({ interaction, pending }) => connectAgain(interaction, pending)),
  approve: onCurrentPage(approve),
  allow: onCurrentPage(allow),
};

export async function answerConsent(interaction: Interaction, pending: PendingConsent): Promise<void> {
  const { route, options } = interaction;
  const form = await readForm(route.ctx);
  const current = digestOfPage(pending);
  const shown = field(form, 'shown') ?? current;
  const isGenuine = options.csrfTokens.verify(interaction.csrfBinding(pending.member.id, shown), field(form, 'csrf'));
  const submission = { interaction, pending, form, stale: staleness(shown, current) };
  // The client was refused after the page was shown, so the form belongs to a page that is no longer shown.
  if (pending.refusal && (submission.stale || !isGenuine)) return showConsent(interaction, pending);
  const button = pressed(form);
  if (!isGenuine || !button || !isOnPage(button, submission)) return interaction.sendEnded();
  return answers[button](submission);
}

function pressed(form: Form): Button | undefined {
  const [decision, selected] = [field(form, 'decision'), field(form, 'select')];
  if (isPreset(selected)) return 'select';
  if (isLimitSearch(selected)) return 'search';
  return decisions.find((each) => each === decision);
}

function isOnPage(button: Button, { interaction, pending, stale }: Submission): boolean {
  if (button === 'ask') return mayAsk(interaction, pending);
  if (button === 'again') return stale !== undefined || pending.limitGone;
  if (button === 'approve') return stale !== undefined || pending.beyond.length > 0;
  return button !== 'search' || pending.limits.length > 0;
}

/** Where nothing can be given, each answer goes back to the client. Where the page has changed, the person looks at it again. */
function onCurrentPage(answer: Answer): Answer {
  return async (submission) => {
    const { interaction, pending, stale } = submission;
    if (pending.outcome.denied) return goBack(interaction, deniedBy(pending));
    if (stale) return showConsent(interaction, pending, { stale });
    return answer(submission);
  };
}

async function deny({ interaction, pending }: Submission): Promise<void> {
  return pending.outcome.denied ? goBack(interaction, deniedBy(pending)) : decline(interaction, pending);
}

/** Asks the school to let the person connect a client that gives them nothing now. */
async function ask({ interaction, pending, form, stale }: Submission): Promise<void> {
  if (stale) return goBack(interaction, deniedBy(pending));
  const { client, member, requested: scopes } = pending;
  const wanted = { ...client, scopes, note: field(form, 'note') };
  await interaction.options.askToConnect?.(interaction.route.site, member.id, wanted);
  return showConsent(interaction, pending, { asked: true });
}

/** Ticks all permissions, or none. */
async function select({ interaction, pending, form }: Submission): Promise<void> {
  const isAll = field(form, 'select') === 'all';
  const posted = isAll ? choosable([...pending.outcome.scopes, ...pending.beyond]) : [];
  return showConsent(interaction, pending, { posted, form });
}

/** Looks for something that a limit can name. */
async function search({ interaction, pending, form }: Submission): Promise<void> {
  return showConsent(interaction, pending, { posted: tickedIn(pending, form), form });
}

/** An administrator approves what waits for that, and allows it for themselves. */
async function approve(submission: Submission): Promise<void> {
  const { interaction, pending, form } = submission;
  const { outcome, beyond } = pending;
  const approved = selectedScopes(form, beyond);
  const allowed = [...selectedScopes(form, outcome.scopes), ...approved];
  if (approved.length === 0)
    return showConsent(interaction, pending, { posted: allowed, problem: 'consent.approve.none', form });
  return connect(submission, { allowed, choices: [...outcome.scopes, ...beyond], approves: true });
}

async function allow(submission: Submission): Promise<void> {
  const { interaction, pending, form } = submission;
  const { outcome, requested } = pending;
  const allowed = selectedScopes(form, outcome.scopes);
  if (allowed.length === 0 && requested.length > 0)
    return showConsent(interaction, pending, { posted: allowed, problem: 'consent.none', form });
  return connect(submission, { allowed, choices: outcome.scopes, approves: false });
}

interface Choice {
  readonly allowed: readonly Scope[];
  /** What the button was about: the rest of it is declined. */
  readonly choices: readonly Scope[];
  /** Whether the person also approves for the school. */
  readonly approves: boolean;
}

/** Writes what the person has allowed, and goes on to the client. */
async function connect(
  { interaction, pending, form }: Submission,
  { allowed, choices, approves }: Choice,
): Promise<void> {
  const { options, route } = interaction;
  const { member, client, digest, requested, demanded } = pending;
  const { site } = route;
  const read = await options.core.choices.read({ site, member, scopes: allowed, demanded }, form);
  if ('refusal' in read)
    return showConsent(interaction, pending, { posted: tickedIn(pending, form), limitProblem: read.refusal, form });
  const limits = read.choice;
  const conflict = approves ? await approveDocument(interaction, pending, allowed) : undefined;
  if (conflict) return showAgain(interaction, member.id, conflict);
  // Before anything is granted: the first of several submissions for one request counts.
  const grantId = grantIdOf(member.id, client.clientId);
  if (
    !(await interaction.save({ consent: { grantId, refused: requested.filter((scope) => !allowed.includes(scope)) } }))
  ) {
    return interaction.sendEnded();
  }
  const use = await interaction.request.use(client.clientId, member.id);
  if (!use) return interaction.sendEnded();
  const stands = await writeConsent(options.consenting, { ...use, member }, ({ grant }) => {
    // What a rule or a policy refuses, the client can ask for once it does not: the person has not declined it.
    const earlier = declinedIn(grant).filter((scope) => !requested.includes(scope));
    const declined = [...earlier, ...choices.filter((scope) => !allowed.includes(scope))];
    // A first-party client is not asked again about what was declined before, so it has to stay declined.
    return { requested: client.firstParty ? [...requested, ...earlier] : requested, allowed, declined, limits };
  });
  // Refused just now: the engine asks again, and then the page says so.
  if (!stands) return interaction.resume();
  rememberConnected(options.csrfTokens, route, member.id, grantId);
  if (client.source !== 'document') await options.extendRegistration(site, client.clientId);
  else await options.reviews.markUsed(site, client.clientId, digest);
  return interaction.resume();
}

/** Approves what the page has shown, as the page of the reviews does. Returns what has changed at the same moment. */
async function approveDocument(
  { options, route }: Interaction,
  { member, client, digest, document, approval }: PendingConsent,
  allowed: readonly Scope[],
): Promise<VersionConflict | undefined> {
  const trace = currentTrace();
  const actor = trace?.actor;
  if (trace) trace.actor = { kind: 'administrator', id: member.id };
  if (trace) trace.client = { clientId: client.clientId, app: client.app?.id };
  try {
    await options.reviews.documents.approve(route.site, client.clientId, digest, {
      // What the page has shown: the answer is to the page as it is now.
      version: document?.version,
      logo: document?.logo,
      scopes: allowed.filter((scope) => approval.includes(scope)),
      by: member.id,
    });
    return undefined;
  } catch (error) {
    if (error instanceof VersionConflict) return error;
    throw error;
  } finally {
    // What the person then allows, they allow for themselves.
    if (trace) trace.actor = actor;
  }
}

/** With all that was read for this request read again. */
async function showAgain(
  { options, route }: Interaction,
  memberId: string,
  { difference: stale }: VersionConflict,
): Promise<void> {
  const interaction = await Interaction.open(options, route);
  const pending = interaction?.decided === false ? await pendingConsent(interaction, memberId) : undefined;
  if (!interaction || !pending) return showEnded(options, route);
  return showConsent(interaction, pending, { stale });
}

/** All that is ticked on the page. */
function tickedIn({ outcome, beyond }: PendingConsent, form: Form): Scope[] {
  return [...selectedScopes(form, outcome.scopes), ...selectedScopes(form, beyond)];
}

/** The scopes that the form selects, and those that have no checkbox; all of them for a form without checkboxes. */
function selectedScopes(form: Form, scopes: readonly Scope[]): Scope[] {
  if (field(form, 'choice') !== 'shown') return [...scopes];
  const choice = new Set(choosable(scopes));
  const ticked = new Set([form['scope'] ?? []].flat());
  return scopes.filter((scope) => ticked.has(scope) || !choice.has(scope));
}

type Denied = Refusal | 'policy' | 'scope' | 'no_access';

const denials: Readonly<Record<Denied, string>> = {
  policy: 'the request was declined',
  scope: "this school's rules do not allow any of the requested scopes; ask an administrator of the school",
  ...refusals,
  no_access: 'the signed-in person may not use this application at this school',
};

/** Sends the person back without a page: it is reported once they are. */
export function sendBack(interaction: Interaction, reason: Denied): Promise<void> {
  return interaction.finish({ error: 'access_denied', error_description: denials[reason], reason });
}

/** Sends a person back who has been shown why, which has been reported. */
function goBack(interaction: Interaction, reason: Denied): Promise<void> {
  return interaction.finish({ error: 'access_denied', error_description: denials[reason], told: true });
}

async function decline(interaction: Interaction, { member, client }: PendingConsent): Promise<void> {
  const { clientId, audience, app } = client;
  const result = { error: 'access_denied', error_description: 'the request was declined', told: true };
  if (!(await interaction.save(result))) return interaction.sendEnded();
  const { options, route } = interaction;
  const actor = { kind: personAudience(audience), id: member.id };
  options.core.audit.onAudit({
    action: 'consent.denied',
    siteId: route.site.id,
    reason: 'declined',
    actor,
    clientId,
    app: app?.id,
    memberId: member.id,
  });
  return interaction.resume();
}
