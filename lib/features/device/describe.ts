import type { Site } from '../../host/school-platform.ts';
import { formTable, parameterTable } from '../../describe/guide/flow.ts';
import { hourly } from '../../describe/guide/guide.ts';
import { duration, heading, type Part, shell } from '../../describe/guide-parts.ts';
import { form } from '../../describe/openapi/example-values.ts';
import { clientErrors } from '../../describe/openapi/errors.ts';
import type { Operation } from '../../describe/operation.ts';
import { formSchema, jsonBody, limitedBody, objectSchema, reference } from '../../describe/schema-parts.ts';
import type { DescribedFeature, ServiceDescription } from '../../describe/service-description.ts';
import type { Enabled } from '../../core/enabled/enabled.ts';
import { paths } from '../../http/paths.ts';
import { pollInterval } from './code-storage.ts';
import { deviceGrantType, deviceParameters } from './grant.ts';
import { deviceGrant, devicePaths } from './names.ts';
import { userCodesPerMember } from './user-code-limiter.ts';

export const deviceDescription: DescribedFeature = {
  errors: [
    {
      error: 'authorization_pending',
      status: 400,
      when: 'the person has not entered the user code and decided yet',
      remedy: 'Ask again after `interval` seconds.',
    },
    {
      error: 'slow_down',
      status: 400,
      when: 'a device asked again before its `interval` was over',
      remedy:
        'Wait 5 seconds longer than before between all further requests of this device code (RFC 8628 section 3.5).',
    },
    {
      error: 'access_denied',
      status: 400,
      when: 'the person refused the device',
      remedy: 'Accept the decision; do not ask again immediately.',
    },
    {
      error: 'expired_token',
      status: 400,
      when: 'the device code has expired',
      remedy: 'Tell the person, and send a new device authorization request if they still want it.',
    },
  ],
  operations: (site, service) => ({ [devicePaths.authorization]: { POST: authorizationOperation(site, service) } }),
  schemas,
  tokenExamples: (response) => [
    {
      name: 'device',
      summary: 'A device that a person has allowed',
      request: { grant_type: deviceGrant, ...values },
      status: 200,
      response,
    },
  ],
  guide,
  limits: ({ userCodes }) => [
    [
      'user codes that are entered',
      `${userCodesPerMember} per person, ${hourly(userCodes)}; device authorization requests count as authorization requests before sign-in`,
    ],
  ],
};

/** What the examples have. */
export const values = {
  device_code: 'n4Bv6Cx8Za0Sd2Fg4Hj6Kl8Qw0Er2Ty_uI-oP1aSdFg',
  client_id: 'app-D1e2V3i4C5e6A7p8',
} as const;

/** RFC 8628 sections 3.1 and 3.2. */
function schemas({ clientParameters }: Enabled): Readonly<Record<string, object>> {
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

/** RFC 8628 section 3.1. */
function authorizationOperation({ origin }: Site, service: ServiceDescription): Operation {
  const { client_id, device_code } = values;
  const user_code = 'WDJB-MJHT';
  const response = {
    device_code,
    user_code,
    verification_uri: `${origin}${devicePaths.page}`,
    verification_uri_complete: `${origin}${devicePaths.page}?user_code=${user_code}`,
    expires_in: service.lifetimes.pendingSignIn,
    interval: pollInterval,
  };
  return {
    tag: 'OAuth',
    id: 'authorizeDevice',
    summary: 'Ask a person to authorize a device',
    text: `Show \`verification_uri\` and \`user_code\` to the person, or \`verification_uri_complete\` as a QR code, and request the tokens every \`interval\` seconds with \`grant_type=${deviceGrant}\`. RFC 8628.`,
    body: limitedBody(reference('DeviceAuthorizationForm'), form),
    responses: [{ status: 200, text: 'The codes.', content: jsonBody('DeviceAuthorizationResponse') }],
    errors: [...clientErrors(service), 'invalid_scope', 'invalid_target', 'unauthorized_client', 'slow_down'],
    examples: [
      { name: 'device', summary: 'A device', request: { client_id, resource: origin }, status: 200, response },
    ],
  };
}

/** RFC 8628. */
function guide({ origin }: Site, { lifetimes, enabled }: ServiceDescription): Part[] {
  const registered = enabled.registered.includes(deviceGrant)
    ? `, and one that registers itself if it asks for \`${deviceGrant}\` in \`grant_types\``
    : '. A client that registers itself, and one with a metadata document, cannot';
  return [
    heading(2, 'Sign in on another device'),
    `An app without a browser, on a display, a lab machine or a terminal, can ask the person to sign in on another device. The school
or the platform must have created its client for that${registered}. Send a device authorization request, then
show \`verification_uri\` and \`user_code\`, and if you can \`verification_uri_complete\` as a QR code:`,
    shell(`
[ -z "\${DEVICE_CLIENT:-}" ] || curl -s "$ORIGIN${devicePaths.authorization}" \\
  --data-urlencode "client_id=$DEVICE_CLIENT" --data-urlencode "resource=${origin}"`),
    parameterTable([...deviceParameters, ...enabled.clientParameters]),
    `The person opens the address, signs in, enters the code, says that it is the one on their own device, and consents as they would at the
authorization endpoint. Meanwhile request the tokens every \`interval\` seconds. Until the person has decided, the answer is
\`authorization_pending\`; after \`slow_down\` with status 400 wait 5 seconds longer between requests. A code is valid for
${duration(lifetimes.pendingSignIn)} (\`expires_in\`) and redeemed once. The tokens are the same as those of a code exchange.`,
    shell(`
[ -z "\${DEVICE_CODE:-}" ] || curl -s "$ORIGIN${paths.token}" -d grant_type=${deviceGrant} \\
  --data-urlencode "device_code=$DEVICE_CODE" --data-urlencode "client_id=$DEVICE_CLIENT" \\
  --data-urlencode "resource=${origin}"`),
    formTable(deviceGrantType, enabled),
  ];
}
