import type { Site } from '../../contracts/member.ts';
import { type ErrorCode, errorCodes } from '../error-codes.ts';
import { bodyLimit } from '../../http/body.ts';
import { authorizeParameters } from '../request-parameters.ts';
import type { ServiceDescription } from '../service-description.ts';
import { errorResponses, errorBody, everywhere } from './responses.ts';
import { exampleValues } from './example-values.ts';
import { operation } from './operation.ts';
import { type Example, json, parameterSchema, reference } from './parts.ts';

/** An error is a page for a browser, and JSON for who asks for it and where not even the school is known. */
const pageOrJson = { 'text/html': { type: 'string' }, ...errorBody };

/** The authorization endpoint, for a browser. Specification: OAuth endpoints. */
export function authorizeOperation({ origin }: Site, facts: ServiceDescription): object {
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
    summary: 'Ask a person for access',
    text: [
      'Send the person’s browser here. After sign-in and consent it is sent to `redirect_uri` with `code`, `iss` and `state`, or with `error`, `error_description`, `iss` and `state`. Before client and redirect URI are known to be right, errors are shown to the person.',
      'Errors at `redirect_uri`:',
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
    answers: [
      { status: 303, text: 'To the sign-in page, the consent page or `redirect_uri`.', header: 'Location' },
      {
        status: 400,
        text: `What is wrong with client or redirect URI: \`invalid_request\`, \`invalid_redirect_uri\`, ${facts.documents ? '`invalid_client_metadata`, ' : ''}or \`invalid_client\`, which has the status 400 here.`,
        content: pageOrJson,
      },
      ...errorResponses(facts, [...everywhere, ...(facts.documents ? (['slow_down'] as const) : [])], pageOrJson).map(
        (answer) => ({ ...answer, status: answer.error === 'server_error' ? 'default' : answer.status }) as const,
      ),
    ],
  });
}

/** Registration; only there while a policy is configured. Specification: Registration rules. */
export function registerOperation(facts: ServiceDescription): object {
  const { registration } = facts;
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
    body: { type: json, schema: reference('RegistrationRequest'), text: `At most ${bodyLimit / 1024} KiB.` },
    answers: [
      { status: 201, text: 'The client.', content: { [json]: reference('RegistrationResponse') } },
      ...errorResponses(facts, [
        ...everywhere,
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

function answerTo(example: object): object {
  const { client_id, redirect_uri } = exampleValues;
  return { client_id, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none', ...example };
}
