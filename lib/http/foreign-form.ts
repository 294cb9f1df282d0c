import type { Context } from 'koa';

/**
 * Whether the browser says that a form comes from another origin than the page. Our own pages send no referrer, so the `Origin` of their forms is
 * `null`, as is that of a page in a sandbox: where it says more, `Sec-Fetch-Site` decides. A browser that sends neither header is not refused.
 */
export function isForeignForm({ req: { headers } }: Context, own: string): boolean {
  const origin = headers.origin || 'null';
  const from = headers['sec-fetch-site'] || 'same-origin';
  return (origin !== 'null' && origin !== own) || (from !== 'same-origin' && from !== 'none');
}
