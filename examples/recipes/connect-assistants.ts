// connect-assistants.ts
import { builtInTools, mcp } from 'campus-oidc/mcp';
import {
  knownDocuments,
  loopbackClients,
  metadataDocuments,
  vendorPlatforms,
  wellKnownVendors,
} from 'campus-oidc/policies';
import { expectClientConnects } from 'campus-oidc/testing';
import { createHarbour, platform } from './harbour.ts';

const campus = createHarbour({
  registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
  metadataDocuments: metadataDocuments({ documents: knownDocuments }),
  mcp: mcp({ tools: builtInTools({ data: platform.memberData, catalogue: platform.catalogue }) }),
});

// Replays each app: from the address that a person types to the list of tools, and a refresh.
for (const app of ['claude', 'chatgpt', 'claude-code', 'vs-code'] as const) {
  await expectClientConnects(campus, app);
  console.log(`${app} connects`);
}
