import { hintedMember, isHinted, unmetAcr } from './prompts.ts';
import type { OnFault } from '../observe/events.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { splitScope } from '../core/scopes/scopes.ts';
import type { Member } from '../host/school-platform.ts';
import type { Route, RouteCall } from '../http/route.ts';
import { messagePage } from '../pages/kit/error-page.ts';
import { personText, personValues } from '../pages/kit/person.ts';
import { type PageBuilder, redirectSeeOther } from '../pages/kit/pages.ts';
import { paths } from '../http/paths.ts';
import { showConsent } from './consent.ts';
import { answerConsent, sendBack } from './consent-answers.ts';
import { showEnded } from './ended.ts';
import { Interaction, type PendingInteraction } from './interaction.ts';
import type { InteractionOptions, LostSignInCheck } from './interaction-options.ts';
import { deniedBy, pendingConsent } from './pending-consent.ts';

/** Sign-in and consent: where the engine redirects a browser when it needs the person. */
export function interactionRoutes(options: InteractionOptions): Route[] {
  const path = `${paths.interaction}/:id`;
  return [{ path, methods: ['GET', 'POST'], kind: 'page', acts: true, handle: (route) => interact(options, route) }];
}

async function interact(options: InteractionOptions, route: RouteCall): Promise<void> {
  const interaction = await Interaction.open(options, route);
  if (!interaction) return showEnded(options, route);
  return interaction.record.prompt.name === 'consent' ? consentOfSignedIn(interaction) : signIn(interaction);
}

async function consentOfSignedIn(interaction: Interaction): Promise<void> {
  const { options, route, request, record } = interaction;
  const { ctx, site } = route;
  const signedIn = await request.signedIn();
  if (!signedIn)
    return redirectSeeOther(
      ctx,
      await options.core.host.platform.signInUrl(ctx, site, interaction.url(), { reauthenticate: false }),
    );
  options.limitPages(site, signedIn.memberId);
  if (signedIn.memberId === record.session?.accountId) return consent(interaction, signedIn.memberId);
  if (hintedMember(record.params) !== undefined) return interaction.finish(notTheHinted);
  const first = record.session?.accountId;
  const [person, other, signInUrl] = await Promise.all([
    request.member(signedIn.memberId),
    first === undefined ? undefined : request.member(first),
    options.core.host.platform.signInUrl(ctx, site, interaction.url(), { reauthenticate: true }),
  ]);
  return interaction.send(personChangedPage({ person, other, signInUrl, restartUrl: interaction.restartUrl() }));
}

async function consent(interaction: Interaction, memberId: string): Promise<void> {
  const pending = interaction.decided ? undefined : await pendingConsent(interaction, memberId);
  if (!pending) return interaction.sendEnded();
  const { member, client, outcome, waits, refusal } = pending;
  // The engine asks for the role when it goes on, and an approval comes before that.
  if (interaction.options.core.access.rights(member, client.audience) !== 'permitted')
    return sendBack(interaction, 'no_access');
  // If no policy has a text for the person, the client says it.
  if (outcome.denied && outcome.texts.length === 0 && !refusal && !waits)
    return sendBack(interaction, deniedBy(pending));
  return interaction.route.ctx.method === 'POST'
    ? answerConsent(interaction, pending)
    : showConsent(interaction, pending);
}

interface PersonChanged {
  /** Who is signed in now. */
  readonly person: Member | undefined;
  /** For whom the page was made, in the same browser. */
  readonly other: Member | undefined;
  readonly signInUrl: string;
  readonly restartUrl: string;
}

/** The page goes on for the person for whom it was made, or starts again for the one who is signed in. */
export function personChangedPage({ person, other, signInUrl, restartUrl }: PersonChanged): PageBuilder {
  const again = { text: 'person.changed.button', href: restartUrl } as const;
  const back = { text: other ? 'person.changed.back' : 'forbidden.button', href: signInUrl } as const;
  const now = person && personValues(person);
  const texts = [now ? personText('person.changed.text', now) : ('person.changed.unknown' as const)];
  const values = { ...now, ...(other && { other: personValues(other).name }) };
  return messagePage({ title: 'person.changed.title', texts, values, status: 403, action: back, other: again });
}

const notTheHinted = {
  error: 'login_required',
  error_description:
    'the person who signed in must be the person of id_token_hint; send the request without id_token_hint to accept anyone',
} as const;

/** Accepts the platform's sign-in, or asks for one. Without `authTime`, a platform is trusted when it sends the browser back. */
export async function signIn(interaction: Interaction): Promise<void> {
  const { options, route, request, record } = interaction;
  const { ctx, site } = route;
  const signedIn = await request.signedIn();
  const visits = Number(record.result?.['sentToSignIn'] ?? 0);
  const sent = visits > 0;
  const selectAccount = record.prompt.name === 'select_account';
  const notBefore = notBeforeOf(record, sent);
  const { params } = record;
  const isHintedOne = !signedIn || (await isHinted(request, params['client_id'], params, signedIn.memberId));
  // OIDC Core section 3.1.2.1. The engine compares at the first request only.
  if (sent && !isHintedOne) return interaction.finish(notTheHinted);
  const acrValues = request.neededAcr(record.params);
  const isAuthenticatedSo = acrValues.length === 0 || acrValues.includes(signedIn?.acr ?? '');
  if (sent && signedIn && !isAuthenticatedSo) return interaction.finish(unmetAcr);
  const isEnough = isHintedOne && isAuthenticatedSo && (sent || !selectAccount);
  if (signedIn && isEnough && (notBefore === undefined || isFresh(signedIn.authTime, notBefore, sent))) {
    const { memberId, authTime, amr, acr } = signedIn;
    const login = { accountId: memberId, ts: authTime, amr: amr && [...amr], acr };
    return interaction.finish({ login, ...(selectAccount && { select_account: {} }) });
  }
  const loginHint = record.params['login_hint'];
  const hint = {
    reauthenticate: notBefore !== undefined || selectAccount || !isHintedOne || !isAuthenticatedSo,
    ...(acrValues.length > 0 && { acrValues }),
    ...(selectAccount && { selectAccount }),
    ...(typeof loginHint === 'string' && { loginHint }),
  };
  const signInUrl = await options.core.host.platform.signInUrl(ctx, site, interaction.url(), hint);
  // The browser came back from the sign-in page with an authentication older than the application accepts.
  if (signedIn && sent) return interaction.send(signInAgainPage(signInUrl));
  if (!signedIn) options.signInLost(ctx, visits);
  await interaction.save({ sentToSignIn: visits + 1 });
  redirectSeeOther(ctx, signInUrl);
}

export function signInAgainPage(signInUrl: string): PageBuilder {
  const action = { text: 'signIn.again.button', href: signInUrl } as const;
  return messagePage({ title: 'signIn.again.title', texts: ['signIn.again.text'], status: 403, action });
}

/** An authentication in the same second as the request counts only after the browser was sent to sign in. */
function isFresh(authTime: number | undefined, notBefore: number, sent: boolean): boolean {
  if (authTime === undefined) return sent;
  return authTime > notBefore || (sent && authTime === notBefore);
}

/** The earliest acceptable authentication, if any is too old. The engine replaces `max_age=0` by `prompt=login`. OIDC Core 3.1.2.1. */
function notBeforeOf({ params, iat }: PendingInteraction, sent: boolean): number | undefined {
  const { prompt, max_age: maxAge } = params;
  if (typeof prompt === 'string' && splitScope(prompt).includes('login')) return iat;
  if (maxAge === undefined) return undefined;
  // However small it is, an authentication for this request is acceptable.
  const oldest = epochSeconds() - Number(maxAge);
  return sent ? Math.min(iat, oldest) : oldest;
}

const lostBetweenSites =
  'the browser came from another site, so it did not send cookies with SameSite=Strict; set SameSite=Lax for the session cookie of the platform';

const lostOnThisSite =
  'the session cookie of the platform must reach this path (Path, Domain, Secure and SameSite of the cookie), and platform.signedInMember must read it';

/** Reports, once, that browsers come back with no one signed in, twice for a request: people then go round in a circle. */
export function createLostSignInCheck(onFault: OnFault): LostSignInCheck {
  let reported = false;
  return (ctx, visits) => {
    if (reported || visits < 2) return;
    reported = true;
    onFault(
      'a browser came back from the sign-in page twice, and platform.signedInMember found no one signed in',
      new Error(ctx.get('Sec-Fetch-Site') === 'cross-site' ? lostBetweenSites : lostOnThisSite),
    );
  };
}
