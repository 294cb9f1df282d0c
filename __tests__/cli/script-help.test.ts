import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** Steps of the build, and servers of examples: nobody passes them anything. */
const withoutHelp = ['scripts/bundle.mjs', 'scripts/public-types.mjs', 'scripts/require-node.mjs'];

/** Those that `npm run` starts, and those of the folder that do something when they are started. */
const started = [
  ...Object.values(scripts).flatMap((line) =>
    [...line.matchAll(/\bnode (?:--\S+ )*((?:scripts|bench)\/\S+)/g)].map(([, file = '']) => file),
  ),
  ...readdirSync(join(root, 'scripts'))
    .map((file) => `scripts/${file}`)
    .filter(
      (file) =>
        /\.(?:ts|mjs)$/.test(file) && /process\.argv|^console\.log/m.test(readFileSync(join(root, file), 'utf8')),
    ),
];
const apps = [...new Set(started)].filter((file) => ![...withoutHelp, 'scripts/help.mjs'].includes(file)).sort();

describe('--help', () => {
  test.each(apps)('of %s prints how it is called, and does nothing else', async (file) => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, '--help'], { cwd: root });
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^(?:usage: )?(?:npm|node) /), '']);
    const [name] = Object.entries(scripts).find(([, line]) => line.includes(file)) ?? [];
    expect(stdout).toContain(name === undefined ? `node ${file.replace('scripts/import', 'import')}` : name);
  });
});
