/** The most redirect URIs that a client can register. */
export const maxRedirectUris = 10;

/**
 * What every registered client gets, whatever it asks for. A client that asks for a secret, and reads in the response that
 * it gets none, goes on as a public one. RFC 7591 section 3.2.1.
 */
export const offered = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} as const;
