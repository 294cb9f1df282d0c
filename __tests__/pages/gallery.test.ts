import { globSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type ConsentTemplate, html as markup, type PageTemplate } from '../../lib/index.ts';
import { features } from '../../lib/features/features.ts';
import { fixedTexts as textsOf } from '../../lib/i18n/texts.ts';
import { readPage } from '../helpers/page.ts';
import { openInterfaces } from '../features/open-interfaces.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';

const fixedTexts = textsOf(features).en;

let schools: Schools | undefined;
const environment = process.env['NODE_ENV'];
afterEach(async () => {
  process.env['NODE_ENV'] = environment;
  await schools?.close();
  schools = undefined;
});

async function start(pages: object = {}, more: object = {}): Promise<Schools> {
  schools = await startSchools({ ...plugins, campus: { pages: { gallery: '/gallery', ...pages }, ...more } });
  return schools;
}

const pageAt = async (address: string): Promise<{ status: number; text: string; policy: string }> => {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  return {
    status: response.status,
    text: await response.text(),
    policy: response.headers.get('content-security-policy') ?? '',
  };
};

/** The names of all examples. */
async function namesIn({ harbour }: Schools): Promise<string[]> {
  const { text } = await pageAt(`${harbour}/gallery`);
  const links = readPage(text).getAllByRole('link');
  return links.flatMap(({ href }) => /^\/gallery\/([\w-]+)$/.exec(href)?.[1] ?? []);
}

async function everyPage(started: Schools, language = 'en'): Promise<Map<string, Awaited<ReturnType<typeof pageAt>>>> {
  const names = await namesIn(started);
  const found = names.map(
    async (name) => [name, await pageAt(`${started.harbour}/gallery/${name}?language=${language}`)] as const,
  );
  return new Map(await Promise.all(found));
}

/** The texts that the sources give to a page as its title, or as what went wrong. */
function keysOfPages(): string[] {
  const files = globSync('lib/{pages,interaction,features/*/pages}/**/*.ts');
  const lists = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?:title|texts|forbidden): (.+)/g)].map(([, given = '']) => given),
  );
  const literals = lists.flatMap((given) => [...given.matchAll(/'([\w.]+\.\w+)'/gi)].map(([, key = '']) => key));
  const confirmations = [...readFileSync('lib/pages/kit/member-page.ts', 'utf8').matchAll(/^ {2}\| '([\w.]+)'/gm)].map(
    ([, key]) => `${key}.title`,
  );
  return [...new Set([...literals, ...confirmations])].filter((key) => Object.hasOwn(fixedTexts, key));
}

describe('the gallery', () => {
  test('has an example of every page and every message, in a language that shows which texts those have', async () => {
    // Each text of this language is its own key.
    const keys = Object.fromEntries(Object.keys(fixedTexts).map((key) => [key, key]));
    const started = await start({ texts: { fr: keys } });
    const all = [...(await everyPage(started, 'fr')).values()].map(({ text }) => text).join('\n');
    const wanted = keysOfPages();
    expect(wanted.length).toBeGreaterThan(45);
    expect(wanted.filter((key) => !all.includes(`>${key}<`))).toEqual([]);
    // What is new has a row of each kind.
    const shown = new Set(all.split(/[\s<>"]+/));
    expect(Object.keys(fixedTexts).filter((key) => key.startsWith('news.') && !shown.has(key))).toEqual([]);
    expect(started.faults).toEqual([]);
  });

  test.each(['en', 'zh-Hant'])('in %s is inert, and has the data of nobody', async (language) => {
    // A store that is asked anything throws.
    const store = new Proxy(memoryStore(), {
      get: (target, name) =>
        typeof Reflect.get(target, name) === 'function' && name !== 'observe'
          ? () => Promise.reject(new Error(`${String(name)} was called`))
          : undefined,
    });
    const started = await start({}, { store });
    const pages = await everyPage(started, language);
    expect(pages.size).toBeGreaterThan(80);
    for (const [name, { text, policy }] of pages) {
      const page = readPage(text);
      const headings = page.getAllByRole('heading', { level: 1 });
      expect([name, page.attribute('lang'), headings.length]).toEqual([name, language, 1]);
      // The first one says that this is an example; a page can have an aside of its own.
      expect(page.getAllByRole('complementary')[0]?.text).toContain(name);
      const methods = page.getAllByRole('form').map((form) => form.attribute('method'));
      expect([name, methods.filter((each) => each === 'post')]).toEqual([name, []]);
      const tokens = page.fields.getAll('csrf').filter((token) => token !== '');
      expect([name, tokens]).toEqual([name, []]);
      expect(policy).not.toContain('connect-src');
    }
    expect(started.faults).toEqual([]);
  });

  test('calls no function of the host but the one that finds the school', async () => {
    const refuse = (name: string) => (): never => {
      throw new Error(`${name} was called`);
    };
    schools = await startSchools({
      ...plugins,
      campus: {
        pages: { gallery: '/gallery' },
        log: { list: refuse('log.list') },
        registration: [{ name: 'none', decide: refuse('decide') }],
        metadataDocuments: {
          checkClientId: refuse('checkClientId'),
          checkDocument: refuse('checkDocument'),
          allowedScopes: refuse('allowedScopes'),
        },
        boundaries: [{ type: 'class', name: 'Classes', scopes: ['account:read'], list: refuse('list') }],
        access: [refuse('access')],
        claims: refuse('claims'),
        siteKeys: refuse('siteKeys'),
        hooks: { connected: refuse('connected'), requested: refuse('requested'), reviewed: refuse('reviewed') },
        logout: { endSession: refuse('endSession') },
      },
      wrapPlatform: (platform) => ({
        findSite: (origin) => platform.findSite(origin),
        signedInMember: refuse('signedInMember'),
        signInUrl: refuse('signInUrl'),
        findMember: refuse('findMember'),
        roles: refuse('roles'),
      }),
    });
    const pages = [...(await everyPage(schools)).values()];
    // What fails shows the error page, which is no example.
    expect(pages.filter(({ text }) => !text.includes('class="example notice"'))).toEqual([]);
    expect(schools.faults).toEqual([]);
  });

  test('takes no form, and knows no other example', async () => {
    const { harbour } = await start();
    const body = new URLSearchParams({ decision: 'allow' });
    expect((await fetch(`${harbour}/gallery/consent-first`, { method: 'POST', body })).status).toBe(405);
    expect((await pageAt(`${harbour}/gallery/nothing`)).status).toBe(404);
  });

  test('has the template, the stylesheet and the consent page of the host', async () => {
    const stylesheet = '.school{letter-spacing:1px}';
    const template: PageTemplate = ({ page, content, style }) =>
      markup`<!doctype html><html lang="en"><style>${style}</style><body data-page="${page}">${content}`;
    const consentPage: ConsentTemplate = ({ form, heading }) =>
      markup`<main class="own"><h1>${heading}</h1><form method="post">${form.fields}</form></main>`;
    schools = await startSchools({
      ...plugins,
      campus: { pages: { gallery: '/gallery', template, consentPage } },
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => {
          const site = await platform.findSite(origin);
          return site && { ...site, stylesheet };
        },
      }),
    });
    const pages = await everyPage(schools);
    for (const [name, { text }] of pages) expect([name, text.includes(stylesheet)]).toEqual([name, true]);
    const drawn = new Set<string | undefined>(
      [...pages.values()].map(({ text }) => /data-page="(\w+)"/.exec(text)?.[1]),
    );
    const { text } = await pageAt(`${schools.harbour}/gallery`);
    drawn.add(/data-page="(\w+)"/.exec(text)?.[1]);
    expect(drawn).toEqual(
      new Set([
        'activity',
        'applications',
        'yourApps',
        'connections',
        'consent',
        'error',
        'gallery',
        'guide',
        'requests',
        ...(openInterfaces().get('FeaturePages') ?? []),
      ]),
    );
    expect(pages.get('consent-first')?.text).toContain('<main class="own"><h1>Connect <bdi>Study Timer</bdi> to');
  });

  test('has an element for every class of the style sheet', async () => {
    const pages = [...(await everyPage(await start())).values()].map(({ text }) => text);
    const [, css = ''] = /<style>([^<]*)/.exec(pages[0] ?? '') ?? [];
    const known = new Set(css.match(/\.[a-z][\w-]*(?=[^{}]*\{)/g)?.map((name) => name.slice(1)));
    const used = new Set(
      pages.flatMap((text) => [...text.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '))),
    );
    // The examples have none of these: a list of many pages, a consent to many permissions, a printed page.
    const elsewhere = ['full', 'no-print', 'pages', 'wide'];
    expect([...known].filter((name) => !used.has(name) && !elsewhere.includes(name))).toEqual([]);
  });

  test('leaves out pages that are off', async () => {
    schools = await startSchools({
      campus: { pages: { gallery: '/gallery', developers: false, yourApps: false } },
    });
    const names = await namesIn(schools);
    expect(names).toEqual(expect.arrayContaining(['consent-first', 'error-fault', 'guide', 'connections']));
    expect(names.filter((name) => /^(?:application|connected|request|check|assistant)/.test(name))).toEqual([]);
  });

  test('is off unless the host says where it is, and is not there while NODE_ENV is production', async () => {
    const off = await startSchools();
    expect((await pageAt(`${off.harbour}/gallery`)).text).toBe('Not Found');
    await off.close();
    process.env['NODE_ENV'] = 'production';
    const { harbour } = await start();
    expect((await pageAt(`${harbour}/gallery`)).text).toBe('Not Found');
    expect((await pageAt(`${harbour}/gallery/consent-first`)).text).toBe('Not Found');
  });
});
