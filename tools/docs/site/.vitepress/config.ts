import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme, MarkdownRenderer, UserConfig } from 'vitepress';
import { searchOptions } from './search.ts';

/** The pages, which scripts/site.ts writes. */
const source = join(import.meta.dirname, '../src');

/** The text of a menu is the page's first heading. */
function page(path: string): DefaultTheme.SidebarItem {
  const [, title = path] = /^# (.+)$/m.exec(readFileSync(join(source, `${path}.md`), 'utf8')) ?? [];
  return { text: title.replaceAll('`', ''), link: `/${path.replace(/(?<=^|\/)index$/, '')}` };
}

/** The pages of a folder: those that are named first, in their order, then the others. */
function pagesOf(folder: string, first: readonly string[] = []): DefaultTheme.SidebarItem[] {
  const files = readdirSync(join(source, folder)).filter((file) => file.endsWith('.md'));
  const names = files.map((file) => file.slice(0, -'.md'.length)).sort();
  const ordered = [...first.filter((name) => names.includes(name)), ...names.filter((name) => !first.includes(name))];
  return ordered.map((name) => page(`${folder}/${name}`));
}

/** The groups of a page that lists the others of its folder: its headings, each with the pages to which it links. */
function groupsOf(folder: string): DefaultTheme.SidebarItem[] {
  const [, ...sections] = readFileSync(join(source, folder, 'index.md'), 'utf8').split(/^## /m);
  const listed = sections.map((section) => ({
    text: section.split('\n', 1)[0] ?? '',
    items: [...section.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => page(`${folder}/${name}`)),
  }));
  const links = new Set(listed.flatMap(({ items }) => items).map(({ link }) => link));
  const others = pagesOf(folder).filter(({ link }) => !links.has(link) && link !== `/${folder}/`);
  return [...listed, { text: 'More', items: others }].filter(({ items }) => items.length > 0);
}

/** The menus of the site, by the beginnings of the paths that show them. */
const guides: DefaultTheme.SidebarItem[] = [
  { text: 'Start', items: [page('get-started'), page('guides/index')] },
  ...groupsOf('guides'),
  { text: 'Concepts', items: pagesOf('concepts', ['access', 'consent', 'tokens']) },
  { text: 'Examples', items: pagesOf('examples', ['minimal', 'school-platform', 'recipes']), collapsed: true },
];
const operate = [
  {
    text: 'Operate',
    items: pagesOf('operate', [
      'production',
      'runbook',
      'incidents',
      'observability',
      'capacity',
      'keys',
      'redis',
      'postgres',
      'upgrade',
      'schools-and-people',
      'move-a-school',
      'commands',
    ]),
  },
];
const reference = [
  { text: 'Reference', items: pagesOf('reference', ['options', 'endpoints', 'events', 'findings']) },
  { text: 'API', items: pagesOf('reference/api', ['campus-oidc']) },
];
const security = [{ text: 'Security', items: pagesOf('security', ['index', 'threat-model', 'attacks']) }];
const schools = [{ text: 'For people who run a school', items: pagesOf('schools') }];

/** The anchors of GitHub, so that a link works in both places. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Indented commands look like fenced ones. */
function fenceIndented({ renderer }: MarkdownRenderer): void {
  renderer.rules['code_block'] = (tokens, index, ...rest) => {
    Object.assign(tokens[index] ?? {}, { info: 'sh' });
    return renderer.rules.fence?.(tokens, index, ...rest) ?? '';
  };
}

/** Long names can break where a reader would break them. */
function breakNames({ renderer }: MarkdownRenderer): void {
  const { code_inline: draw } = renderer.rules;
  renderer.rules['code_inline'] = (...args) =>
    (draw?.(...args) ?? '').replace(/(?<=>)[^<]+/, (text) =>
      text.replaceAll(/(?<=[._/:?=,-])(?=[\p{L}\p{N}*{])|(?<=[a-z])(?=[A-Z])/gu, '<wbr>'),
    );
}

/** The first page of a section: its index, or the first of its menu. */
const firstOf = (folder: string, [group]: readonly DefaultTheme.SidebarItem[]): string =>
  existsSync(join(source, folder, 'index.md')) ? `/${folder}/` : (group?.items?.[0]?.link ?? '/');

export default {
  title: 'campus-oidc',
  description: 'Every school on your platform becomes an OpenID provider and OAuth authorization server',
  lang: 'en',
  srcDir: 'src',
  outDir: 'dist',
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: { searchOptions } } },
    nav: [
      { text: 'Get started', link: '/get-started' },
      { text: 'Guides', link: '/guides/', activeMatch: '^/(guides|concepts|examples)/' },
      { text: 'Operate', link: firstOf('operate', operate), activeMatch: '^/operate/' },
      { text: 'Reference', link: firstOf('reference', reference), activeMatch: '^/reference/' },
      { text: 'Security', link: firstOf('security', security), activeMatch: '^/security/' },
      { text: 'Schools', link: firstOf('schools', schools), activeMatch: '^/schools/' },
    ],
    sidebar: {
      '/': guides,
      '/operate/': operate,
      '/reference/': reference,
      '/security/': security,
      '/schools/': schools,
    },
    outline: [2, 3],
  },
  markdown: {
    anchor: { slugify },
    config: (renderer) => {
      fenceIndented(renderer);
      breakNames(renderer);
    },
  },
} satisfies UserConfig;
