import { bodyLimit } from '../../http/body.ts';
import type { Site } from '../../contracts/member.ts';
import type { ServiceDescription } from '../service-description.ts';
import { type ResponseVariant, errorResponses, type ErrorReference, everywhere } from './responses.ts';
import { exampleValues } from './example-values.ts';
import { operation } from './operation.ts';
import { errorExample, type Example, form, json, reference } from './parts.ts';

/** A form of an endpoint that clients post to. */
function formBody(schema: object): { type: string; schema: object; text: string } {
  return { type: form, schema, text: `At most ${bodyLimit / 1024} KiB.` };
}

/** The refusals of every endpoint that clients post to; a client can be a metadata document, which has to be fetched. */
function refusals(facts: ServiceDescription, more: readonly ErrorReference[] = []): ResponseVariant[] {
  const ofDocuments = facts.documents ? (['invalid_client_metadata', 'slow_down'] as const) : [];
  return errorResponses(facts, [
    ...everywhere,
    'invalid_request',
    ['invalid_request', 413],
    'invalid_client',
    ...ofDocuments,
    ...more,
  ]);
}

/** The token endpoint. Specification: Token endpoint parameters. */
export function tokenOperation({ origin }: Site, facts: ServiceDescription): object {
  const { signs, lifetimes } = facts;
  const { client_id, redirect_uri, code, code_verifier, refresh_token, access_token } = exampleValues;
  const exchange = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id, resource: origin };
  const refresh = { grant_type: 'refresh_token', refresh_token, client_id };
  const scope = 'openid profile email courses:read';
  const answer = { access_token, token_type: 'Bearer', expires_in: lifetimes.accessToken, scope, refresh_token };
  const examples: Example[] = [
    {
      name: 'exchange',
      summary: 'A code',
      request: exchange,
      status: 200,
      response: {
        ...answer,
        ...(signs && { id_token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjIwMjYtMTEifQ.eyJzdWIiOiJhIn0.c2ln' }),
      },
    },
    { name: 'refresh', summary: 'A refresh token', request: refresh, status: 200, response: answer },
    errorExample('unknownCode', 'invalid_grant', 'A code that is not known', {
      ...exchange,
      code: `${code.slice(0, -1)}t`,
    }),
    errorExample('unknownClient', 'invalid_client', 'A client that is not known', { ...refresh, client_id: 'nobody' }),
  ];
  return operation({
    id: 'token',
    tag: 'OAuth',
    summary: 'Redeem a code or refresh token',
    text: 'A refresh returns a new refresh token, which replaces the one that was sent, and no ID token.',
    body: formBody({ anyOf: [reference('CodeExchange'), reference('Refresh')] }),
    answers: [
      { status: 200, text: 'The tokens.', content: { [json]: reference('TokenAnswer') } },
      ...refusals(facts, ['invalid_grant', 'invalid_scope', 'invalid_target', 'unsupported_grant_type']),
    ],
    examples,
  });
}

const tokenForm = { token: exampleValues.access_token, client_id: exampleValues.client_id };
const unknownClient = errorExample('unknownClient', 'invalid_client', 'A client that is not known', {
  ...tokenForm,
  client_id: 'nobody',
});

/** Revocation. RFC 7009. */
export function revokeOperation(facts: ServiceDescription): object {
  return operation({
    id: 'revoke',
    tag: 'OAuth',
    summary: 'Disconnect: revoke a token and all that came with it',
    text: 'A token that is not known is no error. RFC 7009.',
    body: formBody(reference('TokenForm')),
    answers: [{ status: 200, text: 'It is of no use any more.' }, ...refusals(facts, ['invalid_grant'])],
    examples: [{ name: 'revoke', summary: 'An access token', request: tokenForm, status: 200 }, unknownClient],
  });
}

/** Introspection. Specification: Audience binding 3. */
export function introspectOperation({ origin }: Site, facts: ServiceDescription): object {
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
    summary: 'Ask what a token stands for',
    text: 'A client learns about its own tokens. RFC 7662.',
    body: formBody(reference('TokenForm')),
    answers: [
      { status: 200, text: 'What it stands for.', content: { [json]: reference('Introspection') } },
      ...refusals(facts),
    ],
    examples: [
      { name: 'active', summary: 'A token in use', request: tokenForm, status: 200, response: active },
      unknownClient,
    ],
  });
}
