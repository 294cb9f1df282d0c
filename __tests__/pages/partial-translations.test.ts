import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authorizeUrl, connect, memberApp, pkce, refresh, webMemberApp } from '../helpers/flow.ts';
import { type Part, readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

// A host that adds a language and translates only some of its texts.

type Texts = Readonly<Record<string, string>>;

function filesOf(language: string): Texts {
  const files = globSync(`lib/{i18n,features/*}/${language}.json`);
  return Object.assign({}, ...files.map((file): Texts => JSON.parse(readFileSync(file, 'utf8'))));
}

/** The files of an invented language, which has one letter. */
const invented = Object.fromEntries(
  Object.entries(filesOf('zh-Hant')).map(([key, text]) => [key, text.replaceAll(/\p{Script=Han}/gu, '言')]),
);

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    campus: {
      pages: {
        gallery: '/gallery',
        texts: {
          qaa: invented,
          ar: { 'consent.allow': 'سماح', 'connected.title': 'التطبيقات المتصلة', 'connected.active.on': 'نشط: {date}' },
          'en-GB': { 'consent.allow': 'Yes' },
        },
      },
    },
  });
});
afterAll(() => schools.close());

/** Fails unless the page has this text, once, and as English. */
function expectEnglish(html: string, text: string): Part {
  const part = readPage(html).getByText(text);
  expect([text, part.attribute('lang'), part.attribute('dir')]).toEqual([text, 'en', 'ltr']);
  return part;
}

describe('the consent page in Arabic', () => {
  const page = async (language: string): Promise<string> => {
    const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), {
      scope: memberApp.scope,
      ui_locales: language,
      prompt: 'consent',
    });
    return (await schools.browser('sam').follow(url)).html;
  };

  test('has the texts that it lacks in English, with the language and direction of each', async () => {
    const html = await page('ar');
    const whole = readPage(html);
    expect([whole.attribute('lang'), whole.attribute('dir')]).toEqual(['ar', 'rtl']);
    expect(whole.getByRole('button', { name: 'سماح' }).value).toBe('allow');
    for (const text of ['Cancel', 'It also sees who you are', 'View your account and notifications']) {
      expectEnglish(html, text);
    }
    const question = 'Connect Study Buddy to your account at Harbour School?';
    const heading = whole.getByRole('heading', { name: question, level: 1 });
    expectEnglish(html, heading.text);
    expect(whole.title).toMatch(/Connect .*Study Buddy.* to your account at /);
    expect(whole.title).not.toContain('<');
  });

  test('has the Arabic part of an English sentence in Arabic', async () => {
    const name = 'التطبيقات المتصلة';
    const sentence = `Change this or disconnect any time in ${name}.`;
    const [arabic] = expectEnglish(await page('ar'), sentence).children;
    expect([arabic?.attribute('lang'), arabic?.attribute('dir')]).toEqual(['ar', 'rtl']);
    expect(arabic?.getByRole('link', { name }).href).toBe('/account/apps');
  });

  test('marks nothing in a language that is complete, or in another English', async () => {
    for (const language of ['en', 'en-GB', 'zh-TW']) expect(await page(language)).not.toMatch(/<span lang="/);
    expect(readPage(await page('en-GB')).getByRole('button', { name: 'Yes' }).value).toBe('allow');
  });
});

test('numbers in an English text are in English, and attributes have its text without markup', async () => {
  const browser = schools.browser('sam');
  const { body } = await connect(browser, schools.harbour, memberApp);
  await refresh(schools.harbour, memberApp, String(body['refresh_token']));
  const { html } = await browser.follow(`${schools.harbour}/account/apps?ui_locales=ar`);
  expectEnglish(html, 'One app can act for you');
  const list = readPage(html);
  list.getByRole('link', { name: /^[^<]*Pocket School[^<]*$/ });
  list.getByText(/نشط: \S/);
  expect(list.getByRole('time').attribute('datetime')).toMatch(/^\d{4}-/);
});

test('files are all that a language needs: no page has a text in another one', async () => {
  const english = Object.values(filesOf('en')).filter((text) => /^[^{]+ [^{]+$/.test(text));
  const found: string[] = [];
  for (const name of [
    'consent-operators',
    'connected-app',
    'people',
    'connections-rule',
    'person',
    'connected-apps',
    'consent-expired',
  ]) {
    const answer = await fetch(`${schools.harbour}/gallery/${name}`, { headers: { 'accept-language': 'qaa' } });
    const html = await answer.text();
    const page = readPage(html);
    expect([name, page.attribute('lang')]).toEqual([name, 'qaa']);
    const { text } = page.getByRole('main');
    expect(text).toContain('言言');
    found.push(...english.filter((each) => text.includes(each)), ...(text.match(/(?!言)\p{Script=Han}/gu) ?? []));
    found.push(...(html.match(/<span lang="en"[^>]*>[^<]+/g) ?? []));
  }
  expect(found).toEqual([]);
});
