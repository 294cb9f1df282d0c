import { builtInTools, type CampusOptions, type PublicCatalogue, type Tool } from '../../lib/index.ts';
import { loopbackClients, metadataDocuments, vendorPlatforms } from '../../policies/index.ts';
import { testData } from '../member/data.ts';

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

/** Everything is on. */
export function everything(): Partial<CampusOptions> {
  return {
    tools: [...builtInTools({ publicCatalogue, memberData: testData().data }), several],
    registration: [vendorPlatforms([acme]), loopbackClients()],
    metadataDocuments: metadataDocuments({ hosts: ['claude.ai'] }),
  };
}

/** As little as possible is on. */
export const little: Partial<CampusOptions> = {
  memberApi: { introspection: false },
  limits: false,
  lifetimes: { refreshGrace: 0, accessToken: 90 },
};
