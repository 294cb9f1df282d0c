import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { Campus, Site } from '../../lib/index.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { clientFields, connect, memberApp, postForm, reports, type TestClient } from '../helpers/flow.ts';
import { harbourSite } from '../helpers/sites.ts';
import { breakableStore, type BreakableStore, storeFault } from '../helpers/stores.ts';
import { type MemberSchools, startMemberSchools, tokenOf } from './graphql.ts';

let schools: MemberSchools;
let breakable: BreakableStore;
let platformFails = false;

/** A host with an Admin API of its own behind our guard. */
function hostApp(campus: Campus): Koa {
  const app = new Koa();
  app.silent = true;
  app.use(campus.middleware());
  app.use(async (ctx, next) => {
    if (ctx.path !== '/admin/inbox') {
      await next();
      return;
    }
    await campus.requireAccess({ scopes: ['account:read', 'openid'] })(ctx, async () => {
      ctx.body = { data: ctx.state.token.member.id };
    });
  });
  return app;
}

beforeEach(async () => {
  breakable = breakableStore();
  platformFails = false;
  schools = await startMemberSchools({
    campus: { store: breakable.store },
    app: hostApp,
    wrapPlatform: (platform) => ({
      ...platform,
      findMember: (site, id) => {
        if (platformFails) throw new Error(storeFault);
        return platform.findMember(site, id);
      },
    }),
  });
});
afterEach(async () => {
  resetClock();
  await schools.close();
});

interface ResponseVariant {
  readonly status: number | undefined;
  readonly challenge: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Endpoint {
  readonly path: string;
  readonly metadata: string;
  /** The scopes that a call needs, as a challenge names them. */
  readonly needs: string;
}

const endpoints: readonly Endpoint[] = [
  {
    path: '/member/graphql',
    metadata: '/.well-known/oauth-protected-resource/member/graphql',
    needs: 'account:read',
  },
  { path: '/admin/inbox', metadata: '/.well-known/oauth-protected-resource', needs: 'account:read openid' },
];

/** Sends headers as they are: `fetch` would join two of one name. */
async function call(
  origin: string,
  path: string,
  authorization: string | string[] | undefined,
): Promise<ResponseVariant> {
  const sent = request(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    agent: false,
  });
  if (authorization !== undefined) sent.setHeader('authorization', authorization);
  sent.end(JSON.stringify({ query: '{ viewer { unreadNotificationCount } }' }));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });
  const body = await json(response);
  return {
    status: response.statusCode,
    challenge: response.headers['www-authenticate'],
    retryAfter: response.headers['retry-after'],
    body: Object(body),
  };
}

const bearer = (token: string): string => `Bearer ${token}`;
const harbour = (): Site => harbourSite(schools.harbour);

/** What makes a token of no use, and how it is sent. */
const useless: Record<string, (path: string) => Promise<ResponseVariant>> = {
  'no token': (path) => call(schools.harbour, path, undefined),
  'an empty header': (path) => call(schools.harbour, path, ''),
  'another scheme': (path) => call(schools.harbour, path, 'Basic c2FtOmRlbW8='),
  'a scheme and no token': (path) => call(schools.harbour, path, 'Bearer'),
  'a token in two parts': async (path) => {
    const token = await tokenOf(schools, schools.harbour);
    return call(schools.harbour, path, `Bearer ${token} ${token}`);
  },
  'characters that no token has': (path) => call(schools.harbour, path, 'Bearer {"token":1}'),
  'two headers': async (path) => {
    const token = bearer(await tokenOf(schools, schools.harbour));
    return call(schools.harbour, path, [token, token]);
  },
  'a token in the address': async (path) =>
    call(schools.harbour, `${path}?access_token=${await tokenOf(schools, schools.harbour)}`, undefined),
  'a token in the address too': async (path) => {
    const token = await tokenOf(schools, schools.harbour);
    return call(schools.harbour, `${path}?access_token=${token}`, bearer(token));
  },
  'a token that was never issued': (path) => call(schools.harbour, path, bearer('a'.repeat(43))),
  'a very long token': (path) => call(schools.harbour, path, bearer('a'.repeat(4000))),
  'a refresh token': async (path) => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    return call(schools.harbour, path, bearer(String(body['refresh_token'])));
  },
  'an expired token': async (path) => {
    const token = await tokenOf(schools, schools.harbour);
    setClockAhead(2 * 60 * 60 + 1);
    return call(schools.harbour, path, bearer(token));
  },
  'a revoked token': async (path) => {
    const token = await tokenOf(schools, schools.harbour);
    await postForm(`${schools.harbour}/api/oauth/revoke`, { token, ...clientFields(memberApp) });
    return call(schools.harbour, path, bearer(token));
  },
  'a token of another school': async (path) =>
    call(schools.summit, path, bearer(await tokenOf(schools, schools.harbour))),
  'a token of a client that was removed': async (path) => {
    const { application, clientSecret = '' } = await schools.campus.applications.create(harbour(), {
      clientName: 'Study Timer',
      redirectUris: ['https://timer.example/callback'],
      scopes: ['openid', 'account:read'],
      confidential: true,
    });
    const client: TestClient = {
      id: application.clientId,
      redirectUri: 'https://timer.example/callback',
      secret: clientSecret,
      scope: 'openid account:read',
    };
    const token = await tokenOf(schools, schools.harbour, { client });
    expect((await call(schools.harbour, path, bearer(token))).status).toBe(200);
    await schools.campus.applications.remove(harbour(), client.id);
    return call(schools.harbour, path, bearer(token));
  },
  'a token of a member who lost every role': async (path) => {
    const token = await tokenOf(schools, schools.harbour);
    Object.assign(schools.people['harbour']?.['sam'] ?? {}, { roles: [] });
    return call(schools.harbour, path, bearer(token));
  },
  'a token of a member who is gone': async (path) => {
    const token = await tokenOf(schools, schools.harbour);
    delete schools.people['harbour']?.['sam'];
    return call(schools.harbour, path, bearer(token));
  },
  'an operator’s token of someone who is no operator any more': async (path) => {
    const token = await tokenOf(schools, schools.harbour, { person: 'olivia', client: reports });
    Object.assign(schools.people['harbour']?.['olivia'] ?? {}, { roles: ['teacher'] });
    return call(schools.harbour, path, bearer(token));
  },
};

describe.each(endpoints)('POST $path', ({ path, metadata, needs }) => {
  test('with a valid token is 200', async () => {
    const token = await tokenOf(schools, schools.harbour);
    for (const authorization of [bearer(token), `bearer ${token}`, `BEARER ${token}`]) {
      expect(await call(schools.harbour, path, authorization)).toMatchObject({ status: 200, challenge: undefined });
    }
  });

  test.each(Object.keys(useless))('with %s is 401 invalid_token, with a challenge', async (row) => {
    const { status, challenge = '', body } = (await useless[row]?.(path)) ?? {};
    expect([status, body?.['error']]).toEqual([401, 'invalid_token']);
    expect(body?.['data']).toBeUndefined();
    const origin = row === 'a token of another school' ? schools.summit : schools.harbour;
    expect(challenge).toMatch(/^Bearer error="invalid_token", error_description="[^"]+ [^"]+", /);
    expect(challenge).toContain(`scope="${needs}"`);
    expect(challenge).toContain(`resource_metadata="${origin}${metadata}"`);
  });

  test('without a scope is 403 insufficient_scope, with the scopes of the token and the missing ones', async () => {
    const token = await tokenOf(schools, schools.harbour, { scope: 'openid account:write' });
    const { status, challenge, body } = await call(schools.harbour, path, bearer(token));
    expect([status, body['error'], body['data']]).toEqual([403, 'insufficient_scope', undefined]);
    expect(challenge).toMatch(/^Bearer error="insufficient_scope", /);
    expect(challenge).toContain('scope="openid account:write account:read"');
    expect(challenge).toContain(`resource_metadata="${schools.harbour}${metadata}"`);
    expect(schools.calls).toEqual([]);
  });

  test.each(['the store', 'the platform'])('while %s is away is 503, without a challenge', async (who) => {
    const token = await tokenOf(schools, schools.harbour);
    if (who === 'the store') breakable.break('find');
    else platformFails = true;
    const response = await call(schools.harbour, path, bearer(token));
    expect(response).toMatchObject({ status: 503, challenge: undefined, retryAfter: '1' });
    expect(response.body['error']).toBe('temporarily_unavailable');
    expect(JSON.stringify(response)).not.toContain('ECONNREFUSED');
    expect(schools.faults.map(({ message }) => message)).toEqual([
      who === 'the store' ? 'store.find failed' : 'platform.findMember failed',
    ]);

    breakable.break();
    platformFails = false;
    expect((await call(schools.harbour, path, bearer(token))).status).toBe(200);
  });

  test('with a bad token while the store is away is 503, and never 401', async () => {
    breakable.break('find');
    const { status, challenge } = await call(schools.harbour, path, bearer('a'.repeat(43)));
    expect([status, challenge]).toEqual([503, undefined]);
  });
});

test('POST /member/graphql with an operator’s token returns data, except what is the member’s alone', async () => {
  const token = await tokenOf(schools, schools.harbour, { person: 'olivia', client: reports });
  const ask = (query: string) =>
    fetch(`${schools.harbour}/member/graphql`, {
      method: 'POST',
      headers: { authorization: bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  const all = await ask('{ viewer { id schools { id } enrolledCourses { totalCount } } }');
  expect(await all.json()).toMatchObject({ data: { viewer: { id: 'olivia', enrolledCourses: { totalCount: 0 } } } });
  expect((await ask('{ viewer { id notifications { totalCount } } }')).status).toBe(403);
});

test.each<[unknown, string]>([
  [['courses:write'], 'requireAccess must be given an object, for example { scopes: ["courses:read"] }'],
  [{ scope: ['courses:write'] }, 'unknown option "requireAccess.scope"; did you mean "requireAccess.scopes"?'],
  [{ scopes: 'courses:write' }, 'scopes must be an array'],
  [{ scopes: ['courses:raed'] }, 'scopes[0] must be a scope of the catalogue, not "courses:raed"'],
  [{ anonymous: 'yes' }, 'anonymous must be true or false'],
])('requireAccess(%j) would let everyone or no one through, and is refused at once', (demand, message) => {
  expect(() => schools.campus.requireAccess(Object(demand))).toThrow(message);
});
