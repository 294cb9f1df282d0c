import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importsOf, type Source, sourcesOf } from './sources.ts';
import { oursIn, startWalks, type Walks } from './walks.ts';

const root = resolve(import.meta.dirname, '../..');

let walks: Walks;
beforeAll(async () => {
  walks = await startWalks(import.meta.filename);
});
afterAll(async () => {
  await walks?.close();
});

test('from an access token to Redis and back run files of ours that contributing/architecture.md names, and nothing of the engine', async () => {
  const scripts = await walks.accessToken();
  const ours = oursIn(scripts);
  expect(ours).toEqual(expect.arrayContaining(['lib/core/bearer/verify.ts', 'adapters/redis/index.ts']));
  const text = readFileSync(resolve(root, 'contributing/architecture.md'), 'utf8');
  expect(ours.filter((path) => !text.includes(path.replace(/^lib\/(?:kernel|observe)\//, '')))).toEqual([]);
  expect(scripts.filter((script) => /^lib\/engine\/|\/oidc-provider\//.test(script))).toEqual([]);
});

/** What Node loads for a file, besides the file itself: all but type-only imports. */
function loadedBy({ path, text }: Source): string[] {
  return importsOf({ path, text: text.replace(/^(?:import|export) type [^;]*;/gm, '') });
}

test('verifying a token loads nothing of the engine', () => {
  const imports = new Map(sourcesOf('lib', 'adapters').map((source) => [source.path, loadedBy(source)]));
  const loaded = new Set(['lib/core/bearer/guard.ts', 'lib/core/bearer/verify.ts', 'adapters/redis/index.ts']);
  for (const path of loaded) for (const imported of imports.get(path) ?? []) loaded.add(imported);
  expect(loaded).toContain('lib/records/codec.ts');
  expect([...loaded].filter((path) => /^lib\/engine\/|^oidc-provider$/.test(path))).toEqual([]);
});
