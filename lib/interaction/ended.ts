import type { RouteCall } from '../http/route.ts';
import { EngineRequest } from '../engine/engine-request.ts';
import { reportRefusal } from '../engine/refusal-events.ts';
import { messagePage } from '../pages/kit/error-page.ts';
import type { CsrfBinding, CsrfTokens } from '../pages/kit/csrf-tokens.ts';
import { paths } from '../http/paths.ts';
import { homePath, type PageBuilder } from '../pages/kit/pages.ts';
import { html, shortName } from '../pages/kit/markup.ts';
import { roundTile } from '../pages/kit/tile.ts';
import type { InteractionOptions } from './interaction-options.ts';

/**
 * A request that is answered is gone, and a browser can come back to its page. For some minutes this cookie, which only that page
 * gets, tells what was connected there; for the person who did it, since its proof is bound to them.
 */
const cookie = 'campus_connected';
const lifetime = 10 * 60 * 1000;

/** Remembers, in the browser, that the person has connected a client in this interaction. */
export function rememberConnected(csrfTokens: CsrfTokens, route: RouteCall, memberId: string, grantId: string): void {
  const { ctx, id } = route;
  const proof = csrfTokens.issue(bindingOf(route, memberId, grantId));
  const path = `${paths.interaction}/${id}`;
  ctx.cookies.set(cookie, `${grantId}~${proof}`, {
    path,
    maxAge: lifetime,
    httpOnly: true,
    sameSite: 'lax',
    signed: false,
  });
}

/** Says that an interaction has ended. If it cannot be opened, only the cookie of its page can tell whose it was. */
export async function showEnded(
  options: InteractionOptions,
  route: RouteCall,
  request: EngineRequest = new EngineRequest(route.ctx, route.site, options),
  params: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { ctx, site } = route;
  const answered = await answeredPage(options, route, request);
  const { ui_locales: sent } = params;
  const locales = typeof sent === 'string' && sent !== '' ? sent : undefined;
  await options.pages.send(ctx, site, answered ?? expiredPage, locales);
  if (answered) return;
  request.refused = { reason: 'request_ended', params };
  await reportRefusal(options.core.audit.onAudit, request);
}

export const expiredPage = messagePage({
  title: 'expired.title',
  texts: ['expired.consent', 'expired.consent.advice'],
  status: 400,
});

/** For a person who comes back after a consent: it is done, and where to see it. `undefined` for anyone else, and once it is not connected. */
async function answeredPage(
  { core, csrfTokens, yourApps }: InteractionOptions,
  route: RouteCall,
  request: EngineRequest,
): Promise<PageBuilder | undefined> {
  const { ctx, site } = route;
  const [grantId = '', proof] = ctx.cookies.get(cookie, { signed: false })?.split('~') ?? [];
  const { memberId } = (proof !== undefined && (await request.signedIn())) || {};
  if (memberId === undefined || !csrfTokens.verify(bindingOf(route, memberId, grantId), proof)) return undefined;
  const grant = await core.records.store.find(site.id, 'Grant', grantId);
  const client = grant && (await request.client(grant.record.clientId));
  if (!client) return undefined;
  const name = client.client_name ?? client.client_id;
  return connectedPage(name, yourApps === undefined ? undefined : `${yourApps}/${grantId}`);
}

/** What the person has connected. @param seen - the address of its page, where there is one */
export function connectedPage(clientName: string, seen: string | undefined): PageBuilder {
  const values = { client: shortName(clientName) };
  return (t) => ({
    page: 'consent',
    title: t.text('answered.title', values),
    heading: t.html('answered.title', values),
    beforeHeading: roundTile('check', 'allowed'),
    body: html`<p>${t.html('answered.text', values)}</p>
<div class="actions stack"><a class="button primary" href="${seen ?? homePath}">${t.html(seen === undefined ? 'home' : 'answered.see')}</a></div>`,
  });
}

function bindingOf({ site, id }: RouteCall, memberId: string, grantId: string): CsrfBinding {
  return { siteId: site.id, form: `connected ${id} ${grantId}`, memberId };
}
