import { memberApp, pkce } from '../helpers/flow.ts';
import type { Row } from './requests.ts';

type Query = Readonly<Record<string, string>>;

/** The query of a good request of the member client. */
export function goodQuery(origin: string): Query {
  return {
    response_type: 'code',
    client_id: memberApp.id,
    redirect_uri: memberApp.redirectUri,
    resource: origin,
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
  };
}

function row(what: string, query: Query, status: number, more: Partial<Row> = {}): Row {
  return { what, method: 'GET', path: '/oauth/authorize', query, status, ...more };
}

/** Requests to the authorization endpoint, of browsers and of those who prefer JSON. */
export function authorizeRows(origin: string): Row[] {
  const good = goodQuery(origin);
  const refusals: Row[] = [
    row('nothing', {}, 400, { error: 'invalid_request' }),
    row('an unknown client', { ...good, client_id: 'nobody' }, 400, { error: 'invalid_client' }),
    row('somebody else’s address', { ...good, redirect_uri: 'https://evil.example/' }, 400, {
      error: 'invalid_redirect_uri',
    }),
    row('a document that is not permitted', { ...good, client_id: 'https://evil.example/client' }, 400, {
      error: 'invalid_client_metadata',
    }),
    row('a document, over the limit', { ...good, client_id: 'https://claude.ai/client' }, 429, {
      error: 'slow_down',
      world: 'whose limits are spent',
    }),
    row('a store that is away', { ...good, client_id: 'reg-x' }, 503, {
      error: 'temporarily_unavailable',
      world: 'whose store is away',
    }),
  ];
  return [
    row('a good request', good, 303),
    row('a wrong scope', { ...good, scope: 'nope' }, 303),
    ...refusals.map(({ error: _onPage, ...page }) => ({ ...page, headers: { accept: 'text/html' } })),
    ...refusals.map((json) => ({ ...json, what: `${json.what}, as JSON`, headers: { accept: 'application/json' } })),
  ];
}
