import { globSync, readFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readPublicApi } from '../../scripts/reference/public-api.ts';
import { searchOptions } from '../../tools/docs/site/.vitepress/search.ts';
import { startChromium } from '../helpers/chromium.ts';
import { readPage } from '../helpers/page.ts';
import { listen } from '../helpers/server.ts';
import { node, root } from './commands.ts';

// VitePress installs itself before its first build.
jest.setTimeout(600_000);

const site = join(root, 'tools/docs/site/dist');
/** The built pages, by their path below the site. */
const pages = new Map<string, string>();
let files: ReadonlySet<string>;
beforeAll(async () => {
  await node(['scripts/site.ts']);
  files = new Set(globSync('**/*', { cwd: site }).map((file) => file.replaceAll('\\', '/')));
  for (const file of files) {
    if (file.endsWith('.html') && file !== '404.html') pages.set(file, readFileSync(join(site, file), 'utf8'));
  }
});

/** What of MiniSearch, which the site installs, its search needs. */
interface SearchLibrary {
  loadJSON(index: string, options: object): { search(query: string): readonly { readonly id: string }[] };
}

/** In a page: what is wider than its place. */
const whatScrollsSideways = `(() => {
  const isCode = (element) => element.closest('pre, [class*=language-]') !== null;
  const scrolls = (element) =>
    element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX);
  const wide = [...document.querySelectorAll('.vp-doc *')].filter((element) => !isCode(element) && scrolls(element));
  const page = document.documentElement;
  return [...(page.scrollWidth > innerWidth ? [page] : []), ...wide].map(
    ({ tagName, textContent }) => \`\${tagName} \${textContent.trim().slice(0, 40)}\`,
  );
})()`;

/** What a page links to and loads. */
function targetsOf(html: string): string[] {
  return [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, target = '']) => target.replaceAll('&amp;', '&'));
}

/** The file of an address, and its anchor. */
function fileOf(page: string, target: string): { readonly file: string; readonly anchor?: string | undefined } {
  const [path = '', anchor] = target.split('#');
  const file =
    path === '' ? page : posix.join(path.startsWith('/') ? '' : posix.dirname(page), path).replace(/^\//, '');
  return { file: file === '' || file.endsWith('/') ? `${file}index.html` : file, anchor };
}

const isElsewhere = (target: string): boolean => /^[a-z][a-z+.-]*:/i.test(target);

test('every link leads to a page of the site, and to a heading that it has', () => {
  expect(pages.size).toBeGreaterThan(50);
  const broken = [...pages].flatMap(([page, html]) =>
    targetsOf(html).flatMap((target) => {
      if (isElsewhere(target)) return [];
      const { file, anchor } = fileOf(page, target);
      if (!files.has(file)) return [`${page}: ${target}`];
      if (!anchor || pages.get(file)?.includes(` id="${decodeURIComponent(anchor)}"`)) return [];
      return [`${page}: ${target}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('every page can be reached from the first one', () => {
  const reached = new Set(['index.html']);
  for (const page of reached) {
    for (const target of targetsOf(pages.get(page) ?? ''))
      if (!isElsewhere(target)) reached.add(fileOf(page, target).file);
  }
  expect([...pages.keys()].filter((page) => !reached.has(page))).toEqual([]);
});

test('the menus of the sections have every page but the first once', () => {
  const sections = ['get-started', 'operate/production', 'reference/options', 'security/index', 'schools/block-an-app'];
  const listed = sections.flatMap((section) => {
    const html = pages.get(`${section}.html`) ?? '';
    const [menu = ''] = /<nav\b[^>]* id="VPSidebarNav"[\s\S]*?<\/nav>/.exec(html) ?? [];
    return targetsOf(menu).map((target) => fileOf('index.html', target).file);
  });
  expect(listed.toSorted()).toEqual([...pages.keys()].filter((page) => page !== 'index.html').toSorted());
});

test('the reference has a page for each entry point, with every export and no other', async () => {
  const { entryPoints } = await readPublicApi();
  const exported = entryPoints.map(({ specifier, exports }) => [specifier, exports.map(({ name }) => name).sort()]);
  const shown = entryPoints.map(({ specifier }) => {
    const page = pages.get(`reference/api/${specifier.replaceAll('/', '-')}.html`) ?? '';
    const headings = [...page.matchAll(/<h2 id="[^"]*"[^>]*>(\w+)/g)].map(([, name = '']) => name);
    return [specifier, headings.sort()];
  });
  expect(shown).toEqual(exported);
});

test('the site has every app that a task names, and shows commands as code', () => {
  const text = globSync('docs/guides/*.md', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  expect(text.join('\n')).not.toMatch(/[^[]`examples\//);
  expect(readPage(pages.get('examples/school-platform.html') ?? '').getById('return-tots')?.role).toBe('heading');
  expect(pages.get('get-started.html')).toContain('class="language-sh');
});

test('pages load nothing from elsewhere', () => {
  const loaded = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/<(?:script|link|img|iframe)\b[^>]* (?:src|href)="(?:https?:)?\/\/[^"]*"/g)].map(
      ([tag]) => `${page}: ${tag}`,
    ),
  );
  expect(loaded).toEqual([]);
});

describe('the search', () => {
  let search: (query: string) => string[];
  beforeAll(async () => {
    const chunk = [...files].find((file) => file.includes('localSearchIndexroot')) ?? '';
    const { default: index }: { default: string } = await import(join(site, chunk));
    const { default: MiniSearch }: { default: SearchLibrary } = await import(
      join(site, '../node_modules/minisearch/dist/es/index.js')
    );
    // As VitePress does it in browsers.
    const loaded = MiniSearch.loadJSON(index, {
      fields: ['title', 'titles', 'text'],
      storeFields: ['title', 'titles'],
      searchOptions,
    });
    search = (query) => loaded.search(query).map(({ id }) => id);
  });

  test.each([
    ['503', '/operate/runbook.html'],
    ['temporarily_unavailable', '/operate/runbook.html'],
    ['redis down', '/operate/runbook.html'],
    ['redis memory full', '/operate/runbook.html'],
    ['roll back', '/operate/runbook.html'],
    ['restore backup', '/operate/incidents.html'],
    ['invalid_grant', '/operate/runbook.html'],
    ['leaked key', '/operate/incidents.html'],
    ['rotate keys', '/operate/keys.html'],
    ['rate limit', '/operate/runbook.html'],
    ['429', '/operate/runbook.html'],
    ['GDPR', '/operate/schools-and-people.html'],
    ['delete a student', '/operate/schools-and-people.html'],
    ['export data', '/operate/schools-and-people.html'],
    ['audit log', '/operate/observability.html'],
    ['who connected', '/operate/schools-and-people.html'],
    ['block an app', '/schools/block-an-app.html'],
    ['only teachers', '/guides/who-may-connect.html'],
    ['add claude', '/guides/connect-assistants.html'],
    ['custom scope', '/guides/scopes-and-claims.html'],
    ['NestJS', '/guides/frameworks.html'],
    ['behind nginx', '/operate/production.html'],
    ['multiple schools', '/get-started.html'],
    ['postgres', '/operate/postgres.html'],
    ['add a language', '/guides/translate.html'],
    ['test my integration', '/guides/test-your-integration.html'],
    ['insufficient_scope', '/guides/debug-a-client.html'],
  ])('has the answer to “%s” among its first three hits: %s', (query, page) => {
    const hits = search(query).slice(0, 3);
    expect(hits.map((hit) => hit.split('#')[0])).toContain(page);
  });

  test('finds names of the API, and no page of contributors', () => {
    expect(search('loopbackClients')).toContain('/reference/api/campus-oidc-policies.html#loopbackclientsoptions');
    expect(search('OpenAPI conformance drill').filter((id) => /^\/(?:contributing|examples)\b/.test(id))).toEqual([]);
  });
});

const contentTypes: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.css': 'text/css' };

test('no page scrolls sideways on a phone or a laptop, but blocks of code may', async () => {
  const server = await listen(() => ({ url = '' }, res) => {
    const file = decodeURIComponent(new URL(url, 'http://localhost').pathname).slice(1);
    const type = contentTypes[extname(file)];
    if (type === undefined || !files.has(file)) res.writeHead(404).end();
    else res.setHeader('content-type', type).end(readFileSync(join(site, file)));
  });
  const browser = await startChromium();
  try {
    const page = await browser.newPage({ javaScriptEnabled: false });
    const wide: string[] = [];
    for (const path of pages.keys()) {
      await page.goto(`http://127.0.0.1:${server.port}/${path}`);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const found = await page.evaluate<string[]>(whatScrollsSideways);
        wide.push(...found.map((what) => `${path} at ${width}: ${what}`));
      }
    }
    expect(wide).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
  }
});
