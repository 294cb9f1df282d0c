import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { type Admission, type ClientRow, clientRows, appOfProduct } from '../__tests__/clients/rows.ts';
import type { ClientBehaviour } from '../lib/simulated-clients/simulated-client.ts';
import { knownDocuments, knownApps, wellKnownVendors } from '../policies/index.ts';

export const clientsFile = 'docs/reference/client-apps.md';

const admissions: Readonly<Record<Admission, string>> = {
  document: 'document',
  vendorPlatforms: 'vendor',
  loopbackClients: 'loopback',
  application: 'application',
};

const starts: Readonly<Record<ClientBehaviour['start'], string>> = {
  login: 'presses “log in”, or runs the login command',
  unauthorized: 'is sent to sign in when the app connects',
  metadata: 'is asked to sign in once the address is saved',
};

const stepUps: Readonly<Record<ClientBehaviour['stepUp'], string>> = {
  union: 'the app asks again',
  challenge: 'the app asks again',
  refresh: 'log out and in again',
  none: 'log out and in again',
};

/** What the tests replay, for operators and embedders. */
export async function clientsReference(): Promise<string> {
  const rows = await clientRows();
  return format([intro, addresses, apps(rows), otherApps(rows)].join('\n'), {
    ...(await resolveConfig(join(import.meta.dirname, '..', clientsFile))),
    parser: 'markdown',
  });
}

const intro = `# Clients

Written by \`npm run clients\` from the rows that the tests replay: each app, in every way it connects, goes from the address
that its user types to a tool that writes, a refresh, and a second device. Apps change; this is their behaviour in autumn 2026,
with the recommended configuration:

\`\`\`ts
import type { CampusOptions } from 'campus-oidc';
import { mcp } from 'campus-oidc/mcp';
import { knownDocuments, loopbackClients, metadataDocuments, vendorPlatforms, wellKnownVendors } from 'campus-oidc/policies';

export const recommended: Pick<CampusOptions, 'registration' | 'metadataDocuments' | 'mcp'> = {
  registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
  metadataDocuments: metadataDocuments({ documents: knownDocuments }),
  mcp: mcp({ tools: [], origins: ['http://localhost:6274'] }), // the origin of MCP Inspector
};
\`\`\`
`;

const addresses = `## The address to type

| who | address | what the app can use |
| --- | --- | --- |
| an operator | \`https://school.example/mcp/operator\` | the tools for operators, as far as the operator allows |
| a member, such as a student | \`https://school.example/mcp/member\` | the member's own account |
| anyone, without signing in | \`https://school.example/mcp\` | the public tools |

\`/mcp\` serves requests without a token, as specified, so an app that signs in only when refused never signs in there. The other
two refuse every request without a token; with \`mcp({ anonymous: false })\` all three do.
`;

function apps(rows: readonly ClientRow[]): string {
  return `## Apps for operators

${appTable(rows)}

- **Gets in by** its **document** (an administrator approves it, below); as a known **vendor**; with a **loopback** address of the
  person's own computer; or with an **application** that an administrator creates. An app with several ways uses its document where
  documents are advertised.
- **A permission that was not ticked** on the consent page: how to give it later.
- **Source**: the behaviour was **read** in the app's code, or **recorded** in logs, reports or its vendor's documentation.
- **In tests**: its name for \`expectClientConnects\` of \`campus-oidc/testing\` ([Testing](../guides/test-your-integration.md#connect-known-apps)).

Only operators of the school can connect these apps, and none of them gets \`account:read\`.

### Documents

A client whose document is not approved can only read. The first administrator who connects it approves it on the consent page, for
the school and until the document changes, with _Approve Claude Code for all staff, and connect_. What another operator connects
waits in _Apps_ and in \`campus.apps.list(site, { waiting: true })\`. After _Connect, view only_ the person signs in again for more.

### Applications

${selfHosted(rows)} and other apps at an address of your own (Open WebUI, n8n) have a callback that no list can know. An administrator
creates an application for operators under _Developers_, with this callback, and enters its \`client_id\` and
secret in the app.

## Apps for members

An app acts for members only as an application that an administrator created for members. It must let its user enter a
\`client_id\`, like ${selfHosted(rows)}. Its user types the address for members. An app that registers itself there ends with \`access_denied\` when a member
who is not an operator signs in.
`;
}

/** One line for each product: its variants differ only in how they get in. */
function appTable(rows: readonly ClientRow[]): string {
  const products = Map.groupBy(rows, ({ product }) => product);
  const lines = [...products].flatMap(([product, variants]) => {
    const [first] = variants;
    if (!first) return [];
    const { behaviour, source, product: name } = first.app;
    const used = new Set(variants.map(({ admission }) => admissions[admission]));
    const ways = Object.values(admissions).filter((way) => used.has(way));
    const open = first.whyNotAtMcp === undefined ? 'signs in' : 'public tools only';
    const asked = stepUps[behaviour.stepUp];
    return [[product, ways.join(', '), starts[behaviour.start], asked, open, source, `\`${name}\``]];
  });
  const head = ['app', 'gets in by', 'its user', 'a permission that was not ticked', 'at `/mcp`', 'source', 'in tests'];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function otherApps(rows: readonly ClientRow[]): string {
  const played = new Set(rows.map(({ app: { product } }) => appOfProduct(product)));
  const others = (given: readonly { readonly app?: unknown }[]) =>
    knownApps
      .filter(({ id }) => !played.has(id) && given.some(({ app }) => app === id))
      .map(({ name }) => name)
      .join(', ');
  return `## Other apps

- \`wellKnownVendors\` also has: ${others(wellKnownVendors)}.
- \`knownDocuments\` also has: ${others(knownDocuments)}.
- Apps on the Python SDK (\`mcp\`): 1.13 or newer if \`private_key_jwt\` is on ([client keys](../guides/client-keys.md)).
- Any app whose redirect URIs are all loopback addresses gets in by them.
- For any other, add a row to \`vendorPlatforms\`, permit its document ([Registration](../guides/metadata-documents.md)), or
  let an administrator create an application.
`;
}

function selfHosted(rows: readonly ClientRow[]): string {
  return rows.flatMap(({ admission, product }) => (admission === 'application' ? product : [])).join(', ');
}
