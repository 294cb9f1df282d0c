import type { Context } from 'koa';
import { noStore } from '../../http/send.ts';

export function redirectSeeOther(ctx: Context, url: string): void {
  noStore(ctx);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.status = 303;
  ctx.redirect(url);
}

/** A count that such a redirect passes to the next page, for example `?removed=2`. Visitors can change it. */
export function countFromQuery(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
