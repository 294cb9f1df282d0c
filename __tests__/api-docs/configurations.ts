import { builtInTools, type PublicCatalogue, type Tool } from '../../lib/mcp/index.ts';
import type { SchoolsOptions } from '../helpers/schools.ts';
import type { ServiceDescription } from '../../lib/describe/service-description.ts';
import { loopbackClients, metadataDocuments, vendorPlatforms } from '../../policies/index.ts';
import { knownToClients, enabledBy } from '../../lib/core/enabled/enabled.ts';
import { standardScopes } from '../helpers/scopes.ts';
import { testData } from '../member-api/data.ts';

const publicCatalogue: PublicCatalogue = {
  courses: () => ({ nodes: [{ slug: 'knots', name: 'Knots' }], totalCount: 1, hasNextPage: false }),
};

/** A tool with a scope for each action. */
const manageCourse: Tool = {
  name: 'manage_course',
  description: 'Looks at a course | or publishes it.',
  inputSchema: { type: 'object', properties: { action: { enum: ['show', 'publish'] } }, required: ['action'] },
  access: {
    scopes: ['courses:read'],
    actions: { argument: 'action', scopes: { show: [], publish: ['courses:write'] } },
  },
  run: () => 'done',
};

/** A known vendor. */
export const acme = {
  clientId: 'acme-agents',
  clientName: 'Acme Agents',
  names: ['Acme Agents'],
  redirectUris: ['https://agents.acme.example/callback'],
};

/** Every optional feature is enabled. */
export function everything(): SchoolsOptions {
  const { data } = testData();
  return {
    campus: {
      registration: [vendorPlatforms([acme]), loopbackClients()],
      metadataDocuments: metadataDocuments({ hosts: ['claude.ai'] }),
    },
    memberApi: { data, graphiql: true, renderGraphiQL: () => '<!doctype html>' },
    mcp: { tools: [...builtInTools({ catalogue: publicCatalogue, data }), manageCourse] },
  };
}

/** Every optional feature is disabled. */
export const little: SchoolsOptions = {
  memberApi: { introspection: false },
  mcp: {},
  campus: { limits: false, lifetimes: { refreshGrace: 0, accessToken: 90 } },
};

/** The description of a service without optional features. */
export const littleService: ServiceDescription = {
  idTokenAlgorithms: ['ES256'],
  policies: { registration: [], boundaries: [] },
  enabled: enabledBy(knownToClients([])),
  features: [],
  scopes: standardScopes.rows,
  lifetimes: {
    authorizationCode: 60,
    accessToken: 1,
    refreshToken: 1,
    grant: 1,
    pendingSignIn: 1,
    interaction: 1,
    refreshGrace: 1,
  },
  limits: false,
  memberApi: { schema: false, fields: [], graphiql: false, open: [] },
  mcp: { tools: [], endpoints: [{ path: '/mcp', audience: 'operator', anonymous: true, scopes: [] }] },
  resources: ['', '/mcp', '/member/graphql'].map((path) => ({ path, scopes: [] })),
};
