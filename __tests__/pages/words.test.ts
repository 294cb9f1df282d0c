import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Page, type Part, readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';

// The words of developers are for developers: people and administrators of a school read none of them outside of Technical details.

const languages = ['en', 'zh-Hant'] as const;
type Language = (typeof languages)[number];

const ofDevelopers: Readonly<Record<Language, RegExp>> = {
  en: /\bOAuth\b|client ID|redirect URI|(?<![\w/])callback|\bissuer\b/i,
  'zh-Hant': /\bOAuth\b|用戶端 ?ID|重新導向|回呼|簽發者/i,
};

/** Keys of texts that have them, and why. A test below says that pages of people show these in Technical details only. */
const permitted: readonly (readonly [keys: RegExp, why: string])[] = [
  [/^(?:form|known|refused|start|list\.search)(?:\.|$)/, 'Developers'],
  [/^(?:error\.(?:client|redirect)|school\.client\.id)$/, 'Technical details'],
  [/^assistants\./, 'what fields are called in the settings of other apps'],
  [/^keys\.|^form\.publicKeys/, 'Developers'],
];

function textsOf(language: Language): Readonly<Record<string, string>> {
  const files = globSync(`lib/{i18n,features/*}/${language}.json`);
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8'))));
}

test.each(languages)('no text in %s has a word of developers, but those for developers', (language) => {
  const found = Object.entries(textsOf(language)).filter(
    ([key, text]) => ofDevelopers[language].test(text) && !permitted.some(([keys]) => keys.test(key)),
  );
  expect(found).toEqual([]);
});

/** What pages do not say, and what they say instead: one voice, in American English and in Traditional Chinese. */
const instead: Readonly<Record<Language, readonly (readonly [not: RegExp, but: string])[]>> = {
  en: [
    [/\bprograms?\b|\bsoftware\b/i, 'app'],
    [/\bat once\b|\bimmediately\b/i, 'right away'],
    [/\bgo(?:es)? on\b/i, 'continue'],
    [/\bmay\b(?! have)/i, 'can'],
    [/\bcannot\b/i, 'can’t'],
    [/\bany ?more\b/i, 'no longer'],
    [/\banew\b/i, 'again'],
    [/\bin place of\b/i, 'instead of'],
    [/\be-mail/i, 'email'],
    [/\bof itself\b|\bas far as\b|\bwhoever\b/i, 'name it'],
    [
      /\b(?:organis|recognis|synchronis|authoris|customis|colour|favourit|behaviour|centre|licence)/i,
      'American spelling',
    ],
  ],
  'zh-Hant': [
    [/軟體|(?<!應用|代理)程式(?!庫|碼)|製作者/, '應用程式、開發者'],
    [/你|請求|發佈|這部|逐次/, '您、申請、發布、這台、逐人'],
  ],
};

test.each(languages.flatMap((language) => instead[language].map(([not, but]) => [language, but, not] as const)))(
  'texts in %s say: %s',
  (language, _but, not) => {
    expect(Object.entries(textsOf(language)).filter(([, text]) => not.test(text))).toEqual([]);
  },
);

test.each([
  ['applications.title', 'Developers', '開發者'],
  ['console.apps', 'Apps', '應用程式'],
  ['connected.title', 'Your apps', '您的應用程式'],
  ['console.requests', 'Requests', '申請'],
  ['activity.title', 'Activity', '活動紀錄'],
  ['applications.kind.member', 'App for members', '成員應用程式'],
  ['applications.kind.operator', 'App for operators', '校方應用程式'],
  ['applications.kind.service', 'Service', '服務'],
  ['rule.access.allowed', 'Allow', '允許'],
  ['rule.access.view_only', 'View only', '僅供檢視'],
  ['rule.access.ask', 'Approve each person', '逐人核准'],
  ['rule.access.blocked', 'Block', '封鎖'],
  ['consent.allow.view', 'Connect, view only', '連結，僅供檢視'],
  ['consent.deny', 'Cancel', '取消'],
  ['consent.ask.school', 'Ask the school', '向學校申請'],
])('%s is one word everywhere', (key, english, chinese) => {
  expect([textsOf('en')[key], textsOf('zh-Hant')[key]]).toEqual([english, chinese]);
});

describe('the gallery', () => {
  let schools: Schools;
  beforeAll(async () => {
    schools = await startSchools({ ...plugins, campus: { pages: { gallery: '/gallery' } } });
  });
  afterAll(() => schools.close());

  const open = async (name: string, language: Language): Promise<Page> => {
    const response = await fetch(`${schools.harbour}/gallery/${name}`, {
      headers: { accept: 'text/html', 'accept-language': language },
    });
    return readPage(await response.text());
  };

  /** Pages of developers, the guide, components, and how other apps are set up. */
  const others = /^(?:application|guide|component-|assistants)/;

  /** Administrators who look for a cause find it by its code. */
  const withCodes = /^(?:activity|connections)/;

  /** A code: lower case with an underscore. */
  const code = /\b[a-z]+_[a-z_]+\b/;

  test.each(languages)(
    'no page of people or administrators in %s has words of developers or codes outside of Technical details',
    async (language) => {
      const details = textsOf(language)['error.details'];
      const list = readPage(
        await (await fetch(`${schools.harbour}/gallery`, { headers: { accept: 'text/html' } })).text(),
      );
      const names = list.getAllByRole('link').flatMap(({ href }) => /^\/gallery\/([\w-]+)$/.exec(href)?.[1] ?? []);
      const shown = names.filter((name) => !others.test(name));
      expect(shown.length).toBeGreaterThan(60);
      const found: string[] = [];
      for (const name of shown) {
        const main = (await open(name, language)).getByRole('main');
        const closed = main.getAll((part) => part.children[0]?.text === details && part.children.length > 1);
        const text = textWithout(main, closed);
        const word = ofDevelopers[language].exec(text) ?? (withCodes.test(name) ? null : code.exec(text));
        if (word) found.push(`${name}: ${text.slice(Math.max(0, word.index - 60), word.index + 60)}`);
      }
      expect(found).toEqual([]);
    },
  );
});

function textWithout(main: Part, left: readonly Part[]): string {
  return left.reduce((text, part) => text.replace(part.text, ''), main.text);
}
