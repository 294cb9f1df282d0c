import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import { campusOidc } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'campus-keys-'));
const file = join(folder, 'keys.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Stored {
  signing: Record<string, string>[];
  published: Record<string, string>[];
  cookies: string[];
}

function stored(): Stored {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Lets time pass: the times in the file are that many minutes earlier. */
function minutesLater(minutes: number): void {
  const earlier = (_name: string, value: unknown): unknown =>
    typeof value === 'string' && /^\d{4}-.*Z$/.test(value)
      ? new Date(Date.parse(value) - minutes * 60_000).toISOString()
      : value;
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'), earlier)));
}

const kids = (): [string[], string[]] => {
  const { signing, published } = stored();
  return [signing.map(({ kid = '' }) => kid), published.map(({ kid = '' }) => kid)];
};

let first = '';
beforeAll(async () => {
  expect(await campusOidc(['keys', 'new', file])).toMatchObject({ code: 0, err: '' });
  first = kids()[0][0] ?? '';
});

test('new: a file that only its owner can read, with a key named by its thumbprint and a long secret', async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { signing, published, cookies } = stored();
  expect([signing.length, published.length, cookies.length]).toEqual([1, 0, 1]);
  expect(cookies[0]?.length).toBeGreaterThanOrEqual(43);
  const { kty = '', crv = '', x = '', y = '' } = signing[0] ?? {};
  expect(first).toBe(await calculateJwkThumbprint({ kty, crv, x, y }));
});

test('new: does not overwrite a file; without one it writes keys to standard output', async () => {
  const before = readFileSync(file, 'utf8');
  const again = await campusOidc(['keys', 'new', file]);
  expect(again).toMatchObject({ code: 2, out: '' });
  expect(again.err).toContain('exists already');
  expect(readFileSync(file, 'utf8')).toBe(before);
  const { out } = await campusOidc(['keys', 'new']);
  expect(Object.keys(JSON.parse(out))).toEqual(['signing', 'published', 'cookies']);
});

test('a whole rotation: publish, sign, remove; each step too early is refused and changes nothing', async () => {
  const published = await campusOidc(['keys', 'rotate', file]);
  expect(published).toMatchObject({ code: 0, err: '' });
  const [, [next = '']] = kids();
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  expect(page).toContain(published.out.replace(next, 'NEXT'));
  expect(kids()).toEqual([[first], [next]]);

  minutesLater(59);
  const early = await campusOidc(['keys', 'rotate', file]);
  expect(early).toMatchObject({ code: 2, out: '' });
  expect(early.err).toMatch(/too early: the key .* can sign in 1 minute,/);
  expect(kids()).toEqual([[first], [next]]);

  minutesLater(1);
  expect(await campusOidc(['keys', 'rotate', file, '--json'])).toMatchObject({
    code: 0,
    out: `${JSON.stringify({ done: 'sign', kid: next })}\n`,
  });
  expect(kids()).toEqual([[next], [first]]);
  // An ID token of the old key is still good as a hint: its private part stays.
  expect(stored().published[0]).toHaveProperty('d');

  const tooSoon = await campusOidc(['keys', 'rotate', file]);
  expect(tooSoon.err).toMatch(/can be removed in 60 minutes/);
  minutesLater(60);
  expect((await campusOidc(['keys', 'rotate', file])).out).toContain(`${first} is removed`);
  expect(kids()).toEqual([[next], []]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['keys.json']);
  first = next;
});

test('--force does a step that is too early; no output ever has a private part', async () => {
  const { out: one } = await campusOidc(['keys', 'rotate', file]);
  const { out: two, code } = await campusOidc(['keys', 'rotate', file, '--force']);
  expect(code).toBe(0);
  const { out: status } = await campusOidc(['keys', 'status', file]);
  const { out: json } = await campusOidc(['keys', 'status', file, '--json']);
  const { signing, published, cookies } = stored();
  const secrets = [...signing, ...published].map(({ d = '' }) => d).concat(cookies);
  expect(secrets).toHaveLength(3);
  expect(secrets.filter((secret) => [one, two, status, json].some((text) => text.includes(secret)))).toEqual([]);
});

test('status: which key signs, which is old, and what is next; findings if others can read the file', async () => {
  const [[signs = ''], [old = '']] = kids();
  const fine = await campusOidc(['keys', 'status', file]);
  expect(fine).toMatchObject({ code: 0, err: '' });
  expect(fine.out).toMatch(
    new RegExp(`signs +${signs} .*\\nold +${old} .*\\n1 +cookie secret\\nnext +remove ${old}, not before `),
  );
  chmodSync(file, 0o644);
  const open = await campusOidc(['keys', 'status', file, '--json']);
  expect(open.code).toBe(1);
  expect(JSON.parse(open.out)).toMatchObject({ openToOthers: true, next: { step: 'remove' } });
  chmodSync(file, 0o600);
});

test('a published key of unknown age does not sign', async () => {
  const { signing, published, cookies } = stored();
  const [{ published_at: _at, retired_at: _since, ...key } = {}] = published;
  writeFileSync(file, JSON.stringify({ signing, published: [key], cookies }));
  const { err, code } = await campusOidc(['keys', 'rotate', file]);
  expect(code).toBe(2);
  expect(err).toContain('since when the key');
});

test('two commands at once: the second is refused while the first writes', async () => {
  writeFileSync(`${file}.next`, '');
  const { err, code } = await campusOidc(['keys', 'rotate', file, '--force']);
  expect(code).toBe(2);
  expect(err).toContain('another command is writing');
  expect(existsSync(`${file}.next`)).toBe(true);
  rmSync(`${file}.next`);
});

test.each([
  [['keys'], 'say new, rotate or status'],
  [['keys', 'rotate'], 'needs the name of a file'],
  [['keys', 'status', '/no/such/keys.json'], 'cannot be read: ENOENT'],
  [['keys', 'rotate', '/no/such/keys.json'], 'cannot be read: ENOENT'],
  [['keys', 'status', 'package.json'], 'has wrong keys'],
  [['keys', 'status', 'README.md'], 'it is not JSON'],
  [['keys', 'new', '--colour'], "Unknown option '--colour'"],
  [['fly'], 'there is no command "fly"'],
])('%j is wrong usage: %s', async (args, message) => {
  const { code, out, err } = await campusOidc(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});
