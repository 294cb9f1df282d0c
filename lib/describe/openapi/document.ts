import type { Site } from '../../contracts/member.ts';
import type { McpDescription, MemberApiDescription } from '../../contracts/plugin.ts';
import { paths } from '../../protocol/paths.ts';
import type { ServiceDescription } from '../service-description.ts';
import { version } from '../../runtime/version.ts';
import { discoveryOperations } from './discovery-operations.ts';
import {
  authorizeOperation,
  introspectOperation,
  registerOperation,
  revokeOperation,
  tokenOperation,
} from './oauth-operations.ts';
import { headerComponents } from './operation.ts';
import { graphiqlOperation, memberOperation, toolOperation, userinfoOperation } from './resource-operations.ts';
import { schemas } from './schemas.ts';

/** The API description of a site (OpenAPI 3.1). Specification: Discovery and description. */
export function openApiDocument(site: Site, service: ServiceDescription): object {
  const { origin, name } = site;
  const items = pathItems(site, service);
  return {
    openapi: '3.1.0',
    info: {
      title: `${name} API`,
      version,
      summary: 'OAuth, OpenID Connect, the Member API and the tool endpoint of one school.',
      description: `For a guide with commands, see ${origin}${paths.guide}.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    externalDocs: { url: `${origin}${paths.guide}`, description: 'The guide for client developers' },
    tags: [
      { name: 'Discovery', description: 'Public documents.' },
      { name: 'OAuth', description: 'Client registration, consent and tokens.' },
      { name: 'Member API', description: 'One signed-in member’s own data.' },
      { name: 'Tools', description: 'The Model Context Protocol.' },
    ],
    paths: items,
    components: {
      schemas: usedIn(items, 'schemas', schemas),
      headers: usedIn(items, 'headers', headerComponents),
      securitySchemes: { oauth: oauthScheme(origin, service) },
    },
  };
}

function pathItems(site: Site, service: ServiceDescription): object {
  return {
    ...discoveryOperations(site, service),
    ...(service.registration.length > 0 && { [paths.register]: { post: registerOperation(service) } }),
    [paths.authorize]: { get: authorizeOperation(site, service) },
    [paths.token]: { post: tokenOperation(site, service) },
    [paths.userinfo]: { get: userinfoOperation(site, service, 'get'), post: userinfoOperation(site, service, 'post') },
    [paths.revoke]: { post: revokeOperation(service) },
    [paths.introspect]: { post: introspectOperation(site, service) },
    ...(service.memberApi && memberItems(service, service.memberApi)),
    ...(service.mcp && toolItems(service, service.mcp)),
  };
}

function toolItems(service: ServiceDescription, mcp: McpDescription): object {
  return Object.fromEntries(
    mcp.endpoints.map((endpoint) => [endpoint.path, { post: toolOperation(service, mcp, endpoint) }]),
  );
}

function memberItems(service: ServiceDescription, api: MemberApiDescription): object {
  const get = api.graphiql && { get: graphiqlOperation(service) };
  return { [paths.memberGraphql]: { ...get, post: memberOperation(service, api) } };
}

/** The components of a kind to which the operations refer. */
function usedIn(items: object, kind: string, all: Readonly<Record<string, object>>): object {
  const text = JSON.stringify(items);
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)));
}

function oauthScheme(origin: string, service: ServiceDescription): object {
  return {
    type: 'oauth2',
    description: 'The authorization code flow with PKCE, method S256 only.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${origin}${paths.authorize}`,
        tokenUrl: `${origin}${paths.token}`,
        refreshUrl: `${origin}${paths.token}`,
        scopes: Object.fromEntries(service.scopes.map(({ scope, text }) => [scope, text])),
      },
    },
  };
}
