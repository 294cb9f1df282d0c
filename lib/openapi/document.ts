import type { Site } from '../contracts/member.ts';
import { type Route } from '../http/route.ts';
import { jsonDocument } from '../http/send.ts';
import { documentRoute, siteDocument } from '../http/site-document.ts';
import { paths } from '../paths.ts';
import { catalogue } from '../scopes.ts';
import type { ServiceFacts } from '../service-facts.ts';
import { version } from '../version.ts';
import { discoveryOperations } from './discovery-operations.ts';
import {
  authorizeOperation,
  introspectOperation,
  registerOperation,
  revokeOperation,
  tokenOperation,
} from './oauth-operations.ts';
import { memberOperation, toolList, toolOperation, userinfoOperation } from './resource-operations.ts';
import { schemas } from './schemas.ts';

/** The description of the API of a site, OpenAPI 3.1. Specification: Discovery and description. */
export function openApiDocument(site: Site, facts: ServiceFacts): object {
  const { origin, name } = site;
  const items = pathItems(site, facts);
  return {
    openapi: '3.1.0',
    info: {
      title: `${name} API`,
      version,
      summary: 'OAuth access, OpenID Connect, the Member API and tools of one school.',
      description: `The guide is at ${origin}${paths.guide}.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    externalDocs: { url: `${origin}${paths.guide}`, description: 'The guide for client developers' },
    tags: [
      { name: 'Discovery', description: 'Documents that anybody may read.' },
      { name: 'OAuth', description: 'Clients, consent and tokens.' },
      { name: 'Member API', description: 'One signed-in member’s own data.' },
      { name: 'Tools', description: 'The Model Context Protocol.' },
    ],
    paths: items,
    components: { schemas: usedIn(items), headers, securitySchemes: { oauth: oauthScheme(origin) } },
  };
}

function pathItems(site: Site, facts: ServiceFacts): object {
  return {
    ...discoveryOperations(site, facts),
    ...(facts.registration.length > 0 && { [paths.register]: { post: registerOperation(facts) } }),
    [paths.authorize]: { get: authorizeOperation(site) },
    [paths.token]: { post: tokenOperation(site, facts) },
    [paths.userinfo]: { get: userinfoOperation(site, 'get'), post: userinfoOperation(site, 'post') },
    [paths.revoke]: { post: revokeOperation() },
    [paths.introspect]: { post: introspectOperation(site) },
    [paths.memberGraphql]: { post: memberOperation() },
    [paths.mcp]: { post: { ...toolOperation(facts), 'x-tools': toolList(facts.tools) } },
  };
}

/** The schemas that are referred to; what is not described has none. */
function usedIn(items: object): object {
  const text = JSON.stringify(items);
  const used = Object.entries(schemas).filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
  return Object.fromEntries(used);
}

/** `/openapi.json`. */
export function openApiRoute(facts: ServiceFacts): Route {
  return documentRoute(
    paths.openapi,
    siteDocument((site) => jsonDocument(openApiDocument(site, facts))),
  );
}

function oauthScheme(origin: string): object {
  return {
    type: 'oauth2',
    description: 'The authorization code flow with PKCE, method S256.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${origin}${paths.authorize}`,
        tokenUrl: `${origin}${paths.token}`,
        refreshUrl: `${origin}${paths.token}`,
        scopes: Object.fromEntries(catalogue.map(({ scope, text }) => [scope, text])),
      },
    },
  };
}

const text = { type: 'string' } as const;
const headers = {
  Challenge: {
    description: 'A challenge (RFC 6750): the error, the scopes that the call needs, and where the metadata is.',
    schema: text,
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
  ETag: { description: 'The entity tag.', schema: text },
  Location: { description: 'Where to go on.', schema: { type: 'string', format: 'uri' } },
};
