import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { scopeCatalogue } from '../../lib/index.ts';
import { apiReport, apiReportFile } from '../../scripts/reference/api-report.ts';
import { commentsOf } from '../../scripts/reference/comment-text.ts';
import { configurationFile, configurationReference } from '../../scripts/reference/configuration.ts';
import { type Option, optionSections } from '../../scripts/reference/options.ts';
import { type Declaration, type PublicApi, readPublicApi } from '../../scripts/reference/public-api.ts';
import { ReflectionKind } from '../../tools/docs/json.ts';

// TypeDoc compiles the declarations.
jest.setTimeout(120_000);

const root = join(import.meta.dirname, '../..');

let api: PublicApi;
let declarations: readonly Declaration[];
let options: readonly Option[];
beforeAll(async () => {
  api = await readPublicApi();
  declarations = [...new Set([...api.entryPoints.flatMap((entry) => entry.exports), ...api.reached])];
  options = optionSections(api).flatMap((section) => section.options);
});

describe('the public API', () => {
  test(`${apiReportFile} is what \`npm run reference\` writes: a change of a public type is seen in its diff`, async () => {
    expect(await apiReport(api)).toBe(readFileSync(join(root, apiReportFile), 'utf8'));
  });

  test('has every value that an entry point exports', async () => {
    const isValue = ({ kind }: Declaration): boolean =>
      [ReflectionKind.Function, ReflectionKind.Variable, ReflectionKind.Class].includes(kind);
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const files = Object.values<{ default?: string }>(exports).flatMap((entry) => entry.default ?? []);
    const imported = await Promise.all(files.map(async (file) => Object.keys(await import(join(root, file))).sort()));
    const read = api.entryPoints.map((entry) => entry.exports.filter(isValue).map(({ name }) => name));
    expect(read.map((names) => names.sort())).toEqual(imported);
  });

  test('has TSDoc on every export, and on every type that exports lead to', () => {
    expect(declarations.length).toBeGreaterThan(200);
    const isSilent = (each: Declaration): boolean => commentsOf(each).every(({ summary }) => summary === '');
    expect(declarations.filter(isSilent).map(({ name }) => name)).toEqual([]);
  });

  test('has one declaration of each name', () => {
    const names = declarations.map(({ name }) => name);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

describe('the configuration reference', () => {
  test(`${configurationFile} is what \`npm run reference\` writes`, async () => {
    expect(await configurationReference(api)).toBe(readFileSync(join(root, configurationFile), 'utf8'));
  });

  test('has a meaning in TSDoc for every option, and no type "any"', () => {
    expect(options.length).toBeGreaterThan(60);
    expect(options.filter(({ type, meaning }) => type === 'any' || meaning === '')).toEqual([]);
  });

  test('has the `@default` of TSDoc as it is in the schema, or as words', () => {
    const plain = (text: string): string => text.replace(/ \(.*\)$/, '').replaceAll(/['"\s]/g, '');
    const wrong = options.flatMap(({ path, isGroup, standard, saidStandard = '' }) => {
      if (standard === undefined) return /^(?:['"\d[{]|true|false)/.test(saidStandard) ? [{ path, saidStandard }] : [];
      const expected = JSON.stringify(standard);
      return isGroup || plain(saidStandard) === plain(expected) ? [] : [{ path, saidStandard, expected }];
    });
    expect(wrong).toEqual([]);
  });

  test('has every scope and who may have it', async () => {
    const [, scopes = ''] = (await configurationReference(api)).split('## Scopes');
    const rows = scopes.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(scopeCatalogue.length);
    expect(rows).toContainEqual(expect.stringMatching(/^\| `account:read` +\| member +\| /));
  });
});
