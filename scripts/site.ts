// Builds the documentation as a site in tools/docs/site/dist: `npm run docs:build`. VitePress has a lock file of its own, and is
// installed here when it is needed; with a filled cache of npm that makes no request.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { apiPages } from './reference/api-pages.ts';
import { readPublicApi } from './reference/public-api.ts';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run docs:build

Builds the documentation as a site in tools/docs/site/dist.`);

const root = join(import.meta.dirname, '..');
const site = join(root, 'tools/docs/site');

/** The pages as VitePress reads them. */
const source = join(site, 'src');

/** Files at the root of the repository that are pages of the site. */
const rootPages = { 'SECURITY.md': 'security/reporting.md', 'CHANGELOG.md': 'operate/changelog.md' };

async function writePages(): Promise<void> {
  rmSync(source, { recursive: true, force: true });
  cpSync(join(root, 'docs/images'), join(source, 'images'), { recursive: true });
  for (const file of globSync('**/*.md', { cwd: join(root, 'docs') })) {
    writePage(file.replaceAll('\\', '/'), readFileSync(join(root, 'docs', file), 'utf8'));
  }
  for (const [file, page] of Object.entries(rootPages)) {
    writePage(page, readFileSync(join(root, file), 'utf8').replaceAll('](docs/', '](../'));
  }
  for (const { entry, markdown } of await apiPages(await readPublicApi())) {
    writePage(`reference/api/${entry}.md`, markdown);
  }
  for (const folder of readdirSync(join(root, 'examples'))) writePage(`examples/${folder}.md`, appsOf(folder));
}

/** A folder of `examples` as a page: pages name its files, and a reader of the site has no checkout. The search leaves it out. */
function appsOf(folder: string): string {
  const files = globSync('*.{ts,sql,css,json,conf,yaml}', { cwd: join(root, 'examples', folder) }).sort();
  const blocks = files.map((file) => {
    const text = readFileSync(join(root, 'examples', folder, file), 'utf8');
    return `## ${file}\n\n\`\`\`${languageOf(file)}\n${text}\`\`\`\n`;
  });
  return `---\nsearch: false\n---\n\n# examples/${folder}\n\n${blocks.join('\n')}`;
}

/** The language of a file, as highlighters call it. */
function languageOf(file: string): string {
  const extension = extname(file).slice(1);
  return extension === 'conf' ? 'nginx' : extension;
}

function writePage(page: string, text: string): void {
  const path = join(source, page);
  mkdirSync(join(path, '..'), { recursive: true });
  // Links that leave `docs` have one folder more in the repository than on the site.
  const here = Object.entries(rootPages).reduce((all, [file, name]) => all.replaceAll(`../${file})`, `${name})`), text);
  writeFileSync(path, here.replaceAll(/\]\(\.\.\/((?:\.\.\/)*examples\/[\w-]+)(?:\/([\w.-]+))?\)/g, toApp));
}

/** A link to a file of `examples`, which is a heading of the page of its folder. */
function toApp(_link: string, folder: string, file = ''): string {
  return `](${folder.startsWith('.') ? '' : './'}${folder}.md${file && `#${file.replaceAll('.', '')}`})`;
}

/** The version of VitePress that a lock file has; npm writes one of what it has installed. */
function versionIn(lock: string): unknown {
  return existsSync(lock) && JSON.parse(readFileSync(lock, 'utf8')).packages['node_modules/vitepress']?.version;
}

function run(app: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(app, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

await writePages();
if (versionIn(join(site, 'node_modules/.package-lock.json')) !== versionIn(join(site, 'package-lock.json')))
  run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], site);
run(process.execPath, [join(site, 'node_modules/vitepress/bin/vitepress.js'), 'build', '.'], site);
