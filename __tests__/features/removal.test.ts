import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);
const house = join(import.meta.dirname, '../..');

/** Every campus has these. */
const stay = ['applications', 'your-apps', 'apps', 'people'];

const features = readdirSync(join(house, 'lib/features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !stay.includes(entry.name))
  .map(({ name }) => name);

test('there are features that can go', () => {
  expect(features).toEqual(expect.arrayContaining(['boundaries', 'departures', 'device', 'pseudonyms', 'services']));
});

test.each(features)('the house compiles without the folder of %s and its line in the list', async (name) => {
  const { stdout } = await run(process.execPath, ['scripts/without-feature.mjs', name], { cwd: house });
  expect(stdout).toContain(`The house compiles without ${name}.`);
});
