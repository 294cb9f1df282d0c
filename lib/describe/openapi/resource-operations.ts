import type { Site } from '../../contracts/member.ts';
import { bodyLimit } from '../../http/body.ts';
import type { ServiceDescription } from '../service-description.ts';
import { type ResponseVariant, errorResponses, everywhere } from './responses.ts';
import { operation } from './operation.ts';
import { json, reference } from './parts.ts';

const graphqlJson = 'application/graphql-response+json';

/** UserInfo, by either method. OpenID Connect Core section 5.3. */
export function userinfoOperation({ id: org_id }: Site, facts: ServiceDescription, method: 'get' | 'post'): object {
  const example = { sub: 'member-1', org_id, roles: ['student'], name: 'Sam Rivera', email: 'sam@example.com' };
  return operation({
    id: method === 'get' ? 'getUserinfo' : 'postUserinfo',
    tag: 'OAuth',
    summary: 'Who the token stands for',
    text: 'The claims that the scopes of the token allow. OpenID Connect Core 1.0 section 5.3.',
    security: { scopes: ['openid'] },
    answers: [
      { status: 200, text: 'The claims.', content: { [json]: reference('UserInfo') } },
      ...errorResponses(facts, [...everywhere, 'invalid_token', 'insufficient_scope']),
    ],
    examples: [{ name: 'claims', summary: 'A student', status: 200, response: example }],
  });
}

/** What the Member API refuses in GraphQL's own form. GraphQL over HTTP: Status Codes. */
const graphqlRefusals: readonly ResponseVariant[] = [
  {
    status: 400,
    text: 'The body is malformed, the operation is more than the limits allow, or `first` is outside 1 to 100. With `Accept: application/graphql-response+json`, also what GraphQL itself refuses, in that type.',
    content: { [json]: reference('GraphqlRefusal'), [graphqlJson]: reference('GraphqlRefusal') },
  },
  ...[
    { status: 406, text: `\`Accept\` names neither \`${json}\` nor \`${graphqlJson}\`.` },
    { status: 413, text: 'The body is too large.' },
    { status: 415, text: `The body is not \`${json}\`.` },
  ].map((answer) => ({ ...answer, content: { [json]: reference('GraphqlRefusal') } })),
];

/** The Member API. Specification: Member API. */
export function memberOperation(facts: ServiceDescription): object {
  return operation({
    id: 'memberApi',
    tag: 'Member API',
    summary: 'Ask for the signed-in member’s own data',
    text: `GraphQL. ${facts.memberData ? scoped : bare}`,
    security: { scopes: [] },
    body: { type: json, schema: reference('GraphqlRequest'), text: `At most ${bodyLimit / 1024} KiB.` },
    answers: [
      {
        status: 200,
        text: 'The result; as `application/json` also with `errors` alone, where GraphQL refuses the operation.',
        content: { [json]: reference('GraphqlAnswer'), [graphqlJson]: reference('GraphqlAnswer') },
      },
      ...graphqlRefusals,
      ...errorResponses(facts, [...everywhere, 'invalid_token', 'insufficient_scope']),
    ],
    examples: [
      {
        name: 'viewer',
        summary: 'Who it is',
        request: { query: '{ viewer { id name } }' },
        status: 200,
        response: { data: { viewer: { id: 'member-1', name: 'Sam Rivera' } } },
      },
    ],
  });
}

const scoped =
  'Fields that need a scope need it before anything is executed: a token that lacks one gets 403, and nothing has happened.';
const bare =
  'It tells who the viewer is (`id`, `name`, `email`), and no more: the other fields of our schema answer an error with the code `NOT_SERVED`.';

/** The page to try the Member API at; only there where it is switched on. */
export function graphiqlOperation(facts: ServiceDescription): object {
  return operation({
    id: 'graphiql',
    tag: 'Member API',
    summary: 'A page to try the Member API at',
    text: 'GraphiQL, for a browser. Its requests take a token like all others.',
    answers: [
      { status: 200, text: 'The page.', content: { 'text/html': { type: 'string' } } },
      ...errorResponses(facts, everywhere),
    ],
  });
}
