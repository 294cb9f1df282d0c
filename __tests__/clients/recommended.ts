import type { Campus, CampusOptions, RegistrationPolicy, Site } from '../../lib/index.ts';
import type { McpOptions } from '../../lib/mcp/index.ts';
import { loopbackClients, metadataDocuments, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { authorizeUrl, pkce } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import type { DocumentServer } from '../metadata-documents/document-server.ts';
import { recordedDocuments, vendorCertificate } from './recorded-documents.ts';
import { schoolTools } from './school-tools.ts';

/** Who may register, in the recommended configuration. */
export const registrationPolicies: readonly RegistrationPolicy[] = [
  vendorPlatforms(wellKnownVendors),
  loopbackClients({ localhost: true }),
];

/** Starts the schools with the recommended configuration. */
export function startRecommended(
  documents: DocumentServer,
  { campus, mcp }: { readonly campus?: Partial<CampusOptions>; readonly mcp?: McpOptions } = {},
): Promise<Schools> {
  return startSchools({
    mcp: { tools: schoolTools, origins: ['http://localhost:6274'], ...mcp },
    campus: {
      registration: registrationPolicies,
      metadataDocuments: metadataDocuments({
        hosts: ['claude.ai', 'chatgpt.com', 'vscode.dev', 'zed.dev'],
        reviewed: () => true,
      }),
      // All programs call from one address.
      limits: { registrations: { perAddress: 10_000, perSite: 10_000 } },
      testing: {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        ca: vendorCertificate,
        allowPrivateAddresses: true,
        port: documents.port,
      },
      ...campus,
    },
  });
}

/** An operator is shown each document, and approves it. */
export async function approveDocuments(schools: Schools): Promise<void> {
  const olivia = schools.browser('olivia');
  for (const [id, document] of Object.entries(recordedDocuments)) {
    const [redirectUri = ''] = Object.entries(document).flatMap(([name, value]) =>
      name === 'redirect_uris' ? value : [],
    );
    await olivia.follow(authorizeUrl(schools.harbour, { id, redirectUri, scope: 'openid' }, pkce()));
  }
}

/** Harbour School, as the platform describes it. */
export function harbourSite({ harbour }: Schools): Site {
  return { id: 'harbour', origin: harbour, name: 'Harbour School', connectionsEnabled: true };
}

/** Creates the client that an operator hands to a self-hosted program. */
export async function createApplication(
  campus: Campus,
  site: Site,
  redirectUri: string,
  audience: 'operator' | 'member',
): Promise<{ readonly id: string; readonly secret?: string | undefined }> {
  const { application, clientSecret } = await campus.applications.create(site, {
    clientName: 'Harbour Chat',
    redirectUris: [redirectUri],
    scopes: audience === 'member' ? ['openid', 'profile', 'email', 'account:read'] : ['openid', 'courses:write'],
    confidential: true,
  });
  return { id: application.clientId, secret: clientSecret };
}
