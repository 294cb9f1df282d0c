import type { PageView } from '../../contracts/page.ts';
import type { Site } from '../../contracts/platform.ts';
import { html, Html } from './html.ts';

/** The school's logo; only absolute `http:` and `https:` URLs count. */
export function logoOf(site: Site): URL | undefined {
  const logo = site.logoUrl === undefined ? null : URL.parse(site.logoUrl);
  return logo && ['https:', 'http:'].includes(logo.protocol) ? logo : undefined;
}

/** The default for an embedder without a template. */
export function plainTemplate({ site, language, direction, title, content, style }: PageView): string {
  const logo = logoOf(site);
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${site.name}</title>
<link rel="icon" href="data:,">
${new Html(`<style>${style}</style>`)}
</head>
<body>
<header class="school">${logo && html`<img src="${logo.href}" alt="">`}<bdi>${site.name}</bdi></header>
${new Html(content)}
</body>
</html>
`.text;
}
