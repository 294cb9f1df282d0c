import type { Context } from 'koa';
import type { Site } from '../host/school-platform.ts';
import type { Route } from './route.ts';
import { InvalidRequest } from '../kernel/errors.ts';
import { currentOrigin } from '../host/origins.ts';
import { requestOrigin } from './origin.ts';
import { noStore } from './send.ts';

/** The origin of a site at which a request has reached it: the current one, or one of before. */
export function addressedOrigin(ctx: Context, site: Site): string {
  const origin = site.formerOrigins?.length ? requestOrigin(ctx) : undefined;
  return origin !== undefined && currentOrigin(site, origin) === site.origin ? origin : site.origin;
}

/**
 * At a former origin, sends a browser, and what reads documents, to the same address at the current one. What programs call with a credential
 * is served there: they would lose it on the way. Returns whether the request was answered.
 *
 * @throws InvalidRequest with status 410 for a form that was open when the school moved
 */
export function redirectMoved({ kind, atFormerOrigins }: Route, ctx: Context, site: Site, isBrowser: boolean): boolean {
  const isServed = atFormerOrigins === true || atFormerOrigins === ctx.method || (kind === 'api' && !isBrowser);
  if (isServed || addressedOrigin(ctx, site) === site.origin) return false;
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    throw new InvalidRequest(`${site.name} has moved to ${site.origin}; start again there`, { status: 410 });
  }
  noStore(ctx);
  ctx.redirect(`${site.origin}${ctx.path}${ctx.search}`);
  // It is not remembered: a school can move back.
  ctx.status = 307;
  return true;
}
