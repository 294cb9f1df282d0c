import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { sqliteLog } from '../../../adapters/sqlite/index.ts';
import type { AuditEvent } from '../../../lib/index.ts';
import { storedLog } from '../../../lib/log.ts';
import { issueTokens } from '../../../lib/testing/index.ts';
import { connect, memberApp, refresh } from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { breakableStore, type StoreMethod } from '../../helpers/stores.ts';

let schools: Schools;
afterEach(() => schools.close());

const actionsOf = (events: readonly AuditEvent[]): string[] => events.map(({ action }) => action);

describe('storedLog', () => {
  test('what has happened is found at once, by person, app, kind, action and reference, at its school alone', async () => {
    schools = await startSchools({ campus: { log: storedLog() } });
    const { campus, harbour, summit } = schools;
    const heard: AuditEvent[] = [];
    campus.events.on('audit', (event) => heard.push(event));
    const { body } = await connect(schools.browser('sam'), harbour, memberApp);
    await refresh(harbour, memberApp, String(body['refresh_token']));
    const logged = heard.filter(({ action }) => action !== 'token.refreshed').toReversed();
    expect(actionsOf(heard)).toContain('token.refreshed');
    expect((await campus.log.list(harbour)).events).toEqual(logged);
    expect((await campus.log.list(summit)).events).toEqual([]);
    const list = async (question: Parameters<typeof campus.log.list>[1]) =>
      actionsOf((await campus.log.list(harbour, question)).events);
    expect(await list({ member: 'sam' })).toEqual(actionsOf(logged));
    expect(await list({ member: 'olivia' })).toEqual([]);
    expect(await list({ app: memberApp.id, kinds: ['use'] })).toEqual(['token.issued']);
    expect(await list({ actions: ['consent.given'] })).toEqual(['consent.given']);
    const consent = logged.find(({ action }) => action === 'consent.given');
    expect(await list({ reference: consent?.requestId ?? '' })).toContain('consent.given');
    expect(await list({ to: new Date(Date.parse(consent?.time ?? '') - 1) })).not.toContain('consent.given');
  });

  test('what is written is read in order, and a cursor goes on where the last page ended', async () => {
    // Not on Redis, which keeps no order of writing.
    const store = sqliteLog(new DatabaseSync(':memory:'));
    await store.migrate();
    schools = await startSchools({ campus: { log: storedLog({ store }) } });
    const { campus, harbour } = schools;
    await connect(schools.browser('sam'), harbour, memberApp);
    const logged = (await campus.log.list(harbour)).events;
    const { events, next } = await campus.log.read();
    expect(events.toReversed()).toEqual(logged);
    await campus.apps.set(harbour, { clientId: memberApp.id }, { access: 'blocked' });
    await campus.log.list(harbour);
    expect(actionsOf((await campus.log.read({ after: next })).events)).toEqual(['app.decided', 'connection.ended']);
  });

  test('what the functions for tests do is kept too, once', async () => {
    schools = await startSchools({ campus: { log: storedLog() } });
    const { campus, harbour } = schools;
    const heard: AuditEvent[] = [];
    campus.events.on('audit', (event) => heard.push(event));
    await issueTokens(campus, { site: harbour, memberId: 'sam', clientId: memberApp.id, scopes: ['openid'] });
    expect(actionsOf(heard)).toContain('token.issued');
    expect((await campus.log.list(harbour)).events).toEqual(heard.toReversed());
  });

  test('pages go on where they stopped, and say how far they looked', async () => {
    schools = await startSchools({ campus: { log: storedLog() } });
    const { campus, harbour } = schools;
    await connect(schools.browser('sam'), harbour, memberApp);
    const first = await campus.log.list(harbour, { limit: 2 });
    expect(first.events).toHaveLength(2);
    expect(first.lookedBackTo?.toISOString()).toBe(first.events.at(-1)?.time);
    const rest = await campus.log.list(harbour, { cursor: first.next ?? '', limit: 500 });
    expect(rest.next).toBeUndefined();
    expect(rest.lookedBackTo).toBeUndefined();
    const all = (await campus.log.list(harbour)).events;
    expect([...first.events, ...rest.events]).toEqual(all);
  });

  test('no request fails or waits while the store cannot be written, and what waits is written later', async () => {
    const breakable = breakableStore();
    const breakStore = (...methods: readonly StoreMethod[]): void => breakable.break(...methods);
    const { store } = breakable;
    schools = await startSchools({ campus: { log: storedLog(), store } });
    const { campus, harbour, faults } = schools;
    breakStore('writeLog');
    expect((await connect(schools.browser('sam'), harbour, memberApp)).status).toBe(200);
    expect((await campus.log.list(harbour)).events).toEqual([]);
    expect(faults.map(({ message }) => message)).toEqual(['the log cannot be written; events wait']);
    breakStore();
    expect(actionsOf((await campus.log.list(harbour)).events)).toContain('consent.given');
    expect(faults.map(({ message }) => message)).toContain('the log can be written again');
    breakStore('readLog');
    await expect(campus.log.list(harbour)).rejects.toThrow('temporarily unavailable');
    await expect(campus.log.read()).rejects.toThrow('temporarily unavailable');
  });

  test('close writes what waits', async () => {
    const store = memoryStore();
    schools = await startSchools({ campus: { log: storedLog(), store } });
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    await schools.campus.close();
    const found = await store.readLog?.({ siteId: 'harbour', kinds: ['people'], limit: 10 });
    expect(found?.entries.length).toBeGreaterThan(0);
  });
});

describe('a log of the host', () => {
  const event: AuditEvent = {
    version: 1,
    time: '2026-11-22T08:00:00.000Z',
    eventId: 'one',
    siteId: 'harbour',
    action: 'consent.given',
    outcome: 'allowed',
    memberId: 'sam',
    actor: { kind: 'member', id: 'sam' },
  };

  test('is asked, what does not answer is left out, and it cannot be read in order', async () => {
    const list = jest.fn((_site: unknown, _question: unknown) => ({
      events: [event, { ...event, memberId: 'olivia', actor: { kind: 'client' } as const }],
      next: '2',
    }));
    schools = await startSchools({ campus: { log: { list } } });
    const { campus, harbour } = schools;
    expect(await campus.log.list(harbour, { member: 'sam', limit: 5 })).toEqual({ events: [event], next: '2' });
    expect(list).toHaveBeenCalledWith(expect.objectContaining({ id: 'harbour' }), { member: 'sam', limit: 5 });
    await expect(campus.log.read()).rejects.toThrow('log.read needs a log that the campus writes');
  });

  test.each([
    ['nothing', undefined, 'log.list() returned undefined; it must be an object with events'],
    [
      'events of another school',
      { events: [{ ...event, siteId: 'summit' }] },
      'log.list() returned events[0].siteId: "summit"',
    ],
    ['something else', { events: [{ ...event, outcome: 'maybe' }] }, 'log.list() returned events[0].outcome: "maybe"'],
  ])('that returns %s is a fault', async (_what, returned, message) => {
    schools = await startSchools({ campus: { log: { list: JSON.parse('0', () => () => returned) } } });
    await expect(schools.campus.log.list(schools.harbour)).rejects.toThrow('temporarily unavailable');
    expect(String(schools.faults[0]?.cause)).toContain(message);
  });
});

describe('without a log', () => {
  test('the methods say so', async () => {
    schools = await startSchools();
    await expect(schools.campus.log.list(schools.harbour)).rejects.toThrow(
      'log.list needs the option log; set it, or remove the call',
    );
    await expect(schools.campus.log.read()).rejects.toThrow(
      'log.read needs the option log; set it, or remove the call',
    );
  });

  test('a store without the two methods works, and cannot keep one', async () => {
    const { writeLog: _write, readLog: _read, ...store } = memoryStore();
    schools = await startSchools({ campus: { store } });
    expect((await connect(schools.browser('sam'), schools.harbour, memberApp)).status).toBe(200);
    expect(() => storedLog().open({ store, onFault: () => {} })).toThrow(
      'log must have a store with writeLog and readLog, which the store of this campus lacks',
    );
  });

  test.each([
    [{ limit: 0 }, 'log.list.question.limit must be a whole number, at least 1 and at most 500'],
    [{ kinds: ['named'] }, 'log.list.question.kinds[0] must be "school" or "people" or "use" or "strangers"'],
    [{ from: '2026-11-22' }, 'log.list.question.from must be a Date'],
    [{ who: 'sam' }, 'unknown option "log.list.question.who"'],
  ])('a wrong question is refused: %j', async (question, message) => {
    schools = await startSchools({ campus: { log: storedLog() } });
    await expect(schools.campus.log.list(schools.harbour, JSON.parse(JSON.stringify(question)))).rejects.toThrow(
      message,
    );
  });
});
