import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { ConsentView } from './consent-view.ts';
import type { PageView, PageName } from './page-template.ts';
import type { Site } from '../../host/school-platform.ts';
import { drawnByHost } from './drawn-by-host.ts';
import { noStore } from '../../http/send.ts';
import type { FixedTexts } from '../../i18n/texts.ts';
import { translationsFinder } from '../../i18n/translations.ts';
import type { PagesSettings } from './options.ts';
import type { ScopeCatalogue } from '../../core/scopes/scopes.ts';
import type { OnFault } from '../../observe/events.ts';
import type { ApplicationField, FormTranslator } from './application-field.ts';
import { contentId } from './console.ts';
import { type CsvFile, csvText } from './csv.ts';
import { withDrawings } from './icons.ts';
import { languageChoice, preferredLanguages } from './language-choice.ts';
import { html, Html, type Translator, translatorFor } from './markup.ts';
import { styleOf } from './style.ts';

export const homePath = '/';

/** How a page is shown. */
export interface PageTraits {
  readonly status?: number | undefined;
  readonly wide?: boolean | undefined;
  /** Whether the visitor has to correct a form: the title says so before everything else. @default false */
  readonly hasProblems?: boolean | undefined;
  /** Path of a script that improves the page. The page works without it. @default none */
  readonly script?: string | undefined;
  /** The path of which the script asks for the page again. @default none */
  readonly live?: string | undefined;
  /** Whether it has something that the same address does not show again. @default false */
  readonly once?: boolean | undefined;
  /** Whether it is an example that the gallery shows in frames, or the page with these. @default neither */
  readonly frames?: 'inside' | 'outside' | undefined;
}

export interface Page extends PageTraits {
  readonly page: PageName;
  readonly title: string;
  readonly heading: Html;
  readonly beforeHeading?: Html | undefined;
  /** What the heading stands in. @default it stands alone */
  readonly header?: ((heading: Html) => Html) | undefined;
  /** What stands between the heading and the body. */
  readonly belowHeading?: Html | false | undefined;
  /** The navigation of a console, with who is signed in. @default the page stands alone */
  readonly frame?: { readonly navigation: Html; readonly account: Html } | false | undefined;
  readonly body: Html;
  /** What the host can draw in place of the page. @default nothing */
  readonly consent?: (() => ConsentView) | undefined;
  /** Shows how a page looks: this stands above it, and its forms send nothing. @default it is the page itself */
  readonly example?: Html | undefined;
}

export type PageBuilder = (t: FormTranslator) => Page;

export interface Pages {
  /**
   * Sends a page in the visitor's language with a strict content security policy: it cannot be framed and loads nothing
   * but its own style and script, the school's logo and the sources of the embedder's template. There is no
   * `form-action`: Chromium applies it to all redirects after a form, and would block the redirect to the application.
   */
  send(ctx: Context, site: Site, build: PageBuilder, uiLocales?: string): Promise<void>;
  /** Sends the headers of a page without a form. RFC 9110 section 9.3.2: without the length that the page would have. */
  readonly sendHead: (ctx: Context, site: Site) => void;
  /** Sends a table to save, in the same language. */
  sendCsv(ctx: Context, site: Site, file: CsvFile): Promise<void>;
}

export function createPages(
  { texts, template, consentPage, sources }: PagesSettings,
  { catalogue, fixedTexts }: { readonly catalogue: ScopeCatalogue; readonly fixedTexts: FixedTexts },
  { fields, onFault }: { readonly fields: readonly ApplicationField[]; readonly onFault: OnFault },
): Pages {
  const document = drawnByHost(onFault, 'pages.template', template, {
    part: ({ content }) => content,
    rule: 'be the HTML document, made with `html`, with `content` in it as it is',
  });
  const ownConsent = drawnByHost(onFault, 'pages.consentPage', consentPage, {
    part: ({ form }) => form.fields,
    rule: 'be made with `html`, with `form.fields` in it as it is',
  });
  const { languages, find } = translationsFinder(fixedTexts, texts, catalogue);
  const translator = (ctx: Context, site: Site, uiLocales?: string): FormTranslator => ({
    ...translatorFor(find(preferredLanguages(ctx, site, languages, uiLocales)), catalogue, site.timeZone ?? 'UTC'),
    fields,
  });
  return {
    async sendCsv(ctx, site, { name, rows }) {
      noStore(ctx);
      ctx.set('X-Content-Type-Options', 'nosniff');
      ctx.attachment(`${name}.csv`);
      ctx.type = 'text/csv; charset=utf-8';
      ctx.body = await streamed(csvText(rows(translator(ctx, site))), ctx);
    },
    sendHead(ctx, site) {
      const { language } = translator(ctx, site);
      setHeaders(ctx, {}, { language, policy: contentSecurityPolicy(site, {}, styleOf(site), sources) });
      ctx.body = '';
      ctx.remove('Content-Length');
    },
    async send(ctx, site, build, uiLocales) {
      const t = translator(ctx, site, uiLocales);
      const { language, direction } = t;
      const page = build(t);
      const drawn = page.consent && (await ownConsent?.(page.consent()));
      const style = styleOf(site);
      setHeaders(ctx, page, { language, policy: contentSecurityPolicy(site, page, style, sources) });
      const title = page.hasProblems === true ? `${t.text('title.problems')}${page.title}` : page.title;
      const content = contentOf(page, drawn, page.once !== true && languageChoice(ctx, t, languages));
      const view = { page: page.page, site, language, direction, title, content, style: new Html(style) };
      ctx.body = ((await document?.(view)) ?? plainTemplate(view)).text;
      ctx.status = page.status ?? 200;
    },
  };
}

/** A failure before the first part is a page of its own, as everywhere; after it, the file breaks off. */
async function streamed(parts: AsyncGenerator<string, void>, { res }: Context): Promise<Readable> {
  const first = await parts.next();
  async function* all(): AsyncGenerator<string, void> {
    if (first.done !== true) yield first.value;
    yield* parts;
  }
  // Koa 2 would leave the response open.
  return Readable.from(all()).on('error', () => res.destroy());
}

function setHeaders(
  ctx: Context,
  { frames }: PageTraits,
  { language, policy }: { readonly language: string; readonly policy: string },
): void {
  noStore(ctx);
  ctx.set({
    'Content-Security-Policy': policy,
    'Content-Language': language,
    'X-Frame-Options': frames === 'inside' ? 'SAMEORIGIN' : 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  ctx.type = 'html';
}

function contentOf(page: Page, drawn: Html | undefined, languages: Html | false): Html {
  const { beforeHeading, belowHeading, frame, body, wide, script, example } = page;
  const heading = html`<h1>${withWholeNames(page.heading)}</h1>`;
  const main = html`<main${frame && html` id="${contentId}" tabindex="-1"`}${wide === true && !frame && html` class="wide"`}>
${beforeHeading}
${page.header ? page.header(heading) : heading}
${belowHeading}
${body}
</main>`;
  const framed = frame
    ? html`<div class="shell">${frame.navigation}
${main}
<footer>${frame.account}</footer></div>`
    : main;
  const shown = withDrawings(
    html`${drawn ?? framed}
${languages}
${script !== undefined && html`<script src="${script}" defer></script>`}`.text,
  );
  return example ? html`${example}\n${new Html(withoutSending(shown))}` : new Html(shown);
}

/** A name of at most 24 characters stays on one line, with what follows it without a space: assistive technology reads a space after the box. */
function withWholeNames({ text }: Html): Html {
  return new Html(text.replaceAll(/<bdi>[^<]{1,24}<\/bdi>[^\s<&]{0,3}/g, '<span class="whole">$&</span>'));
}

/** A page as it looks: what it is stands above it, and its forms send nothing. Its forms must have no token. */
export function exampleOf(build: PageBuilder, notice: (t: Translator) => Html): PageBuilder {
  return (t) => ({
    ...build(t),
    live: undefined,
    example: html`<aside class="example notice"><p>${notice(t)}</p></aside>`,
  });
}

/** A form that closes a dialog sends nothing. No text of others can have these quotation marks. */
function withoutSending(content: string): string {
  return content.replaceAll('method="post"', 'method="dialog"');
}

function contentSecurityPolicy(
  site: Site,
  { script, live, frames }: PageTraits,
  style: string,
  sources: readonly string[],
): string {
  const hash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  const images = [schoolLogo(site)?.origin ?? [], ...sources].flat();
  return [
    "default-src 'none'",
    `style-src ${[hash, ...sources].join(' ')}`,
    `img-src data: ${images.join(' ')}`.trim(),
    ...(sources.length > 0 ? [`font-src ${sources.join(' ')}`] : []),
    ...(script === undefined ? [] : [`script-src ${site.origin}${script}`]),
    ...(live === undefined ? [] : [`connect-src ${site.origin}${live}`]),
    ...(frames === 'outside' ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    `frame-ancestors ${frames === 'inside' ? "'self'" : "'none'"}`,
  ].join('; ');
}

/** The school's logo; only absolute `http:` and `https:` URLs count. */
export function schoolLogo(site: Site): URL | undefined {
  const logo = site.logoUrl === undefined ? null : URL.parse(site.logoUrl);
  return logo && ['https:', 'http:'].includes(logo.protocol) ? logo : undefined;
}

function plainTemplate({ site, language, direction, title, content, style }: PageView): Html {
  const logo = schoolLogo(site);
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${site.name}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header><a class="school" href="${homePath}">${logo && html`<img src="${logo.href}" alt="">`}<bdi>${site.name}</bdi></a></header>
${content}
</body>
</html>
`;
}

export function redirectSeeOther(ctx: Context, url: string): void {
  noStore(ctx);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.status = 303;
  ctx.redirect(url);
}
