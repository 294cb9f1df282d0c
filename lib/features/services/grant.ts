import type { GrantType } from '../../core/enabled/grant-type.ts';
import type { OptionalGrant } from '../../core/enabled/grant-option.ts';
import { optional } from '../../kernel/request-parameter.ts';

/** The client credentials grant. RFC 6749 section 4.4. */
export const servicesGrantType: GrantType = {
  name: 'client_credentials',
  option: 'clientCredentials',
  clients: 'services',
  whenOff: {
    /** A school has services, but `grants` lacks `clientCredentials()`, so they cannot get tokens. */
    id: 'services-off',
    fix: 'add clientCredentials() of campus-oidc/grants to grants, or remove the services',
  },
  schema: 'ServiceToken',
  parameters: [
    optional('scope', 'Scopes, separated by spaces. Default: all that the service has.'),
    optional('resource', 'The origin, or the address of one of its protected resources; all mean the same.'),
  ],
};

/** Access tokens for services, which act for a school and not for a person. RFC 6749 section 4.4. */
export function clientCredentials(): OptionalGrant {
  return Object.freeze({ grantType: servicesGrantType.name });
}
