import type { ParsedUrlQuery } from 'node:querystring';
import type { Core } from '../../core/core.ts';
import { claimsOfIdToken, clientOfLostIdToken } from '../../core/keys/id-tokens.ts';
import type { SigningKeys } from '../../core/keys/keys.ts';
import type { Site } from '../../host/school-platform.ts';
import { originsOf } from '../../host/origins.ts';
import { shownAddresses, withParameters } from '../../core/clients/redirect-uri.ts';
import { InvalidClient, InvalidRedirectUri, InvalidRequest } from '../../kernel/errors.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import { logoutOf } from './options.ts';
import { type LogoutParameter, logoutParameters } from './parameters.ts';

/** A request of an application to sign a person out, checked. Nothing of `id_token_hint` is left but the application. */
export interface LogoutRequest {
  readonly client: ClientMetadata | undefined;
  /** Where the person goes afterwards: one of the addresses of the application, with `state`. */
  readonly backTo: string | undefined;
  readonly uiLocales: string | undefined;
  /** The same request, without `id_token_hint`. */
  readonly fields: Readonly<Record<string, string>>;
}

type Parameters = { readonly [P in LogoutParameter]: string | undefined };

/**
 * Reads the parameters of the end session endpoint. OpenID Connect RP-Initiated Logout 1.0 sections 2 and 3.
 *
 * @throws InvalidRequest for a parameter, InvalidClient for an application that is not there, InvalidRedirectUri for an address that it does
 * not have: nobody is sent there
 */
export async function readLogoutRequest(
  { clients, keys }: Core,
  site: Site,
  sent: ParsedUrlQuery | Readonly<Record<string, unknown>>,
): Promise<LogoutRequest> {
  const {
    id_token_hint: hint,
    client_id: named,
    post_logout_redirect_uri: uri,
    state,
    ui_locales,
  } = parametersOf(sent);
  const hinted = hint === undefined ? undefined : hintedClient(keys.of(site), originsOf(site), hint);
  if (hinted?.isLost === true && named === undefined) {
    throw new InvalidRequest(
      'id_token_hint is signed with a key that this school no longer has; send client_id as well',
    );
  }
  if (named !== undefined && hinted && hinted.clientId !== named) {
    throw new InvalidRequest('client_id is not the application that id_token_hint was issued to');
  }
  const clientId = hinted?.clientId ?? named;
  const client = clientId === undefined ? undefined : await clients.findStored(site.id, clientId, 'identify');
  if (clientId !== undefined && !client)
    throw new InvalidClient('there is no application with this client_id here', { status: 400 });
  if (uri !== undefined) checkAddress(client, uri);
  const fields = {
    client_id: clientId,
    post_logout_redirect_uri: uri,
    state: uri === undefined ? undefined : state,
    ui_locales,
  };
  const added = new URLSearchParams(state === undefined ? {} : { state });
  return { client, backTo: uri && withParameters(uri, added), uiLocales: ui_locales, fields: given(fields) };
}

/** The application that a hint names, and whether its key is gone: then `client_id` has to say the same. @throws InvalidRequest for any other text */
function hintedClient(
  keys: SigningKeys,
  issuers: readonly string[],
  hint: string,
): { readonly clientId: string; readonly isLost: boolean } {
  const clientId = claimsOfIdToken(keys, issuers, hint)?.clientId;
  if (clientId !== undefined) return { clientId, isLost: false };
  const lost = clientOfLostIdToken(keys, issuers, hint);
  if (lost !== undefined) return { clientId: lost, isLost: true };
  throw new InvalidRequest(
    'id_token_hint must be an ID token that this school has issued; send it as it was, or leave it out',
  );
}

function checkAddress(client: ClientMetadata | undefined, uri: string): void {
  if (!client)
    throw new InvalidRequest('post_logout_redirect_uri needs client_id or id_token_hint to identify the application');
  // Compared as a string: an address that only looks like one of the application may be somebody else's.
  const { postLogoutRedirectUris: uris = [] } = logoutOf(client);
  if (uris.includes(uri)) return;
  const right = uris.length > 0 ? `must be ${shownAddresses(uris)}` : 'must be left out: this application has none';
  throw new InvalidRedirectUri(`post_logout_redirect_uri ${right}`);
}

/** All others are ignored. */
function parametersOf(sent: ParsedUrlQuery | Readonly<Record<string, unknown>>): Parameters {
  const read = (name: LogoutParameter): string | undefined => {
    const { maxLength } = logoutParameters[name];
    const value = sent[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') throw new InvalidRequest(`${name} must not be sent more than once`);
    if (value.length > maxLength) throw new InvalidRequest(`${name} must have at most ${maxLength} characters`);
    if (/\p{Cc}/u.test(value)) throw new InvalidRequest(`${name} must not contain control characters`);
    return value;
  };
  return {
    id_token_hint: read('id_token_hint'),
    client_id: read('client_id'),
    post_logout_redirect_uri: read('post_logout_redirect_uri'),
    state: read('state'),
    ui_locales: read('ui_locales'),
  };
}

function given(fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
