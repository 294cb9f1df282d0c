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

/** A tool of every kind that the documents can describe. */
const several: Tool = {
  name: 'manage_course',
  description: 'Looks at a course | or publishes it.',
  inputSchema: { type: 'object', properties: { action: { enum: ['show', 'publish'] } }, required: ['action'] },
  access: {
    scopes: ['courses:read'],
    actions: { argument: 'action', scopes: { show: [], publish: ['courses:write'] } },
  },
  run: () => 'done',
};

/** A vendor that is known beforehand. */
export const acme = {
  clientId: 'acme-agents',
  clientName: 'Acme Agents',
  names: ['Acme Agents'],
  redirectUris: ['https://agents.acme.example/callback'],
};

/** Everything that the options of a campus can turn on is on. */
export function everything(): Partial<CampusOptions> {
  return {
    tools: [...builtInTools({ publicCatalogue, memberData: testData().data }), several],
    registration: [vendorPlatforms([acme]), loopbackClients()],
    metadataDocuments: metadataDocuments({ hosts: ['claude.ai'] }),
    memberApi: { graphiql: true },
  };
}

/** What a platform can serve besides. */
export const fullPlatform: Partial<SchoolPlatform> = { memberData: testData().data };

/** As little as possible is on. */
export const little: Partial<CampusOptions> = {
  memberApi: { introspection: false },
  limits: false,
  lifetimes: { refreshGrace: 0, accessToken: 90 },
};

/** What the documents tell of as little. */
export const littleFacts: ServiceDescription = {
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
