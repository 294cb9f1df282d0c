import type { MemberApiDescription } from '../../contracts/plugin.ts';
import type { Site } from '../../contracts/member.ts';
import { bodyLimit } from '../../http/body.ts';
import type { ServiceDescription } from '../service-description.ts';
import { type ResponseVariant, errorResponses, commonErrors } from './responses.ts';
import { operation } from './operation.ts';
import { json, reference } from './parts.ts';

const graphqlJson = 'application/graphql-response+json';

/** OpenID Connect Core section 5.3. */
export function userinfoOperation({ id: org_id }: Site, service: ServiceDescription, method: 'get' | 'post'): object {
  const example = { sub: 'member-1', org_id, roles: ['student'], name: 'Sam Rivera', email: 'sam@example.com' };
  return operation({
    id: method === 'get' ? 'getUserinfo' : 'postUserinfo',
    tag: 'OAuth',
    summary: 'Get claims about the signed-in person',
    text: 'The claims that the scopes of the token allow. OpenID Connect Core 1.0 section 5.3.',
    security: { scopes: ['openid'] },
    responses: [
      { status: 200, text: 'The claims.', content: { [json]: reference('UserInfo') } },
      ...errorResponses(service, [...commonErrors, 'invalid_token', 'insufficient_scope']),
    ],
    examples: [{ name: 'claims', summary: 'A student', status: 200, response: example }],
  });
}

/** Requests that the Member API refuses with a GraphQL error. GraphQL over HTTP: Status Codes. */
const graphqlRefusals: readonly ResponseVariant[] = [
  {
    status: 400,
    text: 'The body is malformed, the operation exceeds a limit, or `first` is outside 1 to 100. With `Accept: application/graphql-response+json`, also an operation that GraphQL validation rejects; the response then has that type.',
    content: { [json]: reference('GraphqlRefusal'), [graphqlJson]: reference('GraphqlRefusal') },
  },
  ...[
    { status: 406, text: `\`Accept\` allows neither \`${json}\` nor \`${graphqlJson}\`.` },
    { status: 413, text: 'The body is too large.' },
    { status: 415, text: `The body is not \`${json}\`.` },
  ].map((response) => ({ ...response, content: { [json]: reference('GraphqlRefusal') } })),
];

/** Specification: Member API. */
export function memberOperation(service: ServiceDescription, api: MemberApiDescription): object {
  return operation({
    id: 'memberApi',
    tag: 'Member API',
    summary: 'Query the signed-in member’s own data',
    text: `GraphQL. ${api.data ? scoped : bare}`,
    security: { scopes: [] },
    body: { type: json, schema: reference('GraphqlRequest'), text: `Maximum size: ${bodyLimit / 1024} KiB.` },
    responses: [
      {
        status: 200,
        text: 'The result. With `application/json`, an operation that GraphQL validation rejects also has status 200, with `errors` and no `data`.',
        content: { [json]: reference('GraphqlResponse'), [graphqlJson]: reference('GraphqlResponse') },
      },
      ...graphqlRefusals,
      ...errorResponses(service, [...commonErrors, 'invalid_token', 'insufficient_scope']),
    ],
    examples: [
      {
        name: 'viewer',
        summary: 'The viewer',
        request: { query: '{ viewer { id name } }' },
        status: 200,
        response: { data: { viewer: { id: 'member-1', name: 'Sam Rivera' } } },
      },
    ],
  });
}

const scoped =
  'Scopes are checked before execution: if the token lacks a scope of any field, the response is 403 and nothing is executed.';
const bare =
  'This platform serves only `id`, `name` and `email` of the viewer; the other fields of the schema return an error with the code `NOT_SERVED`.';

export function graphiqlOperation(service: ServiceDescription): object {
  return operation({
    id: 'graphiql',
    tag: 'Member API',
    summary: 'A page for trying the Member API',
    text: 'GraphiQL, for a browser. Its requests need a token like all other requests.',
    responses: [
      { status: 200, text: 'The page.', content: { 'text/html': { type: 'string' } } },
      ...errorResponses(service, commonErrors),
    ],
  });
}
