import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { layersFile, withLayers } from '../../scripts/layer-list.ts';

test(`the layers in ${layersFile} are what \`npm run layers\` writes`, () => {
  expect(readFileSync(join(import.meta.dirname, '../..', layersFile), 'utf8')).toBe(withLayers());
});
