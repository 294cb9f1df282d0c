import { html, type Html } from './html.ts';
import type { Translator } from './translator.ts';

/** A part of a long list. */
export interface PageRange {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** The part of the list, from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
}

/** How many entries a page has. */
export const pageSize = 25;

/** What `?page=` selects; the nearest page there is. */
export function pageRange(total: number, requested: unknown): PageRange {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const wanted = typeof requested === 'string' && /^\d{1,6}$/.test(requested) ? Number(requested) : 1;
  const page = Math.min(Math.max(wanted, 1), pages);
  return { page, pages, start: (page - 1) * pageSize, end: page * pageSize };
}

/** The links below a list; nothing if it has one page. */
export function pageLinks(t: Translator, href: (page: number) => string, { page, pages }: PageRange): Html | false {
  if (pages === 1) return false;
  return html`<nav class="pages" aria-label="${t.text('pages.label')}">
${page > 1 && html`<a class="button small" rel="prev" href="${href(page - 1)}">${t.text('pages.previous')}</a>`}
<span class="soft">${t.text('pages.position', { page, pages })}</span>
${page < pages && html`<a class="button small" rel="next" href="${href(page + 1)}">${t.text('pages.next')}</a>`}
</nav>`;
}
