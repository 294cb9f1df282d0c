import type { Site } from '../../contracts/platform.ts';
import type { GrantType } from '../../protocol/grant-types.ts';
import { paths } from '../../protocol/paths.ts';
import type { ServiceDescription } from '../service-description.ts';
import { formTable } from './flow.ts';
import { duration, heading, type Part, shell } from './parts.ts';

type Section = (site: Site, service: ServiceDescription) => Part[];

/** The sections of optional grant types. */
const sections: Readonly<Partial<Record<GrantType, Section>>> = { client_credentials: services };

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
