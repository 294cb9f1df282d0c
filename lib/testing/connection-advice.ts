import type { ReplayClient } from '../simulated-clients/simulated-client.ts';
import { isLoopbackRedirect } from '../core/clients/redirect-uri.ts';

interface Failure {
  readonly reason: string;
  /** The name of the last request in the transcript. */
  readonly lastRequest: string | undefined;
  readonly connected: boolean;
}

/** What to change in the configuration, by the last request and why the app gave up. The first row that fits is given. */
const table: readonly (readonly [RegExp, string | ((app: ReplayClient) => string)])[] = [
  [/: CORS/, ({ page = '' }) => `the app is a web page; permit its origin: mcp({ origins: ['${page}'] })`],
  [
    /the browser has stopped at \S+\/oauth\/interaction\//,
    'read that page; campus.explain names the rule of the school, or the policy (createCampus({ access })), that refuses it',
  ],
  [/^registration:|registration endpoint|cannot register|document/, admission],
  [
    /access_denied/,
    'connect as an operator of the school (memberId, platform.operatorRoles), and see what the policies (createCampus({ access })) refuse',
  ],
  [
    /insufficient_scope|\blacks?\b/,
    ({ document }) =>
      document === undefined
        ? 'compare the scopes that the tool needs (access.scopes) with the scopes that this client may have'
        : 'approve its metadata document, or it only reads: campus.apps.set with the version of campus.apps.find, or metadataDocuments({ documents, reviewed }); or connect as an administrator (platform.adminRoles)',
  ],
  [/\b404\b/, 'compare the path with mcp({ operatorPath, memberPath }), and the origin with platform.findSite'],
  [
    /invalid_scope|is not listed/,
    'compare the scopes that the tools need (access.scopes) with the scopes that this client may have',
  ],
  [
    /served without a token/,
    'the app signs in only where it is refused: use /mcp/operator, or mcp({ anonymous: false })',
  ],
];

export function adviceOn(app: ReplayClient, { reason, lastRequest, connected }: Failure): string {
  const advice = table.find(([pattern]) => pattern.test(`${lastRequest}: ${reason}`))?.[1];
  if (advice !== undefined) return typeof advice === 'string' ? advice : advice(app);
  const first = connected ? 'look at the tool, and at the faults' : 'see the response above, and the faults';
  return `${first}: campus.events.on("fault", console.error)`;
}

function admission({ document, registration, redirectUri }: ReplayClient): string {
  if (document !== undefined) {
    return `permit its metadata document ${document}: createCampus({ metadataDocuments: metadataDocuments({ documents: knownDocuments }) })`;
  }
  const name = registration?.clientName ?? '';
  const loopback = isLoopbackRedirect(redirectUri, { localhost: true });
  const policy = loopback ? 'loopbackClients()' : 'vendorPlatforms(wellKnownVendors)';
  return (
    `admit ${JSON.stringify(name)} with ${redirectUri}: createCampus({ registration: [vendorPlatforms(wellKnownVendors), loopbackClients()] })` +
    ` has ${policy} for it; or create an application for operators with this redirect URI (campus.applications.create), and pass its clientId`
  );
}
