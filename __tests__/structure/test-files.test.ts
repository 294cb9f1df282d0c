import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { filesWithoutServers } from '../../scripts/test-files.mjs';

const folder = mkdtempSync(join(tmpdir(), 'campus-test-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('test:fast has each test that starts no server, whatever its folders are called', () => {
  // A clone can be in a folder of the name of one of ours.
  const root = join(folder, 'lib', 'campus');
  const files = {
    'lib/server.ts': `import 'node:http';`,
    '__tests__/helpers/server.ts': `import 'node:http';`,
    '__tests__/policies/serving.test.ts': `import '../helpers/server.ts';`,
    '__tests__/policies/pure.test.ts': `import '../../lib/server.ts';`,
    '__tests__/unit/serving.test.ts': `import '../helpers/server.ts';`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  expect(filesWithoutServers(root).map((file) => relative(root, file))).toEqual(['__tests__/policies/pure.test.ts']);
});
