import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { commands } from '../../lib/cli/run.ts';
import { campusOidc, campusOidcProcess, type Ended } from './command.ts';
import { type TwoStores, twoStores } from './two-stores.ts';

let two: TwoStores;
beforeAll(async () => {
  two = await twoStores();
});
beforeEach(() => two.reset());
afterAll(() => two.remove());

/** A command that ends or removes more than one thing. */
interface Row {
  readonly line: readonly string[];
  readonly plan: string;
  readonly result: string;
  readonly counts: Readonly<Record<string, number>>;
  /** How much there is of what it removes. */
  readonly left: () => Promise<number>;
}

const rows: Readonly<Record<string, () => Row>> = {
  'store copy': () => ({
    line: ['store', 'copy', two.files.empty, two.files.live, '--remove'],
    plan: `${two.files.live}: 0 records to write, 3 to remove, 0 to leave as they are`,
    result: '0 records written, 3 removed, 0 left as they were',
    counts: { same: 0, written: 0, removed: 3 },
    left: () => two.count(),
  }),
  'store purge': () => ({
    line: ['store', 'purge', two.files.live],
    plan: `${two.files.live}: 2 expired rows to remove`,
    result: '2 expired rows removed',
    counts: { removed: 2 },
    left: () => two.stores.live.expired(),
  }),
};

describe.each(Object.entries(rows))('%s', (_name, rowOf) => {
  let row: Row;
  let before: number;
  beforeEach(async () => {
    row = rowOf();
    before = await row.left();
  });
  const isRefused = async ({ code, out, err }: Ended, message: string): Promise<void> => {
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(row.plan);
    expect(err).toContain(message);
    expect(await row.left()).toBe(before);
  };

  test('a dry run prints the numbers alone', async () => {
    const dry = [...row.line, '--dry-run'];
    expect(await campusOidc(dry)).toEqual({ code: 0, out: `info ${row.plan}\n`, err: '' });
    const { out, ...rest } = await campusOidc([...dry, '--json', '--yes']);
    expect([JSON.parse(out), rest]).toEqual([
      { dryRun: true, ...row.counts },
      { code: 0, err: '' },
    ]);
    expect(await row.left()).toBe(before);
  });

  test('without a terminal it needs --yes', async () => {
    const { line, plan, result } = row;
    await isRefused(await campusOidc(line), 'nobody is at a terminal to confirm this; add --yes');
    expect(await campusOidc([...line, '--yes'])).toEqual({ code: 0, out: `ok   ${result}\n`, err: `${plan}\n` });
    expect(await row.left()).toBe(0);
  });

  test('at a terminal it asks', async () => {
    const { line, plan, result } = row;
    for (const answer of ['', '\n', 'n\n', 'yesterday\n', ' \n'])
      await isRefused(await campusOidc(line, answer), 'nothing was changed');
    const { code, out, err } = await campusOidc(line, ' Yes \n');
    expect({ code, out }).toEqual({ code: 0, out: `ok   ${result}\n` });
    expect(err).toContain(`${plan}. Go on? [y/N] `);
    expect(await row.left()).toBe(0);
  });

  test('the JSON is one line, beside the question', async () => {
    const { code, out } = await campusOidc([...row.line, '--json'], 'y\n');
    expect([code, JSON.parse(out)]).toEqual([0, row.counts]);
    expect(out.trimEnd()).not.toContain('\n');
  });

  test('where nothing is left to do, it asks nobody', async () => {
    await campusOidc([...row.line, '--yes']);
    const { code, err } = await campusOidc(row.line);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

test('a process of its own, whose input is closed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'campus-carry-out-'));
  const env = { SQLITE_FILE: join(dir, 'campus.db') };
  const file = '__tests__/cli/fixtures/sqlite.ts';
  await campusOidcProcess(['store', 'migrate', file], env);
  const database = new DatabaseSync(env.SQLITE_FILE);
  database.exec("insert into campus_quota (key, expires, used) values ('a', 1, 1)");
  database.close();
  const { code, err } = await campusOidcProcess(['store', 'purge', file], env);
  expect([code, err]).toEqual([2, expect.stringContaining('add --yes')]);
  rmSync(dir, { recursive: true });
});

/** What each command does that ends or removes no more than one thing. */
const others: Readonly<Record<string, readonly string[]>> = {
  doctor: ['doctor'],
  diagnose: ['diagnose'],
  explain: ['explain'],
  keys: ['keys new', 'keys rotate', 'keys status'],
  store: ['store migrate', 'store status'],
};

test.each(Object.entries(commands))(
  '%s: whatever it does is known here, and its help says what ends or removes more than one thing',
  async (name, { load }) => {
    const [usage = ''] = (await load()).help.split('\n\n');
    const lines = usage.split('\n').map((line) => line.replace(/^(?:Usage:)? +/, ''));
    const carriedOut = lines.filter((line) => line.endsWith('[--dry-run] [--yes] [--json]'));
    const actionOf = (line: string): string => /^campus-oidc ([a-z]+(?: [a-z]+)?)/.exec(line)?.[1] ?? line;
    expect(carriedOut.map(actionOf).sort()).toEqual(
      Object.keys(rows)
        .filter((action) => action.startsWith(`${name} `))
        .sort(),
    );
    const known = [...carriedOut.map(actionOf), ...(others[name] ?? [])];
    expect(new Set(lines.map(actionOf))).toEqual(new Set(known));
  },
);
