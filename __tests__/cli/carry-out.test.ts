import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { appRequestId } from '../../lib/core/applications/request.ts';
import { commands } from '../../lib/cli/run.ts';
import { campusOidc, campusOidcProcess, type Ended } from './command.ts';
import { campus as school, reset } from './fixtures/used-schools.ts';
import { type TwoStores, twoStores } from './two-stores.ts';

let two: TwoStores;
beforeAll(async () => {
  two = await twoStores();
});
beforeEach(() => Promise.all([two.reset(), reset()]));
afterAll(() => two.remove());

/** A command that ends or removes more than one thing. */
interface Row {
  readonly line: readonly string[];
  readonly plan: string;
  readonly result: string;
  readonly counts: Readonly<Record<string, unknown>>;
  /** What a dry run counts. @default the same */
  readonly planned?: Readonly<Record<string, unknown>>;
  /** How much there is of what it removes. */
  readonly left: () => Promise<number>;
  /** What it says before. */
  readonly note?: string;
  readonly prepare?: () => Promise<unknown>;
  /** It cannot tell that nothing is left. @default false */
  readonly asksAgain?: boolean;
}

const schoolModule = join(import.meta.dirname, 'fixtures/used-schools.ts');
const harbour = 'https://harbour.example';
const claude = ['--origin', harbour, '--app', 'claude'];
const incident = { id: 'INC-1', app: 'claude' };
const eventsFile = join(import.meta.dirname, 'fixtures/events.jsonl');
const ofClaude = async () => school.apps.find(harbour, 'claude');
const isFree = async (): Promise<number> => ((await ofClaude()).own?.access === 'blocked' ? 0 : 1);
const hasRule = async (): Promise<number> => ((await ofClaude()).own ? 1 : 0);
const people = async (): Promise<number> => (await ofClaude()).people;
const ofSam = async (): Promise<number> => (await school.connections.list(harbour, 'member-1')).length;

const allowed = async (): Promise<number> => (await school.apps.allowedPeople(harbour, 'claude')).length;
const ofRequest = ['--origin', harbour, '--id', appRequestId('member-0', 'other')];
const narrowed = ['--client', 'claude-1', '--scope', 'profile'];
const asked = { app: 'other', clientName: 'Chat', redirectUris: ['https://chat.example/callback'] } as const;
const ask = () => school.requests.ask(harbour, 'member-0', asked);
const openRequests = async (): Promise<number> => (await school.requests.list(harbour, { status: 'open' })).length;

const nothingElse = {
  connections: 0,
  narrowed: 0,
  devices: 0,
  applications: 0,
  secrets: 0,
  requests: 0,
  people: 0,
};

const rows: Readonly<Record<string, () => Row>> = {
  'store copy': () => ({
    line: ['store', 'copy', two.files.empty, two.files.live, '--remove'],
    plan: `${two.files.live}: 0 records to write, 3 to remove, 0 unchanged`,
    result: '0 records written, 3 removed, 0 unchanged',
    counts: { same: 0, written: 0, removed: 3, eventsSame: 0, eventsOlder: 0, eventsWritten: 0, eventsRemoved: 0 },
    note: 'no events of a log to compare; a log that storedLog({ store }) keeps in another store stays there\n',
    left: () => two.count(),
  }),
  'store purge': () => ({
    line: ['store', 'purge', two.files.live],
    plan: `${two.files.live}: 2 expired rows to remove`,
    result: '2 expired rows removed',
    counts: { removed: 2 },
    left: () => two.stores.live.expired(),
  }),
  'apps set': () => ({
    line: ['apps', 'set', schoolModule, ...claude, '--access', 'blocked'],
    plan: '1 of 1 schools where blocked is to be set; people have 3 connections there',
    result: '1 schools changed, 3 connections ended',
    planned: { schools: 1, connections: 3, failed: 0 },
    counts: { schools: 1, ended: 3, atRefresh: 0, failed: 0 },
    left: isFree,
  }),
  'apps reset': () => ({
    line: ['apps', 'reset', schoolModule, ...claude],
    prepare: () => school.apps.set(harbour, 'claude', { access: 'blocked' }),
    plan: '1 of 1 schools where the rule is to be removed; people have 0 connections there',
    result: '1 schools changed, 0 connections ended',
    planned: { schools: 1, connections: 0, failed: 0 },
    counts: { schools: 1, ended: 0, atRefresh: 0, failed: 0 },
    left: hasRule,
  }),
  'apps allow-person': () => ({
    line: ['apps', 'allow-person', schoolModule, ...claude, '--member', 'member-1'],
    plan: `member-1 to be allowed Claude at ${harbour}`,
    result: `member-1 is allowed Claude at ${harbour}`,
    counts: { people: 1 },
    left: async () => 1 - (await allowed()),
  }),
  'apps reset-person': () => ({
    line: ['apps', 'reset-person', schoolModule, ...claude, '--member', 'member-1'],
    prepare: async () => {
      await school.apps.allowPerson(harbour, 'claude', 'member-1');
      await school.apps.set(harbour, 'claude', { access: 'allowed', ask: true });
    },
    plan: `the permission of member-1 at ${harbour} to take back; the rules decide about 1 connections`,
    result: 'the permission of member-1 is taken back, 1 connections ended',
    counts: { ended: 1, atRefresh: 0 },
    left: allowed,
  }),
  'applications remove': () => ({
    line: ['applications', 'remove', schoolModule, '--origin', harbour, '--client', 'app-old'],
    plan: `the application Old Reports (app-old) at ${harbour} to remove, with 0 connections`,
    result: 'the application Old Reports is removed, 0 connections ended',
    counts: { connections: 0 },
    left: async () => (await school.applications.list(harbour)).length,
    asksAgain: true,
  }),
  'requests grant': () => ({
    line: ['requests', 'grant', schoolModule, ...ofRequest, '--client', 'app-old'],
    prepare: ask,
    plan: 'the request of member-0 for Chat to be granted',
    result: 'the request of member-0 for Chat is granted',
    counts: { requests: 1 },
    left: openRequests,
  }),
  'requests decline': () => ({
    line: ['requests', 'decline', schoolModule, ...ofRequest, '--answer', 'Not this term'],
    prepare: ask,
    plan: 'the request of member-0 for Chat to be declined',
    result: 'the request of member-0 for Chat is declined',
    counts: { requests: 1 },
    left: openRequests,
  }),
  'connections narrow': () => ({
    line: ['connections', 'narrow', schoolModule, '--origin', harbour, '--member', 'member-1', ...narrowed],
    plan: `profile to take from claude-1 (claude-1) of member-1 at ${harbour}`,
    result: 'claude-1 of member-1 has openid',
    counts: { scopes: 1 },
    left: async () =>
      (await school.connections.list(harbour, 'member-1')).filter(
        ({ clientId, scopes }) => clientId === 'claude-1' && scopes.includes('profile'),
      ).length,
  }),
  'connections end': () => ({
    line: ['connections', 'end', schoolModule, ...claude],
    plan: '3 connections to end at 1 schools',
    result: '3 connections ended at 1 schools',
    counts: { schools: 1, failed: 0, connections: 3 },
    left: people,
  }),
  'people disconnect': () => ({
    line: ['people', 'disconnect', schoolModule, '--origin', harbour, '--member', 'member-1'],
    plan: `3 connections of member-1 to end at ${harbour}`,
    result: '3 connections ended',
    counts: { connections: 3 },
    left: ofSam,
  }),
  'people erase': () => ({
    line: ['people', 'erase', schoolModule, '--origin', harbour, '--member', 'member-1'],
    plan: `all that is stored of member-1 at ${harbour} to remove, with 3 connections and 0 requests`,
    result: `all that was stored of member-1 at ${harbour} is removed`,
    counts: { connections: 3, requests: 0 },
    left: ofSam,
    asksAgain: true,
  }),
  'log replay': () => ({
    line: ['log', 'replay', schoolModule, eventsFile, '--since', '2024-11-28T03:00:00Z'],
    plan: 'to apply again: 1 decisions',
    result: 'applied again: 1 decisions',
    counts: { decisions: 1, ...nothingElse, byHand: {} },
    left: isFree,
    asksAgain: true,
  }),
  'incident block': () => ({
    line: ['incident', 'block', schoolModule, ...claude, '--id', incident.id],
    plan: '1 schools: 1 blocked; 3 connections to end',
    result: '1 schools: 1 blocked; 3 connections ended',
    counts: { schools: 1, blocked: 1, ended: 3 },
    left: isFree,
  }),
  'incident restore': () => ({
    line: ['incident', 'restore', schoolModule, '--origin', harbour, '--id', incident.id],
    prepare: () => school.incidents.block([harbour], incident),
    plan: '1 schools: 1 restored (claude); 0 connections to end',
    result: '1 schools: 1 restored (claude); 0 connections ended',
    counts: { schools: 1, restored: 1, ended: 0 },
    left: hasRule,
  }),
};

describe.each(Object.entries(rows))('%s', (_name, rowOf) => {
  let row: Row;
  let before: number;
  beforeEach(async () => {
    row = rowOf();
    await row.prepare?.();
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
    expect(await campusOidc(dry)).toEqual({ code: 0, out: `info ${row.plan}\n`, err: row.note ?? '' });
    const { out, ...rest } = await campusOidc([...dry, '--json', '--yes']);
    expect([JSON.parse(out), rest]).toEqual([
      { dryRun: true, ...(row.planned ?? row.counts) },
      { code: 0, err: row.note ?? '' },
    ]);
    expect(await row.left()).toBe(before);
  });

  test('without a terminal it needs --yes', async () => {
    const { line, plan, result, note = '' } = row;
    await isRefused(await campusOidc(line), 'there is no terminal to confirm this; add --yes');
    expect(await campusOidc([...line, '--yes'])).toEqual({ code: 0, out: `ok   ${result}\n`, err: `${note}${plan}\n` });
    expect(await row.left()).toBe(0);
  });

  test('at a terminal it asks', async () => {
    const { line, plan, result } = row;
    for (const answer of ['', '\n', 'n\n', 'yesterday\n', ' \n'])
      await isRefused(await campusOidc(line, answer), 'stopped without changes');
    const { code, out, err } = await campusOidc(line, ' Yes \n');
    expect({ code, out }).toEqual({ code: 0, out: `ok   ${result}\n` });
    expect(err).toContain(`${plan}. Continue? [y/N] `);
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
    expect(row.asksAgain ? code : { code, err }).toEqual(row.asksAgain ? 2 : { code: 0, err: row.note ?? '' });
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
  apps: ['apps list', 'apps show', 'apps people'],
  applications: ['applications list'],
  people: ['people list', 'people show', 'people export'],
  requests: ['requests list'],
  log: ['log list', 'log export'],
};

test.each(Object.entries(commands))(
  '%s: whatever it does is known here, and its help says what ends or removes more than one thing',
  async (name, { load }) => {
    const [usage = ''] = (await load()).help.split('\n\n');
    const lines = usage
      .replaceAll(/\n {20,}/g, ' ')
      .split('\n')
      .map((line) => line.replace(/^(?:Usage:)? +/, ''));
    const carriedOut = lines.filter((line) => line.endsWith('[--dry-run] [--yes] [--json]'));
    const actionOf = (line: string): string => /^campus-oidc ([a-z]+(?: [a-z-]+)?)/.exec(line)?.[1] ?? line;
    expect(carriedOut.map(actionOf).sort()).toEqual(
      Object.keys(rows)
        .filter((action) => action.startsWith(`${name} `))
        .sort(),
    );
    const known = [...carriedOut.map(actionOf), ...(others[name] ?? [])];
    expect(new Set(lines.map(actionOf))).toEqual(new Set(known));
  },
);
