import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authorizeUrl, connect, memberApp, pkce, refresh } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

// A host that adds a language and translates only some of its texts.

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    campus: {
      pages: {
        texts: {
          ar: { 'consent.allow': 'سماح', 'connected.title': 'التطبيقات المتصلة', 'connected.active.on': 'نشط: {date}' },
          'en-GB': { 'consent.allow': 'Yes' },
        },
      },
    },
  });
});
afterAll(() => schools.close());

const english = (text: string): string => `<span lang="en" dir="ltr">${text}</span>`;

describe('the consent page in Arabic', () => {
  const page = async (language: string): Promise<string> => {
    const url = authorizeUrl(schools.harbour, memberApp, pkce(), { ui_locales: language, prompt: 'consent' });
    return (await schools.browser('sam').follow(url)).html;
  };

  test('has the texts that it lacks in English, with the language and direction of each', async () => {
    const html = await page('ar');
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('value="allow">سماح</button>');
    for (const text of [
      'Deny',
      'It always sees 4 details about you',
      'View your account and notifications',
      'Change data',
      'Your account',
    ]) {
      expect(html).toContain(`>${english(text)}<`);
    }
    expect(html).toContain(
      `<h1>${english('Allow <bdi>Pocket School</bdi> to use your account at <bdi>Harbour School</bdi>?')}`,
    );
    const title = /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '';
    expect(title).toMatch(/^Allow .*\?/);
    expect(title).not.toContain('&lt;');
  });

  test('has the Arabic part of an English sentence in Arabic', async () => {
    const link = '<span lang="ar" dir="rtl"><a href="/account/connected-apps">التطبيقات المتصلة</a></span>';
    expect(await page('ar')).toContain(
      english(`You can remove permissions or disconnect it at any time under ${link}.`),
    );
  });

  test('marks nothing in a language that is complete, or in another English', async () => {
    for (const language of ['en', 'en-GB', 'zh-TW']) expect(await page(language)).not.toMatch(/<span lang="/);
    expect(await page('en-GB')).toContain('value="allow">Yes</button>');
  });
});

test('numbers in an English text are in English, and attributes have its text without markup', async () => {
  const browser = schools.browser('sam');
  const { body } = await connect(browser, schools.harbour, memberApp);
  await refresh(schools.harbour, memberApp, String(body['refresh_token']));
  const { html } = await browser.follow(`${schools.harbour}/account/connected-apps?ui_locales=ar`);
  expect(html).toContain(`<p>${english('One app can use your account at <bdi>Harbour School</bdi>.')}</p>`);
  expect(html).toMatch(
    /aria-label="Disconnect [^<"]*Pocket School[^<"]*"><span lang="en" dir="ltr">Disconnect<\/span>/,
  );
  expect(html).toMatch(/نشط: <time datetime="[^"]+">[^<]+<\/time>/);
});
