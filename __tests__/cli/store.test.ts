import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { campusOidc, campusOidcProcess } from './command.ts';

const dir = mkdtempSync(join(tmpdir(), 'campus-store-'));
const file = '__tests__/cli/fixtures/sqlite.ts';
beforeAll(() => {
  process.env['SQLITE_FILE'] = join(dir, 'campus.db');
});
afterAll(() => {
  delete process.env['SQLITE_FILE'];
  rmSync(dir, { recursive: true });
});

test('status before, with the statements; migrate by two processes at once; status, migrate and purge after', async () => {
  const before = await campusOidc(['store', 'status', file, '--sql']);
  expect(before.code).toBe(1);
  expect(before.out).toMatch(
    /^FAIL version 1 of the tables is missing\ncreate table campus_grant \(key text primary key, .*;\n/,
  );
  const env = { SQLITE_FILE: process.env['SQLITE_FILE'] ?? '' };
  const both = await Promise.all([1, 2].map(() => campusOidcProcess(['store', 'migrate', file], env)));
  expect(both.map(({ code, err }) => ({ code, err }))).toEqual([
    { code: 0, err: '' },
    { code: 0, err: '' },
  ]);
  const applied = 'ok   version 1 of the tables is applied\nok   version 2 of the tables is applied\n';
  expect(both.map(({ out }) => out).sort()).toEqual(['ok   the tables are up to date\n', applied]);
  const rows = [
    ['status', applied],
    ['migrate', 'ok   the tables are up to date\n'],
    ['purge', `ok   ${file}: 0 expired rows to remove\n`],
  ] as const;
  for (const [action, out] of rows)
    expect(await campusOidc(['store', action, file])).toEqual({ code: 0, out, err: '' });
});

test('the same for apps', async () => {
  const json = async (...args: string[]): Promise<unknown> => JSON.parse((await campusOidc(args)).out);
  expect(await json('store', 'migrate', file, '--json')).toEqual({ applied: [] });
  const versions = [1, 2].map((version) => ({ version, isApplied: true }));
  expect(await json('store', 'status', file, '--json')).toEqual({ versions });
});

test.each([
  [['store'], 'name an action: migrate, status, purge or copy'],
  [['store', 'toString', file], 'name an action: migrate, status, purge or copy'],
  [['store', 'migrate'], 'needs one module'],
  [['store', 'migrate', file, file], 'needs one module'],
  [['store', 'migrate', 'nowhere.ts'], 'nowhere.ts cannot be imported'],
  [['store', 'migrate', '__tests__/cli/broken.ts'], 'must export a SQL store, as "default" or "store"'],
])('%j is refused', async (args, message) => {
  const { code, out, err } = await campusOidc(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});
