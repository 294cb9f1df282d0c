import { optional } from '../../kernel/request-parameter.ts';
import type { GrantTypeRow } from '../contract.ts';

export interface ServicesGrantRow extends GrantTypeRow {
  readonly name: 'client_credentials';
  readonly option: 'clientCredentials';
  readonly finding: 'services-off';
}

/** The client credentials grant. RFC 6749 section 4.4. */
export const servicesGrantRow: ServicesGrantRow = {
  name: 'client_credentials',
  option: 'clientCredentials',
  clients: 'services',
  finding: 'services-off',
  schema: 'ServiceToken',
  parameters: [
    optional('scope', 'Scopes, separated by spaces. Default: all that the service has.'),
    optional('resource', 'The origin, or the address of one of its protected resources; all mean the same.'),
  ],
};

/** What `clientCredentials` returns. */
export interface ServicesGrant {
  readonly grantType: 'client_credentials';
}

export const servicesFindings = {
  'services-off': ['warning', 'put clientCredentials() of campus-oidc/grants into grants, or remove the services'],
} as const;
