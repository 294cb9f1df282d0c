import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import { version } from '../../lib/kernel/version.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { campusOidcProcess, type Ended } from './command.ts';

// What only a process of its own shows; the other tests run the commands in theirs.

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools(plugins);
});
afterAll(() => schools.close());

const escape = '\u001B';

test('the version, and a command that there is not', async () => {
  expect(await campusOidcProcess(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  const { code, out, err } = await campusOidcProcess(['fly']);
  expect([code, out]).toEqual([2, '']);
  expect(err).toBe('campus-oidc: there is no command "fly"; see campus-oidc --help\n');
});

test('doctor: the exit code, colours for a person only, and one line of JSON for apps', async () => {
  const plain = await campusOidcProcess(['doctor', schools.harbour]);
  expect(plain).toMatchObject({ code: 0, err: '' });
  expect(plain.out).not.toContain(escape);
  const coloured = await campusOidcProcess(['doctor', schools.harbour], { FORCE_COLOR: '1' });
  expect(coloured.out).toContain(`${escape}[32mok`);
  const nothing = await campusOidcProcess(['doctor', 'http://127.0.0.1:1', '--json'], { NO_COLOR: '1' });
  expect(nothing).toMatchObject({ code: 1, err: '' });
  expect(JSON.parse(nothing.out)).toMatchObject({ origin: 'http://127.0.0.1:1', checks: [{ id: 'tls' }, {}] });
  expect(nothing.out.trimEnd()).not.toContain('\n');
});

test('who reads may stop, as head does: nothing is said about it, and the exit code is that of the whole command', async () => {
  const nothing = 'http://127.0.0.1:1';
  for (const [origin, code] of [
    [schools.harbour, 0],
    [nothing, 1],
  ] as const) {
    expect(await campusOidcProcess(['doctor', origin], {}, 'stops')).toEqual({ code, out: '', err: '' });
  }
});

const module = '__tests__/cli/fixtures/campus.ts';

test('diagnose: the findings of the campus that a module exports, as the documentation shows them; what it keeps open does not matter', async () => {
  const { code, out, err } = await campusOidcProcess(['diagnose', module, '--origin', 'https://harbour.example']);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  const page = readFileSync(join(import.meta.dirname, '../../docs/operate/commands.md'), 'utf8');
  expect(out).toBe(page.split('```text\n')[2]?.split('```')[0]);
});

test('diagnose: the same for apps', async () => {
  const asJson = await campusOidcProcess(['diagnose', module, '--json', '--origin', 'https://harbour.example']);
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.out).findings.map(({ id }: { id: string }) => id)).toEqual(['cookies-weak', 'keys-no-next']);
});

test('what a command does is in the log when it ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  const file = join(folder, 'campus.db');
  await sqliteStore(new DatabaseSync(file)).migrate();
  const env = { SQLITE_FILE: file, SCHOOL_ORIGIN: 'https://harbour.example' };
  const campus = '__tests__/cli/fixtures/school-campus.ts';
  const run = (...args: readonly string[]): Promise<Ended> =>
    campusOidcProcess([...args, '--origin', env.SCHOOL_ORIGIN], env);
  const blocked = ['--app', 'cursor', '--access', 'blocked', '--by', 'olivia', '--yes'];
  expect(await run('apps', 'set', campus, ...blocked)).toMatchObject({ code: 0 });
  const { out } = await run('log', 'list', campus);
  expect(out).toMatch(/ app\.decided .*olivia/);
  rmSync(folder, { recursive: true });
});
