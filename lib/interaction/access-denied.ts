import { noteShownError } from '../http/router.ts';
import { forbiddenPage, sendBrowserError } from '../pages/kit/error-page.ts';
import type { Pages } from '../pages/kit/pages.ts';
import { paths } from '../http/paths.ts';
import { InteractionEnded, type ShowError } from '../engine/engine-errors.ts';
import type { ShowDenied } from '../engine/routes.ts';
import type { HostPlatform } from '../host/checked-platform.ts';
import { expiredPage } from './interaction-context.ts';

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

/** What is shown of an error of the engine. */
export function errorShower(pages: Pages): ShowError {
  return (ctx, site, error) =>
    sendBrowserError(pages, ctx, site, error, error instanceof InteractionEnded ? expiredPage : undefined);
}
