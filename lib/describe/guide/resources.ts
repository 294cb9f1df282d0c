import type { Site } from '../../host/school-platform.ts';
import { alternatives } from '../../core/enabled/enabled.ts';
import { memberDataMethods } from '../../host/member-data.ts';
import { paths } from '../../http/paths.ts';
import type {
  McpDescription,
  McpEndpoint,
  MemberApiDescription,
  ToolDescription,
} from '../../plugin-contract/plugin.ts';
import { heading, type Part, shell, table } from '../guide-parts.ts';

/** Specification: Member API. */
export function memberSection({ origin }: Site, api: MemberApiDescription, signs: boolean): Part[] {
  const { schema, fields, graphiql } = api;
  const isComplete = fields.length === memberDataMethods.length;
  const more = [
    ...(schema ? [`The schema is at ${origin}${paths.memberSchema}.`] : []),
    ...(graphiql ? [`To try queries with a token in a browser, open ${origin}${paths.memberGraphql}.`] : []),
  ];
  return [
    heading(2, 'The Member API'),
    `GraphQL at \`POST ${paths.memberGraphql}\`. A token is always required; \`viewer\` is the person to whom it belongs.
${[isComplete ? everything : part(fields), ...more].join(' ')}`,
    `${isComplete ? openData : openPart(fields)} The scopes \`profile\` and
\`email\` only determine the claims in UserInfo${signs ? ' and the ID token' : ''}.`,
    shell(`
curl -s "$ORIGIN${paths.memberGraphql}" -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' -d '{"query":"{ viewer { id name } }"}'`),
  ];
}

const everything = `It has the person’s schools, courses, purchases, events and inbox. Reading the inbox and the
notification subscriptions requires \`account:read\`; changing them requires \`account:write\`.`;

const openData = `The other fields (the viewer’s own name and e-mail address, schools, courses, purchases and events) need no
scope: any token of that person can read them.`;

type Fields = MemberApiDescription['fields'];

const openQueries: Fields = [
  'schools',
  'enrolledCourses',
  'digitalProducts',
  'consultingServices',
  'eventRegistrations',
];
const accountQueries: Fields = ['notifications', 'unreadNotificationCount', 'notificationSubscriptions'];
const mutations: Fields = ['markNotificationRead', 'markAllNotificationsRead', 'updateNotificationSubscription'];

/** For a platform that has a part of the data. */
function part(fields: Fields): string {
  const has = (some: Fields): readonly string[] => some.filter((field) => fields.includes(field));
  const [reading, changing] = [has(accountQueries), has(mutations)];
  const sentences = [
    `This platform serves only ${namesOf(['id', 'name', 'email', ...has(openQueries), ...reading])} of the viewer`,
    ...(reading.length > 0 ? [`Reading ${namesOf(reading)} requires \`account:read\``] : []),
    ...(changing.length > 0 ? [`${mutationsAre(changing)} \`account:write\``] : []),
  ];
  return sentences.map((sentence) => `${sentence}.`).join(' ');
}

function mutationsAre(fields: readonly string[]): string {
  const names = namesOf(fields);
  return fields.length > 1 ? `The mutations are ${names}, which require` : `The mutation is ${names}, which requires`;
}

function openPart(fields: Fields): string {
  const open = openQueries.filter((field) => fields.includes(field));
  return `${namesOf(['id', 'name', 'email', ...open])} need no scope: any token of that person can read them.`;
}

function namesOf(fields: readonly string[]): string {
  return alternatives(
    fields.map((field) => `\`${field}\``),
    'and',
  );
}

/** Specification: Tool endpoint. */
export function toolSection({ origin }: Site, { tools, endpoints }: McpDescription): Part[] {
  const rows = tools.map((tool) => [`\`${tool.name}\``, tool.description.replaceAll(/\s+/g, ' '), needs(tool)]);
  const addresses = endpoints.map(({ path, anonymous, audience }) => [
    `\`${origin}${path}\``,
    anonymous ? 'only for tools that are not public' : 'for every request',
    anonymous ? 'apps that need no sign-in' : `assistants that act for ${actsFor[audience]}`,
  ]);
  const open = endpoints.find(({ anonymous }) => anonymous);
  return [
    heading(2, 'The tool endpoint'),
    'The Model Context Protocol: streamable HTTP without sessions, revisions 2026-07-28 and 2025-11-25. The same tools are at:',
    table(['server URL', 'token', 'made for'], addresses),
    ...requirements(open),
    ...endpoints.flatMap(({ path, audience }) => (audience === 'member' ? [forMembers(path)] : [])),
    rows.length > 0 ? table(['tool', 'description', 'requires'], rows) : 'There are no tools yet.',
    `After a 403, request the scopes that the challenge names: those that your token has and those that the call requires. A
refresh adds no scopes. A client that only refreshes after a 403, such as one built on version 1 of the MCP SDK for
TypeScript, must discard its tokens and authorize again.`,
    shell(`
curl -s "$ORIGIN${paths.mcp}" ${open ? '' : `-H "Authorization: Bearer $ACCESS_TOKEN" `}-H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`),
  ];
}

function forMembers(path: string): string {
  return `At \`${path}\` an app connects with the \`client_id\` of an application that an administrator has created for members; a person asks an
administrator for one. Any other app acts for operators only: if somebody else signs in, it gets \`access_denied\` at its redirect URI, with
\`error_uri\`, the page that tells people which apps they can use.`;
}

const actsFor = { operator: 'an operator of the school', member: 'a member of the school' } as const;

/** Where requests without a token are served, clients do not see the other tools, and do not start to sign in. */
function requirements(open: McpEndpoint | undefined): Part[] {
  const closed = `Where every request needs a token, the first one gets 401, with a challenge that lists the scopes of all tools, so that
a client signs in at once and can use them. A request with an invalid token is always refused.`;
  if (!open) return [closed];
  return [
    closed,
    `At \`${open.path}\` a client without a token sees only the public tools. Calling another tool there returns 401 with a
challenge that names its scopes.`,
  ];
}

const people = { operator: 'operators', member: 'members', service: 'services' } as const;

function needs({ access }: ToolDescription): string {
  if (access === 'public') return 'nothing';
  const { scopes, actions, audience } = access;
  const more = Object.entries(actions?.scopes ?? {}).filter(([, added]) => added.length > 0);
  const texts = more.map(([value, added]) => `${actions?.argument} \`${value}\`: also ${codes(added)}`);
  const takers = audience?.map((each) => people[each]);
  if (takers) texts.push(`for ${alternatives(takers, 'and')}`);
  return [scopes.length > 0 ? codes(scopes) : 'a token', ...texts].join('; ');
}

function codes(scopes: readonly string[]): string {
  return scopes.map((scope) => `\`${scope}\``).join(', ');
}
