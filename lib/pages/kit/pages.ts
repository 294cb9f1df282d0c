import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { PageTemplate } from '../../contracts/page.ts';
import type { Site } from '../../contracts/platform.ts';
import { noStore } from '../../http/send.ts';
import { type TextOverrides, translationsFinder } from '../../i18n/translations.ts';
import { html, type Html } from './html.ts';
import { logoOf, plainTemplate } from './layout.ts';
import { type Translator, translatorFor } from './translator.ts';
import { styleOf } from './style.ts';

/** A page of ours. */
export interface Page {
  /** Plain text. */
  readonly title: string;
  /** The title with markup. @default the title */
  readonly heading?: Html | undefined;
  /** What stands before the heading. */
  readonly before?: Html | undefined;
  readonly body: Html;
  /** @default 200 */
  readonly status?: number | undefined;
  /** For lists and long forms. @default false */
  readonly wide?: boolean | undefined;
  /** Path of a script of ours that makes it more comfortable. @default none */
  readonly script?: string | undefined;
}

/** A page in whatever language the visitor reads. */
export type PageIn = (say: Translator) => Page;

/** Sends pages. */
export interface Pages {
  /**
   * Sends a page in the school's frame. No frame around it, no script but our own, nothing from elsewhere but the
   * school's logo and what the embedder's template needs. There is no `form-action`: Chromium applies it to every
   * redirect that follows a form, and would stop the way back to the application.
   *
   * @param uiLocales - what an application said the person reads. @default the query's `ui_locales`
   */
  send(ctx: Context, site: Site, page: PageIn, uiLocales?: string): void;
}

/** What pages are made with. */
export interface PagesParts {
  readonly texts: TextOverrides;
  readonly template?: PageTemplate | undefined;
  readonly sources: readonly string[];
}

/** The pages of a campus. */
export function createPages({ texts, template = plainTemplate, sources }: PagesParts): Pages {
  const find = translationsFinder(texts);
  return {
    send(ctx, site, build, uiLocales) {
      const say = translatorFor(find(wishes(ctx, site, uiLocales)));
      const page = build(say);
      const style = styleOf(site);
      noStore(ctx);
      ctx.set({
        'Content-Security-Policy': policy(site, page, style, sources),
        'Content-Language': say.language,
        'X-Frame-Options': 'DENY',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      });
      ctx.type = 'html';
      const { language, direction } = say;
      ctx.body = template({ site, language, direction, title: page.title, content: contentOf(page), style });
      ctx.status = page.status ?? 200;
    },
  };
}

function contentOf({ title, heading, before, body, wide, script }: Page): string {
  return html`<main${wide === true && html` class="wide"`}>
${before}
<h1>${heading ?? title}</h1>
${body}
</main>
${script !== undefined && html`<script src="${script}" defer></script>`}`.text;
}

/** More wishes than anybody has are not looked at. */
const mostWishes = 20;

function wishes(ctx: Context, site: Site, uiLocales: string | undefined): string[] {
  const { ui_locales: asked } = ctx.query;
  const first = uiLocales ?? (typeof asked === 'string' ? asked : '');
  return [...first.split(' ', mostWishes), ...ctx.acceptsLanguages().slice(0, mostWishes), site.language ?? ''];
}

function policy(site: Site, { script }: Page, style: string, sources: readonly string[]): string {
  const hash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  const images = [logoOf(site)?.origin ?? [], ...sources].flat();
  return [
    "default-src 'none'",
    `style-src ${[hash, ...sources].join(' ')}`,
    `img-src data: ${images.join(' ')}`.trim(),
    ...(sources.length > 0 ? [`font-src ${sources.join(' ')}`] : []),
    ...(script === undefined ? [] : [`script-src ${site.origin}${script}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
