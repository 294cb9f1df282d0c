import { AsyncLocalStorage } from 'node:async_hooks';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { SchoolPlatform } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { walkConsent } from '../../lib/testing/index.ts';
import {
  authorizeUrl,
  type Changes,
  clientFields,
  type JsonResponse,
  jsonResponse,
  memberApp,
  pkce,
  type TestClient,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

/** Schools behind a proxy, over http and https; two of them are one host. */
const origins = {
  harbour: 'http://school.example',
  lake: 'https://school.example',
  summit: 'http://summit.example',
  hill: 'https://hill.example',
} as const;
const ids = ['harbour', 'lake', 'summit', 'hill'] as const;
type Id = (typeof ids)[number];

/** The school that a request is for, by the header that its proxy has set. */
const asked = new AsyncLocalStorage<string>();

/** What was done at another school than the one that was asked, or in no request at all. */
const astray: string[] = [];
let calls = 0;

function note(what: string, siteId: unknown): void {
  calls += 1;
  if (siteId !== asked.getStore()) astray.push(`${what} at ${String(siteId)}, asked: ${String(asked.getStore())}`);
}

/** A store whose calls take a different time each, so that requests overtake each other at every step. */
function unevenStore(inner: Store): Store {
  return new Proxy(inner, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      // `observe`, `ping` and `diagnose` are of the whole store.
      if (typeof method !== 'function' || name === 'observe' || name === 'ping' || name === 'diagnose') return method;
      return async (...args: unknown[]): Promise<unknown> => {
        note(`store.${String(name)}`, args[0]);
        await sleep((calls * 7) % 11);
        return Reflect.apply(method, target, args);
      };
    },
  });
}

function watched(platform: SchoolPlatform): SchoolPlatform {
  return {
    findSite: (origin) => {
      const id = ids.find((each) => origins[each] === origin);
      return id && { id, origin, name: `School ${id}`, connectionsEnabled: true };
    },
    signedInMember: async (ctx, site) => {
      note('signedInMember', site.id);
      await sleep((calls * 7) % 11);
      return platform.signedInMember(ctx, site);
    },
    signInUrl: (...args) => platform.signInUrl(...args),
    findMember: async (site, memberId) => {
      note('findMember', site.id);
      await sleep((calls * 7) % 11);
      return { id: memberId, name: `${memberId} of ${site.id}`, email: 'sam@example.com', roles: ['student'] };
    },
  };
}

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    wrapPlatform: watched,
    campus: {
      store: unevenStore(memoryStore()),
      limits: false,
      clients: [memberApp, webMemberApp].map(({ id, secret, scope }) => ({
        clientId: id,
        clientName: id,
        audience: 'member',
        redirectUris: [secret === undefined ? 'http://127.0.0.1/callback' : webMemberApp.redirectUri],
        scopes: scope.split(' ').filter((each) => each !== 'account:write'),
        ...(secret !== undefined && { clientSecret: secret }),
      })),
      access: [
        ({ site }) => {
          note('access', site.id);
          return undefined;
        },
      ],
      claims: ({ site }) => {
        note('claims', site.id);
        return { 'school:id': site.id };
      },
    },
    app: (campus) => {
      const app = new Koa({ proxy: true });
      // Nothing of an earlier request is around when the next one of its connection begins.
      app.use((ctx, next) => {
        if (asked.getStore() !== undefined) astray.push('a request begins within another one');
        const id = ids.find((each) => origins[each] === `${ctx.protocol}://${ctx.host}`);
        return asked.run(id ?? '', next);
      });
      return app.use(campus.middleware());
    },
  });
  schools.campus.events.on('audit', ({ siteId }) => note('audit', siteId));
});
afterAll(() => schools.close());

/** Requests an address of a school through the proxy. */
const proxied: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const headers = new Headers(init.headers);
  headers.set('x-forwarded-proto', url.protocol.slice(0, -1));
  headers.set('x-forwarded-host', url.host);
  return fetch(`${schools.harbour}${url.pathname}${url.search}`, { ...init, headers });
};

async function post(url: string, fields: Changes): Promise<JsonResponse> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value);
  return jsonResponse(await proxied(url, { method: 'POST', body }));
}

/** All that a client gets to see of a school, from the authorization to the introspection of a refreshed token. */
async function flow(id: Id, client: TestClient): Promise<unknown> {
  const origin = origins[id];
  const pair = pkce();
  const scope = 'openid profile account:read';
  const address = authorizeUrl(origin, client, pair, { scope });
  const { searchParams } = await walkConsent({ authorizeUrl: address, cookie: 'person=sam', fetch: proxied });
  const { body: tokens } = await post(`${origin}/api/oauth/token`, {
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
    code_verifier: pair.verifier,
    resource: origin,
    ...clientFields(client),
  });
  const refreshToken = String(tokens['refresh_token']);
  const { body: refreshed } = await post(`${origin}/api/oauth/token`, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...clientFields(client),
  });
  const token = String(refreshed['access_token']);
  const { body: found } = await post(`${origin}/api/oauth/introspect`, { token, ...clientFields(client) });
  const headers = { authorization: `Bearer ${token}` };
  const { body: person } = await jsonResponse(await proxied(`${origin}/api/oauth/userinfo`, { headers }));
  const claims: unknown = JSON.parse(
    Buffer.from(String(tokens['id_token']).split('.')[1] ?? '', 'base64url').toString(),
  );
  return { iss: searchParams.get('iss'), claims, found, person };
}

const persons = (id: Id): object => ({ sub: 'sam', org_id: id, name: `sam of ${id}`, 'school:id': id });

test('at the same moment, over http and https, everything that is called and told is of the school that was asked', async () => {
  const runs = Array.from({ length: 24 }, (_, i) => ids[i % ids.length] ?? 'harbour');
  const seen = await Promise.all(runs.map((id, i) => flow(id, i % 3 === 0 ? memberApp : webMemberApp)));
  runs.forEach((id, i) => {
    const iss = origins[id];
    const claims = { iss, ...persons(id) };
    expect(seen[i]).toMatchObject({ iss, claims, found: { active: true, iss, aud: iss }, person: persons(id) });
    const others = ids.filter((other) => other !== id);
    for (const other of others) expect(JSON.stringify(seen[i])).not.toMatch(`"${origins[other]}"`);
  });
  expect(astray).toEqual([]);
  expect(calls).toBeGreaterThan(runs.length * 20);
  expect(schools.faults).toEqual([]);
});

test('requests for several schools on one connection, sent without waiting, keep apart', async () => {
  const order = Array.from({ length: 24 }, (_, i) => ids[(i * 3) % ids.length] ?? 'harbour');
  const lines = order.map((id, i) => {
    const { host, protocol } = new URL(origins[id]);
    const address = authorizeUrl(origins[id], webMemberApp, pkce(), { prompt: 'none', state: `${i}` });
    return [
      `GET ${address.pathname}${address.search} HTTP/1.1`,
      `Host: ${host}`,
      `X-Forwarded-Proto: ${protocol.slice(0, -1)}`,
      ...(i === order.length - 1 ? ['Connection: close'] : []),
    ].join('\r\n');
  });
  const socket = connect(Number(new URL(schools.harbour).port), '127.0.0.1');
  socket.write(lines.map((each) => `${each}\r\n\r\n`).join(''));
  let responses = '';
  for await (const chunk of socket) responses += String(chunk);
  const issuers = [...responses.matchAll(/^location: (.+?)\r$/gim)].map(([, location = '']) => {
    const { searchParams } = new URL(location);
    return [searchParams.get('state'), searchParams.get('iss')];
  });
  expect(issuers).toEqual(order.map((id, i) => [`${i}`, origins[id]]));
  expect(astray).toEqual([]);
});

/** The cookies of an authorization at one school, renamed to what the other would call them. */
async function carried(from: Id, to: Id): Promise<{ readonly id: string; readonly cookie: string }> {
  const response = await proxied(authorizeUrl(origins[from], webMemberApp, pkce(), { prompt: 'login' }), {
    headers: { cookie: 'person=sam' },
    redirect: 'manual',
  });
  const plain = response.headers.getSetCookie().map((line) => line.split(';')[0]?.replace(/^__(?:Host|Secure)-/, ''));
  const renamed = plain.map((pair = '') => {
    if (origins[to].startsWith('http:')) return pair;
    return `${pair.startsWith('campus_session') ? '__Host-' : '__Secure-'}${pair}`;
  });
  const id = plain.find((pair) => pair?.startsWith('campus_interaction='))?.split('=')[1] ?? '';
  return { id, cookie: ['person=sam', ...renamed].join('; ') };
}

test.each<[Id, Id]>([
  ['harbour', 'lake'],
  ['lake', 'harbour'],
  ['lake', 'hill'],
  ['harbour', 'summit'],
])('cookies of %s are none at %s, whatever they are named', async (from, to) => {
  const { id, cookie } = await carried(from, to);
  for (const path of [`/oauth/interaction/${id}`, `/oauth/authorize/${id}`]) {
    const response = await proxied(`${origins[to]}${path}`, { headers: { cookie }, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  }
  const own = await carried(to, to);
  const response = await proxied(`${origins[to]}/oauth/interaction/${own.id}`, {
    headers: { cookie: own.cookie },
    redirect: 'manual',
  });
  expect(response.status).not.toBe(400);
});
