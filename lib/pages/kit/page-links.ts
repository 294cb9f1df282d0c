import { html, type Html } from './html.ts';
import type { Translator } from './translator.ts';

/** A part of a long list. */
export interface PageRange {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** How many entries are on the pages before. */
  readonly start: number;
}

/** How many entries a page has. */
export const pageSize = 25;

/** What `?page=` selects; the nearest page there is. */
function pageRange(total: number, requested: unknown): PageRange {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const wanted = typeof requested === 'string' && /^\d{1,6}$/.test(requested) ? Number(requested) : 1;
  const page = Math.min(Math.max(wanted, 1), pages);
  return { page, pages, start: (page - 1) * pageSize };
}

/** Loads the page that `?page=` selects; the last one if there are not so many. */
export async function loadPage<P extends { readonly total: number }>(
  requested: unknown,
  load: (range: Pick<PageRange, 'start'>) => Promise<P>,
): Promise<{ readonly range: PageRange; readonly part: P }> {
  const wanted = pageRange(Infinity, requested);
  const part = await load(wanted);
  const range = pageRange(part.total, requested);
  return { range, part: range.page === wanted.page ? part : await load(range) };
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
