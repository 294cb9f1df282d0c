import type { Site } from '../contracts/member.ts';
import { errorCode } from '../error-codes.ts';
import { authorizeParameters } from '../request-parameters.ts';
import type { ServiceFacts } from '../service-facts.ts';
import { errorExample, type Example, operation, parameterSchema } from './parts.ts';

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const always = ['server_error', 'temporarily_unavailable'] as const;

/** Values that examples use. None of them is real. */
export const exampleValues = {
  client_id: 'reg-A1b2C3d4E5f6G7h8I9j0Kw',
  redirect_uri: 'http://127.0.0.1:8123/callback',
  code: 'u3zKq0v7Y1mB5nD9sF2hJ4lP6tX8wC0eR_aG-iN3oQs',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  refresh_token: 'p8sVx2Za4Qm6Wt0Yk1Ln3Bd5Fh7Jr9Cu_eG-iO2qSwT',
  access_token: 'c5nRt7Yx9Vb1Zm3Kp5Wq7Ls9Dg1Hj3Fu_aE-iO0kMwQ',
} as const;

/** Errors that the authorization endpoint sends to the client. */
const redirected = [
  'invalid_request',
  'unsupported_response_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
  'login_required',
  'consent_required',
] as const;

/** The authorization endpoint, for a browser. Specification: OAuth endpoints. */
export function authorizeOperation({ origin }: Site): object {
  const examples: Readonly<Record<string, string>> = {
    response_type: 'code',
    client_id: exampleValues.client_id,
    redirect_uri: exampleValues.redirect_uri,
    scope: 'openid profile email courses:read',
    resource: origin,
    code_challenge: exampleValues.code_challenge,
    code_challenge_method: 'S256',
    state: 'af0ifjsldkj',
  };
  return operation({
    id: 'authorize',
    tag: 'OAuth',
    summary: 'Ask a person for access',
    text: [
      'Send the person’s browser here. After sign-in and consent it is sent to `redirect_uri` with `code`, `iss` and `state`, or with `error`, `error_description`, `iss` and `state`. Before client and redirect URI are known to be right, errors are shown to the person.',
      'Errors at `redirect_uri`:',
      redirected.map((error) => `- \`${error}\`: ${errorCode(error).when}.`).join('\n'),
    ].join('\n\n'),
    parameters: authorizeParameters.map((parameter) => ({
      name: parameter.name,
      in: 'query',
      required: parameter.required,
      description: parameter.text,
      schema: parameterSchema({ ...parameter, text: '' }),
      ...(examples[parameter.name] !== undefined && { example: examples[parameter.name] }),
    })),
    success: [
      {
        status: 303,
        text: 'To the sign-in page, the consent page or `redirect_uri`.',
        headers: { Location: { $ref: '#/components/headers/Location' } },
      },
    ],
    errors: [],
    others: {
      400: 'A page that says what is wrong with client or redirect URI; `invalid_client` has the status 400 here.',
      default: 'A page that says that something is wrong on our side; 503 when no verdict could be reached.',
    },
  });
}

/** The token endpoint. Specification: Token endpoint parameters. */
export function tokenOperation({ origin }: Site, { signs, lifetimes }: ServiceFacts): object {
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
    body: { type: form, schema: { anyOf: [reference('CodeExchange'), reference('Refresh')] } },
    success: [{ status: 200, text: 'The tokens.', content: { type: json, schema: reference('TokenAnswer') } }],
    errors: [
      'invalid_request',
      'invalid_grant',
      'invalid_client',
      'invalid_scope',
      'invalid_target',
      'unauthorized_client',
      'unsupported_grant_type',
      ...always,
    ],
    examples,
  });
}

/** Revocation (RFC 7009) and introspection (RFC 7662). */
export function revokeOperation(): object {
  const { client_id, access_token: token } = exampleValues;
  return operation({
    id: 'revoke',
    tag: 'OAuth',
    summary: 'Disconnect: revoke a token and all that came with it',
    text: 'A token that is not known is no error. RFC 7009.',
    body: { type: form, schema: reference('TokenForm') },
    success: [{ status: 200, text: 'It is of no use any more.' }],
    errors: ['invalid_request', 'invalid_client', 'invalid_grant', ...always],
    examples: [
      { name: 'revoke', summary: 'An access token', request: { token, client_id }, status: 200 },
      errorExample('unknownClient', 'invalid_client', 'A client that is not known', { token, client_id: 'nobody' }),
    ],
  });
}

/** Introspection. Specification: Audience binding 3. */
export function introspectOperation({ origin }: Site): object {
  const { client_id, access_token: token } = exampleValues;
  const active = { active: true, aud: origin, client_id, sub: 'member-1', scope: 'openid profile email courses:read' };
  return operation({
    id: 'introspect',
    tag: 'OAuth',
    summary: 'Ask what a token stands for',
    text: 'A client learns about its own tokens. RFC 7662.',
    body: { type: form, schema: reference('TokenForm') },
    success: [
      { status: 200, text: 'What it stands for.', content: { type: json, schema: reference('Introspection') } },
    ],
    errors: ['invalid_request', 'invalid_client', ...always],
    examples: [
      { name: 'active', summary: 'A token in use', request: { token, client_id }, status: 200, response: active },
      errorExample('unknownClient', 'invalid_client', 'A client that is not known', { token, client_id: 'nobody' }),
    ],
  });
}

/** Registration; only there while a policy is configured. Specification: Registration rules. */
export function registerOperation({ registration }: ServiceFacts): object {
  const good = registration.flatMap(({ name, guide }): Example[] =>
    guide?.example
      ? [
          {
            name,
            summary: `As \`${name}\` takes it`,
            request: guide.example,
            status: 201,
            response: answerTo(guide.example),
          },
        ]
      : [],
  );
  return operation({
    id: 'register',
    tag: 'OAuth',
    summary: 'Register a client',
    text: registration.map(({ name, guide }) => guide?.text ?? `Rules of this platform: \`${name}\`.`).join('\n\n'),
    body: { type: json, schema: reference('RegistrationRequest') },
    success: [{ status: 201, text: 'The client.', content: { type: json, schema: reference('RegistrationAnswer') } }],
    errors: ['invalid_request', 'invalid_client_metadata', 'invalid_redirect_uri', 'slow_down', ...always],
    examples: good,
  });
}

function answerTo(example: object): object {
  const { client_id, redirect_uri } = exampleValues;
  return { client_id, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none', ...example };
}
