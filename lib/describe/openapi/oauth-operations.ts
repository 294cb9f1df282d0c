import type { Site } from '../../contracts/member.ts';
import { type ErrorCode, errorCodes } from '../error-codes.ts';
import { bodyLimit } from '../../http/body.ts';
import { authorizeParameters } from '../request-parameters.ts';
import type { ServiceDescription } from '../service-description.ts';
import { errorResponses, errorBody, commonErrors } from './responses.ts';
import { exampleValues } from './example-values.ts';
import { operation } from './operation.ts';
import { type Example, json, parameterSchema, reference } from './parts.ts';

/** Errors are a page for a browser, and JSON if the client accepts JSON or the school is unknown. */
const pageOrJson = { 'text/html': { type: 'string' }, ...errorBody };

/** Specification: OAuth endpoints; Authorize query parameters. */
export function authorizeOperation({ origin }: Site, service: ServiceDescription): object {
  const codes: readonly ErrorCode[] = errorCodes;
  const redirected = codes.filter((code) => code.redirected);
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
    summary: 'Ask a person to authorize the client',
    text: [
      'Open this address in the person’s browser. After sign-in and consent, the browser is redirected to `redirect_uri` with `code`, `iss` and `state`, or with `error`, `error_description`, `iss` and `state`. If the client or the redirect URI is invalid, the error is shown to the person instead.',
      'Errors sent to `redirect_uri`:',
      redirected.map(({ error, when }) => `- \`${error}\`: ${when}.`).join('\n'),
    ].join('\n\n'),
    parameters: authorizeParameters.map((parameter) => ({
      name: parameter.name,
      in: 'query',
      required: parameter.required,
      description: parameter.text,
      schema: parameterSchema({ ...parameter, text: '' }),
      ...(examples[parameter.name] !== undefined && { example: examples[parameter.name] }),
    })),
    responses: [
      { status: 303, text: 'A redirect to the sign-in page, the consent page or `redirect_uri`.', header: 'Location' },
      {
        status: 400,
        text: `The client or the redirect URI is invalid: \`invalid_request\`, \`invalid_redirect_uri\`, ${service.documents ? '`invalid_client_metadata`, ' : ''}or \`invalid_client\`, which has status 400 at this endpoint.`,
        content: pageOrJson,
      },
      ...errorResponses(
        service,
        [...commonErrors, ...(service.documents ? (['slow_down'] as const) : [])],
        pageOrJson,
      ).map(
        (response) =>
          ({ ...response, status: response.error === 'server_error' ? 'default' : response.status }) as const,
      ),
    ],
  });
}

/** Registration, if a policy is configured. Specification: Registration rules. */
export function registerOperation(service: ServiceDescription): object {
  const { registration } = service;
  const good = registration.flatMap(({ name, guide }): Example[] =>
    guide?.example
      ? [
          {
            name,
            summary: `Accepted by the policy \`${name}\``,
            request: guide.example,
            status: 201,
            response: responseTo(guide.example),
          },
        ]
      : [],
  );
  return operation({
    id: 'register',
    tag: 'OAuth',
    summary: 'Register a client',
    text: registration
      .map(({ name, guide }) => guide?.text ?? `Registration follows the policy \`${name}\` of this platform.`)
      .join('\n\n'),
    body: { type: json, schema: reference('RegistrationRequest'), text: `Maximum size: ${bodyLimit / 1024} KiB.` },
    responses: [
      { status: 201, text: 'The registered client.', content: { [json]: reference('RegistrationResponse') } },
      ...errorResponses(service, [
        ...commonErrors,
        'invalid_request',
        ['invalid_request', 413],
        'invalid_client_metadata',
        'invalid_redirect_uri',
        'slow_down',
      ]),
    ],
    examples: good,
  });
}

function responseTo(example: object): object {
  const { client_id, redirect_uri } = exampleValues;
  return { client_id, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none', ...example };
}
