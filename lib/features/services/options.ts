import type { ServicesGrant } from './facts.ts';

/** Access tokens for services, which act for a school and not for a person. RFC 6749 section 4.4. */
export function clientCredentials(): ServicesGrant {
  return Object.freeze({ grantType: 'client_credentials' });
}
