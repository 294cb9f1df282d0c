import type { McpDescription, McpEndpoint, PluginParts, ToolDescription } from '../contracts/plugin.ts';
import type { Site } from '../contracts/platform.ts';
import type { Route } from '../contracts/route.ts';
import type { TextKey } from '../i18n/texts.ts';
import { knownProgram, type ProgramId } from '../protocol/known-programs.ts';
import type { Scope } from '../protocol/scopes.ts';
import { html, type Html, isolated, type Translator } from './kit/markup.ts';
import type { PageBuilder, Pages } from './kit/pages.ts';

/** How a person gives the address of the tools to a program. docs/clients.md has the programs. */
interface AssistantProgram {
  readonly id: ProgramId;
  /** Where in the program's own windows. */
  readonly steps?: TextKey;
  /** For a terminal, or a file of settings. */
  readonly code?: (address: string) => string;
  readonly after?: TextKey;
}

const quoted = (value: unknown): string => JSON.stringify(value, undefined, 2);

const assistantPrograms: readonly AssistantProgram[] = [
  { id: 'claude', steps: 'assistants.claude' },
  {
    id: 'claude-code',
    steps: 'assistants.terminal',
    code: (address) => `claude mcp add --transport http school ${address}`,
    after: 'assistants.claudeCode',
  },
  { id: 'chatgpt', steps: 'assistants.chatgpt' },
  {
    id: 'codex',
    steps: 'assistants.terminal',
    code: (address) => `codex mcp add school --url ${address}\ncodex mcp login school`,
  },
  { id: 'vs-code', steps: 'assistants.vsCode' },
  {
    id: 'cursor',
    steps: 'assistants.cursor',
    code: (url) => quoted({ mcpServers: { school: { url } } }),
    after: 'assistants.cursor.then',
  },
  { id: 'copilot-studio', steps: 'assistants.copilotStudio' },
  {
    id: 'gemini-cli',
    steps: 'assistants.terminal',
    code: (address) => `gemini mcp add --transport http school ${address}`,
    after: 'assistants.gemini',
  },
  {
    id: 'zed',
    steps: 'assistants.zed',
    code: (url) => quoted({ context_servers: { school: { url } } }),
    after: 'assistants.zed.then',
  },
  {
    id: 'libre-chat',
    steps: 'assistants.libreChat',
    code: (url) => `mcpServers:\n  school:\n    type: streamable-http\n    url: ${url}`,
  },
  {
    id: 'mcp-inspector',
    steps: 'assistants.terminal',
    code: () => 'npx @modelcontextprotocol/inspector',
    after: 'assistants.inspector',
  },
];

interface AssistantLinks {
  readonly applicationsPath: string | undefined;
  /** Where a member asks for an application. */
  readonly requestsPath: string | undefined;
}

/** The routes of the tools, with a page for a person who opens one in a browser: how to give the address to an assistant. */
export function withAssistantPages(
  pages: Pages,
  { routes, description }: PluginParts<McpDescription>,
  links: AssistantLinks,
): Route[] {
  return routes.map((route) => {
    const opened = description.endpoints.find(({ path }) => path === route.path);
    if (!opened) return route;
    const pageOf = (site: Site) => assistantPage(site, opened, description, links);
    return { ...route, browserPage: ({ ctx, site }) => pages.send(ctx, site, pageOf(site)) };
  });
}

function assistantPage(
  site: Site,
  opened: McpEndpoint,
  { endpoints, tools }: McpDescription,
  { applicationsPath, requestsPath }: AssistantLinks,
): PageBuilder {
  const school = site.name;
  // A program that signs in only after a 401 never does at an address that serves everyone.
  const closed = endpoints.find(({ audience, anonymous }) => audience === opened.audience && !anonymous);
  const address = addressOf(site, closed ?? opened);
  // At the address of one audience, only what its clients can be allowed.
  const isOffered = (t: Translator, { access }: ToolDescription): boolean =>
    opened.anonymous ||
    access === 'public' ||
    access.scopes.every((scope) => t.catalogue.mayHave(opened.audience, scope));
  return (t) => ({
    title: t.text('assistants.title', { school }),
    heading: t.html('assistants.title', { school }),
    wide: true,
    body: html`<p>${t.html('assistants.intro', { school })}</p>
${endpoints.map((each, i) => addressField(t, site, each, `address-${i}`))}
<section><h2>${t.html('assistants.programs')}</h2>
<p>${t.html('assistants.programs.text')}</p>
${assistantPrograms.map((program) => programSteps(t, program, address))}
<details><summary>${t.html('assistants.other')}</summary><p>${t.html('assistants.other.text')}</p>${code(`npx mcp-remote ${address}`)}</details>
</section>
<section><h2>${t.html('assistants.members')}</h2>
<p>${t.html('assistants.members.text', { school })}</p>
${requestsPath !== undefined && site.connectionsEnabled && html`<p><a class="button small" href="${requestsPath}">${t.html('request.title', { school })}</a></p>`}
${applicationsPath !== undefined && site.connectionsEnabled && html`<p><a href="${applicationsPath}">${t.html('assistants.operators.link')}</a></p>`}
</section>
<section><h2>${t.html('assistants.tools')}</h2>
${toolList(
  t,
  tools.filter((tool) => isOffered(t, tool)),
)}
</section>`,
  });
}

export function addressOf({ origin }: Site, { path }: McpEndpoint): string {
  return `${origin}${path}`;
}

function addressField(t: Translator, site: Site, endpoint: McpEndpoint, id: string): Html {
  const label = endpoint.anonymous ? 'anyone' : endpoint.audience;
  return html`<div class="field"><label for="${id}">${t.html(`assistants.address.${label}`)}</label>
<span class="hint" id="${id}-hint">${t.html(`assistants.address.${label}.hint`)}</span>
<input type="text" id="${id}" value="${addressOf(site, endpoint)}" readonly dir="ltr" aria-describedby="${id}-hint" autocomplete="off" spellcheck="false"></div>`;
}

function programSteps(t: Translator, { id, steps, code: codeFor, after }: AssistantProgram, address: string): Html {
  return html`<details><summary>${knownProgram(id).name}</summary>
${steps && html`<p>${t.html(steps)}</p>`}
${codeFor && code(codeFor(address))}
${after && html`<p>${t.html(after)}</p>`}
</details>`;
}

function code(text: string): Html {
  return html`<pre tabindex="0" dir="ltr"><code>${text}</code></pre>`;
}

function toolList(t: Translator, tools: readonly ToolDescription[]): Html {
  if (tools.length === 0) return html`<p>${t.html('assistants.tools.none')}</p>`;
  return html`<ul>${tools.map((tool) => toolRow(t, tool))}</ul>`;
}

/** Names and descriptions are the host's, in whatever language they are. */
function toolRow(t: Translator, { name, title, description, access }: ToolDescription): Html {
  return html`<li><strong>${isolated(title ?? name)}</strong> ${isolated(description)}
<span class="soft">${access === 'public' ? t.html('assistants.tools.public') : needs(t, access.scopes)}</span></li>`;
}

function needs(t: Translator, scopes: readonly Scope[]): Html {
  if (scopes.length === 0) return t.html('assistants.tools.signIn');
  return html`${t.html('assistants.tools.needs')} ${scopes.map((scope, i) => html`${i > 0 && ' · '}${t.scope(scope)}`)}`;
}
