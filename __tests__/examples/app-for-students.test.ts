import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { shellBlocks, startShell } from '../helpers/shell.ts';
import { Browser } from '../helpers/browser.ts';
import { authorize } from '../helpers/flow.ts';
import { freePort } from '../helpers/free-port.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/guides/student-app.md'), 'utf8');

test('the commands of the page connect Sam, and the last prints what the page says', async () => {
  const env = { ...process.env, NODE_ENV: 'test', PORT: String(await freePort()) };
  const server = spawn(process.execPath, ['examples/recipes/app-for-students.ts'], { cwd: root, env });
  const shell = startShell();
  try {
    const [line] = await once(createInterface({ input: server.stdout }), 'line');
    const [ask = '', call = '', ...more] = shellBlocks(page);
    expect(more).toEqual([]);
    const address = await shell.run(`${line}\n${ask}`);
    const { url } = await authorize(new Browser(), new URL(address));
    const [, shown] = /```text\n([^]*?)```/.exec(page) ?? [];
    const answer = await shell.run(`CODE=${url.searchParams.get('code')}\n${call}`);
    expect(`${answer}\n`).toBe(shown);
    await shell.end();
  } finally {
    shell.kill();
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  }
});
