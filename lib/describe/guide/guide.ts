import type { Site } from '../../contracts/member.ts';
import type { Route } from '../../contracts/route.ts';
import { documentRoute, siteDocument, textDocument } from '../../http/send.ts';
import { paths } from '../../protocol/paths.ts';
import type { ServiceDescription } from '../service-description.ts';
import { clientsSection } from './clients.ts';
import { disconnectSection, flowSection, idTokenSection } from './flow.ts';
import { memberSection, toolSection } from './resources.ts';
import { errorSection, limitSection, scopeSection } from './tables.ts';

/** The guide for client developers and agents, in Markdown. Specification: Discovery and description. */
export function guide(site: Site, service: ServiceDescription): string {
  const sections = [
    opening(site, service),
    clientsSection(site, service),
    flowSection(site, service),
    ...(service.signs ? [idTokenSection(site)] : []),
    ...(service.memberApi ? [memberSection(site, service.memberApi, service.signs)] : []),
    ...(service.mcp ? [toolSection(site, service.mcp)] : []),
    disconnectSection(),
    scopeSection(),
    errorSection(service),
    limitSection(service),
    unsupported,
  ];
  return `${sections.map((section) => section.trim()).join('\n\n')}\n`;
}

export function guideRoute(service: ServiceDescription): Route {
  return documentRoute(
    paths.guide,
    siteDocument((site) => textDocument('text/markdown; charset=utf-8', guide(site, service))),
  );
}

function opening({ origin, name }: Site, { memberApi, protectedPaths }: ServiceDescription): string {
  return `
# Connect to ${name.replaceAll(/[\n\r<>[\]\\`*_#|]/g, ' ')}

This school is its own OAuth 2.0 authorization server and OpenID provider, and serves the API that accepts its tokens. The
issuer, the \`resource\` value and the origin of all endpoints are ${origin}. Tokens of other schools are not valid here.

There are two kinds of client. **Operator clients** act for an operator of the school and can call its Admin API.
**Member clients** act for one signed-in person and can access that person’s own data at this school. ${sameToken(protectedPaths)}

If this guide and the metadata differ, the metadata is correct:

| document | address |
| --- | --- |
| Authorization server | ${origin}${paths.authorizationServer} |
| OpenID provider | ${origin}${paths.openidConfiguration} |
| Protected resource | ${origin}${paths.protectedResource} |
| API description (OpenAPI 3.1) | ${origin}${paths.openapi} |
${memberApi?.schema ? `| Member API schema (GraphQL) | ${origin}${paths.memberSchema} |` : ''}
`.replace(/\n\n$/, '\n');
}

function sameToken(protectedPaths: readonly string[]): string {
  const where = protectedPaths.map((path) => `\`${path}\``).join(' and ');
  return where === '' ? '' : `The same token works at ${where}; its scopes determine what it can do there.`;
}

const unsupported = `
## Not supported

No agent-auth extension of any identity vendor is supported: there is no identity assertion, no service authentication, no
anonymous claim ceremony, and no endpoint for any of them. Do not attempt one. There is no claim step: the person consents
in a browser, at the authorization endpoint. The implicit, password and client credentials grants, the device flow, and HTTP
Basic at the token endpoint are not supported.
`;
