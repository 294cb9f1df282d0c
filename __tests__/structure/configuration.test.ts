import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { scopeCatalogue } from '../../lib/index.ts';
import { configurationFile, configurationReference, optionRows } from '../../scripts/configuration-reference.ts';

test(`${configurationFile} is what \`npm run configuration\` writes`, async () => {
  expect(readFileSync(configurationFile, 'utf8')).toBe(await configurationReference());
});

test('every option has a meaning in its TSDoc, and no type "any"', () => {
  const rows = optionRows();
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.filter(({ type, doc }) => type === 'any' || (doc?.text ?? '') === '')).toEqual([]);
});

test('the `@default` in TSDoc is that of the schema, or words', () => {
  const plain = (text: string): string => text.replace(/ \(.*\)$/, '').replaceAll(/['"\s]/g, '');
  const wrong = optionRows().flatMap(({ path, isGroup, standard, doc }) => {
    const given = doc?.standard ?? '';
    if (standard === undefined) return /^(?:['"\d[{]|true|false)/.test(given) ? [{ path, given }] : [];
    const expected = JSON.stringify(standard);
    return isGroup || plain(given) === plain(expected) ? [] : [{ path, given, expected }];
  });
  expect(wrong).toEqual([]);
});

test('the configuration reference has every scope and who may have it', async () => {
  const [, scopes = ''] = (await configurationReference()).split('## Scopes');
  const rows = scopes.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toHaveLength(scopeCatalogue.length);
  expect(rows).toContainEqual(expect.stringMatching(/^\| `account:read` +\| member +\| /));
});
