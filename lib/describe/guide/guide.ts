import type { HourlyLimit } from '../../kernel/hourly-limit.ts';
import type { Site } from '../../host/school-platform.ts';
import { queryLimit } from '../../engine/parameter-limits.ts';
import { paths } from '../../http/paths.ts';
import { allErrors, possibleErrors } from '../possible-errors.ts';
import type { ServiceDescription } from '../service-description.ts';
import { clientsSection } from './clients.ts';
import { disconnectSection, flowSection, idTokenSection } from './flow.ts';
import { duration, heading, markdownOf, type Part, table } from '../guide-parts.ts';
import { memberSection, toolSection } from './resources.ts';

/** The guide for client developers and agents, in Markdown. Specification: Discovery and description. */
export function guide(site: Site, service: ServiceDescription): string {
  const title = `Connect to ${site.name.replaceAll(/[\n\r<>[\]\\`*_#|]/g, ' ')}`;
  return markdownOf([heading(1, title), ...guideParts(site, service)]);
}

export function guideParts(site: Site, service: ServiceDescription): Part[] {
  return [
    ...opening(site, service),
    ...clientsSection(site, service),
    ...flowSection(site, service),
    ...(service.idTokenAlgorithms.length > 0 ? idTokenSection(site, service.idTokenAlgorithms) : []),
    ...(service.memberApi ? memberSection(site, service.memberApi, service.idTokenAlgorithms.length > 0) : []),
    ...(service.mcp ? toolSection(site, service.mcp) : []),
    ...disconnectSection(),
    ...service.features.flatMap((feature) => feature.guide?.(site, service) ?? []),
    ...scopeSection(service),
    ...errorSection(service),
    ...limitSection(service),
    heading(2, 'Not supported'),
    unsupported(service),
  ];
}

function opening({ origin }: Site, { memberApi, resources, enabled }: ServiceDescription): Part[] {
  const services = enabled.hasServices;
  const rows = [
    ['Authorization server', `${origin}${paths.authorizationServer}`],
    ['OpenID provider', `${origin}${paths.openidConfiguration}`],
    ['Protected resource', `${origin}${paths.protectedResource}`],
    ['API description (OpenAPI 3.1)', `${origin}${paths.openapi}`],
    ...(memberApi?.schema ? [['Member API schema (GraphQL)', `${origin}${paths.memberSchema}`]] : []),
  ];
  const parts = resources.filter(({ path }) => path !== '').map(({ path }) => `\`${path}\``);
  const sameToken =
    parts.length > 0 ? `The same token works at ${parts.join(', ')}; its scopes determine what it can do there.` : '';
  return [
    `This school is its own OAuth 2.0 authorization server and OpenID provider, and serves the API that accepts its tokens. The
issuer, the \`resource\` value and the origin of all endpoints are ${origin}. Tokens of other schools are not valid here.`,
    `There are ${services ? 'three' : 'two'} kinds of client. **Operator clients** act for an operator of the school and can call its Admin API.
**Member clients** act for one signed-in person and can access that person’s own data at this school. ${services ? '**Services** act for\nthe school and not for a person, and can call the Admin API. ' : ''}${sameToken}`,
    'If this guide and the metadata differ, the metadata is correct:',
    table(['document', 'address'], rows),
  ];
}

/** Specification: Scopes. */
function scopeSection({ scopes, enabled }: ServiceDescription): Part[] {
  const services = enabled.hasServices ? ' and services' : '';
  const rows = scopes.map(({ scope, text, audience = 'operator' }) => [
    `\`${scope}\``,
    text,
    audience === 'any' ? 'any client' : `${audience} clients${audience === 'operator' ? services : ''}`,
  ]);
  return [
    heading(2, 'Scopes'),
    `Request only the scopes that you need, when you need them: a challenge names the scopes that a call requires, and a 403
also those that the token has. Requesting a scope that is not in this table is an error, and so is one that this client may not
have. There are two exceptions, for clients that request what the metadata lists. A request for exactly the
\`scopes_supported\` of one of the metadata addresses, in any order and with or without \`openid\`, asks for as many of these scopes as
the client may have. A request without \`scope\` asks in the same way for the list of its \`resource\`. \`offline_access\` is
ignored, since every client gets a refresh token.`,
    table(['scope', 'permission', 'for'], rows),
  ];
}

/** Specification: Errors. */
function errorSection(service: ServiceDescription): Part[] {
  const rows = possibleErrors(allErrors(service), service).map(({ error, status, redirected, when, remedy }) => [
    `\`${error}\``,
    [status ?? [], redirected ? 'redirect' : []].flat().join(' or '),
    when,
    remedy,
  ]);
  return [
    heading(2, 'Errors'),
    `An error response is JSON with \`error\`, a code for apps, and \`error_description\`, a text for developers. If the table
says redirect, the authorization endpoint sends both to your redirect URI, with \`state\` and \`iss\`; errors that it cannot
send there are shown to the person. A 401 or 403 response about the token or its scopes has \`WWW-Authenticate: Bearer\` with
the error, the scopes that the call requires (if known) and \`resource_metadata\`. A 503 response has no challenge: it says
nothing about your token.`,
    table(['error', 'status', 'when', 'what to do'], rows),
    malformedRequests(service),
  ];
}

function malformedRequests({ memberApi, mcp }: ServiceDescription): string {
  const formats = [
    memberApi &&
      'the Member API returns a GraphQL error with status 400, 406 (`Accept`), 408, 413 or 415 (`Content-Type`)',
    mcp && 'the tool endpoint returns a JSON-RPC error with status 400, 404, 408, 413 or 415',
    'other endpoints return `invalid_request`',
  ].filter((format) => format !== undefined);
  return `For malformed requests, ${formats.join('; ')}. 408 means that the body did not arrive in time; the message states the
time limit.`;
}

/** Specification: Limits. */
function limitSection(service: ServiceDescription): Part[] {
  const { limits, lifetimes, features, memberApi, mcp } = service;
  const sizes = `The query of an authorization request has at most ${queryLimit} characters; the table of its parameters says how long
each may be. The person has ${duration(lifetimes.pendingSignIn)} to sign in, and then ${duration(lifetimes.interaction)} to decide.`;
  if (limits === false) return [heading(2, 'Limits'), sizes, 'There are no request limits.'];
  const calls = memberApi ? 'requests to the Member API and UserInfo' : 'requests to UserInfo';
  const rows: readonly (readonly [isLimited: boolean, request: string, limit: string])[] = [
    [true, 'authorization requests before sign-in', hourly(limits.authorizations)],
    [true, 'authorization requests of a signed-in person', `${limits.authorizations.perAddress} per person`],
    [true, 'refreshes', `${limits.refreshes.perFamily} per authorization`],
    ...features.flatMap((feature) => feature.limits?.(limits) ?? []).map((row) => [true, ...row] as const),
    [true, calls, `${limits.memberCalls.perMember} per person`],
    ...features.flatMap(({ clients }) => clients?.limits(limits) ?? []).map((row) => [true, ...row] as const),
    [mcp !== undefined, 'requests to the tool endpoint without a token', hourly(limits.anonymousCalls)],
    [
      mcp !== undefined,
      'requests to the tool endpoint with a token',
      `${limits.tokenCalls.perMember} per person and client`,
    ],
  ];
  const limited = rows.flatMap(([isLimited, ...row]) => (isLimited ? [row] : []));
  return [
    heading(2, 'Limits'),
    sizes,
    table(['request', 'limit per hour'], limited),
    `Half of each total is first come, first served, up to a quarter of the total for one network (IPv4 /24, IPv6 /48). In the other
half each network gets at most a hundredth, so that a few callers cannot use it up. Requests above a limit get 429 \`slow_down\` with \`Retry-After\`.`,
  ];
}

export function hourly({ perAddress, perSite }: HourlyLimit): string {
  return `${perAddress} per IP address, ${perSite} in total`;
}

/** What is off, and what never is on. */
function unsupported({ enabled: { known, hasGrant, hasServices, hasMethod } }: ServiceDescription): string {
  const off = [
    hasServices ? 'The implicit and password grants' : 'The implicit, password and client credentials grants',
    ...known.grantTypes.flatMap(({ name, calledWhenOff }) => (hasGrant(name) ? [] : (calledWhenOff ?? []))),
    ...(hasMethod('client_secret_basic') ? [] : ['HTTP\nBasic at the token endpoint']),
  ];
  const listed = off.length < 2 ? off.join('') : `${off.slice(0, -1).join(', ')}, and ${off.at(-1)}`;
  return `No agent-auth extension of any identity vendor is supported: there is no identity assertion, no service authentication, no
anonymous claim ceremony, and no endpoint for any of them. Do not attempt one. There is no claim step: the person consents
in a browser, at the authorization endpoint. ${listed} are not supported.`;
}
