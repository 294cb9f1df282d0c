import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Router } from '@koa/router';
import { decodeJwt } from 'jose';
import Koa from 'koa';
import type { SignInHint } from '../../lib/index.ts';
import { defineTool, mcp } from '../../lib/mcp/index.ts';
import {
  authorize,
  authorizeUrl,
  type Changes,
  connect,
  introspect,
  pkce,
  refresh,
  webMemberApp,
} from '../helpers/flow.ts';
import type { Browser } from '../helpers/browser.ts';
import { redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const now = (): number => Math.floor(Date.now() / 1000);
const hints: SignInHint[] = [];
const grade = defineTool({
  name: 'grade',
  description: 'Changes a grade.',
  access: { scopes: [], acr: 'two', maxAge: 600 },
  run: () => 'done',
});

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    campus: { mcp: mcp({ tools: [grade] }) },
    wrapPlatform: (platform) => ({
      ...platform,
      acrValues: ['one', 'two'],
      signedInMember: async (ctx, site) => {
        const session = await platform.signedInMember(ctx, site);
        return session && { ...session, acr: ctx.cookies.get('acr', { signed: false }) };
      },
      signInUrl: (ctx, site, returnTo, hint) => {
        hints.push(hint);
        return platform.signInUrl(ctx, site, returnTo, hint);
      },
    }),
    app: (campus) => {
      const router = new Router();
      router.get('/api/grades', campus.requireAccess({ acr: ['two', 'three'], maxAge: 600 }), (ctx) => {
        const { acr, authTime } = ctx.state.token;
        ctx.body = { acr, authTime };
      });
      return new Koa().use(campus.middleware()).use(router.routes());
    },
  });
});
afterAll(() => schools.close());

/** Sam, who signed in so many seconds ago, with one factor or two. */
function sam(acr?: 'one' | 'two', age = 10): Browser {
  const browser = schools.browser('sam', now() - age);
  browser.platformCookie('acr', acr);
  return browser;
}

const request = (changes: Changes): URL => authorizeUrl(schools.harbour, webMemberApp, pkce(), changes);
const grades = (token: unknown): Promise<Response> =>
  fetch(`${schools.harbour}/api/grades`, { headers: { authorization: `Bearer ${String(token)}` } });

test('the metadata lists the values of the platform; without them it lists none, and acr_values is a wish', async () => {
  const metadata = await (await fetch(`${schools.harbour}/.well-known/openid-configuration`)).json();
  expect(metadata).toMatchObject({ acr_values_supported: ['one', 'two'] });
  const others = await startSchools();
  const plain = await (await fetch(`${others.harbour}/.well-known/openid-configuration`)).json();
  expect(plain).not.toHaveProperty('acr_values_supported');
  const { body } = await connect(others.browser('sam'), others.harbour, webMemberApp, { acr_values: 'two' });
  expect(decodeJwt(String(body['id_token']))).not.toHaveProperty('acr');
  await others.close();
});

describe('acr_values', () => {
  test('is answered with what is true, in the ID token and at introspection, also after a refresh', async () => {
    const { body } = await connect(sam('two'), schools.harbour, webMemberApp, {
      acr_values: 'three two',
      max_age: '600',
    });
    const claims = decodeJwt(String(body['id_token']));
    expect(claims).toMatchObject({ acr: 'two' });
    const again = await refresh(schools.harbour, webMemberApp, body['refresh_token']);
    const { body: active } = await introspect(schools.harbour, webMemberApp, again.body['access_token']);
    expect(active).toMatchObject({ active: true, acr: 'two', auth_time: claims['auth_time'] });
  });

  test('sends the person to sign in with what is needed, and goes on once they have it', async () => {
    const browser = sam('one');
    hints.splice(0);
    const stop = await browser.follow(request({ acr_values: 'two' }));
    expect([stop.url.pathname, hints]).toEqual(['/sign-in', [{ reauthenticate: true, acrValues: ['two'] }]]);
    browser.platformCookie('acr', 'two');
    const { url } = await authorize(browser, new URL(stop.url.searchParams.get('return_to') ?? ''));
    expect(url.searchParams.get('code')).toBeTruthy();
  });

  test('ends with unmet_authentication_requirements if they come back without, and at once with prompt=none', async () => {
    const browser = sam('one');
    const stop = await browser.follow(request({ acr_values: 'two' }));
    const back = await browser.follow(stop.url.searchParams.get('return_to') ?? '');
    expect(back.url.searchParams.get('error')).toBe('unmet_authentication_requirements');
    const silent = await sam('one').fetch(request({ acr_values: 'two', prompt: 'none' }));
    expect(redirectQuery(silent, webMemberApp.redirectUri)).toMatchObject({
      error: 'unmet_authentication_requirements',
    });
  });
});

describe('a step-up challenge', () => {
  test('of requireAccess names what is missing, and a token after it passes', async () => {
    const { body } = await connect(sam('one'), schools.harbour, webMemberApp);
    const refused = await grades(body['access_token']);
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get('www-authenticate');
    expect(challenge).toContain('error="insufficient_user_authentication"');
    expect(challenge).toContain('acr_values="two three", max_age="600"');
    const stronger = await connect(sam('two'), schools.harbour, webMemberApp, { acr_values: 'two three' });
    expect(await (await grades(stronger.body['access_token'])).json()).toEqual({
      acr: 'two',
      authTime: expect.any(Number),
    });
  });

  test('of requireAccess is sent for a sign-in that is too old, and a refresh does not make it newer', async () => {
    const { body } = await connect(sam('two', 1000), schools.harbour, webMemberApp);
    expect((await grades(body['access_token'])).status).toBe(401);
    const again = await refresh(schools.harbour, webMemberApp, body['refresh_token']);
    expect((await grades(again.body['access_token'])).headers.get('www-authenticate')).toContain('max_age="600"');
  });

  test('of a tool is a 401 with both, and the tool runs for a token that has them', async () => {
    const call = async (acr: 'one' | 'two'): Promise<Response> => {
      const { body } = await connect(sam(acr), schools.harbour, webMemberApp);
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'grade', arguments: {} } };
      return fetch(`${schools.harbour}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${String(body['access_token'])}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(message),
      });
    };
    const refused = await call('one');
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="insufficient_user_authentication"'),
    ]);
    const run = await call('two');
    expect([run.status, await run.text()]).toEqual([200, expect.stringContaining('done')]);
  });
});
