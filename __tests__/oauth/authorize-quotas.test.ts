import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { NewRecord } from '../../lib/store.ts';
import { authorizeUrl, type Changes, getCode, memberApp, pkce, webMemberApp } from '../helpers/flow.ts';
import { redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const pair = pkce();
let saved: NewRecord[] = [];
let schools: Schools;
afterEach(() => schools.close());

async function start(perAddress: number, perSite: number): Promise<void> {
  const store = memoryStore();
  saved = [];
  const save: typeof store.save = (siteId, entry) => {
    saved.push(entry);
    return store.save(siteId, entry);
  };
  schools = await startSchools({
    campus: { store: { ...store, save }, limits: { authorizations: { perAddress, perSite } } },
    app: (campus) => new Koa({ proxy: true }).use(campus.middleware()),
  });
}

const kinds = (): string[] => saved.map(({ kind }) => kind);
const sessions = (): NewRecord[] => saved.filter(({ kind }) => kind === 'Session');

/** Sends an authorization request of a signed-out browser from an address. */
async function anonymous(origin: string, address: string): Promise<number> {
  const headers = { 'x-forwarded-for': address };
  return (await fetch(authorizeUrl(origin, webMemberApp, pair), { headers, redirect: 'manual' })).status;
}

describe('one address at several schools', () => {
  test('gets no more of all of them than of one', async () => {
    await start(3, 100);
    const found: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      for (const origin of [schools.harbour, schools.summit]) found.push(await anonymous(origin, '192.0.2.1'));
    }
    expect(found).toEqual([303, 303, 303, 429, 429, 429, 429, 429]);
    expect(await anonymous(schools.summit, '192.0.2.2')).toBe(303);
  });

  test('and so does a network', async () => {
    await start(3, 40);
    let served = 0;
    for (let i = 0; i < 20; i += 1) {
      for (const origin of [schools.harbour, schools.summit]) {
        if ((await anonymous(origin, `2001:db8:1:${i}::1`)) === 303) served += 1;
      }
    }
    expect(served).toBe(10 + 1);
  });

  test('what a school refuses is not counted for the others', async () => {
    await start(20, 4);
    for (let i = 0; i < 20; i += 1) await anonymous(schools.harbour, `198.51.${i}.1`);
    for (let i = 0; i < 20; i += 1) expect(await anonymous(schools.harbour, '192.0.2.1')).toBe(429);
    expect(await anonymous(schools.summit, '192.0.2.1')).toBe(303);
  });
});

describe('signed-in members', () => {
  const request = async (person: string): Promise<number> =>
    (await schools.browser(person).fetch(authorizeUrl(schools.harbour, memberApp, pair))).status;

  test('a few of them do not use up the hour of the others, and all together have a limit', async () => {
    await start(50, 20);
    const { harbour } = schools.people;
    if (harbour?.['sam']) harbour['noah'] = { ...harbour['sam'], id: 'noah' };
    const served = async (person: string): Promise<number> => {
      let count = 0;
      for (let i = 0; i < 12; i += 1) if ((await request(person)) === 303) count += 1;
      return count;
    };
    const counts = [];
    for (const person of ['sam', 'olivia', 'noah']) counts.push(await served(person));
    // A quarter of the hour and a share each; the third one comes after the first half.
    expect(counts).toEqual([5 + 1, 5 + 1, 1]);
    expect(saved.filter(({ kind }) => kind === 'Interaction')).toHaveLength(13);
    // Those who are not signed in have an hour of their own.
    expect(await anonymous(schools.harbour, '192.0.2.1')).toBe(303);
  });
});

describe('a browser that brings no session gets one only with an interaction or a code', () => {
  const ask = (changes: Changes, person?: string) =>
    schools.browser(person).fetch(authorizeUrl(schools.harbour, webMemberApp, pair, changes));

  test.each([
    ['prompt=none, signed in, without consent', { prompt: 'none' }, 'sam', 'consent_required'],
    ['prompt=none, signed out', { prompt: 'none' }, undefined, 'login_required'],
    ['a bad scope', { scope: 'nonsense' }, 'sam', 'invalid_scope'],
  ])('%s: nothing is stored', async (_name, changes, person, error) => {
    await start(10, 100);
    for (let i = 0; i < 5; i += 1) {
      const query = redirectQuery(await ask(changes, person), webMemberApp.redirectUri);
      expect(query['error']).toBe(error);
    }
    expect(saved).toEqual([]);
  });

  test('a session that has ended is none: a stale cookie stores nothing', async () => {
    await start(10, 100);
    const browser = schools.browser('sam');
    await getCode(browser, schools.harbour, webMemberApp);
    browser.platformCookie('person', 'olivia');
    saved = [];
    const url = authorizeUrl(schools.harbour, webMemberApp, pair, { prompt: 'none' });
    const query = redirectQuery(await browser.fetch(url), webMemberApp.redirectUri);
    expect(query['error']).toBe('consent_required');
    expect(saved).toEqual([]);
  });

  test('a 429 stores nothing', async () => {
    await start(1, 100);
    for (const [person, status] of [
      ['sam', 303],
      ['sam', 429],
      [undefined, 303],
      [undefined, 429],
    ] as const) {
      saved = [];
      expect((await ask({}, person)).status).toBe(status);
      expect(kinds()).toEqual(status === 303 ? ['Interaction', ...(person ? ['Session'] : [])] : []);
    }
  });

  test('a code that comes at once counts if it brings a session; above the limit it comes without', async () => {
    await start(2, 100);
    await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    saved = [];
    for (let i = 0; i < 3; i += 1) {
      const query = redirectQuery(await ask({ prompt: 'none' }, 'sam'), webMemberApp.redirectUri);
      expect(query['code']).toBeTruthy();
    }
    expect(kinds().filter((kind) => kind === 'AuthorizationCode')).toHaveLength(3);
    expect(sessions().map(({ ttl }) => ttl)).toEqual([24 * 60 * 60]);
  });
});
