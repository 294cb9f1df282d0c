import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layersFile, withLayers } from './layer-list.ts';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run layers

Writes the list of layers into CONTRIBUTING.md.`);

// npm run layers. A test says when it is due.
writeFileSync(join(import.meta.dirname, '..', layersFile), withLayers());
