import { type Browser, csrfOf, type Stop } from '../../helpers/browser.ts';
import { expect } from '@jest/globals';
import {
  authorizeUrl,
  type Code,
  connect,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  jsonResponse,
  pkce,
  refresh,
  revokeToken,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import type { Schools } from '../../helpers/schools.ts';

/** Whether an endpoint only reads from the store or also writes to it. */
export type VerifiedToken = 'reads' | 'writes';

/** Every endpoint that needs the store, with a request that succeeds. */
export interface Endpoints {
  readonly calls: Readonly<
    Record<string, { readonly access: VerifiedToken; readonly run: () => Promise<JsonResponse> }>
  >;
  /** Repeats the requests that failed before, and returns their status. */
  readonly succeed: () => Promise<number[]>;
}

/** What an endpoint responds while a fault of the store lasts: 503, and not the cause. */
export function expectFault(response: JsonResponse | undefined, cause: RegExp): void {
  if (!response) throw new Error('no such endpoint');
  expectError(response, 503, 'temporarily_unavailable');
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect([response.headers.get('www-authenticate'), response.headers.get('location')]).toEqual([null, null]);
  expect(JSON.stringify(response.body)).not.toMatch(/127\.0\.0\.1|ECONN/i);
  expect(JSON.stringify(response.body)).not.toMatch(cause);
}

/** A page or redirect on success, else an error in JSON. */
async function ask(browser: Browser, url: string | URL, init: RequestInit): Promise<JsonResponse> {
  const response = await browser.fetch(url, { ...init, headers: { accept: 'application/json' } });
  return response.status < 400
    ? { status: response.status, headers: response.headers, body: {} }
    : jsonResponse(response);
}

/** Prepares the requests while the store works. */
export async function prepareEndpoints(schools: Schools): Promise<Endpoints> {
  const { harbour } = schools;
  const sam = schools.browser('sam');
  const { body } = await connect(sam, harbour, webMemberApp);
  const code: Code = await getCode(sam, harbour, webMemberApp);
  const page: Stop = await sam.follow(authorizeUrl(harbour, webMemberApp, pkce(), { prompt: 'consent' }));
  const get = (by: Browser, url: string | URL): Promise<JsonResponse> => ask(by, url, {});
  const decision = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow' });
  const [accessToken, refreshToken] = [body['access_token'], body['refresh_token']];
  const silently = authorizeUrl(harbour, webMemberApp, pkce(), { prompt: 'none' });
  return {
    calls: {
      'authorize, known browser': { access: 'writes', run: () => get(sam, silently) },
      'authorize, new browser': {
        access: 'writes',
        run: () => get(schools.browser('sam'), authorizeUrl(harbour, webMemberApp, pkce())),
      },
      'the interaction page': { access: 'reads', run: () => get(sam, page.url) },
      'the consent form': {
        access: 'writes',
        run: () => ask(sam, page.url, { method: 'POST', body: decision }),
      },
      'token, with a code': { access: 'writes', run: () => exchange(code) },
      'token, with a refresh token': { access: 'writes', run: () => refresh(harbour, webMemberApp, refreshToken) },
      revoke: { access: 'writes', run: () => revokeToken(harbour, webMemberApp, accessToken) },
      introspect: { access: 'reads', run: () => introspect(harbour, webMemberApp, accessToken) },
      userinfo: { access: 'reads', run: () => userinfo(harbour, accessToken) },
      register: {
        access: 'writes',
        run: async () =>
          jsonResponse(
            await fetch(`${harbour}/api/oauth/register`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ client_name: 'CLI', redirect_uris: ['http://127.0.0.1:1/callback'] }),
            }),
          ),
      },
    },
    succeed: async () => {
      const stop = await sam.decide(page, 'allow');
      const responses = await Promise.all([
        userinfo(harbour, accessToken),
        refresh(harbour, webMemberApp, refreshToken),
        exchange(code),
      ]);
      return [...responses.map(({ status }) => status), stop.url.searchParams.has('code') ? 200 : stop.response.status];
    },
  };
}
