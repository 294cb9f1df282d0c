import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import { auditLog, type AuditEvent } from '../../lib/index.ts';
import { authorizeUrl, type Changes, pkce, webMemberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { campusOidcProcess, type Ended } from './command.ts';

// What people say, and what somebody who supports them reads: Activity by person and by app, the file of the audit log, and
// `campus-oidc explain` in a shell.

let folder: string;
let schools: Schools;
let log: ReturnType<typeof auditLog>;
const recent: AuditEvent[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-stories-'));
  const store = sqliteStore(new DatabaseSync(join(folder, 'school.db'), { timeout: 5000 }));
  await store.migrate();
  schools = await startSchools({ campus: { store, log: { list: () => ({ events: recent }) } } });
  log = auditLog(join(folder, 'audit.jsonl'));
  schools.campus.events.on('audit', log);
  schools.campus.events.on('audit', (event) => recent.unshift(event));
});
afterAll(async () => {
  await schools.close();
  await rm(folder, { recursive: true });
});

/** Sam tries to connect Study Buddy, and reads a page with a reference. */
async function reference(changes: Changes = {}): Promise<string> {
  const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), changes);
  const { html } = await schools.browser('sam').follow(url);
  return /[\da-f]{8}-[\da-f-]{27}/.exec(html)?.[0] ?? '';
}

/** What Activity says. */
async function activity(query: string): Promise<string> {
  const page = `${schools.harbour}/developers/apps/activity?${query}`;
  return readPage((await schools.browser('olivia').follow(page)).html).text;
}

/** The entry of the audit log with a reference, and the entries of decisions. */
async function logged(requestId: string): Promise<{ refused: AuditEvent | undefined; decided: string[] }> {
  await log.reopen();
  const lines = (await readFile(join(folder, 'audit.jsonl'), 'utf8')).trim().split('\n');
  const events = lines.map((line): AuditEvent => JSON.parse(line));
  const decided = events.filter(({ action }) => /^(client|app)\./.test(action)).map(({ action }) => action);
  return {
    refused: events.find(({ action, requestId: id }) => action === 'authorization.refused' && id === requestId),
    decided,
  };
}

const explain = (...scopes: string[]): Promise<Ended> => {
  const module = join(import.meta.dirname, 'fixtures/school-campus.ts');
  const asked = scopes.flatMap((scope) => ['--scope', scope]);
  return campusOidcProcess(
    ['explain', module, '--origin', schools.harbour, '--client', webMemberApp.id, '--member', 'sam', ...asked],
    { SQLITE_FILE: join(folder, 'school.db'), SCHOOL_ORIGIN: schools.harbour, NODE_ENV: 'test' },
  );
};

const target = { clientId: webMemberApp.id };

test('“authentication failed”: the app asked for another address; nobody has decided anything', async () => {
  const shown = await reference({ redirect_uri: 'https://buddy.example/old' });
  for (const query of ['person=sam', 'app=study', `reference=${shown}`])
    expect(await activity(query)).toContain('because it wanted to be sent back to another address than its own');
  const { refused, decided } = await logged(shown);
  expect(refused).toMatchObject({
    action: 'authorization.refused',
    reason: 'redirect_uri_mismatch',
    memberId: 'sam',
    clientId: webMemberApp.id,
    claimed: { redirectUris: ['https://buddy.example/old'] },
  });
  expect(decided).toEqual([]);
  expect(await explain('openid')).toMatchObject({ code: 0, out: 'allowed: openid\n' });
});

test('“it worked yesterday”: Olivia has blocked it, and wrote why', async () => {
  const note = { by: 'olivia', note: 'Not in the exams' };
  await schools.campus.apps.set(siteOf(schools), target, { access: 'blocked' }, note);
  const shown = await reference();
  for (const query of ['person=sam', 'app=study', `reference=${shown}`])
    expect(await activity(query)).toContain('Sam Student could not connect Study Buddy: Blocked');
  const { refused, decided } = await logged(shown);
  expect(refused).toMatchObject({ reason: 'client_blocked', memberId: 'sam', clientId: webMemberApp.id });
  expect(decided).toEqual(['app.decided']);
  const explained = await schools.campus.explain(siteOf(schools), { reference: shown });
  expect(explained).toMatchObject({ events: [{ reason: 'client_blocked' }], now: { outcome: 'blocked' } });
  const { code, out } = await explain();
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/^blocked: nothing\n {2}client_blocked \(school, since .* by olivia\)/),
  ]);
  expect(out).toContain('("Not in the exams")\n     an administrator of the school allows it');
});

test('“approval required”: it waits for an administrator', async () => {
  await schools.campus.apps.set(siteOf(schools), target, { access: 'view_only' });
  const shown = await reference({ scope: 'account:write' });
  for (const query of ['person=sam', 'app=study', `reference=${shown}`])
    expect(await activity(query)).toContain('Sam Student could not connect Study Buddy');
  const { refused, decided } = await logged(shown);
  expect(refused).toMatchObject({ reason: 'needs_approval', memberId: 'sam', clientId: webMemberApp.id });
  expect(decided.at(-1)).toBe('app.decided');
  const { code, out } = await explain('account:write');
  expect(code).toBe(1);
  expect(out).toMatch(/^needs_approval: nothing\n {2}waits for an approval: account:write\n/);
  expect(out).toContain('an administrator of the school approves it');
});
