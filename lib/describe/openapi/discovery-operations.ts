import type { Site } from '../../contracts/member.ts';
import { paths } from '../../protocol/paths.ts';
import { resourceMetadata, serverMetadata } from '../metadata.ts';
import type { ServiceDescription } from '../service-description.ts';
import { commonErrors, errorResponses, operation } from './operation.ts';
import { json, reference } from './parts.ts';

interface DocumentParts {
  readonly text: string;
  readonly type?: string;
  readonly schema: object;
  readonly example?: object;
}

/** The public documents, as path items. Specification: Discovery and description. */
export function discoveryOperations(site: Site, service: ServiceDescription): Readonly<Record<string, object>> {
  const server = { schema: reference('ServerMetadata'), example: serverMetadata(site.origin, service) };
  const resource = {
    text: 'The authorization server of this resource and its scopes. A challenge names the document in `resource_metadata`.',
    schema: reference('ResourceMetadata'),
    example: resourceMetadata(site),
  };
  const resources = ['', ...service.protectedPaths].map((path) => {
    const suffix = path.replaceAll(/\W+(\w)/g, (_match, first: string) => first.toUpperCase());
    const summary = `Protected Resource Metadata (RFC 9728)${path && ` of ${path}`}`;
    return [
      `${paths.protectedResource}${path}`,
      documentItem(service, `getProtectedResourceMetadata${suffix}`, summary, resource),
    ] as const;
  });
  return {
    [paths.openidConfiguration]: documentItem(service, 'getOpenidConfiguration', 'OpenID Connect Discovery', {
      text: 'The issuer, endpoints, scopes and algorithms of this school, for OpenID Connect clients.',
      ...server,
    }),
    [paths.authorizationServer]: documentItem(
      service,
      'getAuthorizationServerMetadata',
      'Authorization Server Metadata (RFC 8414)',
      { text: 'The issuer, endpoints and scopes of this school, for OAuth clients.', ...server },
    ),
    ...Object.fromEntries(resources),
    [paths.jwks]: documentItem(service, 'getKeys', 'Public keys for verifying ID tokens', {
      text: 'A JWK Set. The `kid` in the header of an ID token says which key signed it.',
      schema: reference('KeySet'),
    }),
    [paths.openapi]: documentItem(service, 'getApiDescription', 'This API description', {
      text: 'OpenAPI 3.1, for this school as it is configured.',
      schema: { type: 'object' },
    }),
    [paths.guide]: documentItem(service, 'getGuide', 'The guide for client developers, in Markdown', {
      text: 'How to get a client and tokens and how to call the APIs, with commands to run.',
      type: 'text/markdown',
      schema: { type: 'string' },
    }),
    ...(service.memberApi?.schema && {
      [paths.memberSchema]: documentItem(
        service,
        'getMemberApiSchema',
        'The schema of the Member API, in GraphQL SDL',
        {
          text: 'All types, fields and arguments of the Member API.',
          type: 'text/plain',
          schema: { type: 'string' },
        },
      ),
    }),
  };
}

function documentItem(service: ServiceDescription, id: string, summary: string, parts: DocumentParts): object {
  const { text, type = json, schema, example } = parts;
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
