import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
  expect(again.err).toContain('already exists');
  expect(readFileSync(file, 'utf8')).toBe(before);
  const { out } = await campusOidc(['keys', 'new']);
  expect(Object.keys(JSON.parse(out))).toEqual(['signing', 'published', 'cookies']);
});

test('a whole rotation: publish, sign, remove; each step too early is refused and changes nothing', async () => {
  const published = await campusOidc(['keys', 'rotate', file]);
  expect(published).toMatchObject({ code: 0, err: '' });
  const [, [next = '']] = kids();
  const page = readFileSync(join(import.meta.dirname, '../../docs/operate/commands.md'), 'utf8');
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
  expect(err).toContain('does not say when the key');
});

test('two commands at once: the second is refused while the first writes', async () => {
  writeFileSync(`${file}.next`, '');
  const { err, code } = await campusOidc(['keys', 'rotate', file, '--force']);
  expect(code).toBe(2);
  expect(err).toContain('another command is writing');
  expect(existsSync(`${file}.next`)).toBe(true);
  rmSync(`${file}.next`);
});

test('status: escapes in the names of keys do not reach the terminal', async () => {
  const { signing, published, cookies } = stored();
  const other = join(folder, 'hostile.json');
  const kid = 'a\u001B]0;gone\u0007\u009B2J\u202E\u{E0041}';
  const keys = { signing: signing.map((key) => ({ ...key, kid })), published, cookies };
  writeFileSync(other, JSON.stringify(keys), { mode: 0o600 });
  const shown = String.raw`a\u001b]0;gone\u0007\u009b2J\u202e\udb40\udc41`;
  const { out } = await campusOidc(['keys', 'status', other]);
  expect(out).toContain(`signs     ${shown}  published`);
  const asJson = await campusOidc(['keys', 'status', other, '--json']);
  expect(JSON.parse(asJson.out).keys[0].kid).toBe(kid);
  expect(out + asJson.out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  rmSync(other);
});

test('RS256: a key beside the ES256 key, with a rotation of its own; no output has a private part', async () => {
  const both = join(folder, 'both.json');
  const read = (): Stored => JSON.parse(readFileSync(both, 'utf8'));
  const algorithms = (): (string | undefined)[][] =>
    [read().signing, read().published].map((list) => list.map(({ alg }) => alg));
  expect(await campusOidc(['keys', 'new', both, '--alg', 'RS256'])).toMatchObject({ code: 0, err: '' });
  expect(algorithms()).toEqual([['ES256', 'RS256'], []]);
  const [es256, rs256] = read().signing;
  const { kty = '', n = '', e = '' } = rs256 ?? {};
  expect(rs256?.['kid']).toBe(await calculateJwkThumbprint({ kty, n, e }));

  const outputs = [await campusOidc(['keys', 'rotate', both, '--alg', 'RS256'])];
  expect(algorithms()).toEqual([['ES256', 'RS256'], ['RS256']]);
  const next = read().published[0]?.['kid'];
  outputs.push(await campusOidc(['keys', 'rotate', both, '--alg', 'RS256']));
  expect(outputs[1]?.err).toContain('too early');
  outputs.push(await campusOidc(['keys', 'rotate', both, '--alg', 'RS256', '--force']));
  expect(read().signing.map(({ kid }) => kid)).toEqual([es256?.['kid'], next]);
  expect(read().published.map(({ kid }) => kid)).toEqual([rs256?.['kid']]);
  outputs.push(await campusOidc(['keys', 'status', both]), await campusOidc(['keys', 'status', both, '--json']));
  expect(outputs[3]?.out).toMatch(/next {6}publish a new key, .*\nnext {6}remove /);
  expect(JSON.parse(outputs[4]?.out ?? '')).toMatchObject({
    next: { step: 'publish' },
    others: [{ alg: 'RS256', step: 'remove' }],
  });
  const secrets = [...read().signing, ...read().published].flatMap((key) =>
    ['d', 'p', 'q', 'dp', 'dq', 'qi'].flatMap((name) => key[name] ?? []),
  );
  expect(secrets).toHaveLength(13);
  expect(secrets.filter((secret) => outputs.some(({ out, err }) => `${out}${err}`.includes(secret)))).toEqual([]);
  const wrong = await campusOidc(['keys', 'rotate', both, '--alg', 'HS256']);
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('--alg must be ES256 or RS256, not HS256') });
  rmSync(both);
});

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/** Runs a command as a user who may not give files away. */
async function asNobody<T>(run: () => Promise<T>): Promise<T> {
  process.setegid?.(nobody);
  process.seteuid?.(nobody);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

describe('whoever rotates', () => {
  const place = mkdtempSync(join(tmpdir(), 'campus-keys-'));
  const link = join(place, 'current.json');
  const real = join(place, 'keys.json');
  beforeAll(async () => {
    await campusOidc(['keys', 'new', real]);
    symlinkSync('keys.json', link);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  const accessOf = (path: string): object => {
    const { uid, gid, mode } = statSync(path);
    return { uid, gid, mode: mode & 0o7777 };
  };

  // Only root may give files away, so elsewhere the owner is the one that there is.
  test.each(['600', '640', '440'])(
    'the file keeps its owner, its group and its mode %s, also behind a link',
    async (octal) => {
      const mode = Number.parseInt(octal, 8);
      if (isRoot) chownSync(real, nobody, nobody - 1);
      chmodSync(real, mode);
      const before = accessOf(real);
      if (isRoot) expect(before).toEqual({ uid: nobody, gid: nobody - 1, mode });
      expect(await campusOidc(['keys', 'rotate', link, '--force'])).toMatchObject({ code: 0, err: '' });
      expect(accessOf(real)).toEqual(before);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(readdirSync(place)).toEqual(['current.json', 'keys.json']);
    },
  );

  const cases: [string, () => void, RegExp][] = [
    [
      'a file of another owner is refused, with what to do',
      () => {
        chmodSync(place, 0o777);
        chownSync(real, 0, 0);
        chmodSync(real, 0o644);
      },
      /keys\.json belongs to user 0 and group 0, which this user cannot keep; run the command as that user: sudo -u '#0' campus-oidc keys rotate /,
    ],
    [
      'a folder that cannot be written is refused, with what to do',
      () => chmodSync(place, 0o755),
      /keys\.json\.next cannot be written: EACCES.* let this user write to that folder, and mount the folder, not the file/,
    ],
    [
      'a file of a group that the user is not in is refused, and nothing is left behind',
      () => {
        chmodSync(place, 0o777);
        chownSync(real, nobody, 1);
      },
      /keys\.json belongs to user 65534 and group 1,/,
    ],
  ];
  // Nobody else can make such files.
  for (const [what, prepare, message] of isRoot ? cases : []) test(what, () => refused(prepare, message));

  async function refused(prepare: () => void, message: RegExp): Promise<void> {
    prepare();
    const [before, access] = [readFileSync(real, 'utf8'), accessOf(real)];
    const { code, out, err } = await asNobody(() => campusOidc(['keys', 'rotate', real, '--force']));
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
    expect(err).not.toContain('    at ');
    expect([readFileSync(real, 'utf8'), accessOf(real)]).toEqual([before, access]);
    expect(readdirSync(place)).toEqual(['current.json', 'keys.json']);
  }
});

test.each([
  [['keys'], 'name an action: new, rotate or status'],
  [['keys', 'rotate'], 'needs the name of a file'],
  [['keys', 'status', '/no/such/keys.json'], 'cannot be read: ENOENT'],
  [['keys', 'rotate', '/no/such/keys.json'], 'cannot be read: ENOENT'],
  [['keys', 'status', 'package.json'], 'has wrong keys'],
  [['keys', 'status', 'README.md'], 'it is not JSON'],
  [['keys', 'new', '--colour'], 'there is no option --colour; see campus-oidc keys --help'],
  [['keys', 'rotate', '--froce'], 'there is no option --froce; did you mean --force?'],
  [['keys', 'status', '--json=yes'], "Option '--json' does not take an argument; see campus-oidc keys --help"],
  [['keys', 'rotat', 'keys.json'], 'name an action: new, rotate or status; did you mean rotate?'],
  [['fly'], 'there is no command "fly"; see campus-oidc --help'],
  [['doktor'], 'there is no command "doktor"; did you mean doctor?'],
])('%j is wrong usage: %s', async (args, message) => {
  const { code, out, err } = await campusOidc(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});
