import { schoolRoles } from '../core/access/school-roles.ts';
import { roleName } from '../pages/kit/role-name.ts';
import { startedAt } from '../core/enabled/enabled.ts';
import { type LimitRefusal, withProblem } from '../core/boundaries/limit-choices.ts';
import { earlierConsent } from '../core/grants/consent.ts';
import type { Form } from '../http/body.ts';
import type { ChoiceProblem } from '../pages/consent-choice.ts';
import { consentPage } from '../pages/consent-page.ts';
import { type AlwaysOpen, openFor } from '../pages/kit/always-sees.ts';
import { trustFor } from '../pages/consent-trust-level.ts';
import { type Conflict, namedConflict } from '../pages/kit/conflict.ts';
import { targetPath } from '../pages/kit/console.ts';
import type { Scope } from '../core/scopes/scopes.ts';
import { grantIdOf, optional, text } from '../records/codec.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { showConnectAgain } from './connect-again.ts';
import type { Interaction } from './interaction.ts';
import { deniedBy, digestOfPage, type PendingConsent, type Staleness } from './pending-consent.ts';
import type { ClientInfo } from '../core/clients/client.ts';

/** What a form has changed on the page, which is shown again. */
interface Redrawn {
  /** What is ticked on the page. */
  readonly posted?: readonly Scope[] | undefined;
  /** Why it decides nothing. */
  readonly problem?: ChoiceProblem;
  readonly limitProblem?: LimitRefusal;
  /** What was sent, of which the choices of limits stay. */
  readonly form?: Form;
  readonly stale?: Staleness;
  /** The school was asked to let the person connect it. */
  readonly asked?: true;
}

export async function showConsent(
  interaction: Interaction,
  pending: PendingConsent,
  { posted, problem, limitProblem, stale, asked, form }: Redrawn = {},
): Promise<void> {
  const { options, route } = interaction;
  const { member, client, beyond, waits, document, outcome, refusal, pseudonym, demanded } = pending;
  const { ctx, site } = route;
  if (pending.limitGone && !outcome.denied) return showConnectAgain(interaction, pending);
  const shown = digestOfPage(pending);
  const [before, switchAccountUrl, logo] = await Promise.all([
    earlierConsent(
      { store: options.core.records.store, catalogue: options.consenting.catalogue },
      site,
      grantIdOf(member.id, client.clientId),
    ),
    options.core.host.platform.signInUrl(ctx, site, interaction.restartUrl(), { reauthenticate: true }),
    logoOf(interaction, pending),
  ]);
  const question = { site, member, scopes: [...outcome.scopes, ...beyond], demanded };
  const start = startedAt(options.enabled.known, interaction.record);
  const asker = { client, redirectUri: interaction.parameter('redirect_uri'), startPlaces: start ? [start] : [] };
  const proposed = trustFor(asker) !== 'known' && before.allowed.size === 0;
  const limitsBefore = { only: before.only, asked: interaction.parameter('authorization_details'), proposed };
  const shownLimits = await options.core.choices.show(question, limitsBefore, form);
  const open = await openIn(interaction, pending);
  const page = consentPage({
    ...outcome,
    ...asker,
    limits: limitProblem ? withProblem(shownLimits, limitProblem) : shownLimits,
    beyond,
    waits,
    logoToApprove: document?.logo?.picture,
    refusal,
    pseudonym,
    site,
    member,
    before,
    ticked: posted && new Set(posted),
    selected: posted !== undefined && !problem && !limitProblem,
    problem,
    limitProblem,
    stale: stale === 'decision' ? await decisionOn(interaction, pending) : stale,
    decider: pending.decider,
    onlyRoles: await roleNamesOf(interaction, pending),
    changePath: pending.mayChange ? pathOfApp(interaction, client) : undefined,
    asking: asked ? 'asked' : mayAsk(interaction, pending) ? 'possible' : undefined,
    requestsPath: options.requestsPath,
    switchAccountUrl,
    logo,
    shown,
    action: new URL(interaction.url()).pathname,
    csrf: options.csrfTokens.issue(interaction.csrfBinding(member.id, shown)),
    yourApps: options.yourApps,
    open,
    until: epochSeconds() + options.core.limits.lifetimes(site).grant,
  });
  await interaction.send(page);
  if (outcome.denied && !asked) await interaction.reportRefused(deniedBy(pending));
}

/** More roles than these say nothing that a person could use. */
const maxRoles = 5;

/** What the school calls the roles of which the person needs one. A page without them is better than none. */
async function roleNamesOf({ options, route }: Interaction, { roles }: PendingConsent): Promise<readonly string[]> {
  if (roles.length === 0 || roles.length > maxRoles) return [];
  const find = schoolRoles(options.core.host.platform, []);
  const known = await find(route.site).catch(() => undefined);
  return known ? roles.map((role) => roleName(known, role)) : [];
}

/** What the client sees without being allowed it, once the person has allowed what the page asks. */
async function openIn({ options, route }: Interaction, pending: PendingConsent): Promise<AlwaysOpen> {
  const { member, client, outcome, beyond, requested } = pending;
  const { clientId } = client;
  if (outcome.denied) return options.open;
  const question = { site: route.site, member, clientId, scopes: [...outcome.scopes, ...beyond], requested };
  return openFor(options.open, () => options.core.access.emailAccess(question));
}

/** Whether the person can ask the school for a decision: its administrators have a page for that. */
export function mayAsk({ options, route }: Interaction, { asksSchool }: PendingConsent): boolean {
  return asksSchool && options.askToConnect !== undefined && route.site.connectionsEnabled;
}

/** The decision of the school that the page has not shown. */
async function decisionOn({ options, route }: Interaction, { member, client }: PendingConsent): Promise<Conflict> {
  const { site } = route;
  const decided = await options.reviews.decidedOn(site.id, client.clientId);
  return namedConflict(options.core.host.platform, { site, member }, decided);
}

/** Where an administrator decides on the client. */
function pathOfApp({ options }: Interaction, { clientId }: ClientInfo): string | undefined {
  return options.connectionsPath && targetPath(options.connectionsPath, { clientId });
}

/** The logo of a client, if it has a reviewed metadata document: others could show the logo of another app. */
async function logoOf({ options, route }: Interaction, { client, metadata }: PendingConsent) {
  const address = client.source === 'document' && client.reviewed ? optional(metadata, 'logo_uri', text) : undefined;
  const found = address === undefined ? undefined : await options.reviews.findLogo(route.site.id, address);
  // The digest of the picture that was approved; without it, any picture at the address counts.
  const approved = optional(metadata, 'campus_logo_digest', text);
  return approved === undefined || approved === found?.digest ? found?.picture : undefined;
}
