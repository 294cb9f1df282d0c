import type { Site } from '../../host/school-platform.ts';
import { paths } from '../../http/paths.ts';
import { resourceMetadata, serverMetadata } from '../metadata.ts';
import type { Operation, Operations } from '../operation.ts';
import { json, pathSuffix, reference } from '../schema-parts.ts';
import type { ServiceDescription } from '../service-description.ts';

/** The public documents. Specification: Discovery and description. */
export function discoveryOperations(site: Site, service: ServiceDescription): Operations {
  const server = {
    schema: reference('ServerMetadata'),
    example: serverMetadata(site.origin, service, service.idTokenAlgorithms),
  };
  const resources = service.resources.map((resource) => {
    const { path } = resource;
    const get = documentOperation({
      id: `getProtectedResourceMetadata${pathSuffix(path)}`,
      summary: `Protected Resource Metadata (RFC 9728)${path && ` of ${path}`}`,
      text: 'The authorization server and the scopes of this resource. A challenge names this document in `resource_metadata`.',
      schema: reference('ResourceMetadata'),
      example: resourceMetadata(site, resource, service.features),
    });
    return [`${paths.protectedResource}${path}`, get] as const;
  });
  return {
    [paths.openidConfiguration]: documentOperation({
      ...server,
      id: 'getOpenidConfiguration',
      summary: 'OpenID Connect Discovery',
      text: 'The issuer, endpoints, scopes and algorithms of this school, for OpenID Connect clients.',
    }),
    [paths.authorizationServer]: documentOperation({
      ...server,
      id: 'getAuthorizationServerMetadata',
      summary: 'Authorization Server Metadata (RFC 8414)',
      text: 'The issuer, endpoints and scopes of this school, for OAuth clients.',
    }),
    ...Object.fromEntries(resources),
    [paths.jwks]: documentOperation({
      id: 'getKeys',
      summary: 'Public keys for verifying ID tokens',
      text: 'A JWK Set. The `kid` in the header of an ID token names the key that signed it.',
      schema: reference('KeySet'),
    }),
    [paths.openapi]: documentOperation({
      id: 'getApiDescription',
      summary: 'This API description',
      text: 'OpenAPI 3.1, for the configuration of this school.',
      schema: { type: 'object' },
    }),
    [paths.guide]: documentOperation({
      id: 'getGuide',
      summary: 'The guide for client developers, in Markdown',
      text: 'Instructions to get a client and tokens and to call the APIs, with commands to run. A browser that prefers `text/html` gets a page.',
      type: 'text/markdown',
      schema: { type: 'string' },
    }),
    [paths.memberSchema]: documentOperation({
      id: 'getMemberApiSchema',
      summary: 'The schema of the Member API, in GraphQL SDL',
      text: 'All types, fields and arguments of the Member API.',
      type: 'text/plain',
      schema: { type: 'string' },
    }),
  };
}

interface DescribedDocument {
  readonly id: string;
  readonly summary: string;
  readonly text: string;
  /** @default JSON */
  readonly type?: string;
  readonly schema: object;
  /** The document of this school. */
  readonly example?: object;
}

function documentOperation({ id, summary, text, type = json, schema, example }: DescribedDocument): {
  readonly GET: Operation;
} {
  const GET: Operation = {
    tag: 'Discovery',
    id,
    summary,
    text,
    responses: [
      { status: 200, text: summary, content: { [type]: schema }, header: 'ETag' },
      { status: 304, text: 'Not modified: `If-None-Match` contains the current entity tag.', header: 'ETag' },
    ],
    ...(example && {
      examples: [{ name: 'served', summary: 'The document of this school', status: 200, response: example }],
    }),
  };
  return { GET };
}
