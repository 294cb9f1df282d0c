import type { Site } from '../../host/school-platform.ts';
import { errorCodes } from '../error-codes.ts';
import { queryLimit } from '../../engine/parameter-limits.ts';
import { allAuthorizeParameters } from '../request-parameters.ts';
import { identityScopes, isFor } from '../../core/scopes/scopes.ts';
import type { ServiceDescription } from '../service-description.ts';
import { exampleValues, form } from './example-values.ts';
import { bodyErrors, clientErrors, errorContent, lookupErrors } from './errors.ts';
import type { Operation } from '../operation.ts';
import { errorExample, jsonBody, limitedBody, reference } from '../schema-parts.ts';

/** The identity scopes, and one more that a registered client may read with. */
function exampleScope({ scopes }: ServiceDescription): string {
  const reading = scopes.find((row) => row.access === 'read' && isFor('operator', row.audience));
  return [...identityScopes, ...(reading ? [reading.scope] : [])].join(' ');
}

function exampleRequest(origin: string, service: ServiceDescription): Readonly<Record<string, string>> {
  const { client_id, redirect_uri, code_challenge } = exampleValues;
  return {
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: exampleScope(service),
    resource: origin,
    code_challenge,
    code_challenge_method: 'S256',
    state: 'af0ifjsldkj',
  };
}

/** Specification: OAuth endpoints; Authorize query parameters. */
export function authorizeOperation({ origin }: Site, service: ServiceDescription): Operation {
  const redirected = errorCodes.filter((code) => code.redirected);
  const examples = exampleRequest(origin, service);
  const ofLookups = lookupErrors(service).map((error) => `\`${error}\`, `);
  return {
    tag: 'OAuth',
    id: 'authorize',
    summary: 'Ask a person to authorize the client',
    text: [
      'Open this address in the person’s browser, in a window or tab but not in a frame. After sign-in and consent, the browser is redirected to `redirect_uri` with `code`, `iss` and `state`. An error is sent there as `error`, `error_description`, `iss` and `state`. If the client or the redirect URI is invalid, or there were too many requests, the person sees the error instead.',
      'Errors sent to `redirect_uri`:',
      redirected.map(({ error, when }) => `- \`${error}\`: ${when}.`).join('\n'),
    ].join('\n\n'),
    parameters: allAuthorizeParameters(service).map((one) => ({ ...one, example: examples[one.name] })),
    responses: [
      { status: 303, text: 'A redirect to the sign-in page, the consent page or `redirect_uri`.', header: 'Location' },
      {
        status: 400,
        text: `The client or the redirect URI is invalid, or the query has more than ${queryLimit} characters: \`invalid_request\`, \`invalid_redirect_uri\`, ${ofLookups.join('')}or \`invalid_client\`, which has status 400 at this endpoint.`,
        content: errorContent('page'),
      },
    ],
    errors: ['slow_down'],
  };
}

/** OIDC Core section 3.1.2.1. */
export function postedAuthorizeOperation({ origin }: Site, service: ServiceDescription): Operation {
  return {
    tag: 'OAuth',
    id: 'authorizeByPost',
    summary: 'Ask a person to authorize the client, with a form',
    text: 'The same as `GET`, for a form in the person’s browser. The browser goes on by `GET`, so all parameters together have the same limit.',
    body: limitedBody(reference('AuthorizationForm'), form),
    responses: [{ status: 303, text: 'A redirect to the same request by `GET`.', header: 'Location' }],
    errors: bodyErrors,
    examples: [{ name: 'form', summary: 'A form', request: exampleRequest(origin, service), status: 303 }],
  };
}

/** Specification: Token endpoint parameters. */
export function tokenOperation({ origin }: Site, service: ServiceDescription): Operation {
  const { idTokenAlgorithms, lifetimes, enabled, features } = service;
  const { client_id, redirect_uri, code, code_verifier, refresh_token, access_token } = exampleValues;
  const exchange = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id, resource: origin };
  const refresh = { grant_type: 'refresh_token', refresh_token, client_id };
  const { accessToken: expires_in } = lifetimes;
  const response = { access_token, token_type: 'Bearer', expires_in, scope: exampleScope(service), refresh_token };
  const withIdToken = {
    ...response,
    ...(idTokenAlgorithms.length > 0 && {
      id_token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjIwMjYtMTEifQ.eyJzdWIiOiJhIn0.c2ln',
    }),
  };
  return {
    tag: 'OAuth',
    id: 'token',
    summary: 'Redeem a code or refresh token',
    text: `A refresh returns a new refresh token, which replaces the previous one. It does not return an ID token.${
      enabled.hasServices ? ' A service gets an access token only.' : ''
    }`,
    body: limitedBody({ anyOf: enabled.grantTypes.map(({ schema }) => reference(schema)) }, form),
    responses: [{ status: 200, text: 'The tokens.', content: jsonBody('TokenResponse') }],
    errors: [
      ...clientErrors(service),
      'invalid_grant',
      'invalid_scope',
      'invalid_target',
      'unauthorized_client',
      'unsupported_grant_type',
      'slow_down',
      ...features.flatMap(({ errors = [] }) => errors),
    ],
    examples: [
      { name: 'exchange', summary: 'Code exchange', request: exchange, status: 200, response: withIdToken },
      { name: 'refresh', summary: 'Refresh', request: refresh, status: 200, response },
      ...features.flatMap(({ tokenExamples }) => tokenExamples?.(response, service) ?? []),
      errorExample('unknownCode', 'invalid_grant', 'An unknown code', { ...exchange, code: `${code.slice(0, -1)}t` }),
      errorExample('unknownClient', 'invalid_client', 'An unknown client', { ...refresh, client_id: 'nobody' }),
    ],
  };
}

const tokenForm = { token: exampleValues.access_token, client_id: exampleValues.client_id };
const unknownClient = errorExample('unknownClient', 'invalid_client', 'An unknown client', {
  ...tokenForm,
  client_id: 'nobody',
});

/** RFC 7009. */
export function revokeOperation(service: ServiceDescription): Operation {
  return {
    tag: 'OAuth',
    id: 'revoke',
    summary: 'Revoke a token and all other tokens of its authorization',
    text: 'This disconnects one device. Other devices of the person stay connected. An unknown token is not an error. RFC 7009.',
    body: limitedBody(reference('TokenForm'), form),
    responses: [{ status: 200, text: 'The token is no longer valid, or was unknown.' }],
    errors: [...clientErrors(service), 'invalid_grant'],
    examples: [{ name: 'revoke', summary: 'An access token', request: tokenForm, status: 200 }, unknownClient],
  };
}

/** Specification: Audience binding 3. */
export function introspectOperation({ origin }: Site, service: ServiceDescription): Operation {
  const { client_id } = tokenForm;
  const active = { active: true, aud: origin, client_id, sub: 'member-1', scope: exampleScope(service) };
  return {
    tag: 'OAuth',
    id: 'introspect',
    summary: 'Introspect a token',
    text: 'Returns information about the client’s own tokens. RFC 7662.',
    body: limitedBody(reference('TokenForm'), form),
    responses: [{ status: 200, text: 'The state of the token.', content: jsonBody('Introspection') }],
    errors: clientErrors(service),
    examples: [
      { name: 'active', summary: 'An active token', request: tokenForm, status: 200, response: active },
      unknownClient,
    ],
  };
}
