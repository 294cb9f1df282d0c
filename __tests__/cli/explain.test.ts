import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { campusOidc, campusOidcProcess } from './command.ts';

const module = join(import.meta.dirname, 'fixtures/campus.ts');
const at = ['explain', module, '--origin', 'https://harbour.example'];

test('explain: what an app gets, for people', async () => {
  const { code, out, err } = await campusOidcProcess([...at, '--app', 'claude', '--scope', 'courses:read']);
  expect([code, out, err]).toEqual([0, 'allowed: courses:read\n', '']);
});

test('explain: why it cannot be connected, and what would change that', async () => {
  const { code, out } = await campusOidcProcess([...at, '--client', 'nothing']);
  expect(code).toBe(1);
  expect(out).toBe(`impossible: nothing
  unknown_client (school): the school has no client with this client_id
     the app registers again, or its settings get the client_id of an application of the school
`);
});

test('explain: the same for apps', async () => {
  const { code, out } = await campusOidcProcess([...at, '--app', 'claude', '--member', 'tess', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ outcome: 'impossible', reasons: [{ code: 'no_member', from: 'platform' }] });
});

const logged = join(import.meta.dirname, 'fixtures/logged-campus.ts');
const ask = (...args: string[]) => campusOidc(['explain', logged, '--origin', 'https://harbour.example', ...args]);

test('explain: what happened to the person who read a reference, and what they would get now', async () => {
  const { code, out } = await ask('--reference', 'ABC123');
  expect(code).toBe(0);
  expect(out).toBe(String.raw`2026-11-28T03:10:00.000Z  authorization.refused refused: unknown_client
  sam, reports, request ABC123
  the client said name: "Reports\u001b[2J\nallowed"
now:
impossible: nothing
  unknown_client (school): the school has no client with this client_id
     the app registers again, or its settings get the client_id of an application of the school
`);
  const { out: json } = await ask('--reference', 'ABC123', '--json');
  expect(JSON.parse(json)).toMatchObject({ events: [{ memberId: 'sam' }], now: { outcome: 'impossible' } });
});

test('explain: a reference that the log does not have, and a campus without a log', async () => {
  const { code, out } = await ask('--reference', 'ABC124');
  expect([code, out]).toEqual([
    1,
    expect.stringContaining(
      'has no event of https://harbour.example with the reference ABC124; it was searched in all that it has',
    ),
  ]);
  const without = await campusOidc([...at, '--reference', 'ABC123']);
  expect([without.code, without.err]).toEqual([
    2,
    expect.stringContaining('explain.question.reference needs the option log'),
  ]);
});

test.each([
  [['explain'], 'name one module, for example: campus-oidc explain ./campus.ts'],
  [['explain', module, '--client', 'a'], 'name the school: --origin https://harbour.example'],
  [at, 'name one client or one app: --client <client_id> or --app <id>, or a reference'],
  [
    [...at, '--client', 'a', '--app', 'b'],
    'name one client or one app: --client <client_id> or --app <id>, or a reference',
  ],
  [[...at, '--client', 'a', '--reference', 'b'], '--reference goes without --client'],
  [[...at, '--clients', 'a'], 'there is no option --clients; did you mean --client?'],
])('%j is not a question', async (args, text) => {
  const { code, err } = await campusOidc(args);
  expect([code, err]).toEqual([2, expect.stringContaining(text)]);
});

test.each([
  [
    'an origin without a school',
    ['--origin', 'https://nowhere.example'],
    'there is no school at https://nowhere.example',
  ],
  [
    'an unknown scope',
    ['--origin', 'https://harbour.example', '--scope', 'courses:reed'],
    'scopes must be among campus.scopes, not courses:reed',
  ],
  [
    'a member without an id',
    ['--origin', 'https://harbour.example', '--member', ''],
    'memberId must be a non-empty string',
  ],
])('explain: %s is wrong usage, without a stack', async (_what, args, text) => {
  const { code, out, err } = await campusOidc(['explain', module, '--client', 'a', ...args]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(new RegExp(`^campus-oidc: [^\n]*${text}[^\n]*\n$`));
});

test('explain: a platform that fails is one line, and no decision', async () => {
  const failing = join(import.meta.dirname, 'fixtures/failing-campus.ts');
  const question = ['--origin', 'https://harbour.example', '--client', 'a', '--member', 'sam'];
  const { code, out, err } = await campusOidc(['explain', failing, ...question]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^campus-oidc: [^\n]*the store or the platform failed: the directory is gone[^\n]*\n$/);
});

test('explain: who has decided, when and why, and what waits', async () => {
  const decided = join(import.meta.dirname, 'fixtures/decided-campus.ts');
  const args = ['explain', decided, '--origin', 'https://harbour.example', '--app'];
  const blocked = await campusOidcProcess([...args, 'claude']);
  expect(blocked.code).toBe(1);
  expect(blocked.out).toMatch(
    /client_blocked \(school, since \d{4}-[\d-]+T[\d:.]+Z by olivia\): .*; ask an administrator of the school \("Not before the summer"\)\n/,
  );
  const waiting = await campusOidcProcess([...args, 'chatgpt', '--scope', 'courses:read', '--scope', 'courses:write']);
  expect(waiting.code).toBe(0);
  expect(waiting.out).toMatch(/^view_only: courses:read\n {2}waits for an approval: courses:write\n/);
});
