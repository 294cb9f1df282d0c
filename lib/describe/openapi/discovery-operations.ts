import type { Site } from '../../contracts/member.ts';
import { paths } from '../../protocol/paths.ts';
import { resourceMetadata, serverMetadata } from '../metadata.ts';
import type { ServiceDescription } from '../service-description.ts';
import { commonErrors, errorResponses, operation } from './operation.ts';
import { json, pathSuffix, reference } from './parts.ts';

const authorizationServer = 'Authorization Server Metadata (RFC 8414)';

/** The public documents, as path items. Specification: Discovery and description. */
export function discoveryOperations(site: Site, service: ServiceDescription): Readonly<Record<string, object>> {
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
