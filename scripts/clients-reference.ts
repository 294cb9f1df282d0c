import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { type Admission, type ClientRow, clientRows } from '../__tests__/clients/rows.ts';
import type { ClientBehaviour } from '../lib/testing/clients/program.ts';

export const clientsFile = 'docs/clients.md';

const admissions: Readonly<Record<Admission, string>> = {
  vendorPlatforms: 'registers under its vendor’s name (V)',
  loopbackClients: 'registers with a loopback address (L)',
  document: 'has a metadata document (D)',
  application: 'needs an application that an operator creates (A)',
};

const letters: Readonly<Record<Admission, string>> = {
  vendorPlatforms: 'V',
  loopbackClients: 'L',
  document: 'D',
  application: 'A',
};

const starts: Readonly<Record<ClientBehaviour['start'], string>> = {
  login: 'presses “log in”, or runs the login command',
  unauthorized: 'is sent to sign in when the program connects',
  metadata: 'is asked to sign in once the address is saved',
};

const stepUps: Readonly<Record<ClientBehaviour['stepUp'], string>> = {
  union: 'the program asks for it when a tool needs it',
  challenge: 'the program asks for it when a tool needs it',
  refresh: 'log in again',
  none: 'log in again',
};

/** What the tests replay, for operators and embedders. */
export async function clientsReference(): Promise<string> {
  const rows = await clientRows();
  const text = `# Client programs

Written by \`npm run clients\` from the rows that the tests replay: each program below, in every way in which it connects, goes
from the address that its user types to a tool that writes, a refresh, and a second device. The configuration is the recommended
one: \`vendorPlatforms(wellKnownVendors)\`, \`loopbackClients()\` and metadata documents that an operator has approved
([Registration](registration.md)). Programs change; this is what they did in autumn 2026.

## The address to type

| who                                        | address                              | what the program can use                  |
| ------------------------------------------ | ------------------------------------ | ----------------------------------------- |
| an operator                                | \`https://school.example/mcp/operator\` | every tool of the school, as far as the operator allows |
| a member, such as a student                | \`https://school.example/mcp/member\`   | their own account                         |
| anyone who does not want to sign in        | \`https://school.example/mcp\`          | the public tools                          |

\`/mcp\` serves requests without a token, so a program that waits to be refused never signs in there. The other two addresses ask
every program to sign in. \`mcp({ anonymous: false })\` closes \`/mcp\`, and makes it a third address that does.

## The programs

${programTable(rows)}

- **Gets in by**: ${[...new Set(rows.map(({ admission }) => admissions[admission]))].join('; ')}.
- **V** and **L** need nothing from an operator before the first sign-in. **D** reads until an operator of the school has approved
  the document; then it does what the person allows. **A** is made once, by an operator, who copies \`client_id\` and secret into
  the program.
- **What is granted** is never more than the operator ticks on the consent page, and never \`account:read\`.
- **If a permission was unticked**: what brings it back later.
- **Source**: *read* in the program's own code, or *recorded* in logs, reports or its vendor's documentation.

## Members

A program acts for a member only with an application that an operator created for members, under _Developers ▸ OAuth
applications_. The program has to accept a \`client_id\`: ${selfHosted(rows)} does. Its user then types the address for members.

## Self-hosted programs

${selfHosted(rows)}, and others that run at an address of your own (Open WebUI, n8n), have a callback that no list can know. Create an
application for operators with this callback, and enter its \`client_id\` and secret in the program.

## Programs in a browser

${inPages(rows)} runs in a page, so \`mcp({ origins })\` must list its origin.

## Other programs

The rules are general. A program that is not in the table connects if its redirect URIs are loopback addresses, if
\`vendorPlatforms\` has a row for it, if its document is permitted, or if an operator creates an application.
`;
  return format(text, {
    ...(await resolveConfig(join(import.meta.dirname, '..', clientsFile))),
    parser: 'markdown',
  });
}

/** One line for each product: its variants differ only in how they get in. */
function programTable(rows: readonly ClientRow[]): string {
  const products = Map.groupBy(rows, ({ name }) => productOf(name));
  const lines = [...products].map(([product, variants]) => {
    const [{ behaviour, source } = never(product)] = variants.map(({ program }) => program);
    const ways = [...new Set(variants.map(({ admission }) => letters[admission]))].sort();
    const anonymous = behaviour.start === 'unauthorized' ? 'stays anonymous' : 'signs in';
    return [product, ways.join(', '), starts[behaviour.start], stepUps[behaviour.stepUp], anonymous, source];
  });
  const head = ['program', 'gets in by', 'its user', 'if a permission was unticked', 'at `/mcp`', 'source'];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function productOf(name: string): string {
  return name.split(',')[0] ?? name;
}

function selfHosted(rows: readonly ClientRow[]): string {
  return rows.flatMap(({ admission, name }) => (admission === 'application' ? name : [])).join(', ');
}

function inPages(rows: readonly ClientRow[]): string {
  return rows.flatMap(({ program: { name, page } }) => (page === undefined ? [] : `${name} (\`${page}\`)`)).join(', ');
}

function never(product: string): never {
  throw new Error(`${product} has no row`);
}
