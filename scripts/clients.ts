import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientsFile, clientsReference } from './clients-reference.ts';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run clients

Writes docs/reference/client-apps.md from the table of clients.`);

// npm run clients. A test says when it is due.
writeFileSync(join(import.meta.dirname, '..', clientsFile), await clientsReference());
