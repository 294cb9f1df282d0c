import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { configurationFile, configurationReference } from '../../scripts/configuration-reference.ts';

test(`${configurationFile} is what \`npm run configuration\` writes`, async () => {
  expect(readFileSync(configurationFile, 'utf8')).toBe(await configurationReference());
});

test('the configuration reference has a meaning for every option, and no type "any"', async () => {
  const rows = (await configurationReference()).split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(60);
  const wrong = rows.filter((row) => {
    const [, , type, , meaning] = row.split('|').map((cell) => cell.trim());
    return type === 'any' || meaning === '';
  });
  expect(wrong).toEqual([]);
});
