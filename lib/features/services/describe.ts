import { isFor } from '../../core/scopes/scopes.ts';
import type { Site } from '../../host/school-platform.ts';
import { formTable } from '../../describe/guide/flow.ts';
import { duration, heading, type Part, shell } from '../../describe/guide-parts.ts';
import type { DescribedFeature, ServiceDescription } from '../../describe/service-description.ts';
import { paths } from '../../http/paths.ts';
import { servicesGrantType } from './grant.ts';

export const servicesDescription: DescribedFeature = {
  tokenExamples: ({ expires_in }, { scopes }) => [
    {
      name: 'service',
      summary: 'A service',
      request: { grant_type: 'client_credentials', ...values },
      status: 200,
      response: {
        access_token: 'k3Jh5Gf7Ds9Aq1We3Rt5Yu7Io9Pl1Mn_bV-cX0zLkJh',
        token_type: 'Bearer',
        expires_in,
        scope: scopes.find(({ audience, access }) => access === 'read' && isFor('service', audience))?.scope ?? '',
      },
    },
  ],
  guide,
  limits: ({ refreshes }) => [['access tokens of a service', `${refreshes.perFamily} per service`]],
};

/** What the examples have. */
export const values = {
  client_id: 'app-Q1w2E3r4T5y6U7i8',
  client_secret: 'z8Xc6Vb4Nm2As1Df3Gh5Jk7Lq9We0Rt_yU-iOpAsDfG',
} as const;

/** RFC 6749 section 4.4. */
function guide({ connectionsEnabled }: Site, { lifetimes, enabled }: ServiceDescription): Part[] {
  const how = connectionsEnabled
    ? 'An administrator creates it in the school’s admin area (Developers) and gives you its `client_id` and `client_secret`.'
    : 'Connections are not enabled at this school, so administrators cannot create services at present.';
  return [
    heading(2, 'Services'),
    `A service acts for the school, not for a person: nobody signs in or consents. ${how}`,
    `With both it requests an access token (${duration(lifetimes.accessToken)}), and another one when that has expired: the response has no
refresh token and no ID token. A service can have scopes of the Admin API only. UserInfo, the Member API and the tools for people
refuse its token with 403 \`insufficient_scope\`. A token ends with the secret with which it was requested.`,
    shell(`
[ -z "\${SERVICE_ID:-}" ] || curl -s "$ORIGIN${paths.token}" -d grant_type=client_credentials \\
  --data-urlencode "client_id=$SERVICE_ID" --data-urlencode "client_secret=$SERVICE_SECRET"`),
    formTable(servicesGrantType, enabled),
  ];
}
