import type { Site } from '../../contracts/member.ts';
import { resourceMetadata, serverMetadata } from '../discovery/metadata.ts';
import { paths } from '../../protocol/paths.ts';
import type { ServiceDescription } from '../service-description.ts';
import { errorResponses, commonErrors } from './responses.ts';
import { operation } from './operation.ts';
import { json, reference } from './parts.ts';

interface Document {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly text: string;
  readonly type?: string;
  readonly schema: object;
  readonly example?: object;
}

const tag = 'Discovery';

/** The public documents, as path items. Specification: Discovery and description. */
export function discoveryOperations(site: Site, service: ServiceDescription): Readonly<Record<string, object>> {
  const server = serverMetadata(site.origin, service);
  const resource = resourceMetadata(site);
  const found: readonly Document[] = [
    {
      path: paths.openidConfiguration,
      id: 'getOpenidConfiguration',
      summary: 'OpenID Connect Discovery',
      text: 'The issuer, endpoints, scopes and algorithms of this school, for OpenID Connect clients.',
      schema: reference('ServerMetadata'),
      example: server,
    },
    {
      path: paths.authorizationServer,
      id: 'getAuthorizationServerMetadata',
      summary: 'Authorization Server Metadata (RFC 8414)',
      text: 'The issuer, endpoints and scopes of this school, for OAuth clients.',
      schema: reference('ServerMetadata'),
      example: server,
    },
    ...['', ...service.protectedPaths].map((path) => ({
      path: `${paths.protectedResource}${path}`,
      id: `getProtectedResourceMetadata${path.replaceAll(/\W+(\w)/g, (_match, first: string) => first.toUpperCase())}`,
      summary: `Protected Resource Metadata (RFC 9728)${path && ` of ${path}`}`,
      text: 'The authorization server of this resource and its scopes. A challenge names the document in `resource_metadata`.',
      schema: reference('ResourceMetadata'),
      example: resource,
    })),
    {
      path: paths.jwks,
      id: 'getKeys',
      summary: 'Public keys for verifying ID tokens',
      text: 'A JWK Set. The `kid` in the header of an ID token says which key signed it.',
      schema: reference('KeySet'),
    },
    {
      path: paths.openapi,
      id: 'getApiDescription',
      summary: 'This API description',
      text: 'OpenAPI 3.1, for this school as it is configured.',
      schema: { type: 'object' },
    },
    {
      path: paths.guide,
      id: 'getGuide',
      summary: 'The guide for client developers, in Markdown',
      text: 'How to get a client and tokens and how to call the APIs, with commands to run.',
      type: 'text/markdown',
      schema: { type: 'string' },
    },
    ...(service.memberApi?.schema ? [memberSchema] : []),
  ];
  return Object.fromEntries(found.map((document) => [document.path, { get: documentOperation(document, service) }]));
}

const memberSchema: Document = {
  path: paths.memberSchema,
  id: 'getMemberApiSchema',
  summary: 'The schema of the Member API, in GraphQL SDL',
  text: 'All types, fields and arguments of the Member API.',
  type: 'text/plain',
  schema: { type: 'string' },
};

function documentOperation(
  { id, summary, text, type = json, schema, example }: Document,
  service: ServiceDescription,
): object {
  return operation({
    id,
    tag,
    summary,
    text,
    responses: [
      { status: 200, text: summary, content: { [type]: schema }, header: 'ETag' },
      { status: 304, text: 'Not modified: `If-None-Match` contains the current entity tag.', header: 'ETag' },
      ...errorResponses(service, commonErrors),
    ],
    examples: example && [{ name: 'served', summary: 'The document of this school', status: 200, response: example }],
  });
}
