import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { NewRecord } from '../../lib/store.ts';
import { loopbackClients, metadataDocuments } from '../../policies/index.ts';
import { authorizeUrl, type Changes, getCode, memberApp, pkce, webMemberApp } from '../helpers/flow.ts';
import { redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { callTool } from '../mcp/rpc.ts';
import { accessTools } from '../mcp/tools.ts';

const pair = pkce();
let saved: NewRecord[] = [];
let schools: Schools;
afterEach(() => schools.close());

async function start(perAddress: number, perSite: number, what = 'authorizations'): Promise<void> {
  const store = memoryStore();
  saved = [];
  const save: typeof store.save = (siteId, entry) => {
    saved.push(entry);
    return store.save(siteId, entry);
  };
  schools = await startSchools({
    campus: {
      store: { ...store, save },
      limits: { [what]: { perAddress, perSite } },
      registration: [loopbackClients()],
      metadataDocuments: metadataDocuments({ open: true }),
      // No document can be fetched.
      testing: { resolve: async () => [] },
    },
    mcp: { tools: accessTools },
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
  /** Sends requests that count for a limit, each from an address; `i` is another one each time. */
  const requests: Record<string, (origin: string, address: string, i: number) => Promise<number>> = {
    authorizations: anonymous,
    async documents(origin, address, i) {
      const url = authorizeUrl(origin, { ...webMemberApp, id: `https://${i}.example/client` }, pair);
      return (await fetch(url, { headers: { 'x-forwarded-for': address }, redirect: 'manual' })).status;
    },
    async registrations(origin, address) {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
      const body = JSON.stringify({ redirect_uris: ['http://127.0.0.1/'] });
      return (await fetch(`${origin}/api/oauth/register`, { method: 'POST', headers, body })).status;
    },
    async anonymousCalls(origin, address) {
      return (await callTool(origin, 'open', {}, { headers: { 'x-forwarded-for': address } })).status;
    },
  };

  describe.each(Object.entries(requests))('limits.%s', (what, request) => {
    /** How many requests, at both schools in turns, are within the limit. */
    async function served(times: number, addressOf: (i: number) => string): Promise<number> {
      let count = 0;
      for (let i = 0; i < times; i += 1) {
        const origin = i % 2 === 0 ? schools.harbour : schools.summit;
        if ((await request(origin, addressOf(i), i)) !== 429) count += 1;
      }
      return count;
    }

    test('gets no more of all of them than of one', async () => {
      await start(3, 100, what);
      expect(await served(8, () => '192.0.2.1')).toBe(3);
      expect(await request(schools.summit, '192.0.2.2', 9)).not.toBe(429);
    });

    test('and so does a network', async () => {
      await start(3, 40, what);
      expect(await served(40, (i) => `2001:db8:1:${i}::1`)).toBe(10 + 1);
      expect(await request(schools.summit, '2001:db8:2::1', 41)).not.toBe(429);
    });

    test('what a school refuses is not counted for the others', async () => {
      await start(20, 4, what);
      for (let i = 0; i < 20; i += 1) await request(schools.harbour, `198.51.${i}.1`, i);
      for (let i = 20; i < 40; i += 1) expect(await request(schools.harbour, '192.0.2.1', i)).toBe(429);
      expect(await request(schools.summit, '192.0.2.1', 41)).not.toBe(429);
    });

    test('what has no address is limited at each of them, as one network', async () => {
      await start(1, 40, what);
      expect(await served(60, (i) => `_hidden${i % 2}`)).toBe(2 * (10 + 1));
      expect(await request(schools.summit, '192.0.2.1', 61)).not.toBe(429);
      expect(schools.faults.map(({ message }) => message)).toEqual(
        expect.arrayContaining(['the address of a caller is unknown']),
      );
    });
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
