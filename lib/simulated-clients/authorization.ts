import { randomBytes } from 'node:crypto';
import { digest } from '../kernel/crypto.ts';
import { type Client, clientFields, refusal } from './client.ts';
import { type Discovery, endpoint } from './discovery.ts';
import { textOf } from '../kernel/json.ts';
import type { SimulatedClient } from './simulated-client.ts';
import { Stopped, type Wire } from './wire.ts';

/** The person with a browser: returns the address at which the browser has ended. */
export type Approve = (authorizationUrl: URL) => Promise<URL | string>;

/** What an app needs for each request to the authorization server. */
export interface Authorizing {
  readonly wire: Wire;
  readonly app: SimulatedClient;
  readonly address: string;
  readonly discovery: Discovery;
  readonly client: Client;
  readonly approve: Approve;
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
  /** The scopes that were granted, separated by spaces. */
  readonly scope: string;
}

/** Asks the person and redeems the code. RFC 6749 section 4.1, RFC 7636. */
export async function authorize(with_: Authorizing, scopes: readonly string[]): Promise<Tokens> {
  const { app, discovery, client, approve } = with_;
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const url = new URL(endpoint(discovery, 'authorization'));
  const asked = app.behaviour.offlineAccess && scopes.length > 0 ? new Set([...scopes, 'offline_access']) : scopes;
  const parameters: Record<string, string> = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: app.redirectUri,
    state,
    code_challenge: digest(verifier),
    code_challenge_method: 'S256',
    ...(scopes.length > 0 && { scope: [...asked].join(' ') }),
    ...resourceField(with_),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const ended = new URL(await approve(url));
  const refused = responseError(with_, ended, state);
  if (refused?.error === 'invalid_scope' && app.behaviour.retriesWithoutScope && scopes.length > 0) {
    return authorize(with_, []);
  }
  if (refused) throw new Stopped(`the authorization request was refused: ${refused.error} (${refused.description})`);
  return requestTokens(with_, 'code exchange', scopes, {
    grant_type: 'authorization_code',
    code: ended.searchParams.get('code') ?? '',
    redirect_uri: app.redirectUri,
    code_verifier: verifier,
    ...(app.behaviour.resourceAt.includes('exchange') && resourceField(with_)),
  });
}

/** Checks the authorization response. RFC 6749 section 4.1.2, RFC 9207 section 2.4. */
function responseError(
  { app, discovery: { server, issuer } }: Authorizing,
  ended: URL,
  state: string,
): { readonly error: string; readonly description: string } | undefined {
  const [page] = ended.href.split('?');
  const wanted = new URL(app.redirectUri).href;
  if (page !== wanted) throw new Stopped(`the browser has stopped at ${page ?? ''}, not at ${wanted}`);
  const parameters = ended.searchParams;
  if (parameters.get('state') !== state) throw new Stopped('the authorization response has another state');
  const named = parameters.get('iss');
  const required = server['authorization_response_iss_parameter_supported'] === true;
  if (app.behaviour.checksIssuer && named !== issuer && (named !== null || required)) {
    throw new Stopped(`the authorization response has the issuer ${named ?? 'nobody'}, not ${issuer}`);
  }
  const error = parameters.get('error');
  return error === null ? undefined : { error, description: parameters.get('error_description') ?? '' };
}

/** Redeems the refresh token. RFC 6749 section 6. */
export function refresh(with_: Authorizing, { refresh: token, scope }: Tokens): Promise<Tokens> {
  if (token === undefined) throw new Stopped('there is no refresh token');
  const { behaviour } = with_.app;
  return requestTokens(with_, 'refresh', scope.split(' '), {
    grant_type: 'refresh_token',
    refresh_token: token,
    ...(behaviour.scopeAtRefresh && { scope }),
    ...(behaviour.resourceAt.includes('refresh') && resourceField(with_)),
  });
}

async function requestTokens(
  { wire, discovery, client }: Authorizing,
  request: string,
  asked: readonly string[],
  fields: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const { status, body } = await wire.send({
    request,
    url: endpoint(discovery, 'token'),
    body: { form: { ...fields, ...clientFields(client) } },
  });
  const access = textOf(body, 'access_token');
  if (status !== 200 || access === undefined) throw new Stopped(`the ${request} was refused: ${refusal(status, body)}`);
  // RFC 6749 section 5.1: without `scope`, the requested one was granted; without a new refresh token, the old one stays.
  const scope = textOf(body, 'scope') ?? asked.join(' ');
  return { access, refresh: textOf(body, 'refresh_token') ?? fields['refresh_token'], scope };
}

function resourceField({ app, address, discovery }: Authorizing): { resource?: string } {
  const named = discovery.resource && textOf(discovery.resource, 'resource');
  const values = {
    metadata: named,
    'metadata without slash': named?.replace(/\/$/, ''),
    typed: address,
    none: undefined,
  };
  const resource = values[app.behaviour.resource];
  return resource === undefined ? {} : { resource };
}
