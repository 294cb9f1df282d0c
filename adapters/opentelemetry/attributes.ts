import { hash } from 'node:crypto';
import { isMetadataDocumentId } from '../../lib/protocol/client-id.ts';

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

/** In place of a value that is not one of those below. OpenTelemetry's own word for that. */
const other = '_OTHER';

const methods: ReadonlySet<string> = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE'.split(' '));

/** The error codes of this service, then those that only the engine knows. */
const errors: ReadonlySet<string> = new Set([
  'access_denied',
  'consent_required',
  'insufficient_scope',
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
]);

const reasons: ReadonlySet<string> = new Set([
  ...errors,
  'application_changed',
  'application_removed',
  'client_blocked',
  'document_rejected',
  'lost_race',
  'replayed',
  'reused',
]);

// A caller chooses the method, and a policy of the host the code of its error: neither may make new time series.

export function boundedMethod(method: string): string {
  return methods.has(method) ? method : other;
}

export function boundedError(code: string): string {
  return errors.has(code) ? code : other;
}

export function boundedReason(reason: string): string {
  return reasons.has(reason) ? reason : other;
}

/** The owner of a metadata document chooses its address, which is the client's id: anything, of any length. */
export function boundedClient(clientId: string): string {
  return isMetadataDocumentId(clientId) ? `document:${hash('sha256', clientId).slice(0, 16)}` : clientId;
}
