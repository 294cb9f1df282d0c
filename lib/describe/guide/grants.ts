import type { Site } from '../../contracts/platform.ts';
import { deviceGrant, deviceParameters, type GrantType } from '../../protocol/grant-types.ts';
import { paths } from '../../protocol/paths.ts';
import type { ServiceDescription } from '../service-description.ts';
import { formTable, parameterTable } from './flow.ts';
import { duration, heading, type Part, shell } from './parts.ts';

const sections: Readonly<Partial<Record<GrantType, (site: Site, service: ServiceDescription) => Part[]>>> = {
  client_credentials: services,
  [deviceGrant]: devices,
};

export function grantSections(site: Site, service: ServiceDescription): Part[] {
  return service.offered.grantTypes.flatMap(({ name }) => sections[name]?.(site, service) ?? []);
}

/** RFC 6749 section 4.4. */
function services({ connectionsEnabled }: Site, { lifetimes, offered }: ServiceDescription): Part[] {
  const how = connectionsEnabled
    ? 'An operator creates it in the school’s admin area (Developers, OAuth applications) and gives you its `client_id` and `client_secret`.'
    : 'Connections are not enabled at this school, so operators cannot create services at present.';
  return [
    heading(2, 'Services'),
    `A service acts for the school, not for a person: nobody signs in or consents. ${how}`,
    `With both it requests an access token (${duration(lifetimes.accessToken)}), and another one when that has expired: the response has no
refresh token and no ID token. A service can have scopes of the Admin API only. UserInfo, the Member API and the tools for people
refuse its token with 403 \`insufficient_scope\`. A token ends with the secret with which it was requested.`,
    shell(`
[ -z "\${SERVICE_ID:-}" ] || curl -s "$ORIGIN${paths.token}" -d grant_type=client_credentials \\
  --data-urlencode "client_id=$SERVICE_ID" --data-urlencode "client_secret=$SERVICE_SECRET"`),
    formTable('client_credentials', offered),
  ];
}

/** RFC 8628. */
function devices({ origin }: Site, { lifetimes, offered }: ServiceDescription): Part[] {
  const registered = offered.registered.includes(deviceGrant)
    ? `, and one that registers itself if it asks for \`${deviceGrant}\` in \`grant_types\``
    : '. A client that registers itself, and one with a metadata document, cannot';
  return [
    heading(2, 'Sign in on another device'),
    `A program without a browser, on a display, a lab machine or a terminal, can ask the person to sign in on another device. The school
or the platform must have created its client for that${registered}. Send a device authorization request, then
show \`verification_uri\` and \`user_code\`, and if you can \`verification_uri_complete\` as a QR code:`,
    shell(`
[ -z "\${DEVICE_CLIENT:-}" ] || curl -s "$ORIGIN${paths.deviceAuthorization}" \\
  --data-urlencode "client_id=$DEVICE_CLIENT" --data-urlencode "resource=${origin}"`),
    parameterTable([...deviceParameters, ...offered.clientParameters]),
    `The person opens the address, signs in, enters the code, says that it is the one on their own device, and consents as they would at the
authorization endpoint. Meanwhile request the tokens every \`interval\` seconds. Until the person has decided, the answer is
\`authorization_pending\`; after \`slow_down\` with status 400 wait 5 seconds longer between requests. A code is valid for
${duration(lifetimes.pendingSignIn)} (\`expires_in\`) and redeemed once. The tokens are the same as those of a code exchange.`,
    shell(`
[ -z "\${DEVICE_CODE:-}" ] || curl -s "$ORIGIN${paths.token}" -d grant_type=${deviceGrant} \\
  --data-urlencode "device_code=$DEVICE_CODE" --data-urlencode "client_id=$DEVICE_CLIENT" \\
  --data-urlencode "resource=${origin}"`),
    formTable(deviceGrant, offered),
  ];
}
