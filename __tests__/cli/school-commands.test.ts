import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { campusOidc, type Ended } from './command.ts';
import { campus, reset } from './fixtures/used-schools.ts';

const module = join(import.meta.dirname, 'fixtures/used-schools.ts');
const events = join(import.meta.dirname, 'fixtures/events.jsonl');
const harbour = ['--origin', 'https://harbour.example'];

let folder: string;
let schools: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'schools-'));
  schools = file('schools.txt', '# ours\nhttps://harbour.example\n\n  https://summit.example\r\n');
});
beforeEach(reset);
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const run = (command: string, action: string, ...args: readonly string[]): Promise<Ended> =>
  campusOidc([command, action, module, ...args]);

const json = ({ out }: Ended): unknown => JSON.parse(out);

test('apps list and show print what a school allows, on one line each', async () => {
  const listed = await run('apps', 'list', ...harbour, '--used');
  expect(listed).toMatchObject({ code: 0, err: '' });
  expect(listed.out).toMatch(/^allowed +3 people {2}claude {2}Claude {2}\(last active \d{4}-\d\d-\d\d\)\n/);
  expect(listed.out.trim().split('\n')).toHaveLength(3);
  const shown = await run('apps', 'show', ...harbour, '--client', 'claude-1');
  expect(shown.out).toContain('3 people  claude-1  claude-1');
  expect(json(await run('apps', 'show', ...harbour, '--app', 'claude', '--json'))).toMatchObject({
    app: 'claude',
    people: 3,
  });
});

test('apps set and reset change all schools of a file, after a dry run with the numbers', async () => {
  const blocked = ['--schools', schools, '--app', 'claude', '--access', 'blocked'];
  const plan = '2 of 2 schools where blocked is to be set; people have 3 connections there';
  expect(await run('apps', 'set', ...blocked, '--dry-run')).toEqual({ code: 0, out: `info ${plan}\n`, err: '' });
  expect(await run('apps', 'set', ...blocked)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('add --yes'),
  });
  expect((await campus.apps.find('https://harbour.example', 'claude')).own).toBeUndefined();
  expect(await run('apps', 'set', ...blocked, '--yes', '--by', 'olivia', '--note', 'Not now')).toMatchObject({
    code: 0,
    out: 'ok   2 schools changed, 3 connections ended\n',
  });
  expect(await campus.apps.find('https://summit.example', 'claude')).toMatchObject({
    status: 'blocked',
    decided: { by: 'olivia', note: 'Not now' },
  });
  const undone = await run('apps', 'reset', '--schools', schools, '--app', 'claude', '--yes', '--json');
  expect([undone.code, json(undone)]).toEqual([0, { schools: 2, ended: 0, atRefresh: 0, failed: 0 }]);
});

test('a school that fails is named, and the others go on', async () => {
  const some = file('some.txt', 'https://summit.example\nhttps://nowhere.example\n');
  const { code, out, err } = await run(
    'apps',
    'set',
    '--schools',
    some,
    '--app',
    'cursor',
    '--access',
    'view_only',
    '--yes',
  );
  expect([code, out]).toEqual([1, 'FAIL 1 schools changed, 0 connections ended, 1 schools failed\n']);
  expect(err).toContain('campus-oidc: https://nowhere.example: apps.find.site must be a school');
});

test('people list, show and export print what people have connected', async () => {
  const list = await run('people', 'list', ...harbour, '--role', 'student', '--app', 'vscode');
  expect(list.code).toBe(0);
  expect(list.out).toContain(String.raw`member-1 (Sam\u000aStudent; student): 1 connections`);
  expect(list.out).not.toContain('member-0');
  const lines = (await run('people', 'list', ...harbour, '--json')).out.trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ total: 3 }, { total: 3 }, { total: 3 }]);
  expect((await run('people', 'show', ...harbour, '--member', 'member-2')).out).toMatch(
    /^member-2: 3 connections\n {2}claude-1 \(claude-1\), allowed \d{4}/,
  );
  expect(json(await run('people', 'export', ...harbour, '--member', 'member-2'))).toMatchObject({
    memberId: 'member-2',
  });
});

test('connections end ends those of a role, and of no one else', async () => {
  const students = [...harbour, '--role', 'student', '--app', 'cursor'];
  expect((await run('connections', 'end', ...students, '--dry-run')).out).toBe(
    'info 2 connections to end at 1 schools\n',
  );
  const ended = await run('connections', 'end', ...students, '--yes', '--json');
  expect([ended.code, json(ended)]).toEqual([0, { schools: 1, failed: 0, connections: 2 }]);
  expect((await campus.apps.find('https://harbour.example', 'cursor')).people).toBe(1);
});

test('people disconnect and erase say what goes, and ask', async () => {
  const sam = [...harbour, '--member', 'member-1'];
  const refused = await campusOidc(['people', 'disconnect', module, ...sam], 'n');
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('stopped without changes')]);
  expect((await run('people', 'disconnect', ...sam, '--app', 'claude', '--yes')).out).toBe(
    'ok   1 connections ended\n',
  );
  expect((await run('people', 'disconnect', ...sam, '--yes')).out).toBe('ok   2 connections ended\n');
  const erased = await run('people', 'erase', ...harbour, '--member', 'member-2', '--yes');
  expect(erased.out).toBe('ok   all that was stored of member-2 at https://harbour.example is removed\n');
  expect((await campus.apps.find('https://harbour.example', 'claude')).people).toBe(1);
});

test('incident block and restore go through a file of schools', async () => {
  const block = ['--schools', schools, '--id', 'INC-1', '--app', 'claude'];
  expect((await run('incident', 'block', ...block, '--dry-run')).out).toBe(
    'info 2 schools: 2 blocked; 3 connections to end\n',
  );
  expect(json(await run('incident', 'block', ...block, '--yes', '--json'))).toEqual({
    schools: 2,
    blocked: 2,
    ended: 3,
  });
  expect((await run('incident', 'block', ...block)).out).toBe('ok   2 schools: 2 already; 0 connections to end\n');
  expect((await run('incident', 'restore', '--schools', schools, '--id', 'INC-1', '--yes')).out).toBe(
    'ok   2 schools: 2 restored (claude); 0 connections ended\n',
  );
});

test('a school that blocks an app during an incident keeps its block, and a reused id names all that it allows again', async () => {
  const [at, harbourBlock] = [
    ['--schools', schools, '--id', 'INC-1'],
    [...harbour, '--access', 'blocked', '--yes'],
  ];
  for (const app of ['claude', 'cursor']) await run('incident', 'block', ...at, '--app', app, '--yes');
  expect((await run('apps', 'show', ...harbour, '--app', 'claude')).out).toContain('  incidents INC-1\n');
  expect((await run('apps', 'set', ...harbourBlock, '--app', 'claude')).out).toContain('1 schools changed');
  expect((await run('incident', 'restore', ...at, '--yes')).out).toBe(
    'ok   2 schools: 2 restored (claude, cursor); 0 connections ended\n',
  );
  const statuses = ['claude', 'cursor'].map(
    async (app) => (await campus.apps.find('https://harbour.example', app)).status,
  );
  expect(await Promise.all(statuses)).toEqual(['blocked', 'allowed']);
});

test('apps people and applications list print who was allowed, and what the school has created', async () => {
  await campus.apps.allowPerson('https://harbour.example', 'claude', 'member-2', {
    by: 'olivia',
    note: 'For the\nclub',
  });
  expect((await run('apps', 'people', ...harbour, '--app', 'claude')).out).toMatch(
    /^\d{4}-\d\d-\d\d {2}member-2 {2}by olivia: For the\\u000aclub\n$/,
  );
  expect((await run('applications', 'list', ...harbour)).out).toMatch(
    /^allowed +0 people {2}app-old {2}Old Reports {2}\(member, last active never\)\n$/,
  );
  expect((await run('applications', 'list', ...harbour, '--json')).out).not.toMatch(/secret|a-digest/);
});

test('requests list prints what members ask for', async () => {
  const asked = {
    app: 'other',
    clientName: 'Chat',
    redirectUris: ['https://chat.example/callback'],
    note: 'Please',
  } as const;
  await campus.requests.ask('https://harbour.example', 'member-0', asked);
  const { out } = await run('requests', 'list', ...harbour, '--status', 'open');
  expect(out).toMatch(/^\d{4}-\d\d-\d\d {2}open {6}[\w-]{22} {2}member-0 {2}Chat \(other\): Please\n$/);
});

test('log list and export print what happened', async () => {
  await campus.apps.set('https://harbour.example', 'cursor', { access: 'blocked' }, { by: 'ol\u001Bivia' });
  const { code, out } = await run('log', 'list', ...harbour, '--app', 'cursor', '--action', 'app.decided');
  expect([code, out.split('\n')[0]]).toEqual([
    0,
    expect.stringContaining(String.raw`administrator ol\u001bivia  cursor  set`),
  ]);
  const exported = (await run('log', 'export')).out.trim().split('\n');
  const all = exported.map((line): unknown => JSON.parse(line));
  expect(all.at(-1)).toMatchObject({ siteId: 'harbour' });
  expect(all).toContainEqual(expect.objectContaining({ action: 'app.decided', app: 'cursor', reason: 'set' }));
});

const lines = (text: string): string[] => text.trim().split('\n');

test('log replay: a separator of Unicode that an app calls itself by ends no line', async () => {
  const [first = '', decided = ''] = lines(readFileSync(events, 'utf8'));
  const named = decided.replace('"claude"', '"claude", "claimed": {"name": "a\u2028b"}');
  const log = file('separators.jsonl', `\uFEFF${first}\r\n${named}\n`);
  const replayed = await run('log', 'replay', log, '--since', '2024-11-28T03:00:00Z', '--yes');
  expect(replayed).toMatchObject({ code: 0, out: 'ok   applied again: 1 decisions\n' });
});

test('a line without an end is not read into memory', async () => {
  const [first = ''] = lines(readFileSync(events, 'utf8'));
  const long = file('long.jsonl', `${first}\n${'x'.repeat(1_200_000)}`);
  const replayed = await run('log', 'replay', long, '--since', '2024-11-28T03:00:00Z', '--yes');
  expect([replayed.code, replayed.err]).toEqual([2, expect.stringContaining('line 2: it has more than 1000000')]);
  const origins = file('long.txt', `https://harbour.example\nhttps://${'x'.repeat(3000)}.example\n`);
  const set = await run('apps', 'reset', '--schools', origins, '--app', 'claude', '--yes');
  expect([set.code, set.err]).toEqual([2, expect.stringContaining('line 2: it has more than 2048')]);
});

test.each<[string[], string]>([
  [['apps'], 'name an action: list or show or set or reset or people'],
  [['apps', 'list'], 'apps list needs one module'],
  [['apps', 'list', module], 'add --origin, for example --origin https://harbour.example'],
  [['apps', 'list', module, ...harbour, '--role', 'student'], 'apps list has no option --role'],
  [['apps', 'show', module, ...harbour, '--app', 'clawde'], 'did you mean "claude"'],
  [
    ['apps', 'set', module, ...harbour, '--app', 'claude', '--access', 'block'],
    '--access must be allowed, view_only, blocked, not block',
  ],
  [
    ['apps', 'set', module, ...harbour, '--schools', 'a', '--app', 'claude', '--access', 'blocked'],
    'name one school or a file',
  ],
  [['apps', 'reset', module, '--schools', 'none.txt', '--app', 'claude'], 'reading none.txt failed: ENOENT'],
  [
    [
      'connections',
      'narrow',
      module,
      ...harbour,
      '--member',
      'member-1',
      '--client',
      'cursor-1',
      '--scope',
      'openid',
      '--scope',
      'profile',
    ],
    'that is all it has; use people disconnect',
  ],
  [['requests', 'decline', module, ...harbour, '--id', 'none'], 'there is no request none; campus-oidc requests list'],
  [['applications', 'remove', module, ...harbour, '--client', 'app-x'], 'there is no application app-x at'],
  [['people', 'erase', module, ...harbour, '--yes'], 'add --member, for example --member sam'],
  [['people', 'list', module, ...harbour, '--search', 'sam'], 'people.find.query.search needs platform.searchMembers'],
  [
    ['connections', 'end', module, ...harbour, '--yes'],
    'name whose connections to end: --role <role>, --app <id> or both',
  ],
  [['incident', 'block', module, ...harbour, '--app', 'claude'], 'add --id, for example --id INC-42'],
  [
    ['incident', 'restore', module, ...harbour, '--id', 'a b'],
    'incidents.restore.incident.id must be 1 to 100 letters',
  ],
  [['log', 'list', module, ...harbour, '--action', 'app.set'], 'there is no action "app.set"'],
  [
    ['log', 'replay', module, events, '--since', 'noon'],
    '--since must be a time such as 2026-11-28T03:00:00Z, not "noon"',
  ],
  [
    ['log', 'replay', module, events, '--since', '2024-11-27T00:00:00Z'],
    'the events begin at 2024-11-28T02:59:00.000Z, after the backup',
  ],
  [['log', 'replay', module, module, '--since', '2024-11-27T00:00:00Z'], 'line 1: this is not an event'],
])('%j is wrong usage, in one line and without a stack', async (args, text) => {
  const { code, out, err } = await campusOidc(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^campus-oidc: [^\n]*\n$/);
  expect(err).toContain(text);
});
