import type { PageNumbers } from '../../contracts/connection.ts';
import { html, type Html, type Translator } from './markup.ts';

/** Which page of a list `?page=` selects. */
export function pageQuery(requested: unknown): { readonly page: number; readonly size: number } {
  return { page: typeof requested === 'string' && /^\d{1,6}$/.test(requested) ? Number(requested) : 1, size: 25 };
}

export function pageLinks(t: Translator, href: (page: number) => string, { page, pages }: PageNumbers): Html | false {
  if (pages === 1) return false;
  return html`<nav class="pages" aria-label="${t.text('pages.label')}">
${page > 1 && html`<a class="button small" rel="prev" href="${href(page - 1)}">${t.html('pages.previous')}</a>`}
<span class="soft">${t.html('pages.position', { page, pages })}</span>
${page < pages && html`<a class="button small" rel="next" href="${href(page + 1)}">${t.html('pages.next')}</a>`}
</nav>`;
}
