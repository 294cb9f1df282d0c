import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layersFile, withLayers } from './layer-list.ts';

// npm run layers. A test says when it is due.
writeFileSync(join(import.meta.dirname, '..', layersFile), withLayers());
