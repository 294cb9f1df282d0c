import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { Site } from '../contracts/platform.ts';
import { noStore } from '../http/send.ts';
import { html, Html } from './html.ts';

const css = `
:root{color-scheme:light dark;--text:#1c2330;--soft:#4d5666;--back:#f3f5f8;--card:#fff;--line:#c9d0da;--accent:#1f5fbf;--on-accent:#fff;--warn:#7a4b00;--warn-back:#fff4dc}
@media (prefers-color-scheme:dark){:root{--text:#e8ecf3;--soft:#aeb7c6;--back:#12161d;--card:#1b212b;--line:#3b4554;--accent:#8ab4ff;--on-accent:#0c1524;--warn:#ffd591;--warn-back:#33270f}}
*{box-sizing:border-box}
body{margin:0;padding:1rem;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:34rem;margin:1rem auto;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.school{display:flex;align-items:center;gap:.75rem;margin:0 0 1rem;color:var(--soft)}
.school img{width:2.5rem;height:2.5rem;object-fit:contain}
h1{margin:0 0 1rem;font-size:1.4rem;line-height:1.3}
h2{margin:1.25rem 0 .25rem;font-size:1rem}
h3{margin:.75rem 0 0;font-size:.95rem;color:var(--soft);font-weight:600}
ul{margin:.25rem 0;padding-inline-start:1.25rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem .75rem;margin:0 0 1rem}
dt{color:var(--soft)}dd{margin:0;font-weight:600}
.notice{margin:1rem 0;padding:.75rem;background:var(--warn-back);color:var(--warn);border-radius:.5rem}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
button,.button{flex:1 1 8rem;min-height:2.75rem;padding:.5rem 1rem;border:1px solid var(--accent);border-radius:.5rem;background:transparent;color:var(--accent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.primary{background:var(--accent);color:var(--on-accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (max-width:22rem){dl{grid-template-columns:1fr}}
`;

const styleHash = createHash('sha256').update(css).digest('base64');
const style = new Html(`<style>${css}</style>`);

/** A page of ours. */
export interface Page {
  readonly title: string;
  readonly body: Html;
  /** @default 200 */
  readonly status?: number | undefined;
}

/**
 * Sends a page in the school's frame. No script, no frame around it, nothing from elsewhere but the school's logo. There
 * is no `form-action`: Chromium applies it to every redirect that follows a form, and would stop the way back to the
 * application.
 */
export function sendPage(ctx: Context, site: Site, { title, body, status = 200 }: Page): void {
  const logo = site.logoUrl === undefined ? undefined : (URL.parse(site.logoUrl) ?? undefined);
  noStore(ctx);
  ctx.set({
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src ${logo?.origin ?? "'none'"}; base-uri 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  ctx.type = 'html';
  ctx.body = html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${site.name}</title>
${style}
</head>
<body>
<main>
<p class="school">${logo && html`<img src="${logo.href}" alt="">`}${site.name}</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text;
  ctx.status = status;
}
