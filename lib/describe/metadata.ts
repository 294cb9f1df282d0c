import type { Site } from '../host/school-platform.ts';
import { claimsByScope } from '../host/member-claims.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import { paths } from '../http/paths.ts';
import { mergedOf } from '../kernel/merged.ts';
import type { ProtectedResource } from '../core/scopes/protected-resources.ts';
import type { CommonDescription, MetadataDocument } from './service-description.ts';
import type { IdTokenAlgorithm } from '../core/keys/keys.ts';
import { keyAlgorithms } from '../core/keys/public-keys.ts';

/** Authorization Server Metadata (RFC 8414) and OpenID Connect Discovery: one document for both. */
export function serverMetadata(
  origin: string,
  service: CommonDescription,
  idTokenAlgorithms: readonly IdTokenAlgorithm[],
): MetadataDocument {
  const { policies, features, enabled, scopes, resources, acrValues = [], addedClaims = [] } = service;
  const methods = enabled.authentication.map(({ name }) => name);
  const at = (path: string): string => `${origin}${path}`;
  return {
    issuer: origin,
    authorization_endpoint: at(paths.authorize),
    token_endpoint: at(paths.token),
    userinfo_endpoint: at(paths.userinfo),
    revocation_endpoint: at(paths.revoke),
    introspection_endpoint: at(paths.introspect),
    ...Object.fromEntries(endpointsOf(enabled).map(([name, path]) => [name, at(path)])),
    registration_endpoint: undefined,
    jwks_uri: at(paths.jwks),
    scopes_supported: scopes.map(({ scope }) => scope),
    claims_supported: [...new Set([...Object.values(claimsByScope).flat(), ...addedClaims])],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: enabled.grantTypes.map(({ name }) => name),
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: enabled.introspectionAuthentication.map(({ name }) => name),
    ...assertionAlgorithms(enabled),
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    ...(acrValues.length > 0 && { acr_values_supported: acrValues }),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: idTokenAlgorithms.length > 0 ? idTokenAlgorithms : undefined,
    client_id_metadata_document_supported: false,
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    protected_resources: resources.map(({ path }) => at(path)),
    service_documentation: at(paths.guide),
    // These keep the places that they have above.
    ...mergedOf(features.map(({ clients }) => clients?.metadata(origin))),
    ...mergedOf(features.map(({ metadata }) => metadata?.(origin, policies))),
  };
}

/** Those of optional grant types. */
function endpointsOf({ grantTypes }: Enabled): [name: string, path: string][] {
  return grantTypes.flatMap(({ endpoints = {} }) => Object.entries(endpoints));
}

/** Where a client, or a resource server, can authenticate with a key. */
function assertionAlgorithms({ takesKeys, introspectionAuthentication }: Enabled): MetadataDocument {
  return {
    ...(takesKeys && {
      token_endpoint_auth_signing_alg_values_supported: keyAlgorithms,
      revocation_endpoint_auth_signing_alg_values_supported: keyAlgorithms,
    }),
    ...(introspectionAuthentication.some(({ isSigned }) => isSigned) && {
      introspection_endpoint_auth_signing_alg_values_supported: keyAlgorithms,
    }),
  };
}

/**
 * Protected Resource Metadata (RFC 9728). Clients compare `resource` with the address that they were given, so it is that address: at a former
 * origin, or with a slash at the end. The authorization server is where the school is now.
 */
export function resourceMetadata(
  { origin, name }: Site,
  { path, scopes }: ProtectedResource,
  features: CommonDescription['features'],
  address = `${origin}${path}`,
): MetadataDocument {
  return {
    resource: address,
    resource_name: name,
    authorization_servers: [origin],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${origin}${paths.guide}`,
    ...mergedOf(features.map(({ resourceMetadata: own }) => own?.())),
  };
}
