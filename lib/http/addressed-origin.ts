import type { Context } from 'koa';
import type { Site } from '../host/school-platform.ts';
import { currentOrigin } from '../host/origins.ts';
import { requestOrigin } from './origin.ts';

/** The origin of a school at which a request has reached it: the current one, or one of before. */
export function addressedOrigin(ctx: Context, site: Site): string {
  const origin = site.formerOrigins?.length ? requestOrigin(ctx) : undefined;
  return origin !== undefined && currentOrigin(site, origin) === site.origin ? origin : site.origin;
}
