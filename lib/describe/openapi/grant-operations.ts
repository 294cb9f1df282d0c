import type { Site } from '../../contracts/platform.ts';
import { deviceGrant, deviceParameters } from '../../protocol/grant-types.ts';
import { paths } from '../../protocol/paths.ts';
import type { ServiceDescription } from '../service-description.ts';
import type { Offered } from '../../protocol/offered.ts';
import { exampleValues, form } from './example-values.ts';
import { clientErrors, type ErrorReference, operation } from './operation.ts';
import { type Example, formSchema, jsonBody, limitedBody, objectSchema, reference } from './parts.ts';

/** RFC 8628 sections 3.1 and 3.2. */
export function deviceSchemas({ clientParameters }: Offered): Readonly<Record<string, object>> {
  const [text, seconds] = [{ type: 'string' }, { type: 'integer', minimum: 0 }];
  const uri = { ...text, format: 'uri' };
  return {
    DeviceAuthorizationForm: formSchema([...deviceParameters, ...clientParameters]),
    DeviceAuthorizationResponse: objectSchema({
      device_code: text,
      user_code: text,
      verification_uri: uri,
      verification_uri_complete: uri,
      expires_in: seconds,
      interval: seconds,
    }),
  };
}

/** What the token endpoint says of a device code. RFC 8628 section 3.5. */
export const deviceErrors: readonly ErrorReference[] = [
  'authorization_pending',
  ['slow_down', 400],
  ['access_denied', 400],
  'expired_token',
];

/** For the optional grant types. The tokens of a device are those of a refresh. */
export function grantExamples({ hasGrant }: Offered, tokens: { readonly expires_in: number }): Example[] {
  return [
    ...(hasGrant('client_credentials') ? [serviceExample(tokens.expires_in)] : []),
    ...(hasGrant(deviceGrant) ? [deviceExample(tokens)] : []),
  ];
}

function serviceExample(expires_in: number): Example {
  const { service_id: client_id, service_secret: client_secret, service_token: access_token } = exampleValues;
  return {
    name: 'service',
    summary: 'A service',
    request: { grant_type: 'client_credentials', client_id, client_secret },
    status: 200,
    response: { access_token, token_type: 'Bearer', expires_in, scope: 'courses:read' },
  };
}

function deviceExample(response: object): Example {
  const { device_code, device_client: client_id } = exampleValues;
  const request = { grant_type: deviceGrant, device_code, client_id };
  return { name: 'device', summary: 'A device that a person has allowed', request, status: 200, response };
}

/** RFC 8628 section 3.1. */
export function deviceAuthorizationOperation({ origin }: Site, service: ServiceDescription): object {
  const { device_code, device_client: client_id } = exampleValues;
  const user_code = 'WDJB-MJHT';
  const response = {
    device_code,
    user_code,
    verification_uri: `${origin}${paths.device}`,
    verification_uri_complete: `${origin}${paths.device}?user_code=${user_code}`,
    expires_in: service.lifetimes.pendingSignIn,
    interval: 5,
  };
  return operation('OAuth', 'authorizeDevice', {
    summary: 'Ask a person to authorize a device',
    text: `Show \`verification_uri\` and \`user_code\` to the person, or \`verification_uri_complete\` as a QR code, and request the tokens every \`interval\` seconds with \`grant_type=${deviceGrant}\`. RFC 8628.`,
    body: limitedBody(reference('DeviceAuthorizationForm'), form),
    responses: [
      { status: 200, text: 'The codes.', content: jsonBody('DeviceAuthorizationResponse') },
      ...clientErrors(service, ['invalid_scope', 'invalid_target', 'unauthorized_client', 'slow_down']),
    ],
    examples: [
      { name: 'device', summary: 'A device', request: { client_id, resource: origin }, status: 200, response },
    ],
  });
}
