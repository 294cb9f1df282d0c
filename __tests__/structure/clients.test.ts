import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { clientPrograms } from '../../lib/testing/clients/client-programs.ts';
import { clientsFile, clientsReference } from '../../scripts/clients-reference.ts';

test(`${clientsFile} is what \`npm run clients\` writes`, async () => {
  expect(readFileSync(clientsFile, 'utf8')).toBe(await clientsReference());
});

test(`${clientsFile} has a line for every program`, async () => {
  const text = await clientsReference();
  const products = new Set(clientPrograms.map(({ name }) => name.split(',')[0] ?? ''));
  expect([...products].filter((product) => !text.includes(`| ${product} `))).toEqual([]);
});
