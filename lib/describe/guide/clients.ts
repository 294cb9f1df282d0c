import type { Site } from '../../host/school-platform.ts';
import type { ProgramRule } from '../../core/clients/program-rule.ts';
import { isProgramId, knownProgram } from '../../core/known-programs/known-programs.ts';
import { paths } from '../../http/paths.ts';
import { isFor } from '../../core/scopes/scopes.ts';
import type { ServiceDescription } from '../service-description.ts';
import { heading, list, type Part, shell } from '../guide-parts.ts';

/** Every enabled way to get a `client_id`. Specification: Registration rules. */
export function clientsSection(site: Site, { registration, documents, scopes, programs }: ServiceDescription): Part[] {
  const ways = [
    ...(registration.length > 0 ? registering(site, registration, scopes) : []),
    ...(documents ? metadataDocument(documents.guide) : []),
  ];
  const madeBySchoolOnly = 'Clients cannot register themselves here: the school creates them.';
  const rules = programs ? [programs] : [];
  return [
    heading(2, 'Get a client_id'),
    ...rules,
    ...(ways.length > 0 ? ways : [madeBySchoolOnly]),
    ...madeBySchool(site),
  ];
}

/** What the rules of a school say of programs. */
export function programsText(rules: ReadonlyMap<string, ProgramRule>): string {
  const named = (isMeant: (rule: ProgramRule) => unknown): string =>
    [...rules].flatMap(([id, rule]) => (isProgramId(id) && isMeant(rule) ? [knownProgram(id).name] : [])).join(', ');
  const texts = [
    ['Blocked', named(({ access }) => access === 'blocked')],
    [
      'Identity and `:read` scopes only, until an administrator approves the program',
      named(({ access }) => access === 'approval'),
    ],
    ['Only for people with certain roles', named(({ access, roles }) => access !== 'blocked' && roles)],
    ['Only some of the scopes', named(({ access, scopes }) => access !== 'blocked' && scopes)],
  ].flatMap(([what, names]) => (names === '' ? [] : [`${what}: ${names}.`]));
  return texts.length === 0 ? '' : `This school has rules for some programs. ${texts.join(' ')}`;
}

function registering(
  { origin }: Site,
  policies: ServiceDescription['registration'],
  scopes: ServiceDescription['scopes'],
): Part[] {
  const reserved = scopes.filter((row) => !isFor('operator', row)).map(({ scope }) => `\`${scope}\``);
  const texts = policies.map(
    ({ name, guide }) => guide?.text ?? `Registration follows the policy \`${name}\` of this platform.`,
  );
  const example = policies.findLast(({ guide }) => guide?.example)?.guide?.example;
  const command = shell(`
ORIGIN=${origin}
[ "\${CLIENT_ID:-}" ] || CLIENT_ID=$(curl -s "$ORIGIN${paths.register}" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(example ?? {}).replaceAll("'", "'\\''")}' |
  sed -n 's/.*"client_id":"\\([^"]*\\)".*/\\1/p')
echo "$CLIENT_ID"`);
  return [
    heading(3, 'Register the client'),
    `\`POST ${paths.register}\` accepts JSON (RFC 7591). Redirect URIs other than those named here are refused, unless the
rules say otherwise. What a client asks for otherwise, such as \`scope\`, \`grant_types\` or
\`token_endpoint_auth_method\`, does not matter: the response shows what was registered (RFC 7591 section 3.2.1). A
registered client acts for an operator, is public (\`token_endpoint_auth_method\` is \`none\`), and can never get
${reserved.join(', ') || 'scopes of member clients'}.`,
    ...(texts.length > 1
      ? ['These rules are tried in order; the first one that matches applies:', list(texts)]
      : texts),
    ...(example ? [command] : []),
  ];
}

function metadataDocument(text = 'This platform decides which documents it accepts.'): Part[] {
  return [
    heading(3, 'Publish a metadata document'),
    `Publish a Client ID Metadata Document over HTTPS and use its URL as \`client_id\`; the metadata announces support with
\`client_id_metadata_document_supported\`. ${text} The \`redirect_uris\` of a document must be under its host or be loopback
addresses. The client acts for an operator. Until an administrator has
approved the document, which they can do on the consent page, it can get identity and \`:read\` scopes only: ask for all that you need.`,
  ];
}

function madeBySchool({ connectionsEnabled }: Site): Part[] {
  const how = connectionsEnabled
    ? `They create the client in the school’s admin area (Developers, OAuth applications), choose its scopes, and give you the
\`client_id\` and, for a server application, the \`client_secret\`, which is shown once. Then anyone with a role at the school,
students included, can authorize a client for members, and operators one for operators.`
    : 'Connections are not enabled at this school, so administrators cannot create clients at present.';
  return [
    heading(3, 'Ask the school to create the client'),
    `Ask an administrator of the school for a client that acts for members, or for one that acts for operators and has a fixed HTTPS
callback. ${how} There is no self-service way.`,
  ];
}
