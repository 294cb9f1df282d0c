import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type AuditEvent, auditLog } from '../../lib/index.ts';
import { connect, memberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'campus-audit-'));
  path = join(folder, 'audit.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const event = (eventId: string): AuditEvent => ({
  version: 1,
  time: '2026-11-22T08:15:30.000Z',
  eventId,
  siteId: 'harbour',
  action: 'token.issued',
  outcome: 'allowed',
  actor: { kind: 'anonymous' },
});
const write = async (log: ReturnType<typeof auditLog>, eventId: string): Promise<unknown> => log(event(eventId));
const idsIn = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).eventId);
const idsAt = (file: string): string[] => idsIn(readFileSync(file, 'utf8'));

test('each event of a campus is a line of the file, in order', async () => {
  const schools: Schools = await startSchools();
  const log = auditLog(path);
  const events: AuditEvent[] = [];
  schools.campus.events.on('audit', log).on('audit', (each) => events.push(each));
  await connect(schools.browser('sam'), schools.harbour, memberApp);
  await schools.close();
  await log.close();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(events);
  expect(events.map(({ action }) => action)).toEqual(['consent.given', 'authorization.granted', 'token.issued']);
});

test('what was there before stays', async () => {
  for (const id of ['1', '2']) {
    const log = auditLog(path);
    await write(log, id);
    await log.close();
  }
  expect(idsAt(path)).toEqual(['1', '2']);
});

test('reopen() goes on in a new file after the old one was renamed, and loses nothing', async () => {
  const log = auditLog(path);
  await write(log, '1');
  renameSync(path, `${path}.1`);
  const still = write(log, '2');
  await log.reopen();
  await Promise.all([still, write(log, '3')]);
  await log.close();
  expect([idsAt(`${path}.1`), idsAt(path)]).toEqual([['1', '2'], ['3']]);
});

test('a file that cannot be written is reported once; when it can be, all events are there', async () => {
  const missing = join(folder, 'missing', 'audit.jsonl');
  const log = auditLog(missing);
  await expect(write(log, '1')).rejects.toMatchObject({ code: 'ENOENT' });
  await write(log, '2');
  renameSync(mkdtempSync(join(folder, 'x')), join(folder, 'missing'));
  await write(log, '3');
  expect(idsAt(missing)).toEqual(['1', '2', '3']);
  rmSync(missing);
  await log.close();
});

test('a log that fails is one fault of the campus, and requests go on', async () => {
  const schools = await startSchools();
  const log = auditLog(join(folder, 'missing', 'audit.jsonl'));
  schools.campus.events.on('audit', log);
  expect((await connect(schools.browser('sam'), schools.harbour, memberApp)).status).toBe(200);
  await log.close();
  await schools.close();
  expect(schools.faults).toMatchObject([
    { message: 'a listener of campus.events "audit" failed', cause: { code: 'ENOENT' } },
  ]);
});

/** A stream that takes nothing until it is told to. */
class SlowStream extends Writable {
  readonly chunks: string[] = [];
  /** From now on it takes everything. */
  isFast = false;
  #release: (error?: Error) => void = () => {};

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.chunks.push(chunk.toString());
    if (this.isFast) setImmediate(done);
    else this.#release = done;
  }

  go(error?: Error): void {
    this.#release(error);
  }
}

test('while a stream is slow events wait, and go out together', async () => {
  const stream = new SlowStream();
  const log = auditLog(stream);
  const all = ['1', '2', '3'].map((id) => write(log, id));
  await new Promise(setImmediate);
  expect(stream.chunks.map(idsIn)).toEqual([['1']]);
  stream.go();
  await new Promise(setImmediate);
  stream.go();
  await Promise.all(all);
  expect(stream.chunks.map(idsIn)).toEqual([['1'], ['2', '3']]);
  await log.close();
  expect(stream.writable).toBe(true);
});

test('more than 16 MiB do not wait: what is lost is reported when it begins, and counted when it ends', async () => {
  const stream = new SlowStream();
  const log = auditLog(stream);
  const big = 'x'.repeat(1024 * 1024);
  const calls = Array.from({ length: 20 }, () => write(log, big).catch((error: unknown) => String(error)));
  const early = await Promise.race(calls.slice(15));
  expect(early).toBe('Error: the audit log is too slow; events are being lost');
  stream.isFast = true;
  stream.go();
  const said = (await Promise.all(calls)).filter(Boolean);
  expect(said).toEqual(expect.arrayContaining(['Error: the audit log works again; 5 events were lost', early]));
  expect(said).toHaveLength(2);
});

test('what waits goes out in order, at most 256 KiB together, so that an attempt costs the same however much waits', async () => {
  const stream = new SlowStream();
  const log = auditLog(stream);
  const ids = Array.from({ length: 100 }, (_each, i) => `${i} ${'x'.repeat(10_000)}`);
  const calls = ids.map((id) => write(log, id));
  await new Promise(setImmediate);
  stream.isFast = true;
  stream.go();
  await Promise.all(calls);
  expect(stream.chunks.flatMap(idsIn)).toEqual(ids);
  expect(Math.max(...stream.chunks.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024);
  expect(stream.chunks.length).toBeLessThan(8);
});

test('a stream that fails does not end the process, and is reported once', async () => {
  const stream = new SlowStream();
  const log = auditLog(stream);
  const first = write(log, '1');
  await new Promise(setImmediate);
  stream.go(new Error('broken pipe'));
  await expect(first).rejects.toThrow('broken pipe');
  await write(log, '2');
  await log.close();
});

test.each([[''], [5], [undefined]])('auditLog(%o) is refused', (target) => {
  expect(() => Reflect.apply(auditLog, undefined, [target])).toThrow(
    new TypeError('auditLog must be given the path of a file, or a stream'),
  );
});
