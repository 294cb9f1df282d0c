import type { HourlyLimit } from '../../contracts/limits.ts';
import { type ErrorCode, errorCodes } from '../error-codes.ts';
import { scopeCatalogue, type ScopeRow } from '../../protocol/scopes.ts';
import { possibleErrors, type ServiceDescription } from '../service-description.ts';

/** For example `90 seconds` or `2 hours`. */
export function duration(seconds: number): string {
  const units = [
    [24 * 60 * 60, 'day'],
    [60 * 60, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, unit] = units.find(([length]) => seconds >= length && seconds % length === 0) ?? [1, 'second'];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Specification: Scopes. */
export function scopeSection(): string {
  const all: readonly ScopeRow[] = scopeCatalogue;
  const rows = all.map(
    ({ scope, text, audience = 'operator' }) =>
      `| \`${scope}\` | ${text} | ${audience === 'any' ? 'any client' : `${audience} clients`} |`,
  );
  return `## Scopes

Request only the scopes that you need, when you need them: a challenge names the scopes that a call requires. Requesting a
scope that is not in this table is an error.

| scope | lets you | for |
| --- | --- | --- |
${rows.join('\n')}`;
}

/** Specification: Errors. */
export function errorSection(service: ServiceDescription): string {
  const codes: readonly ErrorCode[] = errorCodes;
  const rows = possibleErrors(codes, service).map(
    (code) => `| \`${code.error}\` | ${statusOf(code)} | ${code.when} | ${code.remedy} |`,
  );
  return `## Errors

An error response is JSON with \`error\`, a code for programs, and \`error_description\`, a text for developers. If the table
says redirect, the authorization endpoint sends both to your redirect URI, with \`state\` and \`iss\`; errors that it cannot
send there are shown to the person. A 401 or 403 response about the token or its scopes has \`WWW-Authenticate: Bearer\` with
the error, the scopes that the call requires (if known) and \`resource_metadata\`. A 503 response has no challenge: it says
nothing about your token.

| error | status | when | what to do |
| --- | --- | --- | --- |
${rows.join('\n')}

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

function statusOf({ status, redirected }: ErrorCode): string {
  return [status ?? [], redirected ? 'redirect' : []].flat().join(' or ');
}

/** Specification: Limits. */
export function limitSection({ limits, registration, documents, mcp }: ServiceDescription): string {
  if (limits === false) return '## Limits\n\nThere are no request limits.';
  const { registrations, anonymousCalls, tokenCalls, documents: fetches } = limits;
  const rows = [
    ...(registration.length > 0 ? [hourly('registrations', registrations)] : []),
    ...(documents ? [hourly('fetches of a metadata document', fetches)] : []),
    ...(mcp
      ? [
          hourly('requests to the tool endpoint without a token', anonymousCalls),
          `| requests to the tool endpoint with a token | ${tokenCalls.perMember} per person and client |`,
        ]
      : []),
  ];
  return `## Limits

| request | limit per hour |
| --- | --- |
${rows.join('\n')}

Requests above the limit get 429 \`slow_down\` with \`Retry-After\`.`;
}

function hourly(request: string, { perAddress, perSite }: HourlyLimit): string {
  return `| ${request} | ${perAddress} per IP address, ${perSite} in total |`;
}
