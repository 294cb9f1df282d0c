import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { readPublicApi } from '../../scripts/reference/public-api.ts';
import { node, root } from './commands.ts';
import { readPage } from '../helpers/page.ts';

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

test('the search finds tasks, options and names of the API', () => {
  const index = [...files].filter((file) => file.includes('localSearchIndex'));
  const text = index.map((file) => readFileSync(join(site, file), 'utf8')).join('\n');
  const titles = ['Rotate keys', 'Answer a parent', 'loopbackClients(options)', 'TemporarilyUnavailable'];
  expect(titles.filter((title) => !text.includes(title))).toEqual([]);
});
