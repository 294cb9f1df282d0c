import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readsByName } from '../../tools/docs/json.ts';
import { sourcesOf } from './sources.ts';

/** Tables whose names do not come from outside, or that have nothing but their own rows, by the reason. */
const inside: Readonly<Record<string, readonly string[]>> = {
  'checks that the row is the table’s own': ['lib/kernel/own-entry.ts table', 'lib/testing/fake-platform.ts people'],
  'schools that a test has named': [
    'lib/testing/fake-platform.ts options.people',
    'lib/testing/fake-platform.ts this.#options.people',
  ],
  'asks for what every object has': [
    'lib/features/boundaries/domain/option.ts Object.prototype',
    'lib/mcp/declare/tool-table.ts Object.prototype',
  ],
  'types of declared boundaries, of which none is a name that every object has': [
    'lib/core/bearer/verified-token.ts only',
    'lib/core/bearer/verified-token.ts this.only',
    'lib/core/boundaries/boundary.ts one',
    'lib/core/boundaries/boundary.ts other',
    'lib/features/boundaries/domain/choices.ts first',
    'lib/features/boundaries/domain/choices.ts only',
    'lib/testing/walk-consent.ts only',
  ],
  'ids of token families, which are made at random': [
    'lib/core/grants/added-scopes.ts before',
    'lib/core/grants/added-scopes.ts grant?.added',
  ],
  'fragments of a valid document, which has those that it spreads': ['lib/member/executor/selections.ts fragments'],
  'made without a prototype by graphql': [
    'lib/member/executor/selections.ts parent.getFields()',
    'lib/member/limits/cost.ts type.getFields()',
    'lib/member/schema/executable-schema.ts type.getFields()',
    'lib/member/scopes/guarded-fields.ts type.getFields()',
    'lib/member/scopes/open-fields.ts before.getFields()',
    'lib/member/scopes/required-scopes.ts type.getFields()',
  ],
  'its own names, one after the other': [
    'lib/engine/engine-request.ts live.headers',
    'lib/engine/normalized-request.ts form',
    'lib/records/codec.ts others',
    'lib/records/codec.ts required',
    'lib/testing/store/sweep-cases.ts all',
    'policies/documents/document.ts value',
  ],
  'names that are written in the code': [
    'lib/cli/store/command.ts value',
    'lib/describe/openapi/oauth-operations.ts examples',
    'lib/describe/openapi/operation-object.ts content',
    'lib/engine/adapter.ts own',
    'lib/engine/parameter-checks.ts query',
    'lib/features/metadata-documents/recorded-documents.ts examples',
    'lib/http/body.ts form',
    'lib/http/received-request.ts headers',
    'lib/kernel/misspelt.ts instance',
    'lib/mcp/declare/portable-schema.ts schema',
    'lib/mcp/serve/json-rpc.ts params',
    'lib/member/schema/served-schema.ts resolvers',
    'lib/pages/kit/lists.ts chosen',
    'policies/documents/document.ts document',
  ],
  'what a pattern has found': [
    'lib/core/scopes/protected-resources.ts defaultPorts',
    'lib/kernel/errors.ts plain',
    'lib/pages/kit/markup.ts entities',
  ],
  'languages that there are': [
    'lib/i18n/translations.ts builtIn',
    'lib/i18n/translations.ts overrides',
    'lib/pages/kit/limits.ts names',
  ],
  'keys of texts that there are': ['lib/pages/kit/options.ts en'],
};

test('a table that is asked for any name is found, and no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tables-'));
  const file = join(folder, 'sample.ts');
  writeFileSync(
    file,
    `const rows: Partial<Record<string, string>> = { a: 'b' };
     const known: Record<'a' | 'b', string> = { a: 'b', b: 'c' };
     export const bad = (name: string, more?: { readonly [name: string]: number }) => [rows[name], name in known, more?.[name]];
     export const good = (name: 'a' | 'b', ids: string[], i: number) => [rows['a'], known[name], ids[i], Object.hasOwn(rows, name)];
     export function write(name: string): void { rows[name] = 'c'; }`,
  );
  const tables = await readsByName([file]).finally(() => rmSync(folder, { recursive: true }));
  expect(tables.map(({ table }) => table)).toEqual(['rows', 'known', 'more']);
});

test('a name from outside finds the own rows of a table only', async () => {
  const files = sourcesOf('lib', 'policies', 'adapters').map(({ path }) => path);
  const reads = (await readsByName(files)).map(({ file, table }) => `${file} ${table}`);
  expect([...new Set(reads)].toSorted()).toEqual(Object.values(inside).flat().toSorted());
});
