import {
  builtInTools,
  type CampusOptions,
  type PublicCatalogue,
  type SchoolPlatform,
  type Tool,
} from '../../lib/index.ts';
import type { ServiceDescription } from '../../lib/describe/service-description.ts';
import { loopbackClients, metadataDocuments, vendorPlatforms } from '../../policies/index.ts';
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
export function everything(): Partial<CampusOptions> {
  return {
    tools: [...builtInTools({ publicCatalogue, memberData: testData().data }), manageCourse],
    registration: [vendorPlatforms([acme]), loopbackClients()],
    metadataDocuments: metadataDocuments({ hosts: ['claude.ai'] }),
    memberApi: { graphiql: true },
  };
}

export const fullPlatform: Partial<SchoolPlatform> = { memberData: testData().data };

/** Every optional feature is disabled. */
export const little: Partial<CampusOptions> = {
  memberApi: { introspection: false },
  limits: false,
  lifetimes: { refreshGrace: 0, accessToken: 90 },
};

/** The description of a service without optional features. */
export const littleService: ServiceDescription = {
  signs: true,
  registration: [],
  documents: undefined,
  lifetimes: { authorizationCode: 60, accessToken: 1, refreshToken: 1, grant: 1, interaction: 1, refreshGrace: 1 },
  limits: false,
  tools: [],
  schema: false,
  memberData: false,
  graphiql: false,
};
