import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { coreLayers, layers } from '../__tests__/structure/layers.ts';

export const layersFile = 'CONTRIBUTING.md';

const start = '<!-- npm run layers -->\n';
const end = '<!-- end of layers -->\n';

/** `CONTRIBUTING.md` with the layers as the tests check them. */
export function withLayers(): string {
  const text = readFileSync(join(import.meta.dirname, '..', layersFile), 'utf8');
  const [before, rest = ''] = text.split(start);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`${layersFile} has no place for the layers`);
  const rows = layers.map((folders, i) => {
    const described = Object.entries(folders).map(([folder, about]) => `\`${folder}\` (${about})`);
    return `${i + 1}. ${described.join(', ')}\n`;
  });
  const core = coreLayers.map((folder) => `\`${folder}\``).join(', ');
  return `${before}${start}\n${rows.join('')}\nThe folders of \`core/\`, lowest first: ${core}.\n\n${end}${after}`;
}
