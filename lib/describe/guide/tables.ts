import type { HourlyLimit } from '../../contracts/limits.ts';
import { errorCodes } from '../error-codes.ts';
import { scopeCatalogue, type ScopeRow } from '../../protocol/scopes.ts';
import { possibleErrors, type ServiceDescription } from '../service-description.ts';
import { table } from './markdown.ts';

/** Specification: Scopes. */
export function scopeSection(): string {
  const all: readonly ScopeRow[] = scopeCatalogue;
  const rows = all.map(({ scope, text, audience = 'operator' }) => [
    `\`${scope}\``,
    text,
    audience === 'any' ? 'any client' : `${audience} clients`,
  ]);
  return `## Scopes

Request only the scopes that you need, when you need them: a challenge names the scopes that a call requires. Requesting a
scope that is not in this table is an error.

${table(['scope', 'lets you', 'for'], rows)}`;
}

/** Specification: Errors. */
export function errorSection(service: ServiceDescription): string {
  const rows = possibleErrors(errorCodes, service).map(({ error, status, redirected, when, remedy }) => [
    `\`${error}\``,
    [status ?? [], redirected ? 'redirect' : []].flat().join(' or '),
    when,
    remedy,
  ]);
  return `## Errors

An error response is JSON with \`error\`, a code for programs, and \`error_description\`, a text for developers. If the table
says redirect, the authorization endpoint sends both to your redirect URI, with \`state\` and \`iss\`; errors that it cannot
send there are shown to the person. A 401 or 403 response about the token or its scopes has \`WWW-Authenticate: Bearer\` with
the error, the scopes that the call requires (if known) and \`resource_metadata\`. A 503 response has no challenge: it says
nothing about your token.

${table(['error', 'status', 'when', 'what to do'], rows)}

${malformedRequests(service)}`;
}

function malformedRequests({ memberApi, mcp }: ServiceDescription): string {
  const formats = [
    ...(memberApi
      ? ['the Member API returns a GraphQL error with status 400, 406 (`Accept`), 408, 413 or 415 (`Content-Type`)']
      : []),
    ...(mcp ? ['the tool endpoint returns a JSON-RPC error with status 400, 404, 408, 413 or 415'] : []),
    'other endpoints return `invalid_request`',
  ];
  return `For malformed requests, ${formats.join('; ')}. 408 means that the body did not arrive in time; the message states the
time limit.`;
}

/** Specification: Limits. */
export function limitSection({ limits, registration, documents, mcp }: ServiceDescription): string {
  const rows =
    limits === false
      ? []
      : [
          ...(registration.length > 0 ? [['registrations', hourly(limits.registrations)]] : []),
          ...(documents ? [['fetches of a metadata document', hourly(limits.documents)]] : []),
          ...(mcp
            ? [
                ['requests to the tool endpoint without a token', hourly(limits.anonymousCalls)],
                ['requests to the tool endpoint with a token', `${limits.tokenCalls.perMember} per person and client`],
              ]
            : []),
        ];
  if (rows.length === 0) return '## Limits\n\nThere are no request limits.';
  return `## Limits

${table(['request', 'limit per hour'], rows)}

Requests above the limit get 429 \`slow_down\` with \`Retry-After\`.`;
}

function hourly({ perAddress, perSite }: HourlyLimit): string {
  return `${perAddress} per IP address, ${perSite} in total`;
}
