import { noteShownError } from '../http/router.ts';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { BlockedClient } from '../core/clients/blocked-client.ts';
import { clientInfo } from '../core/clients/client-metadata.ts';
import type { RoleRegister } from '../core/access/operator-and-admin-roles.ts';
import { requestOf } from '../engine/engine-request.ts';
import type { Site } from '../host/school-platform.ts';
import type { OAuthError } from '../kernel/errors.ts';
import { targetPath } from '../pages/kit/console.ts';
import { blockedPage, errorPage, forbiddenPage, sendBrowserError } from '../pages/kit/error-page.ts';
import type { PageBuilder, Pages } from '../pages/kit/pages.ts';
import { paths } from '../http/paths.ts';
import { InteractionEnded, type ShowError } from '../engine/engine-errors.ts';
import type { ShowDenied } from '../engine/routes.ts';
import type { HostPlatform } from '../host/checked-platform.ts';
import { expiredPage } from './ended.ts';

/** Another account may be the right one: the person can sign in with it, or go back to the application with its error. */
export function deniedPage(pages: Pages, platform: HostPlatform): ShowDenied {
  return async ({ ctx, site }, { member, reason, params }, back) => {
    const sent = Object.entries(params).filter((each): each is [string, string] => typeof each[1] === 'string');
    const again = `${site.origin}${paths.authorize}?${new URLSearchParams(sent).toString()}`;
    const switchAccountUrl = await platform.signInUrl(ctx, site, again, { reauthenticate: true });
    const text = reason === 'no-operator' ? 'forbidden.client' : 'forbidden.member';
    noteShownError(ctx, 'access_denied');
    const locales = new Map(sent).get('ui_locales');
    return pages.send(ctx, site, forbiddenPage(site, member, text, { switchAccountUrl, back }), locales);
  };
}

/** What is shown of an error of the engine. @param connectionsPath - where administrators decide on apps */
export function errorShower(pages: Pages, access: RoleRegister, connectionsPath: string | undefined): ShowError {
  const pageOf = async (ctx: KoaContextWithOIDC, site: Site, error: OAuthError): Promise<PageBuilder> => {
    if (error instanceof InteractionEnded) return expiredPage;
    if (!(error instanceof BlockedClient)) return errorPage(error, ctx, { school: site.name, app: await appKey(ctx) });
    const changePath = await changePathOf(access, connectionsPath, error, ctx);
    return blockedPage(error, ctx, { school: site.name, changePath });
  };
  return async (ctx, site, error) => sendBrowserError(pages, ctx, site, error, await pageOf(ctx, site, error));
}

/** Where the person who is signed in decides otherwise. A platform that fails does not end the page. */
async function changePathOf(
  access: RoleRegister,
  connectionsPath: string | undefined,
  { from }: BlockedClient,
  ctx: KoaContextWithOIDC,
): Promise<string | undefined> {
  const { client_id: clientId } = ctx.query;
  if (from !== 'school' || connectionsPath === undefined || typeof clientId !== 'string') return undefined;
  const request = requestOf(ctx);
  const member = await request
    .signedIn()
    .then((signedIn) => signedIn && request.member(signedIn.memberId))
    .catch(() => undefined);
  return member && access.mayDecide(member) ? targetPath(connectionsPath, { clientId }) : undefined;
}

/** The name of the app that has sent the person, if it has not only chosen that itself: nobody has signed in who could judge it. */
async function appKey(ctx: KoaContextWithOIDC): Promise<string | undefined> {
  const clientId = ctx.oidc.client?.clientId;
  const metadata =
    clientId === undefined
      ? undefined
      : await requestOf(ctx)
          .client(clientId)
          .catch(() => undefined);
  if (!metadata) return undefined;
  const { source, clientName, app } = clientInfo(metadata);
  if (source === 'document') return URL.parse(metadata.client_id)?.host;
  return source !== 'registered' || app?.verified === true ? clientName : undefined;
}
