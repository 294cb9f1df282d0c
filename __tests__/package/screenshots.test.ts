import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { states } from '../pages/browser/states.ts';
import { node } from './commands.ts';

// The gallery has hundreds; axe-core visits each of them.
jest.setTimeout(600_000);
const part = 'consent';

test('npm run screenshots takes every page that is asked for in every state, in every look', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-screenshots-'));
  try {
    await node(['scripts/screenshots.ts', folder, part]);
    const pictures = readdirSync(folder);
    const looks = new Set(pictures.map((picture) => picture.split('.').at(-2)));
    expect(looks.size).toBeGreaterThan(4);
    const asked = states.filter(({ name }) => name.includes(part));
    expect(asked.length).toBeGreaterThan(5);
    const expected = asked.flatMap(({ name }) => [...looks].map((look) => `${name}.${look}.png`));
    expect(pictures.sort()).toEqual(expected.sort());
    expect(pictures.filter((picture) => statSync(join(folder, picture)).size < 1000)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
