import { hash } from 'node:crypto';
import { isMetadataDocumentId } from '../../lib/core/clients/client-id.ts';

/** The attributes of all spans and metrics: those of OpenTelemetry's conventions, and ours. */
export const attribute = {
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  scheme: 'url.scheme',
  error: 'error.type',
  outcome: 'campus_oidc.outcome',
  site: 'campus_oidc.site.id',
  client: 'campus_oidc.client.id',
  operation: 'campus_oidc.operation',
  grantType: 'campus_oidc.grant_type',
  reason: 'campus_oidc.reason',
} as const;

type Bounded = (value: string) => string;

/**
 * A value that may be an attribute; for any other, OpenTelemetry's word for that. A caller chooses the method, and a policy of the
 * host the code of its error: neither may make new time series.
 */
function boundedTo(known: readonly string[]): Bounded {
  const values = new Set(known);
  return (value) => (values.has(value) ? value : '_OTHER');
}

/** The error codes of this service, then those that only the engine knows. */
const errors = [
  'access_denied',
  'consent_required',
  'insufficient_scope',
  'invalid_authorization_details',
  'invalid_client',
  'invalid_client_metadata',
  'invalid_grant',
  'invalid_redirect_uri',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'invalid_token',
  'login_required',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'unsupported_grant_type',
  'unsupported_response_mode',
  'unsupported_response_type',
  'interaction_required',
  'unauthorized_client',
  'authorization_pending',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'expired_token',
];

export const boundedMethod = boundedTo('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE'.split(' '));
export const boundedError = boundedTo(errors);
export const boundedReason = boundedTo([
  ...errors,
  'application_changed',
  'application_removed',
  'client_blocked',
  'lost_race',
  'replayed',
  'reused',
  'rule_changed',
]);

/** The owner of a metadata document chooses its address, which is the client's id: anything, of any length. */
export function boundedClient(clientId: string): string {
  return isMetadataDocumentId(clientId) ? `document:${hash('sha256', clientId).slice(0, 16)}` : clientId;
}
