import { afterEach, describe, expect, test } from '@jest/globals';
import { Html, html as markup, type PageView } from '../../lib/index.ts';
import { features } from '../../lib/features/features.ts';
import { fixedTexts } from '../../lib/i18n/texts.ts';
import { pagesSchema } from '../../lib/pages/kit/options.ts';
import { readOptions } from '../../lib/kernel/validate.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools | undefined;
afterEach(async () => {
  await schools?.close();
  schools = undefined;
});

describe('invalid pages option', () => {
  test.each<[unknown, string]>([
    [null, 'pages must be an object'],
    [{ colour: 'red' }, 'unknown option "pages.colour"; valid options: developers, yourApps, apps, texts'],
    [{ developers: 'developers' }, 'pages.developers must be a path'],
    [{ developers: '/a/../b' }, 'pages.developers must be a path'],
    [{ developers: '/a/' }, 'pages.developers must be a path'],
    [{ yourApps: true }, 'pages.yourApps must be a path'],
    [{ yourApps: '/mcp' }, 'pages.yourApps must not be at or under /mcp, which is taken'],
    [{ yourApps: '/oauth' }, 'pages.yourApps must not be at or under /oauth/authorize'],
    [
      { developers: '/me', yourApps: '/me/apps' },
      'pages.yourApps must not overlap pages.developers; choose another path',
    ],
    [{ apps: '/developers/oauth-applications/all' }, 'pages.apps must not overlap pages.developers'],
    [{ apps: '/account' }, 'pages.apps must not overlap pages.yourApps'],
    [{ apps: '/oauth' }, 'pages.apps must not be at or under /oauth/authorize'],
    [{ texts: { 'not a tag': {} } }, 'pages.texts must have language tags as keys, not "not a tag"'],
    [{ texts: { en: { nothing: 'x' } } }, 'pages.texts.en.nothing must not be set: the text does not exist'],
    [{ texts: { en: { 'consent.alow': 'x' } } }, 'the text does not exist; did you mean "consent.allow"?'],
    [{ texts: { en: { 'consent.allow': '' } } }, 'pages.texts.en["consent.allow"] must be a non-empty string'],
    [{ texts: { en: { 'consent.allow': '{' } } }, 'pages.texts.en["consent.allow"] must be an ICU message'],
    [
      { texts: { en: { 'remove.title': '{name}?' } } },
      'pages.texts.en["remove.title"] must not have the placeholder {name}; use client',
    ],
    [{ template: '<html>' }, 'pages.template must be a function'],
    [{ sources: ['https://cdn.example/'] }, 'pages.sources[0] must be an origin'],
    [{ sources: ["'unsafe-inline'"] }, 'pages.sources[0] must be an origin'],
  ])('%j', (pages, message) => {
    expect(() => readOptions(pagesSchema(fixedTexts(features)), pages, 'pages')).toThrow(message);
  });
});

test('pages.developers moves the pages, pages.yourApps: false removes them; unused paths fall through', async () => {
  schools = await startSchools({ campus: { pages: { developers: '/admin/apps', yourApps: false } } });
  const browser = schools.browser('olivia');
  const { html } = await browser.follow(`${schools.harbour}/admin/apps`);
  const create = readPage(html).getByRole('link', { name: /^App for members/ });
  expect(create.href).toBe('/admin/apps/new?audience=member');
  expect((await browser.follow(`${schools.harbour}/developers/oauth-applications`)).response.status).toBe(404);
  expect((await browser.follow(`${schools.harbour}/account/apps`)).html).toBe('Not Found');
});

test('pages.apps moves the page, false removes it, and the pages of operators link to each other', async () => {
  schools = await startSchools({ campus: { pages: { apps: '/admin/connections' } } });
  const linked = await schools.browser('olivia').follow(`${schools.harbour}/admin/connections`);
  expect(readPage(linked.html).getByRole('link', { name: 'Developers' }).href).toBe('/developers/oauth-applications');
  const list = await schools.browser('olivia').follow(`${schools.harbour}/developers/oauth-applications`);
  expect(readPage(list.html).getByRole('link', { name: 'Apps' }).href).toBe('/admin/connections');
  await schools.close();
  schools = await startSchools({ campus: { pages: { apps: false } } });
  const browser = schools.browser('olivia');
  expect((await browser.follow(`${schools.harbour}/developers/apps`)).html).toBe('Not Found');
  const alone = await browser.follow(`${schools.harbour}/developers/oauth-applications`);
  expect(alone.html).not.toContain('connections"');
});

test('pages.template renders the document; the CSP allows pages.sources, but no scripts', async () => {
  schools = await startSchools({
    campus: {
      pages: {
        template: ({
          site,
          language,
          title,
          content,
        }) => markup`<!doctype html><html lang="${language}"><head><title>${title}</title>
<link rel="stylesheet" href="/own.css"></head><body data-site="${site.id}">${content}</body></html>`,
        sources: ['self', 'https://cdn.example'],
      },
    },
  });
  const { html, response } = await schools.browser('olivia').follow(`${schools.harbour}/account/apps`);
  expect(html).toContain('<body data-site="harbour"><main>');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/style-src 'sha256-[^']+' 'self' https:\/\/cdn\.example;/);
  expect(policy).toContain("img-src data: 'self' https://cdn.example; font-src 'self' https://cdn.example;");
  expect(policy).not.toContain('script-src');
});

describe('pages.template', () => {
  /** Sam's connected apps, and the page of an error, each in the document of the template. */
  async function pagesWith(template: (view: PageView) => unknown): Promise<{ html: string; faults: string[] }> {
    const pages: object = { template };
    schools = await startSchools({ campus: { pages } });
    const browser = schools.browser('sam');
    const [apps, error] = [
      await browser.follow(`${schools.harbour}/account/apps`),
      await browser.follow(`${schools.harbour}/oauth/authorize`),
    ];
    expect([apps.response.status, error.response.status]).toEqual([200, 400]);
    readPage(apps.html).getByRole('heading', { name: 'Your apps', level: 1 });
    readPage(error.html).getByRole('heading', { name: 'We couldn’t complete this request', level: 1 });
    return { html: apps.html, faults: schools.faults.map(({ message, cause }) => `${message}: ${String(cause)}`) };
  }

  const rule = 'it must be the HTML document, made with `html`, with `content` in it as it is';

  test.each<[string, (view: PageView) => unknown, string]>([
    [
      'leaves out the content',
      ({ title }) => markup`<!doctype html><title>${title}</title>`,
      `returned an instance of Html; ${rule}`,
    ],
    [
      'changes the content',
      ({ content }) => new Html(content.text.toUpperCase()),
      `returned an instance of Html; ${rule}`,
    ],
    ['is a string', ({ title, content }) => `<title>${title}</title>${content.text}`, `returned a string; ${rule}`],
    ['returns nothing', () => undefined, `returned undefined; ${rule}`],
    ['returns a buffer', ({ content }) => Buffer.from(content.text), `returned an instance of Buffer; ${rule}`],
    ['returns an object', async () => ({}), `returned an object; ${rule}`],
  ])('that %s is a fault, and the page is in the built-in document', async (_what, template, cause) => {
    const { html, faults } = await pagesWith(template);
    expect(readPage(html).title).toBe('Your apps · Harbour School');
    const fault = `pages.template failed: TypeError: pages.template() ${cause}`;
    expect(faults).toEqual([fault, fault]);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no layout');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no layout'))],
  ])('that %s is a fault, and the page is in the built-in document', async (_what, template) => {
    const { html, faults } = await pagesWith(template);
    expect(readPage(html).title).toBe('Your apps · Harbour School');
    expect(faults).toEqual(Array.from({ length: 2 }, () => 'pages.template failed: Error: no layout'));
  });

  test('has no plain text that is markup: what it puts beside markup is escaped', async () => {
    const text = `<img src=x onerror="alert('1')"> & more`;
    const { html } = await pagesWith(
      ({ content, title }) =>
        markup`<!doctype html><title>${title}</title><nav title="${text}">${[text]}</nav>${content}`,
    );
    const escaped = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; more';
    expect(html).toContain(`<nav title="${escaped}">${escaped}</nav><main`);
    // An engine that escapes itself says so.
    expect(markup`${new Html('<b>')}`.text).toBe('<b>');
  });

  test('may be asynchronous', async () => {
    const { html, faults } = await pagesWith(async ({ content }) => markup`<!doctype html><nav>School</nav>${content}`);
    expect([html.startsWith('<!doctype html><nav>School</nav><main'), faults]).toEqual([true, []]);
  });
});

test('pages.texts replaces a text, escaped', async () => {
  schools = await startSchools({ campus: { pages: { texts: { en: { 'connected.title': 'Your <gadgets>' } } } } });
  const { html } = await schools.browser('olivia').follow(`${schools.harbour}/account/apps`);
  readPage(html).getByRole('heading', { name: 'Your <gadgets>', level: 1 });
});

test('site.logoUrl is allowed in the CSP by origin; only http(s) URLs are shown', async () => {
  const page = async (logoUrl: string): Promise<[string, string]> => {
    schools = await startSchools({
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => {
          const site = await platform.findSite(origin);
          return site && { ...site, logoUrl };
        },
      }),
    });
    const { html, response } = await schools.browser('olivia').follow(`${schools.harbour}/account/apps`);
    await schools.close();
    schools = undefined;
    return [html, response.headers.get('content-security-policy') ?? ''];
  };
  const [html, policy] = await page('https://cdn.example/logo.png');
  expect(html).toContain('<img src="https://cdn.example/logo.png" alt="">');
  expect(policy).toContain('img-src data: https://cdn.example;');
  for (const wrong of ['javascript:alert(1)', 'data:image/png;base64,x', 'logo.png']) {
    expect((await page(wrong))[0]).not.toContain('<img');
  }
});
