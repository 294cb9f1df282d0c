import type { Context } from 'koa';
import { noStore } from '../../http/send.ts';

/** Sends the browser on with a GET. */
export function seeOther(ctx: Context, address: string): void {
  noStore(ctx);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.status = 303;
  ctx.redirect(address);
}
