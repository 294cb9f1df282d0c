import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { csrfOf } from '../helpers/browser.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const path = '/developers/oauth-applications/new';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools();
});
afterAll(() => schools.close());

const open = async (language: string, query = '') => {
  const url = `${schools.harbour}${path}?ui_locales=${language}${query}`;
  return schools.browser('olivia').follow(url);
};

describe('the permissions of an application', () => {
  test('are those of the people who connect it, not of the operator who reads', async () => {
    const { html } = await open('en');
    for (const text of ['name and picture', 'email address', 'own account and notifications'])
      expect(html).toContain(`View each person’s ${text}`);
    readPage(html).getByRole('group', { name: 'Each person’s account' });
    expect(html).not.toMatch(/(?:View|Know who|Mark) you/);
    expect(readPage(html).getAllByRole('group', { name: /^Your/ })).toEqual([]);
    const { html: chinese } = await open('zh-TW');
    readPage(chinese).getByRole('group', { name: '個人帳號' });
    expect(chinese).not.toContain('您的帳號');
  });

  test('have the text of the host, if it replaced that of the package', async () => {
    const texts = await startSchools({
      campus: { pages: { texts: { en: { 'scope.email': 'View the school address' } } } },
    });
    const { html } = await texts.browser('olivia').follow(`${texts.harbour}${path}`);
    await texts.close();
    expect(html).toContain('View the school address');
    expect(html).not.toContain('View each person’s email address');
  });
});

describe('the reason why an address is refused', () => {
  const cases: [uri: string, english: string, chinese: string][] = [
    [`https://a.example/${'x'.repeat(2000)}`, 'is longer than 2,000 characters', '超過 2,000 個字元'],
    ['https://a.example/#top', 'has a part that starts with #', '含有以 # 開頭的部分'],
    ['https://a.example/<b>', 'has a character that an address can’t have', '含有網址不能使用的字元'],
    ['a.example/callback', 'is not a complete address', '不是完整的網址'],
    ['https://me@a.example/', 'has a user name or password', '含有使用者名稱或密碼'],
    ['http://a.example/', 'starts with http://', '以 http:// 開頭'],
    ['https://*.a.example/', 'needs a plain domain name', '必須使用一般的網域名稱'],
    ['https://A.example/', 'in its plain form: https://a.example/', '標準寫法：https://a.example/'],
    ['com.example:/cb', 'starts with com.example:', '以 com.example: 開頭'],
    ['https://a.example/?state=1', 'has the parameter state', '含有 state 參數'],
  ];

  test.each(cases)('%.30s', async (uri, english, chinese) => {
    const reasons = { en: english, 'zh-TW': chinese };
    for (const [language, reason] of Object.entries(reasons)) {
      const browser = schools.browser('olivia');
      const url = `${schools.harbour}${path}?ui_locales=${language}`;
      const csrf = csrfOf((await browser.follow(url)).html);
      const body = new URLSearchParams({ csrf, name: 'Timer', redirect_uris: uri, kind: 'public', scope: 'openid' });
      const { html, response } = await browser.follow(url, { method: 'POST', body });
      expect(response.status).toBe(400);
      expect(readPage(html).getByRole('alert').text).toContain(reason);
      expect(html).not.toMatch(/<b>|lang="en" dir="ltr">it /);
    }
  });
});
