import { claimsByScope } from '../../host/member-claims.ts';
import { mergedOf } from '../../kernel/merged.ts';
import { endpointsOf, resourceMetadata, serverMetadata } from '../metadata.ts';
import { allErrors } from '../offered-errors.ts';
import type { ServiceDescription } from '../service-description.ts';
import { allAuthorizeParameters, authorizeParameters } from '../request-parameters.ts';
import { formSchema, objectSchema, reference } from '../schema-parts.ts';
import { knownToClients, type Offered, offered } from '../../core/offered/offered.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const seconds = { type: 'integer', minimum: 0 } as const;
const uri = { type: 'string', format: 'uri' } as const;
const scope = { type: 'string', description: 'Scopes, separated by spaces.' } as const;

type Schemas = Readonly<Record<string, object>>;

const claimSchemas: Schemas = {
  sub: { ...text, description: 'The member’s identifier.' },
  org_id: { ...text, description: 'The school’s identifier.' },
  roles: { ...texts, description: 'The member’s roles at this school, the highest privilege first.' },
  name: text,
  picture: uri,
  email: { type: 'string', format: 'email' },
  email_verified: { type: 'boolean' },
};

function errorSchema(service: Pick<ServiceDescription, 'features'>): object {
  const json = allErrors(service).filter((code) => code.status !== undefined);
  return objectSchema(
    { error: { type: 'string', enum: [...new Set(json.map(({ error }) => error))] }, error_description: text },
    undefined,
    'An error: a code for programs, a text for developers. RFC 6749 section 5.2.',
  );
}

const claims = Object.values(claimsByScope).flat();

const anyObject = { type: 'object' } as const;
const jsonrpc = { const: '2.0' } as const;
const rpcId = { type: ['string', 'integer', 'null'] } as const;
const rpcError = objectSchema({ code: { type: 'integer' }, message: text });

const graphqlErrors = {
  type: 'array',
  minItems: 1,
  items: objectSchema({ message: text, extensions: { type: 'object', properties: { code: text } } }, ['message']),
} as const;

/** Where no feature is on. */
const ofCore = knownToClients([]);

const allMetadata = {
  ...serverMetadata('', {
    idTokenAlgorithms: ['ES256'],
    features: [],
    offered: offered(ofCore),
    scopes: [],
    resources: [],
  }),
  registration_endpoint: '',
};

const ofServer = ['issuer', 'authorization_endpoint', 'token_endpoint', 'scopes_supported'];

const schemas: Schemas = {
  ...forms(offered(ofCore)).ofGrants,
  TokenResponse: tokenResponse({}),
  ...forms(offered(ofCore)).ofTokens,
  UserInfo: objectSchema(
    Object.fromEntries(claims.map((claim) => [claim, claimSchemas[claim] ?? text])),
    claimsByScope.openid,
    'The claims for the scopes of the token, as in the ID token.',
  ),
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
  AuthorizationForm: formSchema(authorizeParameters),
  KeySet: objectSchema({ keys: { type: 'array', items: anyObject } }),
  ServerMetadata: schemaOf(allMetadata, ofServer),
  ResourceMetadata: schemaOf(resourceMetadata({ origin: '', name: '' }, { path: '', scopes: [] }), [
    'resource',
    'authorization_servers',
  ]),
};

/** The schemas, in the order of the components. */
export function schemasFor(service: Pick<ServiceDescription, 'offered' | 'features'>): Schemas {
  const members = mergedOf(service.features.map(({ tokenMembers }) => tokenMembers));
  const { ofGrants, ofTokens } = forms(service.offered, members);
  const endpoints = Object.fromEntries(endpointsOf(service.offered));
  return {
    Error: errorSchema(service),
    ...mergedOf(service.features.map(({ clients }) => clients?.schemas)),
    ...schemas,
    TokenResponse: tokenResponse(members),
    AuthorizationForm: formSchema(allAuthorizeParameters(service)),
    ...ofGrants,
    ...ofTokens,
    ...mergedOf(service.features.map((feature) => feature.schemas?.(service.offered))),
    ServerMetadata: schemaOf({ ...allMetadata, ...endpoints }, ofServer),
  };
}

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

/** Those that depend on what is offered. */
function forms(
  { grantTypes, hasServices, clientParameters }: Offered,
  tokenMembers: Schemas = {},
): Record<'ofGrants' | 'ofTokens', Schemas> {
  const audiences = ['operator', 'member', ...(hasServices ? ['service'] : [])];
  const token = { name: 'token', required: true, text: 'An access or refresh token.' };
  return {
    ofGrants: Object.fromEntries(
      grantTypes.map(({ schema, name, parameters }) => [
        schema,
        formSchema([...parameters, ...clientParameters], name),
      ]),
    ),
    ofTokens: {
      TokenForm: formSchema([token, ...clientParameters]),
      Introspection: objectSchema(
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
          ...tokenMembers,
        },
        ['active'],
        'RFC 7662 section 2.2. For a token that is not active, only `active` is returned.',
      ),
    },
  };
}

/** Derives a schema from a document that has all members. */
function schemaOf(document: object, required: readonly string[]): object {
  const properties = Object.entries(document).map(
    ([name, value]: [string, unknown]) => [name, Array.isArray(value) ? texts : { type: typeof value }] as const,
  );
  return objectSchema(Object.fromEntries(properties), required);
}
