import assert from 'node:assert/strict';
import { createRemoteJWKSet, type JWTVerifyResult, jwtVerify } from 'jose';
import type { Browser } from '../helpers/browser.ts';
import { authorizeUrl, type Changes, type JsonResponse, jsonResponse, pkce, type TestClient } from '../helpers/flow.ts';

/** Gets a JSON response. */
export async function getJson(url: string, headers: Record<string, string> = {}): Promise<JsonResponse> {
  return jsonResponse(await fetch(url, { headers }));
}

/** The metadata of the authorization server. */
export async function metadata(origin: string): Promise<JsonResponse['body']> {
  const { status, body } = await getJson(`${origin}/.well-known/openid-configuration`);
  assert.equal(status, 200);
  return body;
}

/** Asserts that a member of a response is a non-empty string. */
export function text(value: unknown): string {
  assert.ok(typeof value === 'string' && value !== '', `not a string: ${JSON.stringify(value)}`);
  return value;
}

/** Asserts that a member of a response is an array of strings, and sorts it. */
export function texts(value: unknown): string[] {
  assert.ok(Array.isArray(value), `not an array: ${JSON.stringify(value)}`);
  return value.map(text).sort();
}

/** Asserts an error of RFC 6749 section 5.2. If the specification does not state the status, it is 400 or 401. */
export function assertError(response: JsonResponse, error: string, status?: number): void {
  assert.equal(response.body['error'], error, JSON.stringify(response.body));
  text(response.body['error_description']);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  if (status === undefined) assert.ok([400, 401].includes(response.status), `status ${response.status}`);
  else assert.equal(response.status, status);
}

/** Asserts a challenge that names the error and points to the metadata of this resource. RFC 9728 section 3.3. */
export async function assertChallenge(response: JsonResponse, origin: string, error: string, path = ''): Promise<void> {
  const challenge = response.headers.get('www-authenticate') ?? '';
  assert.match(challenge, /^Bearer /);
  assert.ok(challenge.includes(`error="${error}"`), challenge);
  const address = text(/resource_metadata="([^"]+)"/.exec(challenge)?.[1]);
  assert.equal(address, `${origin}/.well-known/oauth-protected-resource${path}`);
  assert.equal((await getJson(address)).body['resource'], `${origin}${path}`);
}

/** Sends a changed authorization request and follows it to the redirect URI or to a page. */
export async function request(
  browser: Browser,
  origin: string,
  client: TestClient,
  changes: Changes = {},
): Promise<{ readonly url: URL; readonly status: number; readonly html: string }> {
  const { url, response, html } = await browser.follow(authorizeUrl(origin, client, pkce(), changes));
  return { url, status: response.status, html };
}

/** Asserts that an authorization request redirects with this error, `iss` and `state`, and without a code. */
export async function assertRefused(
  browser: Browser,
  origin: string,
  client: TestClient,
  changes: Changes,
  error: string,
): Promise<void> {
  const { url } = await request(browser, origin, client, changes);
  assert.equal(`${url.origin}${url.pathname}`, client.redirectUri);
  const { error: code, error_description: description, iss, state } = Object.fromEntries(url.searchParams);
  assert.equal(code, error, url.href);
  text(description);
  assert.equal(iss, origin);
  assert.equal(state, 'the-state');
  assert.ok(!url.href.includes('code='));
}

/** Asserts that an authorization request ends at an error page, without a redirect to any redirect URI. */
export async function assertShown(
  browser: Browser,
  origin: string,
  client: TestClient,
  changes: Changes,
): Promise<void> {
  const { url, status, html } = await request(browser, origin, client, changes);
  assert.equal(url.origin, origin);
  assert.equal(status, 400);
  assert.match(html, /<!doctype html>/);
}

/** Verifies an ID token with the keys at `jwks_uri`. */
export async function verified(origin: string, idToken: unknown): Promise<JWTVerifyResult> {
  const { jwks_uri: jwksUri } = await metadata(origin);
  return jwtVerify(text(idToken), createRemoteJWKSet(new URL(text(jwksUri))));
}
