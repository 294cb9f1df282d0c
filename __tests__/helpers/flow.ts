import { createHash, randomBytes } from 'node:crypto';
import type { Browser, Stop } from './browser.ts';
import { decisionsOn } from './browser.ts';

/** A verifier and its S256 challenge. */
export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

/** A new pair. RFC 7636. */
export function pkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Parameters to change; `undefined` leaves one out. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** What a test knows of a client. */
export interface TestClient {
  readonly id: string;
  readonly redirectUri: string;
  readonly secret?: string;
  readonly scope: string;
}

/** The clients of `testClients`, as their developers know them. */
export const memberApp: TestClient = {
  id: 'member-app',
  redirectUri: 'http://127.0.0.1:49152/callback',
  scope: 'openid profile email account:read account:write',
};
export const reports: TestClient = {
  id: 'reports',
  redirectUri: 'https://reports.example/callback',
  secret: 'reports-secret',
  scope: 'openid profile email courses:read',
};
export const webMemberApp: TestClient = {
  id: 'web-member-app',
  redirectUri: 'https://buddy.example/callback',
  secret: 'buddy-secret',
  scope: 'openid profile email account:read',
};

/** An authorization request of a client at a site. */
export function authorizeUrl(origin: string, client: TestClient, { challenge }: Pkce, changes: Changes = {}): URL {
  const url = new URL('/oauth/authorize', origin);
  const parameters: Changes = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: client.scope,
    resource: origin,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'the-state',
    nonce: 'the-nonce',
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** Goes through authorization and allows, if asked; returns where the browser ends up. */
export async function authorize(browser: Browser, url: URL): Promise<Stop> {
  const stop = await browser.follow(url);
  return decisionsOn(stop.html).includes('allow') ? browser.decide(stop, 'allow') : stop;
}

/** A code, with what redeems it. */
export interface Code {
  readonly origin: string;
  readonly client: TestClient;
  readonly code: string;
  readonly verifier: string;
}

/** Gets a code for a person who allows. */
export async function getCode(
  browser: Browser,
  origin: string,
  client: TestClient,
  changes: Changes = {},
): Promise<Code> {
  const pair = pkce();
  const { url, response, html } = await authorize(browser, authorizeUrl(origin, client, pair, changes));
  const code = url.searchParams.get('code');
  if (code === null) throw new Error(`no code at ${url.href}, ${response.status}: ${html}`);
  return { origin, client, code, verifier: pair.verifier };
}

/** A response in JSON. */
export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  // Tests read what they expect; what is not there fails them.
  readonly body: Readonly<Record<string, unknown>>;
}

/** Posts a form. */
export async function postForm(
  url: string,
  fields: Changes,
  headers: Record<string, string> = {},
): Promise<JsonResponse> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value);
  return jsonResponse(await fetch(url, { method: 'POST', body, headers }));
}

/** Reads a response as JSON. */
export async function jsonResponse(response: Response): Promise<JsonResponse> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

/** Registers Claude, by a redirect URI that proves which app it is. */
export async function registerClaude(origin: string, scope = 'openid courses:read'): Promise<TestClient> {
  const redirectUri = 'https://claude.ai/api/mcp/auth_callback';
  const body = JSON.stringify({ client_name: 'Claude', redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const { body: client } = await jsonResponse(
    await fetch(`${origin}/api/oauth/register`, { method: 'POST', headers, body }),
  );
  return { id: String(client['client_id']), redirectUri, scope };
}

/** The fields with which a client says who it is. */
export function clientFields({ id, secret }: TestClient): Changes {
  return { client_id: id, client_secret: secret };
}

/** Redeems a code. */
export function exchange(
  { origin, client, code, verifier }: Code,
  changes: Changes = {},
  headers?: Record<string, string>,
): Promise<JsonResponse> {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
    resource: origin,
    ...clientFields(client),
    ...changes,
  };
  return postForm(`${origin}/api/oauth/token`, form, headers);
}

/** Redeems a refresh token. */
export function refresh(
  origin: string,
  client: TestClient,
  refreshToken: unknown,
  changes: Changes = {},
  headers?: Record<string, string>,
): Promise<JsonResponse> {
  const form = {
    grant_type: 'refresh_token',
    refresh_token: String(refreshToken),
    ...clientFields(client),
    ...changes,
  };
  return postForm(`${origin}/api/oauth/token`, form, headers);
}

/** Asks UserInfo. */
export async function userinfo(origin: string, accessToken: unknown): Promise<JsonResponse> {
  return jsonResponse(
    await fetch(`${origin}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${String(accessToken)}` } }),
  );
}

/** Asks whether a token is active. */
export function introspect(origin: string, client: TestClient, token: unknown): Promise<JsonResponse> {
  return postForm(`${origin}/api/oauth/introspect`, { token: String(token), ...clientFields(client) });
}

/** Revokes a token, as its client. */
export function revokeToken(
  origin: string,
  client: TestClient,
  token: unknown,
  changes: Changes = {},
): Promise<JsonResponse> {
  return postForm(`${origin}/api/oauth/revoke`, { token: String(token), ...clientFields(client), ...changes });
}

/** The whole flow for a person who allows: the token response. */
export async function connect(
  browser: Browser,
  origin: string,
  client: TestClient,
  changes: Changes = {},
): Promise<JsonResponse> {
  return exchange(await getCode(browser, origin, client, changes));
}
