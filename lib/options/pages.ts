import type { PageTemplate } from '../contracts/page.ts';
import { isObject, must } from './checks.ts';
import { paths } from '../protocol/paths.ts';
import { isLanguage } from '../i18n/language.ts';
import { placeholdersOf } from '../i18n/placeholders.ts';
import { englishTexts, type TextKey } from '../i18n/texts.ts';
import type { TextOverrides } from '../i18n/translations.ts';

/** The pages that people meet: where they are, what they say and how they look. */
export interface PagesOptions {
  /** Path of the operators' OAuth applications; `false` leaves them out. @default '/developers/oauth-applications' */
  readonly applications?: string | false | undefined;
  /** Path of a member's connected apps; `false` leaves them out. @default '/account/connected-apps' */
  readonly connectedApps?: string | false | undefined;
  /** Texts by language tag, to add a language or replace single texts; what a new language lacks is in English. */
  readonly texts?: TextOverrides | undefined;
  /** Draws the document around each page. @default a plain page with the school's logo and name */
  readonly template?: PageTemplate | undefined;
  /** Where a template's styles, images and fonts may come from: origins, or `'self'`. Scripts never. @default [] */
  readonly sources?: readonly string[] | undefined;
}

/** The options of the pages as read. */
export interface PagesSettings {
  readonly applications: string | undefined;
  readonly connectedApps: string | undefined;
  readonly texts: TextOverrides;
  readonly template: PageTemplate | undefined;
  readonly sources: readonly string[];
}

const names = new Set(['applications', 'connectedApps', 'texts', 'template', 'sources']);

/**
 * Reads `pages`.
 *
 * @throws TypeError that names the option by its path
 */
export function resolvePages(options: PagesOptions): PagesSettings {
  must(typeof options === 'object' && options !== null, 'pages', 'be an object');
  for (const name of Object.keys(options)) {
    must(names.has(name), `pages.${name}`, `not be given; there are ${[...names].join(', ')}`);
  }
  const { applications = '/developers/oauth-applications', connectedApps = '/account/connected-apps' } = options;
  const { texts = {}, template, sources = [] } = options;
  checkPath(applications, 'pages.applications');
  checkPath(connectedApps, 'pages.connectedApps');
  must(
    applications === false || connectedApps === false || !overlap(applications, connectedApps),
    'pages.connectedApps',
    'not lie at or under pages.applications, nor the other way round',
  );
  checkTexts(texts);
  must(template === undefined || typeof template === 'function', 'pages.template', 'be a function');
  must(Array.isArray(sources), 'pages.sources', 'be an array of origins');
  sources.forEach((source: unknown, i) => must(isSource(source), `pages.sources[${i}]`, 'be an origin, or "self"'));
  return {
    applications: applications === false ? undefined : applications,
    connectedApps: connectedApps === false ? undefined : connectedApps,
    texts: structuredClone(texts),
    template,
    sources: sources.map((source) => (source === 'self' ? "'self'" : source)),
  };
}

function checkPath(path: unknown, option: string): void {
  if (path === false) return;
  must(
    typeof path === 'string' && /^(?:\/[\w.~-]+)+$/.test(path) && !/\/\.\.?(?:\/|$)/.test(path),
    option,
    'be a path such as "/developers/applications", or false',
  );
  const taken = Object.values(paths).find((other) => overlap(path, other));
  must(taken === undefined, option, `not be at or under ${taken}, which is taken`);
}

function overlap(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

function isSource(source: unknown): boolean {
  if (source === 'self') return true;
  const url = typeof source === 'string' ? URL.parse(source) : null;
  return url !== null && ['https:', 'http:'].includes(url.protocol) && url.origin === source;
}

function checkTexts(texts: unknown): void {
  must(isObject(texts), 'pages.texts', 'be an object of texts by language');
  for (const [language, own] of Object.entries(texts)) {
    must(isLanguage(language), `pages.texts`, `be by language tag, which ${JSON.stringify(language)} is not`);
    must(isObject(own), `pages.texts[${JSON.stringify(language)}]`, 'be an object of texts');
    for (const [key, text] of Object.entries(own)) {
      const path = `pages.texts[${JSON.stringify(language)}][${JSON.stringify(key)}]`;
      must(isTextKey(key), path, 'not be given: there is no such text');
      must(typeof text === 'string' && text.trim() !== '', path, 'be a non-empty string');
      checkMessage(text, key, path);
    }
  }
}

function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(englishTexts, key);
}

function checkMessage(text: string, key: TextKey, path: string): void {
  const known = placeholdersOf(englishTexts[key]);
  let used: ReadonlySet<string>;
  try {
    used = placeholdersOf(text);
  } catch (cause) {
    throw new TypeError(`${path} must be an ICU message`, { cause });
  }
  for (const name of used) {
    const there = known.size > 0 ? `there are ${[...known].join(', ')}` : 'there are none';
    must(known.has(name), path, `not have the placeholder {${name}}; ${there}`);
  }
}
