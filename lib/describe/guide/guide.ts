import type { Site } from '../../contracts/member.ts';
import type { Route } from '../../http/route.ts';
import { textDocument } from '../../http/send.ts';
import { documentRoute, siteDocument } from '../../http/site-document.ts';
import { paths } from '../../protocol/paths.ts';
import type { ServiceDescription } from '../service-description.ts';
import { clientsSection } from './clients.ts';
import { disconnectSection, flowSection, idTokenSection } from './flow.ts';
import { memberSection, toolSection } from './resources.ts';
import { errorSection, limitSection, scopeSection } from './tables.ts';

/** The guide for client developers and agents at a site, in Markdown. Specification: Discovery and description. */
export function guide(site: Site, facts: ServiceDescription): string {
  const sections = [
    opening(site, facts),
    clientsSection(site, facts),
    flowSection(site, facts),
    ...(facts.signs ? [idTokenSection(site)] : []),
    memberSection(site, facts),
    toolSection(site, facts),
    disconnectSection(),
    scopeSection(),
    errorSection(facts),
    limitSection(facts),
    unsupported,
  ];
  return `${sections.map((section) => section.trim()).join('\n\n')}\n`;
}

/** `/auth.md`. */
export function guideRoute(facts: ServiceDescription): Route {
  return documentRoute(
    paths.guide,
    siteDocument((site) => textDocument('text/markdown; charset=utf-8', guide(site, facts))),
  );
}

function opening({ origin, name }: Site, { schema }: ServiceDescription): string {
  return `
# Connect to ${name.replaceAll(/[\n\r<>[\]\\`*_#|]/g, ' ')}

This school is an OAuth 2.0 authorization server and OpenID provider of its own, and the API that its tokens open. Every
address here is of this school alone: its issuer, its \`resource\` and the origin of all its endpoints are ${origin}.

Two kinds of client exist. **Operator clients** act for somebody who runs the school and reach its Admin API.
**Member clients** act for one signed-in person and reach that person’s own data at this school. The same token works at
\`${paths.mcp}\` and \`${paths.memberGraphql}\`; what it can do there depends on its scopes.

Where this guide and the metadata differ, believe the metadata:

| document | address |
| --- | --- |
| Authorization server | ${origin}${paths.authorizationServer} |
| OpenID provider | ${origin}${paths.openidConfiguration} |
| Protected resource | ${origin}${paths.protectedResource} |
| API description (OpenAPI 3.1) | ${origin}${paths.openapi} |
${schema ? `| Member API schema (GraphQL) | ${origin}${paths.memberSchema} |` : ''}
`.replace(/\n\n$/, '\n');
}

const unsupported = `
## What there is not

No agent-auth extension of any identity vendor: no identity assertion, no service authentication, no anonymous claim
ceremony, and no address for any of them; do not call one. There is no claim step. A person consents, in a browser, at the
authorization endpoint. There is no implicit or password grant, no client credentials grant, no device flow, and no HTTP
Basic at the token endpoint.
`;
