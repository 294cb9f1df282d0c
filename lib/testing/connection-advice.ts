import type { KnownProgram } from '../client-programs/program.ts';

interface Failure {
  readonly reason: string;
  /** The name of the last request in the transcript. */
  readonly lastRequest: string | undefined;
  readonly connected: boolean;
}

interface Advice {
  readonly when: (failure: Failure) => boolean;
  readonly text: (program: KnownProgram) => string;
}

/** What to change in the configuration. The first that fits is given. */
const table: readonly Advice[] = [
  {
    when: ({ reason }) => reason.startsWith('CORS'),
    text: ({ page = '' }) => `the program is a web page; permit its origin: mcp({ origins: ['${page}'] })`,
  },
  {
    when: ({ reason, lastRequest }) =>
      lastRequest === 'registration' || /registration endpoint|cannot register/.test(reason),
    text: admission,
  },
  {
    when: ({ reason }) => reason.includes('document'),
    text: admission,
  },
  {
    when: ({ reason }) => reason.includes('access_denied'),
    text: () =>
      'connect as an operator of the school (memberId, platform.operatorRoles), and see what the consent policies (createCampus({ consent })) deny',
  },
  {
    when: ({ reason }) => /insufficient_scope|\blacks?\b/.test(reason),
    text: ({ document }) =>
      document === undefined
        ? 'compare the scopes that the tool needs (access.scopes) with those that this client may have'
        : 'a client whose metadata document nobody has approved only reads: campus.documents.approve, or metadataDocuments({ documents, reviewed })',
  },
  {
    when: ({ reason }) => /\b404\b/.test(reason),
    text: () =>
      'nothing is served there: compare the path with those of mcp({ operatorPath, memberPath }), and the origin with findSite',
  },
  {
    when: ({ reason }) => reason.includes('invalid_scope') || reason.includes('is not listed'),
    text: () => 'compare the scopes that the tools need (access.scopes) with those that this client may have',
  },
  {
    when: ({ reason }) => reason.includes('served without a token'),
    text: () => 'the program signs in only where it is refused: use /mcp/operator, or mcp({ anonymous: false })',
  },
  {
    when: ({ connected }) => connected,
    text: () => 'look at the tool, and at the faults: campus.events.on("fault", console.error)',
  },
];

/** What to do about a program that gave up. */
export function adviceOn(program: KnownProgram, failure: Failure): string {
  const found = table.find(({ when }) => when(failure));
  return found?.text(program) ?? 'see the response above, and the faults: campus.events.on("fault", console.error)';
}

function admission({ document, registration, redirectUri }: KnownProgram): string {
  if (document !== undefined) {
    return `permit its metadata document ${document}: createCampus({ metadataDocuments: metadataDocuments({ documents: knownDocuments }) })`;
  }
  const name = registration?.clientName ?? '';
  const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)[:/]/.test(redirectUri);
  const policy = loopback ? 'loopbackClients()' : 'vendorPlatforms(wellKnownVendors)';
  return (
    `admit ${JSON.stringify(name)} with ${redirectUri}: createCampus({ registration: [vendorPlatforms(wellKnownVendors), loopbackClients()] })` +
    ` has ${policy} for it; or create an application for operators with this redirect URI (campus.applications.create), and pass its clientId`
  );
}
