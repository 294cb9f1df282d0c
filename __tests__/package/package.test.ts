import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { relativeLinks } from '../structure/readme-links.ts';
import { node, root, run, tool } from './commands.ts';
import { consumer, consumerConfig, loader } from './consumer.ts';
import { emptyProject, type PackedProject, packedProject } from './project.ts';

// npm and the compilers take their time on a slow machine.
jest.setTimeout(300_000);

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let project: PackedProject;
let folder = '';
beforeAll(async () => {
  project = await packedProject();
  folder = project.path;
  project.write('consumer.ts', consumer);
  project.write('loader.js', loader);
  for (const koa of ['koa', 'koa-2'] as const)
    project.write(`tsconfig.${koa}.json`, JSON.stringify(consumerConfig(koa)));
  const types = ['@types/koa@3', 'koa-2@npm:@types/koa@2', '@types/node@24'];
  await project.install(project.tarball, ...types, 'typescript-5@npm:typescript@5.9');
});
afterAll(() => project.remove());

const installed = (): string => join(folder, 'node_modules/campus-oidc');

/** The paths of the files of the package. */
function packedFiles(): string[] {
  const files = globSync('**/*', { cwd: installed(), withFileTypes: true }).filter((file) => file.isFile());
  return files.map((file) => relative(installed(), join(file.parentPath, file.name)).replaceAll('\\', '/')).sort();
}

test('the tarball contains the build, the documentation, the examples and the files at the root, and nothing else', () => {
  const paths = packedFiles();
  const parts = [
    /^dist\/(lib|adapters|policies|shared)\/[\w/-]+\.(js|d\.ts)$/,
    /^docs\/[\w/-]+\.md$/,
    /^examples\/[\w/-]+\.(ts|json|sql|css|svg|conf|yaml)$/,
  ];
  for (const part of parts) expect(paths.some((path) => part.test(path))).toBe(true);
  const others = paths.filter((path) => !parts.some((part) => part.test(path)));
  expect(others).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json']);
});

test('the tarball is smaller than 1 MB', () => {
  expect(statSync(project.tarball).size).toBeLessThan(1_000_000);
});

test('every link of the documentation leads to a file of the package', () => {
  const pages = packedFiles().filter((path) => path.endsWith('.md'));
  const links = pages.flatMap((page) =>
    relativeLinks(readFileSync(join(installed(), page), 'utf8')).map(({ path }) => ({ page, path })),
  );
  expect(links.length).toBeGreaterThan(300);
  // Pictures are on the site alone, and the reference of what the declarations say.
  const broken = links.filter(
    ({ page, path }) =>
      !/\bimages\/|\breference\/api\.md$/.test(path) && !existsSync(join(installed(), dirname(page), path)),
  );
  expect(broken).toEqual([]);
});

test('the package has each page of the documentation that its declarations, errors and commands name', () => {
  const code = packedFiles().filter((path) => path.startsWith('dist/'));
  const text = code.map((path) => readFileSync(join(installed(), path), 'utf8')).join('\n');
  const named = new Set(text.match(/\bdocs\/[\w/-]+\.md\b/g));
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((path) => !existsSync(join(installed(), path)))).toEqual([]);
});

test('npm pack works in a clone with nothing but what npm ci installs', async () => {
  const clone = emptyProject();
  try {
    const absent = ['.git', 'node_modules', 'dist', 'screenshots'];
    cpSync(root, clone.path, { recursive: true, filter: (from) => !absent.includes(basename(from)) });
    mkdirSync(join(clone.path, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (name === '.cache') continue;
      symlinkSync(join(root, 'node_modules', name), join(clone.path, 'node_modules', name));
    }
    await run('npm', ['pack', '--loglevel=error'], clone.path);
    expect(globSync('campus-oidc-*.tgz', { cwd: clone.path })).toHaveLength(1);
    expect(readFileSync(join(clone.path, 'README.md'), 'utf8')).toBe(readFileSync(join(root, 'README.md'), 'utf8'));
  } finally {
    clone.remove();
  }
});

test('the tarball contains no declaration that nobody can import', () => {
  const declared = globSync('dist/**/*.d.ts', { cwd: installed() }).map((file) => file.replaceAll('\\', '/'));
  const reached = reachable();
  expect(declared.filter((file) => !reached.has(file))).toEqual([]);
});

test('publint finds nothing to say about the tarball', async () => {
  const { buffer, byteOffset, byteLength } = readFileSync(project.tarball);
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('attw finds no wrong types in the tarball', async () => {
  const options = ['--profile', 'esm-only', '--no-color', '--no-emoji'];
  const table = await tool('@arethetypeswrong/cli/dist/index.js', [project.tarball, ...options]);
  for (const subpath of Object.keys(manifest.exports)) expect(table).toContain(`"campus-oidc${subpath.slice(1)}"`);
});

test.each([
  ['TypeScript 7 and Koa 3', 'typescript/bin/tsc', 'koa'],
  ['TypeScript 7 and Koa 2', 'typescript/bin/tsc', 'koa-2'],
])('%s: a strict consumer compiles against the tarball, with every declaration checked', async (_name, file, koa) => {
  expect(await tool(file, ['-p', `tsconfig.${koa}.json`], folder)).toBe('');
});

test.each(['koa', 'koa-2'])('TypeScript 5.9 and the types of %s: the same consumer compiles', async (koa) => {
  const compiler = 'node_modules/typescript-5/bin/tsc';
  expect(await node([compiler, '--version'], folder)).toMatch(/^Version 5\.9\./);
  const files = await node([compiler, '-p', `tsconfig.${koa}.json`, '--listFiles'], folder);
  expect(files).toContain(koa === 'koa' ? '/@types/koa/index.d.ts' : `/${koa}/index.d.ts`);
});

test('the consumer runs', async () => {
  expect(await node(['consumer.ts'], folder)).toBe('');
});

test('no public declaration reaches oidc-provider or zod, whose types are not for every compiler of a host', () => {
  const reached = reachable();
  expect(reached).toContain('dist/lib/campus.d.ts');
  expect([...reached].filter((file) => /oidc-provider|zod/.test(file))).toEqual([]);
});

/** The declarations and packages that the entry points lead to. */
function reachable(): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, specifier = ''] of readFileSync(join(installed(), file), 'utf8').matchAll(
      /(?:from |import |import\()'([^']+)'/g,
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
const needsOpenTelemetry = './opentelemetry';
const sdkOfMcp = '@modelcontextprotocol/server';

test('without optional peers everything that does not need them loads, by import and by require', async () => {
  for (const name of ['graphql', 'graphql-yoga', '@opentelemetry', sdkOfMcp, 'ajv'])
    expect(existsSync(join(folder, 'node_modules', name))).toBe(false);
  const others = entries.filter((entry) => entry !== needsGraphql && entry !== needsOpenTelemetry);
  expect((await node(['loader.js', ...others], folder)).trim().split('\n')).toEqual(others);
  await expect(node(['loader.js', needsGraphql], folder)).rejects.toThrow(/Cannot find package 'graphql/);
  await expect(node(['loader.js', needsOpenTelemetry], folder)).rejects.toThrow(
    /Cannot find package '@opentelemetry\/api/,
  );
});

test('without what tools need a campus with tools ends its process with the command that installs it, and one without tools serves', async () => {
  const campus = readFileSync(join(root, 'examples/get-started/campus.ts'), 'utf8');
  project.write('campus.ts', campus);
  project.write(
    'start.ts',
    "import { campus } from './campus.ts';\nawait new Promise(setImmediate);\nawait campus.close();\n",
  );
  const command = `run \`npm install ${sdkOfMcp} ajv@8\``;
  await expect(node(['start.ts'], folder)).rejects.toThrow(`campus-oidc/mcp needs ajv 8: ${command}`);
  project.write('campus.ts', campus.replace(/^ *mcp: mcp\(.*\n/m, ''));
  expect(await node(['start.ts'], folder)).toBe('');
  project.write('campus.ts', campus);
  // npm refuses to install it beside the peer, unless it is told to.
  await project.install('ajv@6', '--legacy-peer-deps');
  await expect(node(['start.ts'], folder)).rejects.toThrow(`campus-oidc/mcp needs ajv 8: ${command}`);
  // As docs/guides/mcp-tools.md says.
  await project.install('ajv-6@npm:ajv@6', 'ajv@8');
  await expect(node(['start.ts'], folder)).rejects.toThrow(`campus-oidc/mcp needs the SDK of MCP: ${command}`);
  await project.install(sdkOfMcp);
  expect(await node(['start.ts'], folder)).toBe('');
});

test('with graphql, graphql-yoga and @opentelemetry/api every export loads', async () => {
  await project.install('graphql', 'graphql-yoga', '@opentelemetry/api');
  expect((await node(['loader.js', ...entries], folder)).trim().split('\n')).toEqual(entries);
});
