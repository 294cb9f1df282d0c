import { memberApp, pkce, reports } from '../helpers/flow.ts';
import type { Row } from './requests.ts';

type Query = Readonly<Record<string, string>>;

/** The query of a valid authorization request of the member client. */
export function validQuery(origin: string): Query {
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

/** Authorization requests with `Accept: text/html`, and the same with `Accept: application/json`. */
export function authorizeRows(origin: string): Row[] {
  const valid = validQuery(origin);
  // An operator client may leave out `resource`, which is different in each world.
  const { resource: _resource, ...others } = valid;
  const elsewhere = { ...others, client_id: reports.id, redirect_uri: reports.redirectUri };
  const refusals: Row[] = [
    row('no parameters', {}, 400, { error: 'invalid_request' }),
    row('an unknown client', { ...valid, client_id: 'nobody' }, 400, { error: 'invalid_client' }),
    row('a redirect URI of another client', { ...valid, redirect_uri: 'https://evil.example/' }, 400, {
      error: 'invalid_redirect_uri',
    }),
    row(
      'a metadata document whose host is not permitted',
      { ...valid, client_id: 'https://evil.example/client' },
      400,
      {
        error: 'invalid_client_metadata',
      },
    ),
    row('a metadata document, no quota left', { ...valid, client_id: 'https://claude.ai/client' }, 429, {
      error: 'slow_down',
      world: 'no quota left',
    }),
    row('a valid request, no quota left', elsewhere, 429, { error: 'slow_down', world: 'no quota left' }),
    row('a query that is too long', { ...valid, state: 'x'.repeat(9000) }, 400, { error: 'invalid_request' }),
    row('store unavailable', { ...valid, client_id: 'reg-x' }, 503, {
      error: 'temporarily_unavailable',
      world: 'store unavailable',
    }),
  ];
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const posted = (what: string, body: string, status: number, more: Row['headers'] = form): Row => {
    return { what, method: 'POST', path: '/oauth/authorize', body, headers: more, status };
  };
  return [
    posted('a form', new URLSearchParams(valid).toString(), 303),
    posted('JSON', '{}', 400, { 'content-type': 'application/json' }),
    posted('a form that is too large', `state=${'x'.repeat(65 * 1024)}`, 413, { ...form, accept: 'text/html' }),
    row('a valid request', valid, 303),
    row('an unknown scope', { ...valid, scope: 'nope' }, 303),
    ...refusals.map(({ error: _onPage, ...page }) => ({ ...page, headers: { accept: 'text/html' } })),
    ...refusals.map((refusal) => ({
      ...refusal,
      what: `${refusal.what}, as JSON`,
      headers: { accept: 'application/json' },
    })),
  ];
}
