import type { HourlyLimit } from '../../contracts/limits.ts';
import { type ErrorCode, errorCodes } from '../error-codes.ts';
import { scopeCatalogue, type ScopeRow } from '../../protocol/scopes.ts';
import { occurring, type ServiceDescription } from '../service-description.ts';

/** Seconds in words. */
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

Ask for what you need, when you need it: a challenge names the scopes that a call lacks. A scope that is not in this table
is an error.

| scope | lets you | for |
| --- | --- | --- |
${rows.join('\n')}`;
}

/** Specification: Errors. */
export function errorSection(facts: ServiceDescription): string {
  const codes: readonly ErrorCode[] = errorCodes;
  const rows = occurring(codes, facts).map(
    (code) => `| \`${code.error}\` | ${statusOf(code)} | ${code.when} | ${code.remedy} |`,
  );
  return `## Errors

An error is JSON with \`error\`, for programs, and \`error_description\`, which tells you what to change. Where the table says
redirect, the authorization endpoint sends the same two to your redirect URI, with \`state\` and \`iss\`; what it can’t send
there it shows to the person. 401 and 403 for want of a token or a scope carry \`WWW-Authenticate: Bearer\` with the error, the
scopes that the call needs, if it is known which, and \`resource_metadata\`. 503 carries no challenge: it says nothing about
your token.

| error | status | when | what to do |
| --- | --- | --- | --- |
${rows.join('\n')}

${requestErrors(facts)}`.trimEnd();
}

function requestErrors({ memberApi, mcp }: ServiceDescription): string {
  const forms = [
    ...(memberApi
      ? ['the Member API in the form of GraphQL, as 400, 406 (`Accept`), 408, 413 or 415 (`Content-Type`)']
      : []),
    ...(mcp ? ['the tool endpoint in the form of JSON-RPC, as 400, 404, 408, 413 or 415'] : []),
  ];
  const slow =
    '408 is for a body that does not arrive in time, and says how long it may take; other addresses send it as `invalid_request`.';
  return forms.length > 0 ? `Errors of the request itself are sent by ${forms.join(', and by ')}. ${slow}` : slow;
}

function statusOf({ status, redirected }: ErrorCode): string {
  return [status ?? [], redirected ? 'redirect' : []].flat().join(' or ');
}

/** Specification: Limits. */
export function limitSection({ limits, registration, documents, mcp }: ServiceDescription): string {
  if (limits === false) return '## Limits\n\nThere are no limits on how often you may ask.';
  const { registrations, anonymousCalls, tokenCalls, documents: fetches } = limits;
  const rows = [
    ...(registration.length > 0 ? [hourly('registrations', registrations)] : []),
    ...(documents ? [hourly('look-ups of a metadata document', fetches)] : []),
    ...(mcp
      ? [
          hourly('requests to the tool endpoint without a token', anonymousCalls),
          `| requests to the tool endpoint with a token | ${tokenCalls.perMember} for one person and client |`,
        ]
      : []),
  ];
  return `## Limits

| what | in an hour |
| --- | --- |
${rows.join('\n')}

Beyond them it is 429 \`slow_down\`, with \`Retry-After\`.`;
}

function hourly(what: string, { perAddress, perSite }: HourlyLimit): string {
  return `| ${what} | ${perAddress} from one address, ${perSite} in all |`;
}
