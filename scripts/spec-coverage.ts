import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coverage, coverageFile } from '../__tests__/conformance/coverage.ts';

// node scripts/spec-coverage.ts          writes docs/spec-coverage.md
// node scripts/spec-coverage.ts --check  fails when it is not up to date
const file = join(import.meta.dirname, '..', coverageFile);
const check = process.argv.slice(2);
if (check.length === 0) {
  writeFileSync(file, coverage());
} else if (check.join(' ') !== '--check') {
  console.error('usage: node scripts/spec-coverage.ts [--check]');
  process.exitCode = 2;
} else if (readFileSync(file, 'utf8') !== coverage()) {
  console.error(`${coverageFile} is not up to date; run: npm run spec-coverage`);
  process.exitCode = 1;
}
