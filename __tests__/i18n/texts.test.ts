import { afterEach, describe, expect, test } from '@jest/globals';
import { directionOf, isLanguage, negotiateLanguage, withoutControls } from '../../lib/i18n/language.ts';
import { auditOutcomes } from '../../lib/observe/audit-event.ts';
import { englishTexts, fixedTexts } from '../../lib/i18n/texts.ts';
import { features } from '../../lib/features/features.ts';
import { placeholdersOf, translationsFinder } from '../../lib/i18n/translations.ts';
import { type Html, html, translatorFor } from '../../lib/pages/kit/markup.ts';
import { resetClock, stopClock } from '../helpers/clock.ts';
import { standardScopes } from '../helpers/scopes.ts';

const fixed = fixedTexts(features);
const traditionalChinese = fixed['zh-Hant'];
const english = englishTexts(fixed, standardScopes);
const texts = Object.entries(english);

describe('texts', () => {
  test.each(texts)('%s has the same placeholders in English and Chinese', (key, message) => {
    const chinese: unknown = Reflect.get(traditionalChinese, key);
    expect(typeof chinese).toBe('string');
    expect([...placeholdersOf(String(chinese))].sort()).toEqual([...placeholdersOf(message)].sort());
  });

  test('are complete in Traditional Chinese, and none is left in English', () => {
    const left = Object.entries(traditionalChinese).filter(
      ([, text]) => !/\p{Script=Han}|^[^\p{L}]*$/u.test(text.replaceAll(/\{\w+\}/g, '')),
    );
    expect(left).toEqual([]);
    expect(Object.keys(traditionalChinese).sort()).toEqual(Object.keys(english).sort());
  });
});

describe('sentences of Activity', () => {
  const actions = Object.keys(auditOutcomes);

  test.each<[string, Readonly<Record<string, string>>]>([
    ['English', english],
    ['Traditional Chinese', traditionalChinese],
  ])('every audit action has one of its own in %s', (_language, all) => {
    const sentences = actions.map((action) => all[`event.${action}`]);
    expect(actions.filter((_, i) => sentences[i] === undefined)).toEqual([]);
    expect(new Set(sentences).size).toBe(actions.length);
  });

  test('every further one is of an action', () => {
    const rest = texts.map(([key]) => key).filter((key) => /^event\.(?!a\.|other$)/.test(key));
    expect(rest.filter((key) => !actions.some((action) => `${key}.`.startsWith(`event.${action}.`)))).toEqual([]);
    expect(rest.length).toBeGreaterThan(actions.length);
  });
});

describe('negotiateLanguage', () => {
  const available = ['en', 'zh-Hant', 'pt-BR', 'pt-PT'];
  test.each<[string[], string | undefined]>([
    [['en'], 'en'],
    [['en-GB'], 'en'],
    [['EN_us', 'en-us'], 'en'],
    [['zh-TW'], 'zh-Hant'],
    [['zh-HK', 'en'], 'zh-Hant'],
    [['zh-Hant-TW'], 'zh-Hant'],
    [['zh-CN', 'en'], 'en'],
    [['zh'], undefined],
    [['pt-PT'], 'pt-PT'],
    [['pt'], 'pt-BR'],
    [['de', 'fr'], undefined],
    [['*', '', '../etc/passwd', 'x'.repeat(5000)], undefined],
    [[], undefined],
  ])('%j is %s', (preferred, language) => {
    expect(negotiateLanguage(available, preferred)).toBe(language);
  });
});

test('directionOf recognizes right-to-left languages', () => {
  expect(['en', 'zh-Hant', 'ar', 'he', 'fa-IR', 'ur', 'az-Arab', 'az'].map(directionOf)).toEqual(
    'ltr ltr rtl rtl rtl rtl rtl ltr'.split(' '),
  );
  expect([isLanguage('zh-Hant'), isLanguage('no such')]).toEqual([true, false]);
});

test('withoutControls removes bidi and line-breaking controls, and no visible characters', () => {
  expect(withoutControls('a\u202Eb\u2066c\u2069\u0000\n\u200Fd 👩‍🏫 é 行')).toBe('abcd 👩‍🏫 é 行');
});

describe('translationsFinder', () => {
  const { find } = translationsFinder(
    fixed,
    { en: { 'consent.allow': 'Authorize' }, 'de-AT': { 'consent.deny': 'Na' } },
    standardScopes,
  );

  test('overrides texts and adds languages; missing texts fall back to English', () => {
    expect(find(['en']).text('consent.allow')).toBe('Authorize');
    expect(find(['de']).text('consent.deny')).toBe('Na');
    expect(find(['de']).text('consent.new')).toBe('new');
    expect(find(['zh-TW']).text('consent.new')).toBe('新增');
    expect(find(['fr']).language).toBe('en');
  });

  test('selects plural forms by language', () => {
    const people = (language: string, count: number): string => find([language]).text('apps.people', { count });
    expect([0, 1, 2, 1000].map((count) => people('en', count))).toEqual([
      'Nobody uses it',
      'One person uses it',
      '2 people use it',
      '1,000 people use it',
    ]);
    expect(people('zh-Hant', 1)).toBe('1 人使用');
  });

  test('never parses a value as a message, and isolates it', () => {
    const values = { client: '{school} <b>#</b>', school: "It's", date: 'May 22' };
    expect(find(['en']).text('consent.title.member', values)).toBe(
      "Connect \u2068{school} <b>#</b>\u2069 to your account at \u2068It's\u2069?",
    );
  });
});

describe('html(key, values) of a translator', () => {
  const { find } = translationsFinder(fixed, { en: { 'applications.created': '{date} <or> {date}' } }, standardScopes);
  const t = translatorFor(find(['en']), standardScopes);

  test('escapes a text value and isolates its direction', () => {
    expect(t.html('applications.created', { date: '<b>' }).text).toBe(
      '<bdi>&lt;b&gt;</bdi> &lt;or&gt; <bdi>&lt;b&gt;</bdi>',
    );
  });

  test('inserts a markup value as it is, wherever the translation places it', () => {
    const day = '<time datetime="1970-01-02T00:00:00.000Z">January 2, 1970</time>';
    expect(t.html('applications.created', { date: t.date(86400) }).text).toBe(`${day} &lt;or&gt; ${day}`);
    expect(t.html('applications.created', { date: html`<i>now</i>` }).text).toBe('<i>now</i> &lt;or&gt; <i>now</i>');
  });
});

describe('dates', () => {
  const t = (language: string, timeZone: string) => translatorFor(find([language]), standardScopes, timeZone);
  const { find } = translationsFinder(fixed, {}, standardScopes);
  const seconds = (time: string): number => Date.parse(time) / 1000;
  /** Spaces of other kinds stand before and after hours. */
  const plain = ({ text }: Html): string => text.replaceAll(/<[^>]+>/g, '').replaceAll(/\s/g, ' ');

  afterEach(resetClock);

  test.each([
    // now, time zone, time, in English, in Chinese
    ['2026-11-28T16:10Z', 'Asia/Taipei', '2026-11-28T16:01Z', 'today, 12:01 AM', '今天 上午12:01'],
    ['2026-11-28T16:10Z', 'Asia/Taipei', '2026-11-28T15:59Z', 'yesterday, 11:59 PM', '昨天 下午11:59'],
    ['2026-11-28T16:10Z', 'UTC', '2026-11-28T15:59Z', 'today, 3:59 PM', '今天 下午3:59'],
    ['2026-11-28T16:10Z', 'Asia/Taipei', '2026-11-26T16:30Z', 'Nov 27, 12:30 AM', '11月27日 上午12:30'],
    // A day of 23 hours: 24 hours before a quarter past midnight is the day before yesterday.
    ['2026-03-09T04:15Z', 'America/New_York', '2026-03-08T05:30Z', 'yesterday, 12:30 AM', '昨天 上午12:30'],
    ['2026-03-09T04:15Z', 'America/New_York', '2026-03-08T04:30Z', 'Mar 7, 11:30 PM', '3月7日 下午11:30'],
    // A day of 25 hours.
    ['2026-11-02T04:45Z', 'America/New_York', '2026-11-01T04:15Z', 'today, 12:15 AM', '今天 上午12:15'],
    ['2026-11-28T16:10Z', 'UTC', '2026-11-29T09:00Z', 'tomorrow, 9:00 AM', '明天 上午9:00'],
    ['2026-11-28T16:10Z', 'UTC', '2024-11-23T09:00Z', 'Nov 23, 2024, 9:00 AM', '2024年11月23日 上午9:00'],
  ])('at %s in %s, %s is %s', (now, timeZone, time, inEnglish, inChinese) => {
    stopClock(Date.parse(now));
    expect(plain(t('en', timeZone).nearMoment(seconds(time)))).toBe(inEnglish);
    expect(plain(t('zh-Hant', timeZone).nearMoment(seconds(time)))).toBe(inChinese);
  });

  test.each([
    ['2026-11-28T09:00Z', 'today', '今天'],
    ['2026-11-27T09:00Z', 'yesterday', '昨天'],
    ['2026-11-21T09:00Z', 'Nov 21', '11月21日'],
    ['2024-11-21T09:00Z', 'Nov 21, 2024', '2024年11月21日'],
  ])('without its time, %s is %s', (time, inEnglish, inChinese) => {
    stopClock(Date.parse('2026-11-28T16:10Z'));
    expect(plain(t('en', 'UTC').nearDate(seconds(time)))).toBe(inEnglish);
    expect(t('zh-Hant', 'UTC').nearDay(seconds(time))).toBe(inChinese);
  });
});
