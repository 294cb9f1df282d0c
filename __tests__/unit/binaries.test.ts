import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const scripts = join(import.meta.dirname, '../../scripts');

test.each(['redis-binary.mjs', 'chromium.mjs'])('the command that %s prints starts the app', (script) => {
  const { LD_LIBRARY_PATH: _libraries, ...env } = process.env;
  const printed = execFileSync(process.execPath, [join(scripts, script)], { encoding: 'utf8', env });
  const command = printed
    .split(': ')
    .at(-1)
    ?.replace(/ \(\d+ ms\)\n$/, '');
  const started = spawnSync('sh', ['-c', `${command} --version`], { encoding: 'utf8', env });
  expect([started.status, started.stderr]).toEqual([0, '']);
});
