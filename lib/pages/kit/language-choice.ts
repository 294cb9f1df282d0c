import type { Context } from 'koa';
import type { Site } from '../../host/school-platform.ts';
import { html, type Html, type Translator } from './markup.ts';

/** The parameter of an address that chooses a language, and the cookie that remembers it. */
const parameter = 'language';
const cookie = 'campus_language';

/** From each source, since the visitor controls the length of these lists. */
const maxLanguages = 20;

/** What the person chose comes before what the application asks for. */
export function preferredLanguages(
  ctx: Context,
  site: Site,
  languages: readonly string[],
  uiLocales?: string,
): string[] {
  const { ui_locales: inQuery, [parameter]: chosen } = ctx.query;
  const requested = uiLocales ?? (typeof inQuery === 'string' ? inQuery : '');
  const isChoice = typeof chosen === 'string' && languages.includes(chosen);
  const year = 365 * 24 * 60 * 60 * 1000;
  const options = { httpOnly: true, sameSite: 'lax', signed: false, maxAge: year } as const;
  if (isChoice) ctx.cookies.set(cookie, chosen, options);
  return [
    isChoice ? chosen : (ctx.cookies.get(cookie, options) ?? ''),
    ...requested.split(' ', maxLanguages),
    ...ctx.acceptsLanguages().slice(0, maxLanguages),
    site.language ?? '',
  ];
}

/** The same page in other languages, each under the name that it has for itself; nothing after a form. */
export function languageChoice(ctx: Context, t: Translator, languages: readonly string[]): Html | false {
  if (ctx.method !== 'GET') return false;
  const links = languages.map((tag) => {
    const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag);
    if (tag === t.language) return html`<li lang="${tag}" aria-current="true">${name}</li>`;
    const query = new URLSearchParams(ctx.search);
    query.set(parameter, tag);
    return html`<li lang="${tag}"><a href="?${query.toString()}" hreflang="${tag}">${name}</a></li>`;
  });
  return html`<nav class="languages" aria-label="${t.text('languages')}"><ul>${links}</ul></nav>`;
}
