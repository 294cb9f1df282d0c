import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { AuditEvent, Jwk } from '../../../lib/index.ts';
import { type Browser, csrfOf, type Stop } from '../../helpers/browser.ts';
import { connect, webMemberApp } from '../../helpers/flow.ts';
import { signingKey } from '../../helpers/keys.ts';
import { readPage } from '../../helpers/page.ts';
import { library, type LogoutSchools, startLogoutSchools } from './logout-schools.ts';

let schools: LogoutSchools;
let browser: Browser;
let idToken: string;
let key: Jwk;
beforeAll(async () => {
  key = await signingKey('key-1');
  schools = await startLogoutSchools({ keys: { signing: [key], cookies: ['a secret of the tests'] } });
  idToken = String((await connect(schools.browser('sam'), schools.harbour, library)).body['id_token']);
});
beforeEach(() => {
  browser = schools.browser('sam');
});
afterAll(() => schools.close());

const privateKey = (jwk: Jwk): KeyObject =>
  createPrivateKey({ key: Object.fromEntries(Object.entries(jwk)), format: 'jwk' });

const bye = 'https://apps.example/bye';

function logoutUrl(parameters: Readonly<Record<string, string>> = {}, origin = schools.harbour): string {
  return `${origin}/oauth/logout?${new URLSearchParams(parameters).toString()}`;
}

function answer({ html }: Stop, value: 'yes' | 'no', changes: Readonly<Record<string, string>> = {}): Promise<Stop> {
  const fields = new URLSearchParams([...readPage(html).getByRole('form').fields]);
  for (const [name, text] of Object.entries({ logout: value, ...changes })) fields.set(name, text);
  return browser.follow(`${schools.harbour}/oauth/logout/confirm`, { method: 'POST', body: fields });
}

const endedBefore = (): number => schools.ended.length;

describe('a person who is signed in', () => {
  test('is asked, and signed out of the platform and of the applications', async () => {
    const before = endedBefore();
    const asked = await browser.follow(
      logoutUrl({ id_token_hint: idToken, post_logout_redirect_uri: bye, state: 'a b&c' }),
    );
    expect(asked.response.status).toBe(200);
    const page = readPage(asked.html);
    expect(page.getByRole('heading', { name: 'Sign out of Harbour School?' })).toBeDefined();
    expect(asked.html).toContain('Library');
    expect(page.getByRole('button', { name: 'Stay signed in' })).toBeDefined();
    expect(schools.ended).toHaveLength(before);
    // The ID token has a name and an address: it is not in the page.
    expect(asked.html).not.toContain(idToken);

    const { url } = await answer(asked, 'yes');
    expect(url.href).toBe(`${bye}?state=a+b%26c`);
    expect(schools.ended.slice(before)).toEqual(['sam']);
    expect(schools.events.filter(({ action }) => action === 'session.ended').at(-1)).toMatchObject({
      actor: { kind: 'member', id: 'sam' },
      clientId: library.id,
      memberId: 'sam',
    });
  });

  test('who stays signed in goes back all the same, and nothing ends', async () => {
    const before = endedBefore();
    const asked = await browser.follow(logoutUrl({ client_id: library.id, post_logout_redirect_uri: bye }));
    expect((await answer(asked, 'no')).url.href).toBe(bye);
    expect(schools.ended).toHaveLength(before);
  });

  test('an address keeps its own query', async () => {
    const uri = 'http://127.0.0.1:8080/bye?from=/my%20school';
    const asked = await browser.follow(logoutUrl({ client_id: library.id, post_logout_redirect_uri: uri, state: 's' }));
    expect((await answer(asked, 'no')).url.href).toBe(`${uri}&state=s`);
  });

  test('without an address, they read how it ended', async () => {
    const asked = await browser.follow(logoutUrl());
    expect(
      readPage((await answer(asked, 'yes')).html).getByRole('heading', { name: 'You are signed out' }),
    ).toBeDefined();
    const kept = await answer(await browser.follow(logoutUrl()), 'no');
    expect(readPage(kept.html).getByRole('heading', { name: 'You are still signed in' })).toBeDefined();
  });

  test('a platform that fails to end the session is a fault, and nobody is told', async () => {
    const failing = await startLogoutSchools({
      logout: {
        endSession: () => {
          throw new Error('the sessions are down');
        },
      },
    });
    const [own, known] = [failing.browser('sam'), schools];
    await connect(own, failing.harbour, library);
    const { html } = await own.follow(`${failing.harbour}/oauth/logout`);
    const body = new URLSearchParams({ csrf: csrfOf(html), logout: 'yes' });
    const { response } = await own.follow(`${failing.harbour}/oauth/logout/confirm`, { method: 'POST', body });
    expect(response.status).toBe(503);
    expect(failing.faults.map(({ message }) => message)).toEqual(['logout.endSession failed']);
    expect(failing.events.filter(({ action }) => action === 'session.ended')).toEqual([]);
    await failing.close();
    expect(failing.received).toEqual([]);
    expect(known.faults).toEqual([]);
  });
});

test('where nobody is signed in, the browser goes on at once', async () => {
  const nobody = schools.browser();
  const { url } = await nobody.follow(logoutUrl({ client_id: library.id, post_logout_redirect_uri: bye, state: 's' }));
  expect(url.href).toBe(`${bye}?state=s`);
  const { response, html } = await nobody.follow(logoutUrl());
  expect(response.status).toBe(200);
  expect(readPage(html).getByRole('heading', { name: 'You are signed out' })).toBeDefined();
});

test('a form goes on by GET, without id_token_hint', async () => {
  const body = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: bye, state: 's', other: 'x' });
  const response = await browser.fetch(`${schools.harbour}/oauth/logout`, { method: 'POST', body });
  expect(response.status).toBe(303);
  const next = new URL(response.headers.get('location') ?? '');
  expect(next.origin + next.pathname).toBe(`${schools.harbour}/oauth/logout`);
  expect(Object.fromEntries(next.searchParams)).toEqual({
    client_id: library.id,
    post_logout_redirect_uri: bye,
    state: 's',
  });
});

describe('nobody is sent anywhere else', () => {
  const refused = async (parameters: Readonly<Record<string, string>>, text: RegExp, by = browser): Promise<void> => {
    const { response, html, url } = await by.follow(logoutUrl(parameters));
    expect([response.status, url.origin]).toEqual([400, schools.harbour]);
    expect(html).toMatch(text);
  };

  test.each([
    'https://evil.example/bye',
    'https://apps.example/bye/',
    'https://apps.example/bye?x=1',
    'https://apps.example:443/bye',
    'https://APPS.example/bye',
    'https://apps.example@evil.example/bye',
    'http://127.0.0.1:8081/bye?from=/my%20school',
    'javascript:alert(1)',
    'https://apps.example/callback',
  ])('than to an address of the application: not to %s', async (uri) => {
    const parameters = { client_id: library.id, post_logout_redirect_uri: uri };
    await refused(parameters, /post_logout_redirect_uri must be https:\/\/apps\.example\/bye or /);
    await refused(parameters, /post_logout_redirect_uri must be https:\/\/apps\.example\/bye or /, schools.browser());
  });

  test('an address without an application, an address of another application, and of one that has none', async () => {
    await refused({ post_logout_redirect_uri: bye }, /needs client_id or id_token_hint/);
    await refused(
      { client_id: webMemberApp.id, post_logout_redirect_uri: bye },
      /must be left out: this application has none/,
    );
    await refused({ client_id: 'nobody', post_logout_redirect_uri: bye }, /no application with this client_id/);
    await refused({ client_id: webMemberApp.id, id_token_hint: idToken }, /is not the application that id_token_hint/);
  });

  test('a confirmation checks the address again', async () => {
    const asked = await browser.follow(logoutUrl({ client_id: library.id, post_logout_redirect_uri: bye }));
    const { response } = await answer(asked, 'yes', { post_logout_redirect_uri: 'https://evil.example/' });
    expect(response.status).toBe(400);
  });
});

describe('a request that is refused is in the audit log, with the reference of the page', () => {
  const evil = 'https://evil.example/bye?name=sam';
  test.each<[string, () => Readonly<Record<string, string>>, object]>([
    [
      'for another address',
      () => ({ client_id: library.id, post_logout_redirect_uri: evil }),
      {
        reason: 'redirect_uri_mismatch',
        clientId: library.id,
        claimed: { redirectUris: ['https://evil.example/bye'] },
      },
    ],
    [
      'for another address, with an ID token alone',
      () => ({ id_token_hint: idToken, post_logout_redirect_uri: evil }),
      { reason: 'redirect_uri_mismatch', clientId: library.id },
    ],
    [
      'of an unknown application',
      () => ({ client_id: 'nobody' }),
      { reason: 'unknown_client', claimed: { clientId: 'nobody' } },
    ],
    ['with an ID token of somebody else', () => ({ id_token_hint: 'a.b.c' }), { reason: 'invalid_request' }],
    [
      'with an ID token of another application',
      () => ({ client_id: webMemberApp.id, id_token_hint: idToken }),
      { reason: 'invalid_request', clientId: webMemberApp.id },
    ],
  ])('%s', async (_what, parameters, expected) => {
    const refusedOf = async (by: Browser): Promise<AuditEvent | undefined> => {
      const { html } = await by.follow(logoutUrl(parameters()));
      const event = schools.events.at(-1);
      expect(event).toMatchObject({ action: 'logout.refused', outcome: 'refused', ...expected });
      expect(html).toContain(event?.requestId);
      return event;
    };
    expect(await refusedOf(browser)).toMatchObject({ actor: { kind: 'member', id: 'sam' }, memberId: 'sam' });
    expect(await refusedOf(schools.browser())).toMatchObject({ actor: { kind: 'anonymous' } });
    expect(JSON.stringify(schools.events)).not.toContain(idToken);
  });

  test('that comes as a form from another site, or with a confirmation', async () => {
    const count = (): number => schools.events.filter(({ action }) => action === 'logout.refused').length;
    const before = count();
    const body = new URLSearchParams({ client_id: library.id, post_logout_redirect_uri: evil });
    await browser.fetch(`${schools.harbour}/oauth/logout`, { method: 'POST', body });
    expect(count()).toBe(before + 1);
    const asked = await browser.follow(logoutUrl({ client_id: library.id, post_logout_redirect_uri: bye }));
    await answer(asked, 'yes', { post_logout_redirect_uri: evil });
    expect(count()).toBe(before + 2);
  });
});

describe('nobody is signed out by somebody else', () => {
  test('a form without the token of its page, or with that of another person, asks again', async () => {
    const before = endedBefore();
    const asked = await browser.follow(logoutUrl());
    const ofNora = await schools.browser('nora').follow(logoutUrl());
    for (const csrf of ['', 'x', csrfOf(ofNora.html)]) {
      const again = await answer(asked, 'yes', { csrf });
      expect(readPage(again.html).getByRole('heading', { name: 'Sign out of Harbour School?' })).toBeDefined();
    }
    expect(schools.ended).toHaveLength(before);
  });

  test('the token of a page is not good for another request', async () => {
    const before = endedBefore();
    const asked = await browser.follow(logoutUrl());
    const again = await answer(asked, 'yes', { client_id: library.id, post_logout_redirect_uri: bye });
    expect(again.response.status).toBe(200);
    expect(schools.ended).toHaveLength(before);
  });

  test('the page cannot be framed or cached', async () => {
    const { headers } = (await browser.follow(logoutUrl())).response;
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('id_token_hint', () => {
  const sentHint = async (hint: string, origin = schools.harbour): Promise<Stop> =>
    browser.follow(logoutUrl({ id_token_hint: hint }, origin));

  test('is good long after it has expired', async () => {
    const old = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
      .setIssuer(schools.harbour)
      .setAudience(library.id)
      .setSubject('sam')
      .setExpirationTime(1_700_000_000)
      .sign(privateKey(key));
    expect((await sentHint(old)).response.status).toBe(200);
  });

  test('is refused when this school has not signed it', async () => {
    const [head = '', body = '', signature = ''] = idToken.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const hmac = Buffer.from('{"alg":"HS256","kid":"key-1"}').toString('base64url');
    const changed = Buffer.from(JSON.stringify({ iss: schools.harbour, aud: 'other', sub: 'sam' })).toString(
      'base64url',
    );
    const another = await signingKey('another');
    const foreign = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
      .setIssuer(schools.harbour)
      .setAudience(library.id)
      .setSubject('sam')
      .sign(privateKey(another));
    const wrong = [`${none}.${body}.`, `${hmac}.${body}.${signature}`, `${head}.${changed}.${signature}`, foreign];
    for (const hint of [...wrong, `${idToken}.x`, 'x', '..', `${head}.${body}.`, 'x'.repeat(4001)]) {
      expect((await sentHint(hint)).response.status).toBe(400);
    }
    expect((await sentHint(idToken, schools.summit)).response.status).toBe(400);
  });

  /** An ID token that says it is of this school and application, under the name of a key that nobody has here. */
  async function lostHint(
    claims: { readonly iss?: string; readonly aud?: string } = {},
    kid = 'gone',
  ): Promise<string> {
    return new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(claims.iss ?? schools.harbour)
      .setAudience(claims.aud ?? library.id)
      .setSubject('sam')
      .sign(privateKey(await signingKey(kid)));
  }

  test('of a key that is gone is left out beside client_id and an address, and the person is asked', async () => {
    const before = endedBefore();
    const fields = { client_id: library.id, post_logout_redirect_uri: bye, id_token_hint: await lostHint() };
    const asked = await browser.follow(logoutUrl(fields));
    expect(asked.response.status).toBe(200);
    expect(readPage(asked.html).getByRole('heading', { name: 'Sign out of Harbour School?' })).toBeDefined();
    expect(schools.ended).toHaveLength(before);
    expect((await answer(asked, 'no')).url.href).toBe(bye);
    const form = { method: 'POST', body: new URLSearchParams(fields) } as const;
    expect((await browser.fetch(`${schools.harbour}/oauth/logout`, form)).status).toBe(303);
  });

  test('of a key that is gone alone is refused, and the text says to send client_id', async () => {
    const { response, html } = await sentHint(await lostHint());
    expect(response.status).toBe(400);
    expect(html).toContain('send client_id as well');
  });

  test('of a key that is gone is refused for another school or application, or under a key that is here', async () => {
    const fields = { client_id: library.id, post_logout_redirect_uri: bye };
    const wrong = [{ iss: schools.summit }, { aud: webMemberApp.id }].map((each) => lostHint(each));
    for (const hint of [...wrong, lostHint({}, 'key-1')]) {
      const { response } = await browser.follow(logoutUrl({ ...fields, id_token_hint: await hint }));
      expect(response.status).toBe(400);
    }
    const evil = { ...fields, post_logout_redirect_uri: 'https://evil.example/', id_token_hint: await lostHint() };
    expect((await browser.follow(logoutUrl(evil))).response.status).toBe(400);
  });

  test('a logout token is no ID token', async () => {
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'key-1', typ: 'logout+jwt' })
      .setIssuer(schools.harbour)
      .setAudience(library.id)
      .setSubject('sam')
      .sign(privateKey(key));
    expect((await sentHint(token)).response.status).toBe(400);
  });
});

test.each(['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'])('%s must come once', async (name) => {
  const url = `${schools.harbour}/oauth/logout?${name}=a&${name}=b`;
  expect((await browser.follow(url)).response.status).toBe(400);
});

test('discovery names the endpoint and logout tokens, and without the option it does not', async () => {
  const metadata = async (origin: string): Promise<Record<string, unknown>> =>
    JSON.parse(await (await fetch(`${origin}/.well-known/openid-configuration`)).text());
  expect(await metadata(schools.harbour)).toMatchObject({
    end_session_endpoint: `${schools.harbour}/oauth/logout`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  });
  const without = await startLogoutSchools({ logout: undefined, clients: [] });
  expect(Object.keys(await metadata(without.harbour)).filter((name) => /logout|end_session/.test(name))).toEqual([]);
  expect((await fetch(`${without.harbour}/oauth/logout`)).status).toBe(404);
  await without.close();
});
