import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { node, root, run, tool } from './commands.ts';
import { consumer, consumerConfig, loader } from './consumer.ts';

// npm and the compilers take their time on a slow machine.
jest.setTimeout(120_000);

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const project = mkdtempSync(join(tmpdir(), 'campus-oidc-consumer-'));
let tarball = '';

beforeAll(async () => {
  // `pretest` has built dist; building it again would take it away from under other tests.
  await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', project]);
  tarball = join(project, globSync('*.tgz', { cwd: project })[0] ?? 'no tarball');
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  writeFileSync(join(project, 'consumer.ts'), consumer);
  writeFileSync(join(project, 'loader.js'), loader);
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(consumerConfig));
  await install(tarball, '@types/koa@3', '@types/node@24');
});

async function install(...packages: readonly string[]): Promise<void> {
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--omit=dev', ...quiet, ...packages], project);
}

afterAll(() => rmSync(project, { recursive: true, force: true }));

test('the tarball contains the build, the manifest and the documentation, and nothing else', () => {
  const installed = join(project, 'node_modules/campus-oidc');
  const files = globSync('**/*', { cwd: installed, withFileTypes: true }).filter((file) => file.isFile());
  const paths = files.map((file) =>
    join(file.parentPath, file.name)
      .slice(installed.length + 1)
      .replaceAll('\\', '/'),
  );
  const others = paths.filter((path) => !/^dist\/(lib|adapters|policies)\/[\w/-]+\.(js|d\.ts)$/.test(path));
  const outside = others.filter((path) => !/^docs\/[\w/-]+\.(md|png)$/.test(path));
  expect(outside.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json']);
  expect(paths).toContain('docs/storage.md');
  expect(paths).toContain('dist/lib/index.js');
});

test('the tarball is smaller than 300 kB', () => {
  expect(statSync(tarball).size).toBeLessThan(300_000);
});

test('the tarball contains no declaration that nobody can import, and no comment in the code', () => {
  const folder = join(project, 'node_modules/campus-oidc');
  const declared = globSync('dist/**/*.d.ts', { cwd: folder }).map((file) => file.replaceAll('\\', '/'));
  const reached = reachable();
  expect(declared.filter((file) => !reached.has(file))).toEqual([]);
  const code = readFileSync(join(folder, 'dist/lib/campus.js'), 'utf8');
  expect(code).not.toContain('/**');
});

test('publint finds nothing to say about the tarball', async () => {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('attw finds no wrong types in the tarball', async () => {
  const options = ['--profile', 'esm-only', '--no-color', '--no-emoji'];
  const table = await tool('@arethetypeswrong/cli/dist/index.js', [tarball, ...options]);
  for (const subpath of Object.keys(manifest.exports)) expect(table).toContain(`"campus-oidc${subpath.slice(1)}"`);
});

test('a strict consumer compiles against the tarball, with every declaration checked, and runs', async () => {
  expect(await tool('typescript/bin/tsc', ['-p', project])).toBe('');
  expect(await node(['consumer.ts'], project)).toBe('');
});

test('no public declaration reaches oidc-provider', () => {
  const reached = reachable();
  expect(reached).toContain('dist/lib/campus.d.ts');
  expect([...reached].filter((file) => /oidc-provider/.test(file))).toEqual([]);
});

/** The declarations and packages that the entry points lead to. */
function reachable(): ReadonlySet<string> {
  const folder = join(project, 'node_modules/campus-oidc');
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, specifier = ''] of readFileSync(join(folder, file), 'utf8').matchAll(
      /(?:from |import\()'([^']+)'/g,
    )) {
      if (specifier.startsWith('.'))
        visit(posix.join(posix.dirname(file), specifier.replace(/(?:\.js|\.ts)$/, '.d.ts')));
      else reached.add(specifier);
    }
  };
  for (const { types } of Object.values<{ types?: string }>(manifest.exports)) if (types) visit(types.slice(2));
  return reached;
}

const entries = Object.keys(manifest.exports);
const needsGraphql = './member-api';

test('without graphql everything but the Member API loads, by import and by require', async () => {
  for (const name of ['graphql', 'graphql-yoga']) expect(existsSync(join(project, 'node_modules', name))).toBe(false);
  const others = entries.filter((entry) => entry !== needsGraphql);
  expect((await node(['loader.js', ...others], project)).trim().split('\n')).toEqual(others);
  await expect(node(['loader.js', needsGraphql], project)).rejects.toThrow(/Cannot find package 'graphql/);
});

test('with graphql and graphql-yoga every export loads', async () => {
  await install('graphql', 'graphql-yoga');
  expect((await node(['loader.js', ...entries], project)).trim().split('\n')).toEqual(entries);
});
