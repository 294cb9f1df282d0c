import type { Context } from 'koa';
import type { Site } from '../../contracts/platform.ts';
import type { OAuthError } from '../../protocol/errors.ts';
import { noteShownError } from '../../http/router.ts';
import { sendError } from '../../http/send.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { TextValues } from '../../i18n/translations.ts';
import { html, type Html, type Translator } from './markup.ts';
import { homePath, type PageBuilder, type Pages } from './pages.ts';

/** An HTML page, or JSON for clients that prefer it. */
export async function sendBrowserError(
  pages: Pages,
  ctx: Context,
  site: Site,
  error: OAuthError,
  page: PageBuilder = errorPage(error, ctx),
): Promise<void> {
  if (ctx.accepts('html', 'json') !== 'html') return sendError(ctx, error);
  noteShownError(ctx, error.error);
  ctx.set({ ...error.headers });
  return pages.send(ctx, site, page);
}

function errorPage({ status, message, error }: OAuthError, { method, url }: Context): PageBuilder {
  const kind = status < 500 ? 'error.request' : 'error.fault';
  // Error messages exist in English only.
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)} (${error}).`;
  return (t) => ({
    title: t.text(`${kind}.title`),
    heading: t.html(`${kind}.title`),
    status,
    body: html`<p>${t.html(`${kind}.advice`)}</p>
${status < 500 && html`<p class="soft">${t.html('error.details')}<br><span lang="en" dir="ltr">${sentence}</span></p>`}
${link(t, status < 500 || method !== 'GET' ? homeAction : { text: 'error.again', href: url })}`,
  });
}

interface PageAction {
  readonly text: TextKey;
  readonly href: string;
}

const homeAction: PageAction = { text: 'home', href: homePath };

function link(t: Translator, { text, href }: PageAction): Html {
  return html`<p class="actions"><a class="button" href="${href}">${t.html(text)}</a></p>`;
}

interface Message {
  readonly title: TextKey;
  readonly texts: readonly TextKey[];
  readonly values?: TextValues | undefined;
  readonly status: number;
  /** Where the page leads. @default the school's home page */
  readonly action?: PageAction | undefined;
}

export function messagePage({ title, texts, values, status, action = homeAction }: Message): PageBuilder {
  return (t) => ({
    title: t.text(title, values),
    heading: t.html(title, values),
    status,
    body: html`${texts.map((text) => html`<p>${t.html(text, values)}</p>`)}
${link(t, action)}`,
  });
}
