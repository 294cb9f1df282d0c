import { claimsByScope } from '../../host/claims.ts';
import { resourceMetadata, serverMetadata } from '../discovery/metadata.ts';
import { type ErrorCode, errorCodes } from '../error-codes.ts';
import { registrationSchema } from '../../registration/schema.ts';
import { formSchema } from './parts.ts';
import { clientParameters, tokenParameters } from '../request-parameters.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const seconds = { type: 'integer', minimum: 0 } as const;
const uri = { type: 'string', format: 'uri' } as const;
const scope = { type: 'string', description: 'Scopes, separated by spaces.' } as const;

const claimSchemas: Readonly<Record<string, object>> = {
  sub: { ...text, description: 'The member’s identifier.' },
  org_id: { ...text, description: 'The school’s identifier.' },
  roles: { ...texts, description: 'The member’s roles at this school, the highest privilege first.' },
  name: text,
  picture: uri,
  email: { type: 'string', format: 'email' },
  email_verified: { type: 'boolean' },
};

const rows: readonly ErrorCode[] = errorCodes;
const jsonErrors = new Set(rows.filter(({ status }) => status !== undefined).map(({ error }) => error));
const claims = Object.values(claimsByScope).flat();

const rpcId = { type: ['string', 'integer', 'null'] } as const;
const rpcError = {
  type: 'object',
  properties: { code: { type: 'integer' }, message: text },
  required: ['code', 'message'],
} as const;

const graphqlErrors = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: { message: text, extensions: { type: 'object', properties: { code: text } } },
    required: ['message'],
  },
} as const;

const textBlock = { type: 'object', properties: { type: { const: 'text' }, text }, required: ['type', 'text'] };

const challenges = {
  type: 'object',
  properties: { 'mcp/www_authenticate': { ...texts, minItems: 1 } },
  required: ['mcp/www_authenticate'],
} as const;

/** Schema components. */
export const schemas: Readonly<Record<string, object>> = {
  Error: {
    type: 'object',
    description: 'An error: a code for programs, a text for developers. RFC 6749 section 5.2.',
    properties: { error: { type: 'string', enum: [...jsonErrors] }, error_description: text },
    required: ['error', 'error_description'],
  },
  RegistrationRequest: registrationSchema,
  RegistrationResponse: {
    type: 'object',
    description: 'The registered client. The response never contains a secret. RFC 7591 section 3.2.1.',
    properties: { ...registrationSchema.properties, client_id: text, client_id_issued_at: seconds },
    required: ['client_id', 'redirect_uris', 'token_endpoint_auth_method'],
  },
  CodeExchange: formSchema(tokenParameters.authorization_code, { grant_type: 'authorization_code' }),
  Refresh: formSchema(tokenParameters.refresh_token, { grant_type: 'refresh_token' }),
  TokenResponse: {
    type: 'object',
    properties: {
      access_token: text,
      token_type: { const: 'Bearer' },
      expires_in: seconds,
      scope,
      refresh_token: text,
      id_token: {
        ...text,
        description: 'Only from a code exchange with the scope `openid`, if the service issues ID tokens.',
      },
    },
    required: ['access_token', 'token_type', 'expires_in', 'scope'],
  },
  TokenForm: formSchema([{ name: 'token', required: true, text: 'An access or refresh token.' }, ...clientParameters]),
  Introspection: {
    type: 'object',
    description: 'RFC 7662 section 2.2. For a token that is not active, only `active` is returned.',
    properties: {
      active: { type: 'boolean' },
      aud: uri,
      iss: uri,
      client_id: text,
      client_audience: { type: 'string', enum: ['operator', 'member'] },
      sub: text,
      scope,
      token_type: text,
      exp: seconds,
      iat: seconds,
    },
    required: ['active'],
  },
  UserInfo: {
    type: 'object',
    description: 'The claims for the scopes of the token, as in the ID token.',
    properties: Object.fromEntries(claims.map((claim) => [claim, claimSchemas[claim] ?? text])),
    required: claimsByScope.openid,
  },
  GraphqlRequest: {
    type: 'object',
    properties: { query: text, operationName: { type: ['string', 'null'] }, variables: { type: ['object', 'null'] } },
    required: ['query'],
  },
  GraphqlResponse: { type: 'object', properties: { data: { type: ['object', 'null'] }, errors: graphqlErrors } },
  GraphqlRefusal: {
    type: 'object',
    description: 'The reason why a request was not executed, as a GraphQL error.',
    properties: { errors: graphqlErrors },
    required: ['errors'],
    additionalProperties: false,
  },
  JsonRpcRequest: {
    type: 'object',
    description:
      'One message of MCP: a request, a notification (without `id`) or a response (without `method`); batches are refused.',
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'integer'] },
      method: text,
      params: { type: 'object' },
      result: { type: 'object' },
      error: rpcError,
    },
    required: ['jsonrpc'],
    anyOf: [{ required: ['method'] }, { required: ['id', 'result'] }, { required: ['error'] }],
  },
  JsonRpcResponse: {
    type: 'object',
    properties: { jsonrpc: { const: '2.0' }, id: rpcId, result: { type: 'object' } },
    required: ['jsonrpc', 'id'],
  },
  JsonRpcError: {
    type: 'object',
    properties: { jsonrpc: { const: '2.0' }, id: rpcId, error: rpcError },
    required: ['jsonrpc', 'error'],
  },
  ToolRefusal: {
    description: 'A refused tool call: an OAuth error and the JSON-RPC result of the call, in one object.',
    allOf: [{ $ref: '#/components/schemas/Error' }],
    type: 'object',
    properties: {
      jsonrpc: { const: '2.0' },
      id: rpcId,
      result: {
        type: 'object',
        properties: { content: { type: 'array', items: textBlock }, isError: { const: true }, _meta: challenges },
        required: ['content', 'isError', '_meta'],
      },
    },
    required: ['jsonrpc', 'id', 'result'],
  },
  KeySet: { type: 'object', properties: { keys: { type: 'array', items: { type: 'object' } } }, required: ['keys'] },
  ServerMetadata: schemaOf(serverMetadata('', { signs: true, registration: [{ name: '' }], documents: {} }), [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'scopes_supported',
  ]),
  ResourceMetadata: schemaOf(resourceMetadata({ origin: '', name: '' }), ['resource', 'authorization_servers']),
};

/** Derives a schema from a document that has all members. */
function schemaOf(document: object, required: readonly string[]): object {
  const properties = Object.entries(document).map(([name, value]: [string, unknown]) => [name, typeOf(value)] as const);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function typeOf(value: unknown): object {
  if (Array.isArray(value)) return texts;
  return { type: typeof value };
}
