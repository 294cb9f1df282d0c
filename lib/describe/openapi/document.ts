import type { Site } from '../../host/school-platform.ts';
import { paths } from '../../http/paths.ts';
import type { Route } from '../../http/route.ts';
import { isFor } from '../../core/scopes/scopes.ts';
import type { Operations } from '../operation.ts';
import type { ServiceDescription } from '../service-description.ts';
import { mergedOf } from '../../kernel/merged.ts';
import { version } from '../../kernel/version.ts';
import { discoveryOperations } from './discovery-operations.ts';
import {
  authorizeOperation,
  introspectOperation,
  postedAuthorizeOperation,
  revokeOperation,
  tokenOperation,
} from './oauth-operations.ts';
import { headerComponents, operationObject } from './operation-object.ts';
import { graphiqlOperation, memberOperation, toolOperation, userinfoOperation } from './resource-operations.ts';
import { schemasFor } from './schemas.ts';

/** The API description of a school (OpenAPI 3.1), of the routes that are served. Specification: Discovery and description. */
export function openApiDocument(site: Site, service: ServiceDescription, routes: readonly Route[]): object {
  const { origin, name } = site;
  const items = pathItems(operationsOf(site, service), service, routes);
  return {
    openapi: '3.1.0',
    info: {
      title: `${name} API`,
      version,
      summary: 'OAuth, OpenID Connect, the Member API and the tool endpoint of one school.',
      description: `For a guide with commands, see ${origin}${paths.guide}.`,
      contact: { name, url: origin },
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
      schemas: usedIn(items, 'schemas', schemasFor(site, service)),
      headers: usedIn(items, 'headers', headerComponents),
      securitySchemes: { oauth: oauthScheme(origin, service) },
    },
  };
}

/** What the description says of every route that may be served. */
function operationsOf(site: Site, service: ServiceDescription): Operations {
  const { memberApi, mcp, features } = service;
  const tools = mcp?.endpoints.map((each) => [each.path, { POST: toolOperation(service, mcp, each) }] as const);
  return {
    ...discoveryOperations(site, service),
    ...mergedOf(features.map(({ clients }) => clients?.operations?.(service))),
    [paths.authorize]: { GET: authorizeOperation(site, service), POST: postedAuthorizeOperation(site, service) },
    [paths.token]: { POST: tokenOperation(site, service) },
    [paths.userinfo]: { GET: userinfoOperation(site, 'getUserinfo'), POST: userinfoOperation(site, 'postUserinfo') },
    [paths.revoke]: { POST: revokeOperation(service) },
    [paths.introspect]: { POST: introspectOperation(site, service) },
    ...mergedOf(features.map(({ operations }) => operations?.(site, service))),
    ...(memberApi && { [paths.memberGraphql]: { GET: graphiqlOperation, POST: memberOperation(memberApi) } }),
    ...Object.fromEntries(tools ?? []),
  };
}

/** In the order of the operations, which begins with discovery. Whether a path and a method are described follows from the routes. */
function pathItems(operations: Operations, service: ServiceDescription, routes: readonly Route[]): object {
  const served = new Map(routes.map((route) => [route.path, route]));
  return Object.fromEntries(
    Object.entries(operations).flatMap(([path, described]) => {
      const route = served.get(path);
      if (!route) return [];
      const methods = route.methods.flatMap((method) => {
        const operation = described[method];
        return operation ? [[method.toLowerCase(), operationObject(service, route, operation)] as const] : [];
      });
      return [[path, Object.fromEntries(methods)] as const];
    }),
  );
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
      ...(service.enabled.hasServices && {
        clientCredentials: {
          tokenUrl: `${origin}${paths.token}`,
          scopes: Object.fromEntries(
            service.scopes.filter((row) => isFor('service', row.audience)).map(({ scope, text }) => [scope, text]),
          ),
        },
      }),
    },
  };
}
