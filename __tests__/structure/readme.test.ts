import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allSnippets, fileOf, snippetsOf, writeProject } from './snippets.ts';

const root = join(import.meta.dirname, '../..');
const snippets = allSnippets();

test('the reader of TypeScript blocks finds each block with its line', () => {
  const markdown =
    '# A\n\n```sh\nnpm ci\n```\n\n```ts\nconst a = 1;\n```\n\n````typescript\nconst b = `\n```\n`;\n````\n';
  expect(snippetsOf('a.md', markdown)).toEqual([
    { file: 'a.md', line: 8, code: 'const a = 1;\n' },
    { file: 'a.md', line: 12, code: 'const b = `\n```\n`;\n' },
  ]);
});

test.each([
  ['README.md', 'examples/minimal/school.ts'],
  ['docs/get-started.md', 'examples/get-started/campus.ts'],
  ['docs/get-started.md', 'examples/get-started/server.ts'],
])('%s shows %s, word for word, in one block', (file, example) => {
  const name = basename(example);
  const shown = snippets.find((snippet) => snippet.file === file && snippet.name === name);
  expect(shown?.code).toBe(readFileSync(join(root, example), 'utf8'));
});

test.each([
  'fastapi_api.py',
  'main.go',
  'spring/pom.xml',
  'spring/src/main/java/example/Courses.java',
  'spring/src/main/resources/application.properties',
  'nginx.conf',
  'introspection.js',
])('docs/guides/resource-servers.md shows %s, word for word', (file) => {
  const page = readFileSync(join(root, 'docs/guides/resource-servers.md'), 'utf8');
  expect(page).toContain(readFileSync(join(root, 'examples/resource-servers', file), 'utf8'));
});

describe('every TypeScript block compiles against dist', () => {
  const errors: string[] = [];

  beforeAll(() => {
    if (!existsSync(join(root, 'dist/lib/index.d.ts'))) throw new Error('dist does not exist; run: npm run build');
    errors.push(...compile(writeProject(snippets)));
  });

  test.each(snippets)('$file, the block at line $line', (snippet) => {
    const { code, file, line } = snippet;
    const wrong = errors.filter((error) => error.startsWith(fileOf(snippet)));
    if (wrong.length > 0) throw new Error(`${file}, the block at line ${line}:\n\n${code}\n${wrong.join('\n')}`);
  });

  test('the compiler reports no other errors', () => {
    const names = snippets.map(fileOf);
    expect(errors.filter((error) => !names.some((name) => error.startsWith(name)))).toEqual([]);
  });
});

test('every TypeScript block runs, and a school with the options that it exports issues tokens', async () => {
  // Two serve until they are stopped, as those in `examples/minimal` and `examples/get-started`, and two define tests: `contract-memory.test.ts` and
  // `package/runners.test.ts` run those.
  const recipes = readdirSync(join(root, 'examples/recipes')); // `recipes.test.ts` runs them
  const apps = snippets.filter(({ name = '' }) => ['school.ts', 'server.ts'].includes(name) || recipes.includes(name));
  const runnable = snippets.filter((each) => !apps.includes(each) && !each.code.includes("from 'node:test'"));
  expect(runnable).toHaveLength(snippets.length - apps.length - 2);
  // Node strips no types below node_modules.
  const folder = mkdtempSync(join(tmpdir(), 'campus-snippets-'));
  try {
    for (const snippet of runnable) writeFileSync(join(folder, fileOf(snippet).replace(/ts$/, 'mts')), snippet.code);
    const script = join(import.meta.dirname, 'run-snippets.ts');
    const files = runnable.map((snippet) => fileOf(snippet).replace(/ts$/, 'mts'));
    const flags = ['--disable-warning=ExperimentalWarning'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, ...files], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({});
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(['README.md', 'CONTRIBUTING.md'])('%s says how long npm test takes', (file) => {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/npm ci && npm test\b[^.]* about \d+ minutes on two cores/);
});

// `sign-in-recipes.test.ts` compares what is in the guide with what pages show.
test('no block is plain JavaScript, which nothing here would run, but settings for sign-in clients', () => {
  expect(allSnippets('javascript').filter(({ file }) => file !== 'docs/guides/sign-in-for-websites.md')).toEqual([]);
});

test('every shell block runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-shell-'));
  try {
    // What `npx campus-oidc` is in an installation.
    const command = `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(root, 'lib/cli/main.ts')}' "$@"\n`;
    writeFileSync(join(folder, 'npx'), command, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env['PATH']}`, TOKEN: 'a token' };
    const named = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
    // `app-for-students.test.ts` runs those that need a school.
    const blocks = allSnippets('shell').filter(({ file }) => file !== 'docs/guides/student-app.md');
    const written = blocks.map(({ file, code }) => [
      file,
      execFileSync('sh', ['-euc', code], { cwd: folder, env, encoding: 'utf8' }).trim(),
    ]);
    expect(written).toEqual([
      ['adapters/README.md', named('a token')],
      ['adapters/README.md', named('line a token')],
      [
        'docs/operate/keys.md',
        expect.stringMatching(/^keys\.json has the signing key[\s\S]*is published[\s\S]*\nnext +sign with /),
      ],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The compiler's errors. */
function compile(project: string): string[] {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], { cwd: project, encoding: 'utf8' });
    return [];
  } catch (error) {
    const written = Reflect.get(Object(error), 'stdout');
    // A line that begins with a space continues the error above.
    return String(written || error)
      .trim()
      .split(/\n(?! )/);
  }
}
