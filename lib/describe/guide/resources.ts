import type { Site } from '../../contracts/member.ts';
import { paths } from '../../protocol/paths.ts';
import type { McpDescription, MemberApiDescription, ToolDescription } from '../../contracts/plugin.ts';
import { shellBlock } from './shell.ts';

/** Specification: Member API. */
export function memberSection(
  { origin }: Site,
  { schema, data, graphiql }: MemberApiDescription,
  signs: boolean,
): string {
  const more = [
    ...(schema ? [`The schema is at ${origin}${paths.memberSchema}.`] : []),
    ...(graphiql ? [`A page to try it at, with a token, is ${origin}${paths.memberGraphql}.`] : []),
  ];
  return `## The Member API

GraphQL at \`POST ${paths.memberGraphql}\`, always with a token. \`viewer\` is the person whom the token stands for.
${[data ? everything : identity, ...more].join(' ')}

${data ? openData : openIdentity} The scopes \`profile\` and
\`email\` decide only what UserInfo${signs ? ' and the ID token' : ''} will say.

${shellBlock(`
curl -s "$ORIGIN${paths.memberGraphql}" -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' -d '{"query":"{ viewer { id name } }"}'`)}`;
}

const everything = `It has their schools, courses, purchases, events and inbox. The inbox and what the person is notified
about need \`account:read\`, changing them needs \`account:write\`.`;

const openData = `The rest, which is the viewer’s own name and e-mail address, schools, courses, purchases and events, needs no
scope: every token of that person will do.`;

const openIdentity = '`id`, `name` and `email` need no scope: every token of that person will do.';

const identity = `Here it tells who that is, with \`id\`, \`name\` and \`email\`, and no more: the platform serves none of the
other fields of the schema, which answer an error with the code \`NOT_SERVED\`.`;

/** Specification: Tool endpoint. */
export function toolSection({ origin }: Site, { tools }: McpDescription): string {
  const rows = tools.map((tool) => `| \`${tool.name}\` | ${cell(tool.description)} | ${needs(tool)} |`);
  const list =
    rows.length > 0
      ? `\n| tool | what it does | needs |\n| --- | --- | --- |\n${rows.join('\n')}\n`
      : '\nThere are no tools yet.\n';
  return `## The tool endpoint

The Model Context Protocol at \`POST ${paths.mcp}\`: streamable HTTP without a session, revisions 2026-07-28 and 2025-11-25. In an
MCP client, \`${origin}${paths.mcp}\` is the address to enter. Without a token you get the public tools; calling another one is a
401 whose challenge names its scopes, and calling one for which your token lacks a scope is a 403. A token that is no good
is always refused.
${list}${tools.some(({ access }) => access !== 'public') ? `\n${signIn}\n` : ''}
${shellBlock(`
curl -s "$ORIGIN${paths.mcp}" -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`)}`;
}

/** What a client does not come to by itself: nobody calls a tool that is not listed. */
const signIn = `A client without a token sees the public tools alone, so it never calls another one and is never asked to sign
in. To get the other tools, authorize first, which in most clients is a button or command to authenticate; or call one that
this table names: the 401 starts the sign-in.

After a 403 the new authorization request asks for the scopes that you have and those of the challenge together. Refreshing
adds no scope: a client that does nothing else then, such as those of the MCP SDK for TypeScript, version 1, has to drop its
tokens and authorize again.`;

function needs({ access }: ToolDescription): string {
  if (access === 'public') return 'nothing';
  const always = access.scopes.map((scope) => `\`${scope}\``).join(', ') || 'a token';
  const actions = Object.entries(access.actions?.scopes ?? {}).filter(([, scopes]) => scopes.length > 0);
  const more = actions.map(
    ([value, scopes]) => `${access.actions?.argument} \`${value}\`: also \`${scopes.join('`, `')}\``,
  );
  return [always, ...more].join('; ');
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}
