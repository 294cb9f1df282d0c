import type { Context } from 'koa';
import type { Site } from '../../contracts/platform.ts';
import type { OAuthError } from '../../protocol/errors.ts';
import { sendError } from '../../http/send.ts';
import { html } from './html.ts';
import { technical } from './message-page.ts';
import type { PageIn, Pages } from './pages.ts';

/** An error at an address that browsers visit: a page in the school's frame, or JSON for who prefers that. */
export function sendBrowserError(pages: Pages, ctx: Context, site: Site, error: OAuthError): void {
  if (ctx.accepts('html', 'json') !== 'html') return sendError(ctx, error);
  ctx.set({ ...error.headers });
  return pages.send(ctx, site, errorPage(error));
}

function errorPage({ status, message, error }: OAuthError): PageIn {
  const kind = status < 500 ? 'error.request' : 'error.fault';
  return (say) => ({
    title: say.text(`${kind}.title`),
    status,
    body: html`<p>${say.text(`${kind}.advice`)}</p>
${status < 500 && technical(say, `${sentence(message)} (${error}).`)}`,
  });
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
