import type { Context } from 'koa';
import type { Site } from '../contracts/platform.ts';
import type { OAuthError } from '../errors.ts';
import { sendError } from '../http/send.ts';
import { sendPage } from './layout.ts';
import { messagePage } from './message-page.ts';

/** An error at an address that browsers visit: a page in the school's frame, or JSON for who prefers that. */
export function sendBrowserError(ctx: Context, site: Site, error: OAuthError): void {
  if (ctx.accepts('html', 'json') !== 'html') return sendError(ctx, error);
  ctx.set({ ...error.headers });
  const title = error.status < 500 ? 'This request cannot be carried out' : 'This is not possible right now';
  return sendPage(ctx, site, messagePage(title, `${error.message} (${error.error})`, error.status));
}
