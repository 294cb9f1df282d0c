import * as z from 'zod';
import type { Member, Site } from '../../host/school-platform.ts';
import type { ConsentTemplate } from './consent-view.ts';
import type { PageTemplate } from './page-template.ts';
import { isLanguage } from '../../i18n/language.ts';
import { englishTexts, type FixedTexts, isScopeKey, isHostKey, type EnglishTexts } from '../../i18n/texts.ts';
import { placeholdersOf, type TextOverrides } from '../../i18n/translations.ts';
import { func, group, list, type Shape, pathOrFalse, pathsOverlap, refuse, text } from '../../kernel/option-schemas.ts';
import { nearest } from '../../kernel/misspelt.ts';
import { paths } from '../../http/paths.ts';
import type { ScopeCatalogue } from '../../core/scopes/scopes.ts';
import { optionError, pathText } from '../../kernel/validate.ts';
import { checkEach } from '../../kernel/check-each.ts';

/** The HTML pages: their paths, texts and design. */
export interface PagesOptions<School extends Site = Site, Person extends Member = Member> {
  /**
   * The path of _Developers_, where administrators create OAuth applications. `false` removes the page. @default
   * '/developers/oauth-applications'
   */
  readonly developers?: string | false | undefined;
  /** The path of _Your apps_, where people see their connections. `false` removes the page. @default '/account/apps' */
  readonly yourApps?: string | false | undefined;
  /**
   * The path of _Apps_, where administrators see the connected apps and decide about them. `false` removes the page.
   * @default '/developers/apps'
   */
  readonly apps?: string | false | undefined;
  /**
   * Texts by language tag, to add a language or replace single texts. Missing texts of a new language are in English.
   * @default {}
   */
  readonly texts?: TextOverrides | undefined;
  /** Returns the document around each page. @default a plain page with the school's logo and name */
  readonly template?: PageTemplate<School> | undefined;
  /** Returns the consent page. Its form is handled here. @default the built-in page */
  readonly consentPage?: ConsentTemplate<School, Person> | undefined;
  /**
   * The path of a gallery with every page and error with sample data, for designing templates and stylesheets. It needs no sign-in, and
   * does not exist while `NODE_ENV` is `production`. @default false
   */
  readonly gallery?: string | false | undefined;
  /** The sources of a template's styles, images and fonts: origins, or `'self'`. Scripts are never allowed. @default [] */
  readonly sources?: readonly string[] | undefined;
}

const page = pathOrFalse(takenBy);

const source = z
  .custom<string>(isSource, 'be an origin, or "self"')
  .transform((given) => (given === 'self' ? "'self'" : given))
  .meta({ type: 'origin or `self`' });

function unknownText(key: string, known: Readonly<Record<string, unknown>>): string {
  const meant = nearest(key, Object.keys(known));
  return `not be set: the text does not exist${meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`}`;
}

function textsSchema({ en }: FixedTexts) {
  const textsOfLanguage = z.record(z.string(), text(), 'be an object of texts').check((payload) => {
    for (const [key, message] of Object.entries(payload.value)) {
      const demand = isTextKey(en, key) ? messageDemand(en, message, key) : unknownText(key, en);
      if (demand !== undefined) refuse(payload, [key], demand);
    }
  });
  return z.record(z.string(), textsOfLanguage.readonly(), 'be an object of texts by language').check((payload) => {
    const wrong = Object.keys(payload.value).find((language) => !isLanguage(language));
    if (wrong !== undefined) refuse(payload, [], `have language tags as keys, not ${JSON.stringify(wrong)}`);
  });
}

/** @internal */
export function pagesSchema(fixed: FixedTexts) {
  return group({
    developers: page.prefault('/developers/oauth-applications'),
    yourApps: page.prefault('/account/apps'),
    apps: page.prefault('/developers/apps'),
    texts: textsSchema(fixed).readonly().prefault({}).meta({ type: 'object of texts by language' }),
    template: func<PageTemplate>().optional(),
    consentPage: func<ConsentTemplate>().optional(),
    gallery: page.prefault(false),
    sources: list(source, 'be an array of origins').prefault([]),
  } satisfies Shape<PagesOptions>)
    .check((payload) => {
      const taken: [name: string, path: string][] = [];
      for (const name of ['developers', 'yourApps', 'apps', 'gallery'] as const) {
        const path = payload.value[name];
        const other = taken.find(([, before]) => path !== undefined && pathsOverlap(before, path));
        if (other) refuse(payload, [name], `not overlap pages.${other[0]}; choose another path`);
        if (path !== undefined) taken.push([name, path]);
      }
    })
    .prefault({});
}

/** @internal */
export type PagesSettings = z.infer<ReturnType<typeof pagesSchema>>;

function takenBy(path: string): string | undefined {
  return Object.values(paths).find((other) => pathsOverlap(path, other));
}

function isSource(value: unknown): boolean {
  if (value === 'self') return true;
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && ['https:', 'http:'].includes(url.protocol) && url.origin === value;
}

/** @throws TypeError for the text of a scope or area that does not exist */
export function checkScopeTexts(fixed: FixedTexts, overrides: TextOverrides, catalogue: ScopeCatalogue): void {
  const known = englishTexts(fixed, catalogue);
  const all = Object.entries(overrides).flatMap(([language, messages]) =>
    Object.keys(messages).map((key) => ({ language, key })),
  );
  checkEach(all, ({ language, key }) => {
    if (Object.hasOwn(known, key) || isHostKey(key)) return;
    throw optionError(pathText(['pages', 'texts', language, key]), unknownText(key, known));
  });
}

/** Which scopes and areas there are is known later. */
function isTextKey(en: EnglishTexts, key: string): boolean {
  return Object.hasOwn(en, key) || isScopeKey(key) || isHostKey(key);
}

function messageDemand(en: EnglishTexts, message: string, key: string): string | undefined {
  if (message.trim() === '') return 'be a non-empty string';
  const known = placeholdersOf(en[key.startsWith('did.') ? 'event.tool.called.about' : key] ?? '');
  try {
    const unknown = [...placeholdersOf(message)].find((name) => !known.has(name));
    if (unknown === undefined) return undefined;
    const there = known.size > 0 ? `use ${[...known].join(', ')}` : 'the text has no placeholders';
    return `not have the placeholder {${unknown}}; ${there}`;
  } catch (error) {
    return `be an ICU message: ${String(error)}`;
  }
}
