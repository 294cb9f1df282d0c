import { type Admission, type ClientRow, clientRows, appOfProduct } from '../../__tests__/clients/rows.ts';
import type { ClientBehaviour } from '../../lib/simulated-clients/simulated-client.ts';
import { knownDocuments, knownApps, wellKnownVendors } from '../../policies/index.ts';
import type { ReferenceEntry, ReferencePage } from './page.ts';

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

/** What the tests replay: how each app connects, and what its user does. */
export async function clientAppsPage(): Promise<ReferencePage> {
  const rows = await clientRows();
  return {
    file: 'docs/reference/client-apps.md',
    title: 'Client apps',
    about,
    sections: [
      { title: 'The address to type', about: addresses, entries: [] },
      { title: 'Apps for operators', about: aboutOperators(rows), entries: appEntries(rows) },
      { title: 'Apps for members', about: aboutMembers(rows), entries: [] },
      { title: 'Other apps', about: otherApps(rows), entries: [] },
    ],
  };
}

const about = `Look up how an app gets in, and what its user does. Tests replay each app in every way it connects, from typing the address to a tool that writes, a
refresh and a second device. Apps change: this is their behaviour in autumn 2026, with the recommended configuration:

\`\`\`ts
import type { CampusOptions } from 'campus-oidc';
import { mcp } from 'campus-oidc/mcp';
import { knownDocuments, loopbackClients, metadataDocuments, vendorPlatforms, wellKnownVendors } from 'campus-oidc/policies';

export const recommended: Pick<CampusOptions, 'registration' | 'metadataDocuments' | 'mcp'> = {
  registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
  metadataDocuments: metadataDocuments({ documents: knownDocuments }),
  mcp: mcp({ tools: [], origins: ['http://localhost:6274'] }), // the origin of MCP Inspector
};
\`\`\``;

const addresses = `- An operator types \`https://school.example/mcp/operator\`: the tools for operators, as far as the operator allows.
- A member, such as a student, types \`https://school.example/mcp/member\`: the member's own account.
- Anyone can use \`https://school.example/mcp\` without signing in: the public tools.

\`/mcp\` serves requests without a token, so an app that signs in only when refused never signs in there. The other two refuse every request without
a token. With \`mcp({ anonymous: false })\` all three do.`;

function aboutOperators(rows: readonly ClientRow[]): string {
  return `Only operators of the school can connect these apps, and no app gets \`account:read\` there.

- **document**: its metadata document. An administrator approves it once for the school, on the consent page or in _Apps_. Until then the app can only
  read.
- **vendor**: it is one of the known vendors.
- **loopback**: its address is on the person's own computer.
- **application**: an administrator creates it in _Developers_, with the callback of the app, and enters \`client_id\` and secret in the app.

An app with several ways uses its document where documents are advertised. An app at an address of your own, such as ${selfHosted(rows)}, Open
WebUI or n8n, needs an application, because its callback can be in no list.`;
}

function aboutMembers(rows: readonly ClientRow[]): string {
  return `An app acts for members only as an application that an administrator created for members. It must let its user enter a \`client_id\`, as
${selfHosted(rows)} does. Its user types the address for members. An app that registers itself there ends with \`access_denied\` when a member
who is not an operator signs in.`;
}

/** One entry for each product: its variants differ only in how they get in. */
function appEntries(rows: readonly ClientRow[]): ReferenceEntry[] {
  return [...Map.groupBy(rows, ({ product }) => product)].flatMap(([product, variants]) => {
    const [first] = variants;
    if (!first) return [];
    const { behaviour, source, product: name } = first.app;
    const used = new Set(variants.map(({ admission }) => admissions[admission]));
    const text = [
      `Its user ${starts[behaviour.start]}.`,
      first.whyNotAtMcp === undefined ? '' : 'At `/mcp` it gets the public tools only.',
      `A permission that was not ticked: ${stepUps[behaviour.stepUp]}.`,
      `Its behaviour was ${source}. In tests: \`${name}\`.`,
    ];
    const ways = Object.values(admissions).filter((way) => used.has(way));
    return [{ heading: product, facts: ways, text: text.filter((each) => each !== '').join(' ') }];
  });
}

function otherApps(rows: readonly ClientRow[]): string {
  const played = new Set(rows.map(({ app: { product } }) => appOfProduct(product)));
  const others = (given: readonly { readonly app?: unknown }[]) =>
    knownApps
      .filter(({ id }) => !played.has(id) && given.some(({ app }) => app === id))
      .map(({ name }) => name)
      .join(', ');
  return `- \`wellKnownVendors\` also has: ${others(wellKnownVendors)}.
- \`knownDocuments\` also has: ${others(knownDocuments)}.
- Apps on the Python SDK (\`mcp\`) need its version 1.13 or newer if \`private_key_jwt\` is on.
- Any app whose redirect URIs are all loopback addresses gets in by them.
- For any other app, add a row to \`vendorPlatforms\`, permit its document ([Registration](../guides/registration.md)), or let an administrator
  create an application.`;
}

function selfHosted(rows: readonly ClientRow[]): string {
  return rows.flatMap(({ admission, product }) => (admission === 'application' ? product : [])).join(', ');
}
