import type { Context } from 'koa';
import type { Site } from '../contracts/platform.ts';
import type { OAuthError } from '../errors.ts';
import { sendError } from '../http/send.ts';
import { sendPage } from './layout.ts';
import { messagePage } from './message-page.ts';

const goBack = 'Go back to the application and try again. If it stays like this, tell the people who make it.';

/** An error at an address that browsers visit: a page in the school's frame, or JSON for who prefers that. */
export function sendBrowserError(ctx: Context, site: Site, error: OAuthError): void {
  if (ctx.accepts('html', 'json') !== 'html') return sendError(ctx, error);
  ctx.set({ ...error.headers });
  const page =
    error.status < 500
      ? messagePage('This request cannot be carried out', [`${error.message} (${error.error}).`, goBack], error.status)
      : messagePage('This is not possible right now', [error.message], error.status);
  return sendPage(ctx, site, page);
}
