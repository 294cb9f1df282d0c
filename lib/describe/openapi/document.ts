import type { Site } from '../../contracts/member.ts';
import type { MemberApiDescription } from '../../contracts/plugin.ts';
import type { Route } from '../../contracts/route.ts';
import { jsonDocument } from '../../http/send.ts';
import { documentRoute, siteDocument } from '../../http/site-document.ts';
import { paths } from '../../protocol/paths.ts';
import { scopeCatalogue } from '../../protocol/scopes.ts';
import type { ServiceDescription } from '../service-description.ts';
import { version } from '../../runtime/version.ts';
import { discoveryOperations } from './discovery-operations.ts';
import { headerComponents } from './headers.ts';
import { authorizeOperation, registerOperation } from './oauth-operations.ts';
import { graphiqlOperation, memberOperation, userinfoOperation } from './resource-operations.ts';
import { schemas } from './schemas.ts';
import { introspectOperation, revokeOperation, tokenOperation } from './token-operations.ts';
import { toolList, toolOperation } from './tool-operation.ts';

/** The description of the API of a site, OpenAPI 3.1. Specification: Discovery and description. */
export function openApiDocument(site: Site, facts: ServiceDescription): object {
  const { origin, name } = site;
  const items = pathItems(site, facts);
  return {
    openapi: '3.1.0',
    info: {
      title: `${name} API`,
      version,
      summary: 'OAuth access, OpenID Connect, the Member API and tools of one school.',
      description: `The guide is at ${origin}${paths.guide}.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    externalDocs: { url: `${origin}${paths.guide}`, description: 'The guide for client developers' },
    tags: [
      { name: 'Discovery', description: 'Documents that anybody may read.' },
      { name: 'OAuth', description: 'Clients, consent and tokens.' },
      { name: 'Member API', description: 'One signed-in member’s own data.' },
      { name: 'Tools', description: 'The Model Context Protocol.' },
    ],
    paths: items,
    components: {
      schemas: usedIn(items, 'schemas', schemas),
      headers: usedIn(items, 'headers', headerComponents),
      securitySchemes: { oauth: oauthScheme(origin) },
    },
  };
}

function pathItems(site: Site, facts: ServiceDescription): object {
  return {
    ...discoveryOperations(site, facts),
    ...(facts.registration.length > 0 && { [paths.register]: { post: registerOperation(facts) } }),
    [paths.authorize]: { get: authorizeOperation(site, facts) },
    [paths.token]: { post: tokenOperation(site, facts) },
    [paths.userinfo]: { get: userinfoOperation(site, facts, 'get'), post: userinfoOperation(site, facts, 'post') },
    [paths.revoke]: { post: revokeOperation(facts) },
    [paths.introspect]: { post: introspectOperation(site, facts) },
    ...(facts.memberApi && memberItems(facts, facts.memberApi)),
    ...(facts.mcp && {
      [paths.mcp]: { post: { ...toolOperation(facts, facts.mcp), 'x-tools': toolList(facts.mcp.tools) } },
    }),
  };
}

function memberItems(facts: ServiceDescription, api: MemberApiDescription): object {
  const get = api.graphiql && { get: graphiqlOperation(facts) };
  return { [paths.memberGraphql]: { ...get, post: memberOperation(facts, api) } };
}

/** The components of a kind that are referred to: what is not described has none. */
function usedIn(items: object, kind: string, all: Readonly<Record<string, object>>): object {
  const text = JSON.stringify(items);
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)));
}

/** `/openapi.json`. */
export function openApiRoute(facts: ServiceDescription): Route {
  return documentRoute(
    paths.openapi,
    siteDocument((site) => jsonDocument(openApiDocument(site, facts))),
  );
}

function oauthScheme(origin: string): object {
  return {
    type: 'oauth2',
    description: 'The authorization code flow with PKCE, method S256.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${origin}${paths.authorize}`,
        tokenUrl: `${origin}${paths.token}`,
        refreshUrl: `${origin}${paths.token}`,
        scopes: Object.fromEntries(scopeCatalogue.map(({ scope, text }) => [scope, text])),
      },
    },
  };
}
