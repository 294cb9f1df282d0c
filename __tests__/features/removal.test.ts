import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);
const house = join(import.meta.dirname, '../..');

test.each([
  'device',
  'logout',
  'private-key-jwt',
  'services',
  'registration',
  'metadata-documents',
  'departures',
  'assistants',
  'moved-sites',
])('the house compiles without the folder of %s and its lines in the tables', async (name) => {
  const { stdout } = await run(process.execPath, ['scripts/without-feature.mjs', name], { cwd: house });
  expect(stdout).toContain(`The house compiles without ${name}.`);
});
