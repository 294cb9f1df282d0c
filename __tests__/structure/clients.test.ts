import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { clientRows } from '../clients/rows.ts';
import { clientsFile, clientsReference } from '../../scripts/clients-reference.ts';

test(`${clientsFile} is what \`npm run clients\` writes`, async () => {
  expect(readFileSync(clientsFile, 'utf8')).toBe(await clientsReference());
});

test(`${clientsFile} has a line for every app`, async () => {
  const [text, rows] = await Promise.all([clientsReference(), clientRows()]);
  expect(rows.filter(({ product }) => !text.includes(`| ${product} `))).toEqual([]);
});

test('the variants of an app differ in how they get in, so that one line can show them', async () => {
  const shown = (await clientRows()).map(({ product, whyNotAtMcp, app: { source, behaviour } }) =>
    JSON.stringify([product, whyNotAtMcp, source, behaviour.start, behaviour.stepUp]),
  );
  expect(new Set(shown).size).toBe(new Set((await clientRows()).map(({ product }) => product)).size);
});
