import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { allSnippets } from '../structure/snippets.ts';
import { root, run } from './commands.ts';
import { type PackedProject, packedProject } from './project.ts';

// npm takes its time on a slow machine.
jest.setTimeout(300_000);

const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const page = readFileSync(join(root, 'docs/guides/test-your-integration.md'), 'utf8');
const snippets = allSnippets().filter(({ file }) => file === 'docs/guides/test-your-integration.md');
const school = snippets.find(({ name }) => name === 'school.ts')?.code ?? '';
const sample = snippets.find(({ code }) => code.includes("from './school.ts'"))?.code ?? '';
const [, config = ''] = /```json\n([^]*?)```/.exec(page) ?? [];
/** The rows of the table: the name of the runner, the first line of the test, and the command. */
const rows = [...page.matchAll(/^\| (\w+) +\| `(import [^`]+)` +\| `([^`]+)` +\|$/gm)].map(
  ([, runner = '', line = '', command = '']) => ({ runner, line, command }),
);

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject();
  const jestPackages = ['jest', '@jest/globals'].map((name) => `${name}@${devDependencies[name]}`);
  await project.install(project.tarball, 'vitest@5.1.1', ...jestPackages);
  project.write('school.ts', school);
  project.write('jest.config.json', config);
});
afterAll(() => project.remove());

test('the page has Node, Vitest and Jest', () => {
  expect(rows.map(({ runner }) => runner)).toEqual(['Node', 'Vitest', 'Jest']);
  expect(sample.startsWith(`${rows[0]?.line}\n`)).toBe(true);
});

/** What this run has set, and a shell of an adopter has not. */
const ofThisRun = Object.keys(process.env)
  .filter((name) => /^(?:NODE_|JEST_|FORCE_COLOR$)/.test(name))
  .flatMap((name) => ['-u', name]);
const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);

test.each(rows)(
  'the sample of docs/guides/test-your-integration.md passes on $runner, and a wrong one fails',
  async ({ line, command }) => {
    const text = sample.replace(/^.*\n/, `${line}\n`);
    const runTests = (): Promise<string> =>
      run('env', [...ofThisRun, `PATH=${path}`, 'NO_COLOR=1', 'sh', '-c', `${command} 2>&1`], project.path);
    project.write('token.test.ts', text);
    expect(await runTests()).toMatch(/\b1 passed\b|^. pass 1$/m);
    project.write('token.test.ts', text.replace("assert.equal(member.id, 'olivia')", "assert.equal(member.id, 'sam')"));
    await expect(runTests()).rejects.toThrow(/olivia/);
  },
);
