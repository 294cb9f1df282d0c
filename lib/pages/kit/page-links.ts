import { html, type Html, type Translator } from './markup.ts';

/** A part of a long list; both numbers are at least 1. */
export interface PageRange {
  readonly page: number;
  readonly pages: number;
}

export const pageSize = 25;

/** Loads the page that `?page=` selects; the last one if there are not so many. */
export async function loadPage<P extends { readonly total: number }>(
  requested: unknown,
  load: (offset: number) => Promise<P>,
): Promise<{ readonly range: PageRange; readonly part: P }> {
  const loadAt = (page: number): Promise<P> => load((page - 1) * pageSize);
  const isNumber = typeof requested === 'string' && /^\d{1,6}$/.test(requested);
  const wanted = isNumber ? Math.max(Number(requested), 1) : 1;
  const part = await loadAt(wanted);
  const pages = Math.max(1, Math.ceil(part.total / pageSize));
  if (wanted <= pages) return { range: { page: wanted, pages }, part };
  return { range: { page: pages, pages }, part: await loadAt(pages) };
}

/** The links below a list; nothing if it has one page. */
export function pageLinks(t: Translator, href: (page: number) => string, { page, pages }: PageRange): Html | false {
  if (pages === 1) return false;
  return html`<nav class="pages" aria-label="${t.text('pages.label')}">
${page > 1 && html`<a class="button small" rel="prev" href="${href(page - 1)}">${t.html('pages.previous')}</a>`}
<span class="soft">${t.html('pages.position', { page, pages })}</span>
${page < pages && html`<a class="button small" rel="next" href="${href(page + 1)}">${t.html('pages.next')}</a>`}
</nav>`;
}
