import { clientInfo } from '../clients/metadata.ts';
import type { ClientInfo } from '../contracts/client.ts';
import type { Member } from '../contracts/platform.ts';
import { applyConsentPolicies, type ConsentOutcome, declinedIn, writeConsent } from '../grants/consent.ts';
import { grantedScopes } from '../grants/changes.ts';
import { field, type Form, readForm } from '../http/body.ts';
import { consentPage } from '../pages/consent-page.ts';
import { choosable } from '../pages/kit/permissions.ts';
import { type Scope, splitScope } from '../protocol/scopes.ts';
import { grantIdOf, optional, text } from '../records/codec.ts';
import { expiredPage, type InteractionContext } from './interaction-context.ts';

interface LogoReference {
  readonly address: string;
  /** The digest of the picture that was approved; without it, any picture at the address counts. */
  readonly digest: string | undefined;
}

/** What the person decides on. */
interface PendingConsent {
  readonly member: Member;
  readonly client: ClientInfo;
  /** That of a reviewed metadata document: anyone could name that of another program. */
  readonly logo: LogoReference | undefined;
  /** The digest of a metadata document. */
  readonly digest: string | undefined;
  readonly requested: readonly Scope[];
  readonly outcome: ConsentOutcome;
  /** Whether the school has blocked the client. */
  readonly blocked: boolean;
}

/** Shows the consent page, or handles its form. */
export async function consent(context: InteractionContext, memberId: string): Promise<void> {
  const { options, route, request } = context;
  const { ctx, site } = route;
  if (context.decided) return context.send(expiredPage);
  const [member, found] = await Promise.all([request.member(memberId), request.client(context.parameter('client_id'))]);
  if (!member || !found) return context.send(expiredPage);
  const client = clientInfo(found);
  const requested = splitScope(context.parameter('scope')).filter(options.catalogue.has);
  const blocked = await options.isBlocked(site.id, client.clientId);
  const outcome = blocked
    ? { scopes: [], denied: true, texts: [] }
    : await applyConsentPolicies(options.consent, { site, member, client, scopes: requested });
  if (outcome.denied && outcome.texts.length === 0 && !blocked) {
    return deny(context, member, client, 'policy');
  }
  const address = client.source === 'document' && client.reviewed ? optional(found, 'logo_uri', text) : undefined;
  const logo = address === undefined ? undefined : { address, digest: optional(found, 'campus_logo_digest', text) };
  const digest = optional(found, 'campus_digest', text);
  const pending = { member, client, logo, digest, requested, outcome, blocked };
  return ctx.method === 'POST' ? decide(context, pending) : show(context, pending);
}

/** `posted`: what the person left ticked on a form that cannot be accepted. */
async function show(context: InteractionContext, pending: PendingConsent, posted?: readonly Scope[]): Promise<void> {
  const { options, route } = context;
  const { member, client, logo, digest, outcome, blocked } = pending;
  const { ctx, site } = route;
  if (digest !== undefined && !blocked) await options.documentSeen(site, member.id, { ...client, digest });
  const [previouslyAllowed, switchAccountUrl, found] = await Promise.all([
    grantedScopes(options, site, grantIdOf(member.id, client.clientId)),
    options.platform.signInUrl(ctx, site, context.restartUrl(), { reauthenticate: true }),
    logo && options.findLogo(site.id, logo.address),
  ]);
  const page = consentPage({
    ...outcome,
    blocked,
    site,
    member,
    client,
    previouslyAllowed,
    ticked: posted && new Set(posted),
    nothingTicked: posted !== undefined,
    switchAccountUrl,
    logo: logo?.digest === undefined || logo.digest === found?.digest ? found?.picture : undefined,
    redirectUri: context.parameter('redirect_uri'),
    csrf: options.csrfTokens.issue(context.csrfBinding(member.id, outcome.scopes, digest)),
    connectedApps: options.connectedApps,
    memberApi: options.memberApi,
  });
  return context.send(page);
}

async function decide(context: InteractionContext, pending: PendingConsent): Promise<void> {
  const { options, route } = context;
  const { member, client, digest, requested, outcome, blocked } = pending;
  const form = await readForm(route.ctx);
  const decision = field(form, 'decision');
  const binding = context.csrfBinding(member.id, outcome.scopes, digest);
  const genuine = options.csrfTokens.verify(binding, field(form, 'csrf'));
  // Blocked since the page was shown: the form is that of another page.
  if (blocked && !genuine) return show(context, pending);
  if (!genuine || (decision !== 'allow' && decision !== 'deny')) return context.send(expiredPage);
  if (decision === 'deny' || outcome.denied) {
    return deny(context, member, client, blocked ? 'client_blocked' : outcome.denied ? 'policy' : 'declined');
  }
  const allowed = selectedScopes(form, outcome.scopes);
  if (allowed.length === 0 && requested.length > 0) return show(context, pending, allowed);
  // Before anything is granted: the first of several submissions for one request counts.
  const grantId = grantIdOf(member.id, client.clientId);
  if (!(await context.save({ consent: { grantId, refused: requested.filter((scope) => !allowed.includes(scope)) } }))) {
    return context.send(expiredPage);
  }
  const { clientId, audience, firstParty } = client;
  const stands = await writeConsent(options, route.site, { memberId: member.id, clientId, audience }, ({ grant }) => {
    // A first-party client is not asked again about what was declined before, so it has to stay declined.
    const declined = firstParty ? declinedIn(grant).filter((scope) => !requested.includes(scope)) : [];
    return { requested: [...requested, ...declined], allowed };
  });
  // Blocked just now: the engine asks again, and then the page says so.
  if (!stands) return context.resume();
  if (digest === undefined) await options.extendRegistration(route.site.id, client.clientId);
  else await options.documentUsed(client.clientId, digest);
  return context.resume();
}

/** The scopes that the form selects, and those that have no checkbox; all of them for a form without checkboxes. */
function selectedScopes(form: Form, scopes: readonly Scope[]): Scope[] {
  if (field(form, 'choice') !== 'shown') return [...scopes];
  const choice = new Set(choosable(scopes));
  const ticked = new Set([form['scope'] ?? []].flat());
  return scopes.filter((scope) => ticked.has(scope) || !choice.has(scope));
}

async function deny(
  context: InteractionContext,
  member: Member,
  { clientId, audience }: ClientInfo,
  reason: 'declined' | 'policy' | 'client_blocked',
): Promise<void> {
  const description =
    reason === 'client_blocked'
      ? 'this school has blocked the client; ask an operator of the school'
      : 'the request was declined';
  if (!(await context.save({ error: 'access_denied', error_description: description })))
    return context.send(expiredPage);
  const { options, route } = context;
  const actor = { kind: audience, id: member.id };
  options.onAudit({ action: 'consent.denied', siteId: route.site.id, reason, actor, clientId, memberId: member.id });
  return context.resume();
}
