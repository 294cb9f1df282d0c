import type { Context } from 'koa';

const limit = 8 * 1024;

/** Returns the fields of a submitted form. Rejects cross-origin forms, which would use the visitor's cookies (CSRF). */
export async function readForm(ctx: Context, origin: string): Promise<URLSearchParams> {
  const from = ctx.get('Origin');
  const site = ctx.get('Sec-Fetch-Site');
  if ((from && from !== origin) || (site && site !== 'same-origin' && site !== 'none')) {
    ctx.throw(403, 'This form was submitted from another site.');
  }
  if (ctx.is('application/x-www-form-urlencoded') === false) ctx.throw(415, 'Send a form.');
  return new URLSearchParams(await readBody(ctx));
}

async function readBody(ctx: Context): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not destroy the request: the response uses the same socket.
  const body: AsyncIterable<Buffer> = ctx.req.iterator({ destroyOnReturn: false });
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) ctx.throw(413, 'This form is too long.', { headers: { Connection: 'close' } });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
