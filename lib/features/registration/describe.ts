import { isFor } from '../../core/scopes/scopes.ts';
import { hourly } from '../../describe/guide/guide.ts';
import { heading, list, type Part, shell } from '../../describe/guide-parts.ts';
import { exampleValues } from '../../describe/openapi/example-values.ts';
import { bodyErrors } from '../../describe/openapi/errors.ts';
import type { Operation } from '../../describe/operation.ts';
import { type Example, jsonBody, limitedBody, objectSchema, reference } from '../../describe/schema-parts.ts';
import type { DescribedFeature, ServiceDescription } from '../../describe/service-description.ts';
import type { Site } from '../../host/school-platform.ts';
import { paths } from '../../http/paths.ts';
import { quoted } from '../../kernel/shell-quotes.ts';
import type { RegistrationPolicy } from './domain/registration-policy.ts';
import { registrationSchema } from './schema.ts';

export const registrationDescription: DescribedFeature = {
  clients: {
    guide,
    metadata: (origin) => ({ registration_endpoint: `${origin}${paths.register}` }),
    operations: (service) => ({ [paths.register]: { POST: registerOperation(service) } }),
    schemas: {
      RegistrationRequest: registrationSchema,
      RegistrationResponse: objectSchema(
        {
          ...registrationSchema.properties,
          client_id: { type: 'string' },
          client_id_issued_at: { type: 'integer', minimum: 0 },
        },
        ['client_id', 'redirect_uris', 'token_endpoint_auth_method'],
        'The registered client. The response never contains a secret. RFC 7591 section 3.2.1.',
      ),
    },
    errors: ['invalid_client_metadata', 'invalid_redirect_uri'],
    limits: ({ registrations }) => [['registrations', hourly(registrations)]],
  },
};

function textOf({ name, guide: described }: RegistrationPolicy): string {
  return described?.text ?? `Registration follows the policy \`${name}\` of this platform.`;
}

function guide({ origin }: Site, { policies: { registration }, scopes }: ServiceDescription): Part[] {
  const reserved = scopes.filter((row) => !isFor('operator', row.audience)).map(({ scope }) => `\`${scope}\``);
  const texts = registration.map(textOf);
  const example = registration.findLast((policy) => policy.guide?.example)?.guide?.example;
  const command = shell(`
ORIGIN=${origin}
[ "\${CLIENT_ID:-}" ] || CLIENT_ID=$(curl -s "$ORIGIN${paths.register}" \\
  -H 'Content-Type: application/json' \\
  -d ${quoted(JSON.stringify(example ?? {}))} |
  sed -n 's/.*"client_id":"\\([^"]*\\)".*/\\1/p')
echo "$CLIENT_ID"`);
  return [
    heading(3, 'Register the client'),
    `\`POST ${paths.register}\` accepts JSON (RFC 7591). Redirect URIs other than those named here are refused, unless the
rules say otherwise. What a client asks for otherwise, such as \`scope\`, \`grant_types\` or
\`token_endpoint_auth_method\`, does not matter: the response shows what was registered (RFC 7591 section 3.2.1). A
registered client acts for an operator, is public (\`token_endpoint_auth_method\` is \`none\`), and can never get
${reserved.join(', ') || 'scopes of member clients'}.`,
    ...(texts.length > 1
      ? ['These rules are tried in order; the first one that matches applies:', list(texts)]
      : texts),
    ...(example ? [command] : []),
  ];
}

/** Specification: Registration rules. */
function registerOperation({ policies: { registration } }: ServiceDescription): Operation {
  const { client_id, redirect_uri } = exampleValues;
  const examples = registration.flatMap(({ name, guide: described }): Example[] => {
    if (!described?.example) return [];
    const summary = `Accepted by the policy \`${name}\``;
    const response = {
      client_id,
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'none',
      ...described.example,
    };
    return [{ name, summary, request: described.example, status: 201, response }];
  });
  return {
    tag: 'OAuth',
    id: 'register',
    summary: 'Register a client',
    text: registration.map(textOf).join('\n\n'),
    body: limitedBody(reference('RegistrationRequest')),
    responses: [{ status: 201, text: 'The registered client.', content: jsonBody('RegistrationResponse') }],
    errors: [...bodyErrors, 'invalid_client_metadata', 'invalid_redirect_uri', 'slow_down'],
    examples,
  };
}
