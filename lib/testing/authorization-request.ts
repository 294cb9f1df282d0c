import { randomBytes } from 'node:crypto';
import { paths } from '../http/paths.ts';
import { digest } from '../kernel/crypto.ts';

/** What a client asks for. */
export interface AuthorizationOptions {
  /** The school's origin, for example `https://harbour.example`. */
  readonly origin: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The secret of a confidential client. @default none */
  readonly clientSecret?: string | undefined;
  /** @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
}

/** The response of the token endpoint. RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  /** Seconds. */
  readonly expires_in: number;
  /** The granted scopes, separated by spaces. */
  readonly scope: string;
  readonly refresh_token?: string | undefined;
  /** The ID token, if `openid` was granted and a key signs. */
  readonly id_token?: string | undefined;
  /** The person's limits for the client, if any. RFC 9396 section 7. */
  readonly authorization_details?:
    readonly { readonly type: string; readonly identifiers: readonly string[] }[] | undefined;
}

/** An authorization request, with the secrets that its client keeps until it has the code. RFC 6749 section 4.1, RFC 7636. */
export interface AuthorizationRequest {
  /** The address to which the client sends the browser. */
  readonly url: URL;
  /**
   * Redeems the code of the redirect that came back.
   *
   * @throws Error with the refusal of the authorization or token endpoint
   */
  readonly redeem: (redirect: URL | string) => Promise<TokenResponse>;
}

/** Starts an authorization request as a client does: with PKCE, `state` and `resource`. */
export function startAuthorization(options: AuthorizationOptions): AuthorizationRequest {
  const { origin, clientId, redirectUri, scopes } = options;
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const url = new URL(paths.authorize, origin);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    resource: origin,
    state,
    code_challenge: digest(verifier),
    code_challenge_method: 'S256',
  }).toString();
  return { url, redeem: (redirect) => redeem(options, { verifier, state }, new URL(redirect)) };
}

async function redeem(
  { origin, clientId, redirectUri, clientSecret, fetch: fetchFrom = fetch }: AuthorizationOptions,
  { verifier, state }: { readonly verifier: string; readonly state: string },
  { searchParams, href }: URL,
): Promise<TokenResponse> {
  const error = searchParams.get('error');
  if (error !== null) throw new Error(refusal('authorization', error, searchParams.get('error_description')));
  if (searchParams.get('state') !== state) throw new Error(`the redirect has another state: ${href}`);
  const response = await fetchFrom(new URL(paths.token, origin), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      resource: origin,
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    }),
  });
  const text = await response.text();
  const body: TokenResponse & { readonly error?: string; readonly error_description?: string } = JSON.parse(text);
  if (response.status !== 200) throw new Error(refusal('token', body.error ?? response.status, body.error_description));
  return body;
}

function refusal(endpoint: string, error: string | number, description: string | null | undefined): string {
  return `the ${endpoint} endpoint refused: ${error} (${description ?? 'no description'})`;
}
