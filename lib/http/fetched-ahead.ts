import type { Context } from 'koa';
import { noStore } from './send.ts';

/** Names of the header, the oldest last, with which browsers fetch a page before the person opens it. */
const headers = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether nobody has opened the address yet. Fetch Standard, `Sec-Purpose`. */
export function isAhead({ req }: Context): boolean {
  return headers.some((name) => /^(?:prefetch|prerender|preview)\b/i.test(String(req.headers[name] ?? '')));
}

/** The browser asks again when the person opens the address. */
export function refuseAhead(ctx: Context): void {
  noStore(ctx);
  ctx.body = 'This address is only for a person who opens it.';
  ctx.status = 503;
}
