import { readFileSync } from 'node:fs';
import type { Context } from 'koa';
import type { Site } from 'campus-oidc';

const read = (school: string): Buffer => readFileSync(new URL(`logos/${school}.svg`, import.meta.url));
const logos: Readonly<Record<string, Buffer>> = { harbour: read('harbour'), summit: read('summit') };

/** `GET /logo.svg`. */
export function sendLogo(ctx: Context, school: Site): void {
  ctx.set({ 'Content-Security-Policy': "default-src 'none'", 'X-Content-Type-Options': 'nosniff' });
  ctx.type = 'image/svg+xml';
  ctx.body = logos[school.id];
}
