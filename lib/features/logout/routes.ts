import type { Context } from 'koa';
import type { PlatformSession, Site } from '../../host/school-platform.ts';
import { field, readForm } from '../../http/body.ts';
import type { Route, RouteCall } from '../../http/route.ts';
import { noStore } from '../../http/send.ts';
import { clientInfo } from '../../core/clients/client-metadata.ts';
import { faultWrapper } from '../../observe/faults-to-503.ts';
import type { CsrfBinding } from '../../pages/kit/csrf-tokens.ts';
import { redirectSeeOther } from '../../pages/kit/pages.ts';

import type { RouteParts } from '../parts.ts';
import type { EndSession } from './domain/option.ts';
import { logoutPaths } from './paths.ts';
import { logoutDonePage, logoutPage } from './pages.ts';
import { reportingRefusal } from './refusals.ts';
import type { LogoutRequest } from './request.ts';

interface LogoutRoutes {
  readonly parts: RouteParts;
  readonly endSession: (...call: Parameters<EndSession>) => Promise<void>;
}

/** The end session endpoint, and the form of its page. OpenID Connect RP-Initiated Logout 1.0. */
export function logoutRoutes(parts: RouteParts): Route[] {
  const { logout } = parts.settings;
  if (!logout) return [];
  const endSession = faultWrapper(parts.core.audit.onFault)('logout.endSession', logout.endSession);
  const routes: LogoutRoutes = { parts, endSession };
  return [
    {
      path: logoutPaths.endSession,
      methods: ['GET', 'POST'],
      kind: 'page',
      atFormerOrigins: 'POST',
      foreignForms: true,
      handle: (call) => (call.ctx.method === 'POST' ? goOnByGet(routes, call) : ask(routes, call)),
    },
    { path: logoutPaths.confirm, methods: ['POST'], kind: 'page', handle: (call) => decide(routes, call) },
  ];
}

/** A form from another site comes without the cookies that are `SameSite=Lax`, so nobody would be signed in. `id_token_hint` stays out of the address. */
async function goOnByGet(routes: LogoutRoutes, call: RouteCall): Promise<void> {
  const { ctx, site } = call;
  const { fields } = await reportingRefusal(routes.parts.core, call, await readForm(ctx));
  redirectSeeOther(ctx, addressOf(site, fields));
}

function addressOf({ origin }: Site, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(fields).toString();
  return `${origin}${logoutPaths.endSession}${query && `?${query}`}`;
}

/** The person is always asked: any page can send a browser here, also with an old ID token. */
async function ask(routes: LogoutRoutes, call: RouteCall): Promise<void> {
  const { ctx, site } = call;
  const { core, pages, kit } = routes.parts;
  const { platform } = core.host;
  const request = await reportingRefusal(core, call, ctx.query);
  // An ID token can have a name and an address: no page and no address of the sign-in page has it.
  if (ctx.query['id_token_hint'] !== undefined) return redirectSeeOther(ctx, addressOf(site, request.fields));
  const session = await platform.signedInMember(ctx, site);
  if (!session) return goOn(routes, { ctx, site }, request, 'done');
  const { memberId } = session;
  const returnTo = addressOf(site, request.fields);
  const [member, switchAccountUrl] = await Promise.all([
    platform.findMember(site, memberId),
    platform.signInUrl(ctx, site, returnTo, { reauthenticate: true }),
  ]);
  const csrf = kit.csrfTokens.issue(bindingOf(site, memberId, request));
  const client = request.client && clientInfo(request.client).clientName;
  const page = logoutPage({ site, member, switchAccountUrl, client, csrf, fields: request.fields });
  await pages.send(ctx, site, page, request.uiLocales);
}

async function decide(routes: LogoutRoutes, call: RouteCall): Promise<void> {
  const { ctx, site } = call;
  const form = await readForm(ctx);
  const { core, kit } = routes.parts;
  const request = await reportingRefusal(core, call, form);
  const session = await core.host.platform.signedInMember(ctx, site);
  if (!session) return goOn(routes, { ctx, site }, request, 'done');
  const isOurs = kit.csrfTokens.verify(bindingOf(site, session.memberId, request), field(form, 'csrf'));
  // The form was open for long, or was shown to somebody else.
  if (!isOurs) return redirectSeeOther(ctx, addressOf(site, request.fields));
  const isSure = field(form, 'logout') === 'yes';
  if (isSure) await signOut(routes, { ctx, site }, session, request);
  await goOn(routes, { ctx, site }, request, isSure ? 'done' : 'stays');
}

async function signOut(
  { endSession, parts: { signOuts, core } }: LogoutRoutes,
  { ctx, site }: { readonly ctx: Context; readonly site: Site },
  session: PlatformSession,
  { client }: LogoutRequest,
): Promise<void> {
  const { memberId, sessionId } = session;
  await endSession(ctx, site, session);
  const actor = { kind: 'member', id: memberId } as const;
  core.audit.onAudit({ action: 'session.ended', siteId: site.id, actor, memberId, clientId: client?.client_id });
  // The person is signed out by now: a store that fails is a fault, and does not change that.
  await signOuts.signedOut?.(site, memberId, sessionId).catch(() => undefined);
}

async function goOn(
  { parts: { pages } }: LogoutRoutes,
  { ctx, site }: { readonly ctx: Context; readonly site: Site },
  { backTo, uiLocales }: LogoutRequest,
  outcome: 'done' | 'stays',
): Promise<void> {
  noStore(ctx);
  if (backTo !== undefined) return redirectSeeOther(ctx, backTo);
  await pages.send(ctx, site, logoutDonePage(site, outcome), uiLocales);
}

/** A form is good for this request and the person to whom it was shown. */
function bindingOf({ id: siteId }: Site, memberId: string, { fields }: LogoutRequest): CsrfBinding {
  return { siteId, memberId, form: `logout ${JSON.stringify(fields)}` };
}
