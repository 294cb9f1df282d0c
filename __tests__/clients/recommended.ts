import type { CampusOptions, Site } from '../../lib/index.ts';
import type { McpOptions } from '../../lib/mcp/index.ts';
import { knownDocuments, metadataDocuments } from '../../policies/index.ts';
import { authorizeUrl, pkce } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import type { DocumentServer } from '../outbound/document-server.ts';
import { registrationPolicies } from './recommended-policies.ts';
import { hostsCertificate } from './document-hosts.ts';
import type { RecordedDocument } from '../../lib/features/metadata-documents/recorded-documents.ts';
import { schoolTools } from './school-tools.ts';
import { reviewsOf } from '../helpers/reviews.ts';

/** How a test differs from the recommended configuration. */
export interface RecommendedChanges {
  readonly campus?: Partial<CampusOptions>;
  readonly mcp?: McpOptions;
}

/** Starts the schools with the recommended configuration. */
export function startRecommended(
  documents: DocumentServer,
  { campus, mcp }: RecommendedChanges = {},
): Promise<Schools> {
  return startSchools({
    mcp: { tools: schoolTools, origins: ['http://localhost:6274'], ...mcp },
    campus: {
      registration: registrationPolicies,
      metadataDocuments: metadataDocuments({ documents: knownDocuments }),
      // All apps call from one address.
      limits: { registrations: { perAddress: 10_000, perSite: 10_000 } },
      testing: {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        ca: hostsCertificate,
        allowPrivateAddresses: true,
        port: documents.port,
      },
      ...campus,
    },
  });
}

/** An operator is shown each document, and approves it. */
export async function approveDocuments(schools: Schools, published: readonly RecordedDocument[]): Promise<void> {
  const olivia = schools.browser('olivia');
  const site = siteOf(schools.harbour);
  for (const { client_id: id, redirect_uris: uris } of published) {
    await olivia.follow(authorizeUrl(schools.harbour, { id, redirectUri: uris[0] ?? '', scope: 'openid' }, pkce()));
  }
  for (const { clientId, version } of await reviewsOf(schools.campus).list(site)) {
    await reviewsOf(schools.campus).approve(site, clientId, version);
  }
}

/** Creates the client that an operator hands to a self-hosted app. */
export async function createApplication(
  { campus, harbour }: Schools,
  redirectUri: string,
  audience: 'operator' | 'member',
): Promise<{ readonly id: string; readonly secret?: string | undefined }> {
  const { application, clientSecret } = await campus.applications.create(siteOf(harbour), {
    clientName: 'Harbour Chat',
    redirectUris: [redirectUri],
    audience,
    scopes: audience === 'member' ? ['openid', 'profile', 'email', 'account:read'] : ['openid', 'courses:write'],
    confidential: true,
  });
  return { id: application.clientId, secret: clientSecret };
}

/** Harbour School, as the platform describes it. */
function siteOf(origin: string): Site {
  return harbourSite(origin);
}
