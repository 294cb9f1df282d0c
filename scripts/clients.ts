import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientsFile, clientsReference } from './clients-reference.ts';

// npm run clients. A test says when it is due.
writeFileSync(join(import.meta.dirname, '..', clientsFile), await clientsReference());
