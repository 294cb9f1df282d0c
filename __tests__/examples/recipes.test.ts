import { execFile } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { freePort } from '../helpers/free-port.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The campus that the others share; `docs/guides/index.md` shows it. */
const shared = 'harbour.ts';
const pages = globSync('docs/**/*.md', { cwd: root }).map(read);
const recipes = readdirSync(join(root, 'examples/recipes')).filter((file) => file !== shared);

/** One serves until it is stopped: `app-for-students.test.ts` runs it with the commands of its page. The other is part of recipes. */
const notRun = ['app-for-students.ts', 'call-courses.ts'];

test(`docs/guides/index.md shows examples/recipes/${shared}, word for word`, () => {
  expect(read('docs/guides/index.md')).toContain(`\`\`\`ts\n${read(`examples/recipes/${shared}`)}\`\`\`\n`);
});

test.each([
  ['a code that is never redeemed', '`consent.given`, and no `token.issued`'],
  ['a token that is never used', '`token.issued`, and no `tool.called`'],
  ['processes that share a token', '`lifetimes.refreshGrace`'],
  ['sign-in in a frame', 'cannot be framed'],
  ['an app at the address without sign-in', 'has the address `/mcp`'],
])('docs/guides/debug-a-client.md names %s', (_what, words) => {
  expect(read('docs/guides/debug-a-client.md')).toContain(words);
});

describe.each(recipes)('examples/recipes/%s', (file) => {
  const block = `\`\`\`ts\n${read(`examples/recipes/${file}`)}\`\`\`\n`;
  const page = pages.find((text) => text.includes(block)) ?? '';

  test('is on a page, word for word', () => {
    expect(page).not.toBe('');
  });

  if (notRun.includes(file)) return;
  test('prints what its page says', async () => {
    const env = { ...process.env, NODE_ENV: 'test', PORT: String(await freePort()) };
    const { stdout } = await promisify(execFile)(process.execPath, [`examples/recipes/${file}`], { cwd: root, env });
    const [, printed] = /prints\n\n```text\n([^]*?)```/.exec(page) ?? [];
    expect(stdout).toBe(printed);
  });
});
