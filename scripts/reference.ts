// npm run reference: writes docs/reference from the code, the declarations in dist and the schemas of the options. A test compares them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { referencePages } from './reference/pages.ts';
import { readPublicApi } from './reference/public-api.ts';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run reference

Builds, and writes the pages of docs/reference.`);

for (const [file, text] of await referencePages(await readPublicApi())) {
  const path = join(import.meta.dirname, '..', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
