import { clientFields, type Code, webMemberApp } from '../../__tests__/helpers/flow.ts';
import type { Answer, Ask } from './visitor.ts';

/** The client of every request. */
export const client = webMemberApp;

/** A form of the client, with its id and secret. */
export function form(fields: Readonly<Record<string, string>>): Record<string, string> {
  const { client_id: id = '', client_secret: secret = '' } = clientFields(client);
  return { ...fields, client_id: id, client_secret: secret };
}

export function refreshing(token: string): Ask {
  return { path: '/api/oauth/token', form: form({ grant_type: 'refresh_token', refresh_token: token }) };
}

export function exchanging({ origin: resource, code, verifier }: Code): Ask {
  const fields = { grant_type: 'authorization_code', redirect_uri: client.redirectUri, resource };
  return { path: '/api/oauth/token', form: form({ ...fields, code, code_verifier: verifier }) };
}

/** The new refresh token, if there is one. */
export function refreshOf({ status, text }: Answer): string | undefined {
  return status === 200 ? tokensOf(text).refresh : undefined;
}

export function tokensOf(text: string): { readonly access: string; readonly refresh: string } {
  const body: { readonly access_token: string; readonly refresh_token: string } = JSON.parse(text);
  return { access: body.access_token, refresh: body.refresh_token };
}
