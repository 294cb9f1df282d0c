import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import { authorizeParameters } from '../../lib/describe/request-parameters.ts';
import { authorizationParameters, queryLimit } from '../../lib/engine/parameter-limits.ts';
import type { NewRecord } from '../../lib/store.ts';
import { decisionsOn } from '../helpers/browser.ts';
import { resetClock, stopClock } from '../helpers/clock.ts';
import { authorizeUrl, type Changes, getCode, jsonResponse, memberApp, pkce, webMemberApp } from '../helpers/flow.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { expectError, redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const maxLengths = authorizationParameters();

const pair = pkce();
const json = { headers: { accept: 'application/json' } };

let saved: NewRecord[] = [];
let schools: Schools;

async function start(limits?: { perAddress: number; perSite: number }): Promise<void> {
  const store = memoryStore();
  saved = [];
  schools = await startSchools({
    campus: {
      store: {
        ...store,
        save: (siteId, entry) => {
          saved.push(entry);
          return store.save(siteId, entry);
        },
      },
      ...(limits && { limits: { authorizations: limits } }),
    },
    app: (campus) => new Koa({ proxy: true }).use(campus.middleware()),
  });
}

const request = (changes: Changes = {}): URL => authorizeUrl(schools.harbour, webMemberApp, pair, changes);
const interactions = (): NewRecord[] => saved.filter(({ kind }) => kind === 'Interaction');

/** Sends an authorization request of a signed-out browser from an address. */
async function anonymous(address: string, changes: Changes = {}): Promise<Response> {
  const headers = { 'x-forwarded-for': address, accept: 'text/html' };
  return fetch(request(changes), { headers, redirect: 'manual' });
}

afterEach(() => schools.close());

describe('the size of a request', () => {
  beforeEach(() => start());

  const { client_id: _id, redirect_uri: _uri, ...redirected } = Object.fromEntries(maxLengths);
  const bounded = Object.entries(redirected).filter(
    ([name]) => !['request', 'request_uri', 'registration'].includes(name),
  );

  test.each(bounded)(
    '%s of more than %d characters is invalid_request, which names both, and nothing is stored',
    async (name, limit) => {
      const changes = { response_type: 'code', prompt: undefined, [name]: 'x'.repeat(limit + 1) };
      const query = redirectQuery(await schools.browser().fetch(request(changes)), webMemberApp.redirectUri);
      expect([
        'invalid_request',
        'invalid_scope',
        'invalid_target',
        'unsupported_response_mode',
        'unsupported_response_type',
      ]).toContain(query['error']);
      expect(saved).toEqual([]);
    },
  );

  test.each(['state', 'nonce', 'login_hint', 'ui_locales', 'acr_values', 'claims_locales', 'display'])(
    '%s is accepted at its limit; one character more is refused at the redirect URI, by name and limit',
    async (name) => {
      const limit = maxLengths.get(name) ?? 0;
      const accepted = await schools.browser().fetch(request({ [name]: 'x'.repeat(limit) }));
      expect(accepted.headers.get('location')).toContain('/oauth/interaction/');
      const query = redirectQuery(
        await schools.browser().fetch(request({ [name]: 'x'.repeat(limit + 1) })),
        webMemberApp.redirectUri,
      );
      expect(query).toMatchObject({ error: 'invalid_request', iss: schools.harbour });
      expect(query['error_description']).toBe(`${name} must have at most ${limit} characters`);
    },
  );

  test('a state that is too long comes back with the error: RFC 6749 section 4.1.2.1', async () => {
    const state = 'é'.repeat(501).padEnd(2001, 's');
    const query = redirectQuery(await schools.browser().fetch(request({ state })), webMemberApp.redirectUri);
    expect([query['error'], query['state']]).toEqual(['invalid_request', state]);
  });

  test.each([
    ['client_id', { client_id: 'c'.repeat(2001) }],
    ['redirect_uri', { redirect_uri: `https://buddy.example/${'c'.repeat(2000)}` }],
  ])('a %s that is too long is a page: no client can have it', async (name, changes) => {
    const response = await fetch(request(changes), { ...json, redirect: 'manual' });
    const error = await jsonResponse(response);
    expectError(error, 400, 'invalid_request');
    expect(error.body['error_description']).toBe(`${name} must have at most 2000 characters`);
    expect(saved).toEqual([]);
  });

  test('a query that is too long is a page, whatever is in it', async () => {
    const url = request();
    const rest = queryLimit - url.search.slice(1).length - '&more='.length;
    const atLimit = await schools.browser().fetch(`${url.href}&more=${'x'.repeat(rest)}`);
    expect(atLimit.headers.get('location')).toContain('/oauth/interaction/');
    const before = saved.length;
    const response = await fetch(`${url.href}&more=${'x'.repeat(rest + 1)}`, { ...json, redirect: 'manual' });
    const error = await jsonResponse(response);
    expectError(error, 400, 'invalid_request');
    expect(error.body['error_description']).toBe(`the query must have at most ${queryLimit} characters`);
    expect(saved).toHaveLength(before);
  });

  test('the largest accepted request stores little more than its query', async () => {
    const full = {
      state: 's'.repeat(2000),
      nonce: 'n'.repeat(500),
      login_hint: 'l'.repeat(500),
      acr_values: 'a'.repeat(500),
    };
    const url = request({ ...full, ui_locales: 'u'.repeat(500), id_token_hint: undefined });
    await fetch(url, { redirect: 'manual' });
    expect(interactions().map(({ record }) => record.length < url.search.length + 1000)).toEqual([true]);
  });

  test.each([
    ['U+0001', '\u0001'],
    ['a line feed', '\n'],
    ['DEL', '\u007f'],
    ['U+0085', '\u0085'],
  ])(
    '%s in a parameter is invalid_request at the redirect URI, which names it, and nothing is stored',
    async (_, bad) => {
      for (const name of ['state', 'nonce', 'login_hint', 'ui_locales', 'acr_values', 'id_token_hint']) {
        const response = await fetch(request({ [name]: `a${bad}` }), { redirect: 'manual' });
        const query = redirectQuery(response, webMemberApp.redirectUri);
        expect(query).toMatchObject({ error: 'invalid_request', iss: schools.harbour });
        if (name !== 'id_token_hint')
          expect(query['error_description']).toBe(`${name} must not contain control characters`);
      }
      expect(saved).toEqual([]);
    },
  );

  test('a query of control characters is not stored six times as long', async () => {
    const url = request();
    const rest = Math.min(2000, Math.floor((queryLimit - url.href.length) / 3));
    const query = redirectQuery(
      await fetch(request({ state: '\u0001'.repeat(rest) }), { redirect: 'manual' }),
      webMemberApp.redirectUri,
    );
    expect(query['error']).toBe('invalid_request');
    expect(saved).toEqual([]);
  });

  test.each([
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['letters of two bytes', 'é'],
    ['emoji', '😀'],
  ])('no request of %s is stored longer than its query and a bit', async (_, character) => {
    // Quotes and backslashes are sent as they are: one byte each.
    const filled = (length: number): string => character.repeat(Math.floor(length / character.length));
    const url = request({ state: filled(2000), nonce: filled(500), login_hint: filled(500), ui_locales: filled(500) });
    const query = url.search.replaceAll('%22', '"').replaceAll('%5C', '\\').slice(1);
    await fetch(`${url.origin}${url.pathname}?${query}`, { redirect: 'manual' });
    for (const { record } of interactions()) expect(Buffer.byteLength(record)).toBeLessThan(queryLimit + 1000);
  });

  test('parameters that would be stored longer than the longest query are refused', async () => {
    const url = request({ state: undefined, nonce: undefined });
    const { hostname, port } = url;
    const lengths = { state: 2000, nonce: 500, login_hint: 500, ui_locales: 500, acr_values: 500, claims_locales: 500 };
    // Sent as they are: one byte each, of which two are stored.
    const quotes = Object.entries(lengths).map(([name, length]) => `&${name}=${'"'.repeat(length)}`);
    const head = `GET ${url.pathname}${url.search}${quotes.join('')} HTTP/1.1`;
    const response = await rawRequest(Number(port), [head, `Host: ${hostname}:${port}`, 'Connection: close']);
    expect(response).toContain('error_description=the+parameters+must+have+at+most+8192+bytes');
    expect(saved).toEqual([]);
  });

  test('every parameter that the engine would store has a limit', async () => {
    const sent = [...maxLengths.keys()];
    const url = request(Object.fromEntries(authorizeParameters.map(({ name }) => [name, 'x'])));
    expect([...url.searchParams.keys()].filter((name) => !sent.includes(name))).toEqual([]);
    expect(authorizeParameters.every(({ name, maxLength }) => maxLength === maxLengths.get(name))).toBe(true);
  });
});

describe('the time that a request waits', () => {
  beforeEach(() => {
    stopClock();
    return start();
  });
  afterEach(resetClock);

  test('is 15 minutes before sign-in, and the whole hour for who is signed in', async () => {
    await schools.browser().follow(request());
    expect(interactions().map(({ ttl }) => ttl)).toEqual([900, 900]);
    saved = [];
    await schools.browser('sam').follow(request());
    expect(interactions().map(({ ttl }) => ttl)).toEqual([3600]);
  });

  test('is not made longer by reloading the page, and is an hour from sign-in', async () => {
    const browser = schools.browser();
    const { url } = await browser.follow(request());
    const returnTo = url.searchParams.get('return_to') ?? '';
    for (let i = 0; i < 3; i += 1) await browser.follow(returnTo);
    expect(Math.max(...interactions().map(({ ttl = Infinity }) => ttl))).toBe(900);
    browser.platformCookie('person', 'sam');
    expect(decisionsOn((await browser.follow(returnTo)).html)).toContain('allow');
    expect(interactions().at(-1)?.ttl).toBe(3600);
  });

  test('lifetimes.pendingSignIn changes it', async () => {
    await schools.close();
    const store = memoryStore();
    const ttls: (number | undefined)[] = [];
    const save: typeof store.save = (siteId, entry) => {
      if (entry.kind === 'Interaction') ttls.push(entry.ttl);
      return store.save(siteId, entry);
    };
    schools = await startSchools({ campus: { store: { ...store, save }, lifetimes: { pendingSignIn: 120 } } });
    await schools.browser().fetch(request());
    expect(ttls).toEqual([120]);
  });
});

describe('the quota of authorization requests', () => {
  test('one address: 429 as a page with Retry-After, never at the redirect URI, and nothing is stored', async () => {
    await start({ perAddress: 2, perSite: 100 });
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await anonymous('192.0.2.1')).status);
    expect(statuses).toEqual([303, 303, 429, 429]);
    const refused = await anonymous('192.0.2.1');
    expect([refused.headers.get('location'), refused.headers.get('content-type')]).toEqual([
      null,
      'text/html; charset=utf-8',
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(interactions()).toHaveLength(2);
    expect((await anonymous('192.0.2.2')).status).toBe(303);
    expect(schools.faults).toEqual([]);
  });

  test('requests that wait for no one are not counted: errors, prompt=none, and a code at once', async () => {
    await start({ perAddress: 1, perSite: 1 });
    for (let i = 0; i < 3; i += 1) {
      const refused = redirectQuery(await anonymous('192.0.2.1', { scope: 'nonsense' }), webMemberApp.redirectUri);
      expect(refused['error']).toBe('invalid_scope');
      const silent = redirectQuery(await anonymous('192.0.2.1', { prompt: 'none' }), webMemberApp.redirectUri);
      expect(silent['error']).toBe('login_required');
    }
    const browser = schools.browser('sam');
    await getCode(browser, schools.harbour, webMemberApp);
    const query = redirectQuery(await browser.fetch(request({ prompt: undefined })), webMemberApp.redirectUri);
    expect(query['code']).toBeTruthy();
  });

  test('a flow counts once, however many steps it has', async () => {
    await start({ perAddress: 1, perSite: 2 });
    const browser = schools.browser();
    const { url } = await browser.follow(request());
    browser.platformCookie('person', 'sam');
    const page = await browser.follow(url.searchParams.get('return_to') ?? '');
    expect((await browser.decide(page, 'allow')).url.searchParams.get('code')).toBeTruthy();
  });

  test('who is signed in has a count of their own, which a flood from outside does not use up', async () => {
    await start({ perAddress: 2, perSite: 4 });
    for (let i = 0; i < 20; i += 1) await anonymous(`192.0.${i}.1`);
    expect((await anonymous('203.0.113.9')).status).toBe(429);
    const statusOf = async (person: string): Promise<number> =>
      (await schools.browser(person).fetch(authorizeUrl(schools.harbour, memberApp, pair))).status;
    expect([await statusOf('sam'), await statusOf('sam'), await statusOf('sam')]).toEqual([303, 303, 429]);
    expect(await statusOf('olivia')).toBe(303);
  });

  test('a flood of large anonymous requests from one network stores a quarter of the quota and its share, for 15 minutes', async () => {
    await start({ perAddress: 20, perSite: 60 });
    const state = 's'.repeat(2000);
    const send = async (i: number): Promise<number> => {
      const response = await anonymous(`192.0.2.${i % 10}`, { state });
      await response.arrayBuffer();
      return response.status;
    };
    for (let i = 0; i < 400; i += 50) await Promise.all(Array.from({ length: 50 }, (_, j) => send(i + j)));
    expect(interactions().length).toBe(16);
    expect(interactions().reduce((sum, { record }) => sum + record.length, 0)).toBeLessThan(16 * 10_000);
    expect(new Set(interactions().map(({ ttl }) => ttl))).toEqual(new Set([900]));
    expect(saved).toHaveLength(interactions().length);
  });
});
