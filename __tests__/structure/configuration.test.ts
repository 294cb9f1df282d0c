import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { scopeCatalogue } from '../../lib/index.ts';
import { configurationFile, configurationReference } from '../../scripts/configuration-reference.ts';

test(`${configurationFile} is what \`npm run configuration\` writes`, async () => {
  expect(readFileSync(configurationFile, 'utf8')).toBe(await configurationReference());
});

test('the configuration reference has a meaning for every option, and no type "any"', async () => {
  const [options = ''] = (await configurationReference()).split('## Scopes');
  const rows = options.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(60);
  const wrong = rows.filter((row) => {
    const [, , type, , meaning] = row.split('|').map((cell) => cell.trim());
    return type === 'any' || meaning === '';
  });
  expect(wrong).toEqual([]);
});

test('the configuration reference has every scope and who may have it', async () => {
  const [, scopes = ''] = (await configurationReference()).split('## Scopes');
  const rows = scopes.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toHaveLength(scopeCatalogue.length);
  expect(rows).toContainEqual(expect.stringMatching(/^\| `account:read` +\| member +\| /));
});
