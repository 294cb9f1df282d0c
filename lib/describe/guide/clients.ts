import type { Site } from '../../contracts/member.ts';
import { paths } from '../../protocol/paths.ts';
import type { RegistrationDescription, ServiceDescription } from '../service-description.ts';
import { shellBlock } from './shell.ts';

/** How a client gets its `client_id`, in each way that is on. Specification: Registration rules. */
export function clientsSection(site: Site, { registration, documents }: ServiceDescription): string {
  const ways = [
    ...(registration.length > 0 ? [registering(site, registration)] : []),
    ...(documents ? [metadataDocument(documents.guide)] : []),
    madeBySchool(site),
  ];
  const open = registration.length > 0 || documents !== undefined;
  const none = open ? '' : '\nNo client can bring itself in here: the school has to make it.\n';
  return `## Get a client_id\n${none}\n${ways.join('\n\n')}`;
}

function registering({ origin }: Site, policies: readonly RegistrationDescription[]): string {
  const texts = policies.map(({ name, guide }) => guide?.text ?? `Registration follows the rules of \`${name}\` here.`);
  const order = policies.length > 1 ? 'These rules are tried in turn, and the first that fits decides:\n\n' : '';
  const example = policies.findLast(({ guide }) => guide?.example)?.guide?.example;
  const command =
    example &&
    shellBlock(`
ORIGIN=${origin}
[ "\${CLIENT_ID:-}" ] || CLIENT_ID=$(curl -s "$ORIGIN${paths.register}" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(example).replaceAll("'", "'\\''")}' |
  sed -n 's/.*"client_id":"\\([^"]*\\)".*/\\1/p')
echo "$CLIENT_ID"`);
  return `### Register it

\`POST ${paths.register}\` takes JSON (RFC 7591). Redirect URIs and authentication methods other than
those named here are refused, unless the rules say otherwise; other members, such as \`scope\` and \`grant_types\`, are
ignored, and the answer says what was registered. A client that registers acts for an operator, is public
(\`token_endpoint_auth_method\` is \`none\`), and can never have \`account:read\`.

${order}${texts.map((text) => (order === '' ? text : `- ${text}`)).join('\n')}
${command ? `\n${command}` : ''}`.trimEnd();
}

function metadataDocument(text = 'Some are taken.'): string {
  return `### Publish a metadata document

Publish a Client ID Metadata Document over HTTPS and use its address as \`client_id\`; the metadata says so with
\`client_id_metadata_document_supported\`. ${text} Its \`redirect_uris\` are under the document’s own host or loopback
addresses. It acts for an operator, and while nobody here has reviewed it, it can have identity and \`:read\` scopes only.`;
}

function madeBySchool({ connectionsEnabled }: Site): string {
  const how = connectionsEnabled
    ? `They make the client in the school’s admin area (Developers, OAuth applications), choose its scopes and give you the
\`client_id\`, and for a server a \`client_secret\`, which is shown once. Then anybody with a role at the school, students
included, can authorize it.`
    : 'The school does not have connections switched on, so they can make none at present.';
  return `### Have it made by the school

To act for members, ask an operator of the school. ${how} There is no way to do this by yourself.`;
}
