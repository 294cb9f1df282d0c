import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coverage, coverageFile } from '../__tests__/conformance/coverage.ts';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run spec-coverage

Writes __tests__/SPECIFICATION.md from the tests of __tests__/conformance.`);

// npm run spec-coverage. A test says when it is due.
writeFileSync(join(import.meta.dirname, '..', coverageFile), coverage());
