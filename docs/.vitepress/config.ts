import { readdirSync, readFileSync } from 'node:fs';
import type { MarkdownRenderer, UserConfig } from 'vitepress';

const task = (text: string, page: string) => ({ text, link: `/guide/${page}` });
const page = (text: string, name: string) => ({ text, link: `/${name}` });
const group = (text: string, items: readonly { text: string; link: string }[], collapsed = true) => ({
  text,
  items: [...items],
  collapsed,
});
const api = (specifier: string) => page(specifier, `api/${specifier.replaceAll('/', '-')}`);

/** What hosts import, by the exports map of the package. */
const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const entryPoints = Object.keys(exports)
  .filter((subpath) => !subpath.endsWith('.json'))
  .map((subpath) => subpath.replace('.', 'campus-oidc'));

const examples = readdirSync(new URL('../../examples', import.meta.url)).map((folder) =>
  page(folder, `examples/${folder}`),
);

/** Every page of the site but the first is here once; decisions have a list of their own. */
const sidebar = [
  group(
    'Your first hour',
    [
      task('Mount it', 'mount'),
      task('Connect Claude and ChatGPT', 'connect-assistants'),
      task('Protect your API', 'protect-your-api'),
      task('An app for students', 'app-for-students'),
      task('Sign in with your school', 'sign-in'),
      task('Who may connect what', 'who-may-connect'),
      task('Brand the pages', 'brand-the-pages'),
      task('All tasks', ''),
    ],
    false,
  ),
  group(
    'Operate it',
    [
      task('Go to production', 'production'),
      page('Operations', 'operations'),
      page('Findings', 'diagnose'),
      task('Debug a client', 'debug-a-client'),
      task('Rotate keys', 'rotate-keys'),
      task('Move a school', 'move-a-school'),
      task('Answer a parent', 'answer-a-parent'),
      page('Upgrading', 'upgrading'),
      page('Changelog', 'changelog'),
    ],
    false,
  ),
  group(
    'Extend it and contribute',
    [
      task('Write a store', 'write-a-store'),
      page('Your first change', 'contributing'),
      page('Architecture', 'architecture'),
      page('Glossary', 'glossary'),
      page('The engine', 'engine'),
      page('Coverage of the specification', 'spec-coverage'),
      page('Decisions', 'decisions/'),
    ],
    false,
  ),
  group('For schools', [
    page('Block an app for students', 'block-an-app'),
    page('Only these classes', 'only-these-classes'),
  ]),
  group('Security', [
    page('Assurance', 'assurance'),
    page('Guarantees', 'guarantees'),
    page('Threats', 'threats'),
    page('Reporting', 'security'),
    page('Dependencies', 'dependencies'),
  ]),
  group('Subjects', [
    page('Hosts', 'hosts'),
    page('Clients', 'clients'),
    page('Registration', 'registration'),
    page('Apps', 'apps'),
    page('Consent', 'consent'),
    page('Only these classes, for engineers', 'boundaries'),
    page('Pages', 'pages'),
    page('Clients without a browser', 'grants'),
    page('Scopes', 'scopes'),
    page('Claims', 'claims'),
    page('Pseudonyms', 'pseudonyms'),
    page('Logout', 'logout'),
    page('Member API', 'member-api'),
    page('MCP', 'mcp'),
    page('Hooks', 'hooks'),
    page('Testing', 'testing'),
  ]),
  group('Stores, events and figures', [
    page('Storage', 'storage'),
    page('Limits', 'limits'),
    page('Events', 'events'),
    page('Audit events', 'audit'),
    page('Observability', 'observability'),
    page('Performance', 'performance'),
    page('Scale', 'scale'),
  ]),
  group('Reference', [page('Configuration', 'configuration'), ...entryPoints.map(api)]),
  group('Examples', examples),
];

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

export default {
  title: 'campus-oidc',
  description: 'Every school on your platform becomes an OpenID provider and OAuth authorization server',
  lang: 'en',
  srcDir: '.vitepress/src', // written by scripts/site.ts
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/guide/mount' },
      { text: 'Operate', link: '/guide/production' },
      { text: 'Contribute', link: '/contributing' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'API', link: '/api/campus-oidc' },
      { text: 'Assurance', link: '/assurance' },
    ],
    sidebar,
    outline: [2, 3],
  },
  markdown: { anchor: { slugify }, config: fenceIndented },
} satisfies UserConfig;
