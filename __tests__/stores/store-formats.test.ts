import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import { createCampus } from '../../lib/index.ts';
import { serializeRecord } from '../../lib/records/codec.ts';
import { recordStore } from '../../lib/records/record-store.ts';
import { findFormats, permitFormats } from '../../lib/records/store-formats.ts';
import type { Store } from '../../lib/store.ts';
import { fakePlatform } from '../../lib/testing/fake-platform.ts';
import { campusOidc } from '../cli/command.ts';
import { passTime, resetClock } from '../helpers/clock.ts';
import { signingKey } from '../helpers/keys.ts';

// `other-forms` has the forms of records of the release that this file tests.
const [old, changed] = ['{"v":1,"access":"blocked","at":7}', '{"v":2,"access":"blocked","since":7}'];
const rule = { access: 'blocked', at: 7 } as const;
const entry = (id = 'a') =>
  ({ kind: 'ProgramRule', id, record: serializeRecord('ProgramRule', rule), listed: true }) as const;

afterEach(resetClock);

const permit = async (store: Store): Promise<boolean> => permitFormats(store, await findFormats(store));

describe('a process of a release with another form', () => {
  let inner: Store;
  let empty: boolean;
  let asked: number;
  let failure: Error | undefined;
  let records: ReturnType<typeof recordStore>;
  beforeEach(() => {
    inner = { ...memoryStore(), isEmpty: async () => empty };
    empty = false;
    asked = 0;
    failure = undefined;
    const find: Store['find'] = async (siteId, kind, ...more) => {
      if (kind !== 'StoreFormats') return inner.find(siteId, kind, ...more);
      asked += 1;
      if (failure) throw failure;
      return inner.find(siteId, kind, ...more);
    };
    records = recordStore({ ...inner, find }, () => {});
  });
  const stored = async (): Promise<string | undefined> => (await inner.find('school', 'ProgramRule', 'a'))?.record;

  test('writes the previous one until the operator permits the new one, and reads both', async () => {
    expect(await records.save('school', entry())).toBe(old);
    expect([await stored(), (await records.find('school', 'ProgramRule', 'a'))?.record]).toEqual([old, rule]);
    expect(await permit(inner)).toBe(true);
    passTime(61);
    expect(await records.save('school', entry())).toBe(changed);
    expect([await stored(), (await records.find('school', 'ProgramRule', 'a'))?.record]).toEqual([changed, rule]);
    expect(await records.list('school', 'ProgramRule')).toEqual([rule]);
  });

  test('replaces the text that it has written', async () => {
    const text = await records.save('school', entry());
    const next = { ...entry(), record: serializeRecord('ProgramRule', { ...rule, at: 8 }) };
    expect(await records.save('school', { ...next, replaces: text ?? null })).toBe('{"v":1,"access":"blocked","at":8}');
    expect(await records.save('school', { ...next, record: entry().record, replaces: text ?? null })).toBeUndefined();
  });

  test('asks at most twice a minute, waits only for an answer that is older, and no more once it is permitted', async () => {
    const write = () => records.save('school', entry());
    await Promise.all([write(), write(), records.save('school', { kind: 'Client', id: 'c', record: '{"v":1}' })]);
    await write();
    // Before and after it is known that the store is not empty.
    expect(asked).toBe(2);
    failure = new Error('the store is gone');
    passTime(31);
    expect(await write()).toBe(old);
    expect(asked).toBe(3);
    passTime(61);
    await expect(write()).rejects.toBe(failure);
    failure = undefined;
    await permit(inner);
    const before = asked;
    expect([await write(), asked]).toEqual([changed, before + 1]);
    passTime(600);
    expect([await write(), asked]).toEqual([changed, before + 1]);
  });

  test('writes the new one at once to an empty store, whatever is written first', async () => {
    empty = true;
    await records.save('school', { kind: 'Client', id: 'c', record: '{"v":1}' });
    empty = false;
    expect(await records.save('school', entry())).toBe(changed);
    expect((await findFormats(inner)).versions).toEqual({ ProgramRule: 2, Session: 3 });
  });

  test('writes the new one to a store that another process began meanwhile', async () => {
    const store = memoryStore();
    const other = recordStore(store, () => {});
    let began: Promise<unknown> | undefined;
    const isEmpty = async (): Promise<boolean> => {
      began ??= other.save('school', { kind: 'Client', id: 'c', record: '{"v":1}' });
      await began;
      return (await store.isEmpty?.()) === true;
    };
    const late = recordStore({ ...store, isEmpty }, () => {});
    expect(await late.save('school', entry())).toBe(changed);
  });

  test('that cannot ask at its first write still writes what has one form', async () => {
    failure = new Error('the store is gone');
    expect(await records.save('school', { kind: 'Client', id: 'c', record: '{"v":1}' })).toBe('{"v":1}');
    await expect(records.save('school', entry())).rejects.toBe(failure);
  });

  test('names both versions when it meets another', async () => {
    await inner.save('school', { kind: 'ProgramRule', id: 'a', record: '{"v":3}', listed: true });
    await expect(records.find('school', 'ProgramRule', 'a')).rejects.toMatchObject({
      cause: new Error('the record has version 3; this release reads version 1 and 2'),
    });
  });
});

describe('campus-oidc store upgrade', () => {
  const dir = mkdtempSync(join(tmpdir(), 'campus-formats-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  let store: Store;
  const files: string[] = [];
  beforeEach(async () => {
    const its = sqliteStore(new DatabaseSync(':memory:'));
    await its.migrate();
    store = its;
    // A module is imported once.
    files.push(join(dir, `${files.length}.mjs`));
    exportStore(store);
    await store.save('school', { ...entry('a'), record: old });
    await store.save('another school', { ...entry('b'), record: old });
    await store.save('school', { kind: 'Session', id: 's', record: '{"v":2,"at":1}', ttl: 3600 });
  });
  function exportStore(its: object): void {
    const name = `upgraded ${files.length}`;
    Reflect.set(globalThis, name, its);
    writeFileSync(files.at(-1) ?? '', `export const store = globalThis[${JSON.stringify(name)}];`);
  }
  const upgrade = async (...args: string[]) => {
    const { code, out, err } = await campusOidc(['store', 'upgrade', files.at(-1) ?? '', ...args]);
    return { code, text: `${out}${err}` };
  };
  const recordOf = async (siteId: string, id: string) => (await store.find(siteId, 'ProgramRule', id))?.record;
  const startCampus = async () =>
    createCampus({
      platform: fakePlatform({ schools: [{ id: 's', origin: 'https://s.example', name: 'S' }], people: {} }),
      store,
      keys: { signing: [await signingKey('key')], cookies: ['a secret that is long enough, and then some'] },
    });
  const findings = async () => {
    const campus = await startCampus();
    return (await campus.diagnose()).map(({ id }) => id).filter((id) => id.startsWith('formats'));
  };

  test('permits, and two minutes later rewrites what does not expire, also when it is repeated', async () => {
    await store.save('', {
      kind: 'StoreFormats',
      id: 'shared',
      record: '{"v":1,"versions":{"Session":2,"Grant":5},"at":1,"rewritten":true}',
    });
    expect(await findings()).toEqual(['formats-open']);
    expect(await upgrade()).toEqual({
      code: 1,
      text:
        'ok   permitted: ProgramRule 2, Session 3; every process writes them within 60 seconds\n' +
        'info run it once more in 120 seconds, to rewrite records that do not expire\n',
    });
    expect(await upgrade()).toEqual({
      code: 1,
      text: expect.stringMatching(/^info run it once more in 1\d\d seconds/),
    });
    expect(await recordOf('school', 'a')).toBe(old);
    expect(await findings()).toEqual(['formats-open']);
    expect((await findFormats(store)).versions).toEqual({ Session: 3, Grant: 5, ProgramRule: 2 });
    passTime(121);
    expect(await upgrade()).toEqual({
      code: 0,
      text: expect.stringMatching(
        /^ok {3}2 records rewritten; 0 were changed meanwhile, in the new format\ninfo 1 of kind Session expire in the previous format, the last one \d{4}-\d\d-\d\d \d\d:\d\d\n$/,
      ),
    });
    expect([await recordOf('school', 'a'), await recordOf('another school', 'b')]).toEqual([changed, changed]);
    expect((await store.list('school', 'ProgramRule')).length).toBe(1);
    expect(await findings()).toEqual([]);
    expect((await upgrade()).text).toMatch(/^ok {3}0 records rewritten/);
  });

  test('a store that missed a release is found', async () => {
    expect(await findings()).toEqual(['formats-skipped']);
  });

  test('a change that comes between is kept', async () => {
    await permit(store);
    passTime(121);
    const other = '{"v":2,"access":"allowed","since":9}';
    const inner = store;
    const save: Store['save'] = async (siteId, given) => {
      if (given.id === 'a') await inner.save(siteId, { ...entry('a'), record: other });
      return inner.save(siteId, given);
    };
    exportStore({ find: inner.find.bind(inner), save, transfer: () => inner.transfer?.() });
    expect(await upgrade()).toMatchObject({
      code: 0,
      text: expect.stringContaining('1 records rewritten; 1 were changed meanwhile'),
    });
    expect([await recordOf('school', 'a'), await recordOf('another school', 'b')]).toEqual([other, changed]);
  });

  test('what it cannot read is counted and left, and the upgrade is not over', async () => {
    await permit(store);
    passTime(121);
    await store.save('school', { ...entry('a'), record: '{"v":0}' });
    const { code, text } = await upgrade();
    expect([code, text]).toEqual([1, expect.stringContaining('FAIL 1 records cannot be read by this release')]);
    expect([await recordOf('school', 'a'), await recordOf('another school', 'b')]).toEqual(['{"v":0}', changed]);
    expect(await findings()).toEqual(['formats-open']);
  });

  test('it refuses while a process of an earlier release has announced itself; one of this release is no obstacle', async () => {
    const sets = { old: { cookies: [], signing: [], at: Math.floor(Date.now() / 1000) - 60 } };
    const record = JSON.stringify({ v: 1, salt: 's', sets });
    await store.save('', { kind: 'KeyFingerprints', id: 'shared', record, ttl: 600 });
    const campus = await startCampus();
    campus.events.on('fault', () => {});
    await campus.health({ write: true });
    expect(await upgrade()).toEqual({ code: 2, text: expect.stringContaining('cannot read the new formats') });
    expect(await store.find('', 'StoreFormats', 'shared')).toBeUndefined();
    passTime(541);
    expect((await upgrade()).code).toBe(1);
  });

  test('it needs a store whose records can be read one after the other', async () => {
    exportStore(memoryStore());
    expect(await upgrade()).toEqual({
      code: 2,
      text: expect.stringContaining('must export a store that can be copied'),
    });
  });
});
