import { bodyLimit } from '../../http/body.ts';
import type { Site } from '../../contracts/member.ts';
import type { ServiceDescription } from '../service-description.ts';
import { type ResponseVariant, errorResponses, type ErrorReference, commonErrors } from './responses.ts';
import { exampleValues } from './example-values.ts';
import { operation } from './operation.ts';
import { errorExample, type Example, form, json, reference } from './parts.ts';

function formBody(schema: object): { type: string; schema: object; text: string } {
  return { type: form, schema, text: `Maximum size: ${bodyLimit / 1024} KiB.` };
}

/** The errors of every endpoint with client authentication. A metadata document may have to be fetched for it. */
function clientErrors(service: ServiceDescription, more: readonly ErrorReference[] = []): ResponseVariant[] {
  const ofDocuments = service.documents ? (['invalid_client_metadata', 'slow_down'] as const) : [];
  return errorResponses(service, [
    ...commonErrors,
    'invalid_request',
    ['invalid_request', 413],
    'invalid_client',
    ...ofDocuments,
    ...more,
  ]);
}

/** Specification: Token endpoint parameters. */
export function tokenOperation({ origin }: Site, service: ServiceDescription): object {
  const { signs, lifetimes } = service;
  const { client_id, redirect_uri, code, code_verifier, refresh_token, access_token } = exampleValues;
  const exchange = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id, resource: origin };
  const refresh = { grant_type: 'refresh_token', refresh_token, client_id };
  const scope = 'openid profile email courses:read';
  const response = { access_token, token_type: 'Bearer', expires_in: lifetimes.accessToken, scope, refresh_token };
  const examples: Example[] = [
    {
      name: 'exchange',
      summary: 'Code exchange',
      request: exchange,
      status: 200,
      response: {
        ...response,
        ...(signs && { id_token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjIwMjYtMTEifQ.eyJzdWIiOiJhIn0.c2ln' }),
      },
    },
    { name: 'refresh', summary: 'Refresh', request: refresh, status: 200, response },
    errorExample('unknownCode', 'invalid_grant', 'An unknown code', { ...exchange, code: `${code.slice(0, -1)}t` }),
    errorExample('unknownClient', 'invalid_client', 'An unknown client', { ...refresh, client_id: 'nobody' }),
  ];
  return operation({
    id: 'token',
    tag: 'OAuth',
    summary: 'Redeem a code or refresh token',
    text: 'A refresh returns a new refresh token, which replaces the one that was sent, and no ID token.',
    body: formBody({ anyOf: [reference('CodeExchange'), reference('Refresh')] }),
    responses: [
      { status: 200, text: 'The tokens.', content: { [json]: reference('TokenResponse') } },
      ...clientErrors(service, ['invalid_grant', 'invalid_scope', 'invalid_target', 'unsupported_grant_type']),
    ],
    examples,
  });
}

const tokenForm = { token: exampleValues.access_token, client_id: exampleValues.client_id };
const unknownClient = errorExample('unknownClient', 'invalid_client', 'An unknown client', {
  ...tokenForm,
  client_id: 'nobody',
});

/** RFC 7009. */
export function revokeOperation(service: ServiceDescription): object {
  return operation({
    id: 'revoke',
    tag: 'OAuth',
    summary: 'Revoke a token and all other tokens of its connection',
    text: 'An unknown token is not an error. RFC 7009.',
    body: formBody(reference('TokenForm')),
    responses: [
      { status: 200, text: 'The token is not valid any more, or was unknown.' },
      ...clientErrors(service, ['invalid_grant']),
    ],
    examples: [{ name: 'revoke', summary: 'An access token', request: tokenForm, status: 200 }, unknownClient],
  });
}

/** Specification: Audience binding 3. */
export function introspectOperation({ origin }: Site, service: ServiceDescription): object {
  const active = {
    active: true,
    aud: origin,
    client_id: tokenForm.client_id,
    sub: 'member-1',
    scope: 'openid profile email courses:read',
  };
  return operation({
    id: 'introspect',
    tag: 'OAuth',
    summary: 'Introspect a token',
    text: 'Returns information about the client’s own tokens. RFC 7662.',
    body: formBody(reference('TokenForm')),
    responses: [
      { status: 200, text: 'The state of the token.', content: { [json]: reference('Introspection') } },
      ...clientErrors(service),
    ],
    examples: [
      { name: 'active', summary: 'An active token', request: tokenForm, status: 200, response: active },
      unknownClient,
    ],
  });
}
