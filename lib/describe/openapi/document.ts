import type { Site } from '../../host/school-platform.ts';
import { paths } from '../../http/paths.ts';
import { isFor } from '../../core/scopes/scopes.ts';
import { resourceMetadata, serverMetadata } from '../metadata.ts';
import type { ServiceDescription } from '../service-description.ts';
import { mergedOf } from '../../kernel/merged.ts';
import { version } from '../../kernel/version.ts';
import {
  authorizeOperation,
  introspectOperation,
  postedAuthorizeOperation,
  revokeOperation,
  tokenOperation,
} from './oauth-operations.ts';
import { commonErrors, errorResponses, headerComponents, operation } from './operation.ts';
import { json, pathSuffix, reference } from '../schema-parts.ts';
import { graphiqlOperation, memberOperation, toolOperation, userinfoOperation } from './resource-operations.ts';
import { schemasFor } from './schemas.ts';

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
      schemas: usedIn(items, 'schemas', schemasFor(service)),
      headers: usedIn(items, 'headers', headerComponents),
      securitySchemes: { oauth: oauthScheme(origin, service) },
    },
  };
}

function pathItems(site: Site, service: ServiceDescription): object {
  const { memberApi, mcp } = service;
  const tools = mcp
    ? mcp.endpoints.map((each) => [each.path, { post: toolOperation(service, mcp, each) }] as const)
    : [];
  return {
    ...discoveryOperations(site, service),
    ...mergedOf(service.features.map(({ clients }) => clients?.operations?.(service))),
    [paths.authorize]: { get: authorizeOperation(site, service), post: postedAuthorizeOperation(site, service) },
    [paths.token]: { post: tokenOperation(site, service) },
    [paths.userinfo]: { get: userinfoOperation(site, service, 'get'), post: userinfoOperation(site, service, 'post') },
    [paths.revoke]: { post: revokeOperation(service) },
    [paths.introspect]: { post: introspectOperation(site, service) },
    ...mergedOf(service.features.map(({ operations }) => operations?.(site, service))),
    ...(memberApi && {
      [paths.memberGraphql]: {
        ...(memberApi.graphiql && { get: graphiqlOperation(service) }),
        post: memberOperation(service, memberApi),
      },
    }),
    ...Object.fromEntries(tools),
  };
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
      ...(service.offered.hasServices && {
        clientCredentials: {
          tokenUrl: `${origin}${paths.token}`,
          scopes: Object.fromEntries(
            service.scopes.filter((row) => isFor('service', row)).map(({ scope, text }) => [scope, text]),
          ),
        },
      }),
    },
  };
}

const authorizationServer = 'Authorization Server Metadata (RFC 8414)';

/** The public documents, as path items. Specification: Discovery and description. */
function discoveryOperations(site: Site, service: ServiceDescription): Readonly<Record<string, object>> {
  const server = { schema: reference('ServerMetadata'), example: serverMetadata(site.origin, service) };
  const resources = service.resources.map((resource) => {
    const { path } = resource;
    const summary = `Protected Resource Metadata (RFC 9728)${path && ` of ${path}`}`;
    const content = {
      text: 'The authorization server of this resource and its scopes. A challenge names the document in `resource_metadata`.',
      schema: reference('ResourceMetadata'),
      example: resourceMetadata(site, resource),
    };
    const id = `getProtectedResourceMetadata${pathSuffix(path)}`;
    return [`${paths.protectedResource}${path}`, item(service, id, summary, content)] as const;
  });
  return {
    [paths.openidConfiguration]: item(service, 'getOpenidConfiguration', 'OpenID Connect Discovery', {
      ...server,
      text: 'The issuer, endpoints, scopes and algorithms of this school, for OpenID Connect clients.',
    }),
    [paths.authorizationServer]: item(service, 'getAuthorizationServerMetadata', authorizationServer, {
      ...server,
      text: 'The issuer, endpoints and scopes of this school, for OAuth clients.',
    }),
    ...Object.fromEntries(resources),
    [paths.jwks]: item(service, 'getKeys', 'Public keys for verifying ID tokens', {
      text: 'A JWK Set. The `kid` in the header of an ID token says which key signed it.',
      schema: reference('KeySet'),
    }),
    [paths.openapi]: item(service, 'getApiDescription', 'This API description', {
      text: 'OpenAPI 3.1, for this school as it is configured.',
      schema: { type: 'object' },
    }),
    [paths.guide]: item(service, 'getGuide', 'The guide for client developers, in Markdown', {
      text: 'How to get a client and tokens and how to call the APIs, with commands to run. A browser that prefers `text/html` gets it as a page.',
      type: 'text/markdown',
      schema: { type: 'string' },
    }),
    ...(service.memberApi?.schema && {
      [paths.memberSchema]: item(service, 'getMemberApiSchema', 'The schema of the Member API, in GraphQL SDL', {
        text: 'All types, fields and arguments of the Member API.',
        type: 'text/plain',
        schema: { type: 'string' },
      }),
    }),
  };
}

function item(
  service: ServiceDescription,
  id: string,
  summary: string,
  { text, type = json, schema, example }: { text: string; type?: string; schema: object; example?: object },
): object {
  const get = operation('Discovery', id, {
    summary,
    text,
    responses: [
      { status: 200, text: summary, content: { [type]: schema }, header: 'ETag' },
      { status: 304, text: 'Not modified: `If-None-Match` contains the current entity tag.', header: 'ETag' },
      ...errorResponses(service, commonErrors),
    ],
    examples: example && [{ name: 'served', summary: 'The document of this school', status: 200, response: example }],
  });
  return { get };
}
