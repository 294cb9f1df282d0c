import type { Site } from '../../host/school-platform.ts';
import { type Claim, claimsByScope } from '../../host/member-claims.ts';
import { mergedOf } from '../../kernel/merged.ts';
import { required } from '../../kernel/request-parameter.ts';
import { resourceMetadata, serverMetadata } from '../metadata.ts';
import { allErrors } from '../possible-errors.ts';
import type { MetadataDocument, ServiceDescription } from '../service-description.ts';
import { allAuthorizeParameters } from '../request-parameters.ts';
import { formSchema, objectSchema, reference } from '../schema-parts.ts';
import type { Enabled } from '../../core/enabled/enabled.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const seconds = { type: 'integer', minimum: 0 } as const;
const uri = { type: 'string', format: 'uri' } as const;
const scope = { type: 'string', description: 'Scopes, separated by spaces.' } as const;

type Schemas = Readonly<Record<string, object>>;

/** The schemas, in the order of the components. */
export function schemasFor(site: Site, service: ServiceDescription): Schemas {
  const { enabled, features } = service;
  const tokenMembers = mergedOf(features.map((feature) => feature.tokenMembers));
  const grants = enabled.grantTypes.map(
    ({ schema, name, parameters }) => [schema, formSchema([...parameters, ...enabled.clientParameters], name)] as const,
  );
  return {
    Error: errorSchema(service),
    ...mergedOf(features.map(({ clients }) => clients?.schemas)),
    ...Object.fromEntries(grants),
    TokenResponse: tokenResponse(tokenMembers),
    TokenForm: formSchema([required('token', 'An access or refresh token.'), ...enabled.clientParameters]),
    Introspection: introspection(enabled, tokenMembers),
    UserInfo: objectSchema(
      { ...claimSchemas, ...mergedOf(features.map(({ claims }) => claims)) },
      claimsByScope.openid,
      'The claims for the scopes of the token, as in the ID token.',
    ),
    ...graphqlSchemas,
    ...rpcSchemas,
    AuthorizationForm: formSchema(allAuthorizeParameters(service)),
    KeySet: objectSchema({ keys: { type: 'array', items: anyObject } }),
    ServerMetadata: schemaOf(serverMetadata(site.origin, service, service.idTokenAlgorithms), [
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'scopes_supported',
    ]),
    ResourceMetadata: schemaOf(resourceMetadata(site, { path: '', scopes: [] }, features), [
      'resource',
      'authorization_servers',
    ]),
    ...mergedOf(features.map((feature) => feature.schemas?.(enabled))),
  };
}

/** Each claim of `claimsByScope`, in its order. */
const claimSchemas: Readonly<Record<Claim, object>> = {
  sub: { ...text, description: 'The member’s identifier.' },
  org_id: { ...text, description: 'The school’s identifier.' },
  roles: { ...texts, description: 'The member’s roles at this school, the highest privilege first.' },
  name: text,
  picture: uri,
  email: { type: 'string', format: 'email' },
  email_verified: { type: 'boolean' },
};

function errorSchema(service: ServiceDescription): object {
  const json = allErrors(service).filter((code) => code.status !== undefined);
  return objectSchema(
    { error: { type: 'string', enum: [...new Set(json.map(({ error }) => error))] }, error_description: text },
    undefined,
    'An error: a code for apps, a text for developers. RFC 6749 section 5.2.',
  );
}

const anyObject = { type: 'object' } as const;
const jsonrpc = { const: '2.0' } as const;
const rpcId = { type: ['string', 'integer', 'null'] } as const;
const rpcError = objectSchema({ code: { type: 'integer' }, message: text });

const graphqlErrors = {
  type: 'array',
  minItems: 1,
  items: objectSchema({ message: text, extensions: { type: 'object', properties: { code: text } } }, ['message']),
} as const;

const graphqlSchemas: Schemas = {
  GraphqlRequest: objectSchema(
    { query: text, operationName: { type: ['string', 'null'] }, variables: { type: ['object', 'null'] } },
    ['query'],
  ),
  GraphqlResponse: { type: 'object', properties: { data: { type: ['object', 'null'] }, errors: graphqlErrors } },
  GraphqlRefusal: {
    ...objectSchema(
      { errors: graphqlErrors },
      undefined,
      'The reason why a request was not executed, as a GraphQL error.',
    ),
    additionalProperties: false,
  },
};

const rpcSchemas: Schemas = {
  JsonRpcRequest: {
    ...objectSchema(
      {
        jsonrpc,
        id: { type: ['string', 'integer'] },
        method: text,
        params: anyObject,
        result: anyObject,
        error: rpcError,
      },
      ['jsonrpc'],
      'One message of MCP: a request, a notification (without `id`) or a response (without `method`); batches are refused.',
    ),
    anyOf: [{ required: ['method'] }, { required: ['id', 'result'] }, { required: ['error'] }],
  },
  JsonRpcResponse: objectSchema({ jsonrpc, id: rpcId, result: anyObject }, ['jsonrpc', 'id']),
  JsonRpcError: objectSchema({ jsonrpc, id: rpcId, error: rpcError }, ['jsonrpc', 'error']),
  ToolRefusal: {
    description: 'A refused tool call: an OAuth error and the JSON-RPC result of the call, in one object.',
    allOf: [reference('Error')],
    ...objectSchema({
      jsonrpc,
      id: rpcId,
      result: objectSchema({
        content: { type: 'array', items: objectSchema({ type: { const: 'text' }, text }) },
        isError: { const: true },
        _meta: objectSchema({ 'mcp/www_authenticate': { ...texts, minItems: 1 } }),
      }),
    }),
  },
};

/** With members of features. */
function tokenResponse(members: Schemas): object {
  return objectSchema(
    {
      access_token: text,
      token_type: { const: 'Bearer' },
      expires_in: seconds,
      scope,
      refresh_token: text,
      id_token: {
        ...text,
        description: 'Only from a code exchange with the scope `openid`, if the service issues ID tokens.',
      },
      ...members,
    },
    ['access_token', 'token_type', 'expires_in', 'scope'],
  );
}

/** With members of features. */
function introspection({ hasServices }: Enabled, members: Schemas): object {
  const audiences = ['operator', 'member', ...(hasServices ? ['service'] : [])];
  return objectSchema(
    {
      active: { type: 'boolean' },
      aud: uri,
      iss: uri,
      client_id: text,
      client_audience: { type: 'string', enum: audiences },
      sub: text,
      scope,
      token_type: text,
      exp: seconds,
      iat: seconds,
      ...members,
    },
    ['active'],
    'RFC 7662 section 2.2. For a token that is not active, only `active` is returned.',
  );
}

/** The schema of the metadata that is served here: it has the same members. */
function schemaOf(document: MetadataDocument, always: readonly string[]): object {
  const properties = Object.entries(document).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'object' ? texts : { type: typeof value }] as const],
  );
  return objectSchema(Object.fromEntries(properties), always);
}
