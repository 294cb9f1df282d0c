import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { version } from '../../lib/kernel/version.ts';

test('the version that clients receive is that of package.json', () => {
  const file = join(import.meta.dirname, '../../package.json');
  expect(version).toBe(JSON.parse(readFileSync(file, 'utf8')).version);
});
