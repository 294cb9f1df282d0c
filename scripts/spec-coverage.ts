import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coverage, coverageFile } from '../__tests__/conformance/coverage.ts';

// npm run spec-coverage. A test says when it is due.
writeFileSync(join(import.meta.dirname, '..', coverageFile), coverage());
