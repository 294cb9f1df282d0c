import type { ParsedUrlQuery } from 'node:querystring';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { InvalidRedirectUri, InvalidRequest, InvalidScope, OAuthError } from '../kernel/errors.ts';
import type { ParameterCheck } from './authorization-step.ts';
import { type AuthorizationParameters, parameterLimits, queryLimit } from './parameter-limits.ts';
import { type EngineRequest, requestOf } from './engine-request.ts';
import { isLoopbackRedirect } from '../core/clients/redirect-uri.ts';
import { type ScopeCatalogue, splitScope, unknownScope } from '../core/scopes/scopes.ts';

/** What a request sends, whatever the engine has made of it. */
export function checkSent(parameters: AuthorizationParameters): ParameterCheck {
  return (ctx) => checkParameters(parameters, sentIn(ctx));
}

/** The engine ignores unknown scopes, and has removed them from its own parameters. Specification: Errors, invalid_scope. */
export function checkSentScopes(ctx: KoaContextWithOIDC, catalogue: ScopeCatalogue): void {
  checkScopes(sentIn(ctx)['scope'], catalogue);
}

/** The engine accepts malformed loopback ports such as `:05`. RFC 8252 section 7.3. */
export const checkLoopback: ParameterCheck = (_ctx, value) => {
  if (typeof value !== 'string' || !value.startsWith('http:')) return;
  if (!isLoopbackRedirect(value, { localhost: true }))
    throw new InvalidRedirectUri(
      'redirect_uri must be a loopback address with a valid port, for example http://127.0.0.1:49152/callback',
    );
};

/** The engine accepts several resources; there is one here. */
export const checkResource: ParameterCheck = (_ctx, value) => {
  if (Array.isArray(value)) throw new InvalidRequest('resource must not be sent more than once');
};

/** A SHA-256 in base64url has 43 characters. RFC 7636 section 4.2. */
export const checkChallenge: ParameterCheck = ({ oidc }, value) => {
  if (oidc.route !== 'authorization' || (typeof value === 'string' && /^[\w-]{43}$/.test(value))) return;
  throw new InvalidRequest('code_challenge must be the SHA-256 of the verifier in base64url: 43 characters');
};

/** What is in `params` is stored until the person has decided. Nobody signs in at a device. */
export const dropDeviceHint: ParameterCheck = ({ oidc }) => {
  if (oidc.route === 'device_authorization' && oidc.params) oidc.params['login_hint'] = undefined;
};

/** The engine has verified it. It is a signed token that can have a name and an address: whom it is about is enough. */
export const keepHintedMember: ParameterCheck = async (ctx) => {
  const { oidc } = ctx;
  if (requestOf(ctx).hintIsLost) askWhoIsSignedIn(ctx);
  if (oidc.params?.['id_token_hint'] === undefined) return;
  const { IdTokenHint: hint } = oidc.entities;
  if (!hint) throw new Error('the engine has an id_token_hint that it did not verify');
  const { sub } = hint.payload;
  const named = oidc.client && (await memberNamed(requestOf(ctx), oidc.client.clientId, sub));
  // The engine compares it with who is signed in.
  if (named !== undefined) oidc.entity('IdTokenHint', { ...hint, payload: { ...hint.payload, sub: named } });
  oidc.params['id_token_hint'] = named ?? sub;
};

/** In place of a hint that nobody can verify. Somebody always answers at a device. OIDC Core section 3.1.2.1. */
function askWhoIsSignedIn({ oidc }: KoaContextWithOIDC): void {
  if (oidc.route !== 'authorization' || !oidc.params) return;
  const { prompt } = oidc.params;
  const prompts = splitScope(typeof prompt === 'string' ? prompt : undefined);
  if (prompts.includes('none'))
    throw new OAuthError(
      'login_required',
      'id_token_hint must be signed with a current key of this school, at its current address; send the newest ID token, or leave out prompt=none',
    );
  oidc.params['prompt'] = [...new Set([...prompts, 'consent'])].join(' ');
}

/** Who is signed in, if a client knows them by this pseudonym. */
async function memberNamed(request: EngineRequest, clientId: string, sub: unknown): Promise<string | undefined> {
  const { memberId } = (await request.signedIn()) ?? {};
  if (memberId === undefined || memberId === sub) return undefined;
  return sub === (await request.pseudonym(clientId, memberId)) ? memberId : undefined;
}

/** The engine accepts every spelling of a number, and drops 0 before it comes here. OIDC Core section 3.1.2.1. */
export const checkMaxAge: ParameterCheck = (ctx) => {
  const { max_age: sent = '' } = sentIn(ctx);
  if (sent !== '' && !/^\d+$/.test(String(sent))) {
    throw new InvalidRequest('max_age must be a number of seconds in decimal digits');
  }
};

/** @throws InvalidScope */
export function checkScopes(sent: unknown, { has }: ScopeCatalogue): void {
  const unknown = splitScope(typeof sent === 'string' ? sent : undefined).filter((scope) => !has(scope));
  if (unknown.length > 0) throw new InvalidScope(unknownScope(unknown));
}

/** An app sends a form. */
function sentIn({ query, oidc }: KoaContextWithOIDC): ParsedUrlQuery {
  return Object.fromEntries(
    Object.entries(oidc.body ?? query).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  );
}

/** No client has a longer one, so these errors are shown: there is no redirect URI to send them to. */
const identifying = ['client_id', 'redirect_uri'] as const;

export function checkQuerySize(querystring: string): void {
  const most = queryLimit + parameterLimits.id_token_hint;
  if (querystring.length > most) throw tooLong('the query', queryLimit);
  const sent = new URLSearchParams(querystring);
  const hint = sent.get('id_token_hint') ?? '';
  if (querystring.length - hint.length > queryLimit) throw tooLong('the query', queryLimit);
  for (const name of identifying) checkLength(name, sent.getAll(name), parameterLimits[name]);
}

/** Client and redirect URI are valid by now. What is stored takes no more bytes than the longest query. @throws InvalidRequest */
function checkParameters(parameters: AuthorizationParameters, query: ParsedUrlQuery): void {
  let bytes = 0;
  for (const [name, limit] of parameters) {
    const values = [query[name] ?? []].flat();
    checkLength(name, values, limit);
    checkCharacters(name, values);
    // A hint is not stored: the id of its person is.
    if (name !== 'id_token_hint') for (const value of values) bytes += storedBytes(value);
  }
  if (bytes > queryLimit) {
    throw new InvalidRequest(`the parameters must have at most ${queryLimit} bytes as JSON strings in UTF-8`);
  }
}

/** What a value takes in a record: one character can be three bytes, and quotes and backslashes are escaped. */
function storedBytes(value: string): number {
  return Buffer.byteLength(JSON.stringify(value)) - 2;
}

function checkLength(name: string, values: readonly string[], limit: number): void {
  if (values.some(({ length }) => length > limit)) throw tooLong(name, limit);
}

/** JSON writes a control character as six. RFC 6749 appendix A permits none. */
function checkCharacters(name: string, values: readonly string[]): void {
  if (!values.some((value) => /\p{Cc}/u.test(value))) return;
  throw new InvalidRequest(`${name} must not contain control characters`);
}

function tooLong(what: string, limit: number): InvalidRequest {
  return new InvalidRequest(`${what} must have at most ${limit} characters`);
}
