import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Context } from 'koa';
import { type Html, html } from './html.ts';
import { languageOf } from './texts.ts';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const styleHash = createHash('sha256').update(style).digest('base64');

// No form-action: browsers apply it to every redirect after a form, and a sign-in can end at an application.
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function sendPage(ctx: Context, title: string, content: Html): void {
  const language = languageOf(ctx);
  ctx.vary('Accept-Language');
  ctx.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'Cache-Control': 'no-store',
    // With no-referrer, browsers would submit our own forms with `Origin: null`.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  });
  ctx.type = 'html';
  const page = html`
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${{ markup: `<style>${style}</style>` }}
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>
  `;
  ctx.body = `<!doctype html>${page.markup}`;
}
