import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationFile, configurationReference } from './configuration-reference.ts';

// npm run configuration. A test says when it is due.
writeFileSync(join(import.meta.dirname, '..', configurationFile), await configurationReference());
