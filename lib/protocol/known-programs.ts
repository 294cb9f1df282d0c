import { read, recorded, type VendorSource } from './sources.ts';

/** A product that people connect. One program can become a client in several ways. */
export interface Program {
  /** What rules, audit events and rows call it: small letters, digits and `-`. */
  readonly id: string;
  /** Its name, for people. */
  readonly name: string;
  /** Who makes it. @default not known */
  readonly publisher?: string | undefined;
  /** Its home page. @default none */
  readonly homePage?: string | undefined;
}

/** Name, publisher, home page, and where it was read or recorded how the program connects. */
const table = {
  claude: ['Claude', 'Anthropic', 'claude.ai', 'read claude.com/docs/connectors/building/authentication'],
  'claude-code': ['Claude Code', 'Anthropic', 'claude.com/claude-code', 'recorded github.com/vm0-ai/vm0/issues/17946'],
  chatgpt: ['ChatGPT', 'OpenAI', 'chatgpt.com', 'read developers.openai.com/plugins/build/auth'],
  codex: ['Codex', 'OpenAI', 'chatgpt.com/codex', 'read github.com/openai/codex/pull/38089'],
  'vs-code': [
    'Visual Studio Code',
    'Microsoft',
    'code.visualstudio.com',
    'read github.com/microsoft/vscode/blob/main/src/vs/base/common/oauth.ts',
  ],
  'copilot-studio': [
    'Copilot Studio',
    'Microsoft',
    'copilotstudio.microsoft.com',
    'read learn.microsoft.com/en-us/microsoft-copilot-studio/mcp-add-existing-server-to-agent',
  ],
  'github-copilot-cli': [
    'GitHub Copilot CLI',
    'GitHub',
    'github.com/features/copilot/cli',
    'recorded github.com/github/copilot-cli/issues/4793',
  ],
  'github-copilot-jetbrains': [
    'GitHub Copilot for JetBrains',
    'GitHub',
    'github.com/features/copilot',
    'recorded github.com/microsoft/copilot-intellij-feedback/issues/2041',
  ],
  cursor: ['Cursor', 'Anysphere', 'cursor.com', 'read cursor.com/docs/mcp'],
  'gemini-cli': [
    'Gemini CLI',
    'Google',
    'geminicli.com',
    'read github.com/google-gemini/gemini-cli/blob/main/packages/core/src/mcp/oauth-provider.ts',
  ],
  'google-antigravity': [
    'Google Antigravity',
    'Google',
    'antigravity.google',
    'recorded github.com/koala73/worldmonitor/pull/8307',
  ],
  grok: ['Grok', 'xAI', 'grok.com', 'recorded github.com/koala73/worldmonitor/pull/8307'],
  perplexity: ['Perplexity', 'Perplexity', 'www.perplexity.ai', 'recorded github.com/koala73/worldmonitor/pull/8307'],
  'le-chat': ['Le Chat', 'Mistral AI', 'mistral.ai', 'recorded github.com/koala73/worldmonitor/pull/8307'],
  slack: ['Slack', 'Slack', 'slack.com', 'read docs.slack.dev/ai/slackbot-mcp-client'],
  dust: ['Dust', 'Dust', 'dust.tt', 'read github.com/dust-tt/dust/blob/main/front/lib/actions/mcp_oauth_provider.ts'],
  'n8n-cloud': ['n8n Cloud', 'n8n', 'n8n.io', 'recorded github.com/n8n-io/n8n/issues/23712'],
  'amazon-quick': [
    'Amazon Quick',
    'Amazon',
    'aws.amazon.com/quick',
    'read docs.aws.amazon.com/quick/latest/userguide/mcp-integration.html',
  ],
  devin: ['Devin', 'Cognition', 'devin.ai', 'read docs.devin.ai/work-with-devin/mcp'],
  warp: ['Warp', 'Warp', 'www.warp.dev', 'read github.com/warpdotdev/warp/blob/main/crates/mcp/src/oauth.rs'],
  mcpjam: [
    'MCPJam',
    'MCPJam',
    'www.mcpjam.com',
    'read github.com/MCPJam/inspector/blob/main/sdk/src/oauth/client-identity.ts',
  ],
  v0: ['v0', 'Vercel', 'v0.app', 'read v0.app/docs/api/platform/guides/oauth-mcp-servers'],
  notion: [
    'Notion',
    'Notion',
    'www.notion.com',
    'recorded github.com/speakeasy-api/gram/blob/main/server/internal/aivendors/registry.go',
  ],
  'factory-droid': [
    'Factory Droid',
    'Factory',
    'factory.ai',
    'recorded github.com/speakeasy-api/gram/blob/main/server/internal/aivendors/registry.go',
  ],
  goose: [
    'Goose',
    'Agentic AI Foundation',
    'goose-docs.ai',
    'read github.com/aaif-goose/goose/blob/main/crates/goose/src/oauth/mod.rs',
  ],
  opencode: [
    'Opencode',
    'Anomaly',
    'opencode.ai',
    'read github.com/anomalyco/opencode/blob/dev/packages/console/app/src/routes/oauth/opencode/client.json.ts',
  ],
  toolhive: ['ToolHive', 'Stacklok', 'toolhive.dev', 'read github.com/stacklok/toolhive/tree/main/pkg/oauthproto'],
  zed: [
    'Zed',
    'Zed Industries',
    'zed.dev',
    'read github.com/zed-industries/zed/blob/main/crates/context_server/src/oauth.rs',
  ],
  'mcp-remote': [
    'mcp-remote',
    'Glen Maddern',
    'npmjs.com/package/mcp-remote',
    'read github.com/geelen/mcp-remote/blob/main/src/lib/node-oauth-client-provider.ts',
  ],
  'mcp-inspector': [
    'MCP Inspector',
    'Model Context Protocol',
    'modelcontextprotocol.io/docs/tools/inspector',
    'read github.com/modelcontextprotocol/inspector/blob/main/client/src/lib/auth.ts',
  ],
  'libre-chat': [
    'LibreChat',
    'LibreChat',
    'www.librechat.ai',
    'read github.com/danny-avila/LibreChat/blob/main/packages/api/src/mcp/oauth/handler.ts',
  ],
} as const;

/** The id of one of `knownPrograms`. */
export type ProgramId = keyof typeof table;

/** What programs call themselves when they register, beside their name. */
const registeredNames: Readonly<Partial<Record<ProgramId, readonly string[]>>> = {
  'vs-code': ['Visual Studio Code - Insiders', 'Code - OSS'],
  'copilot-studio': ['Microsoft Copilot Studio'],
  'google-antigravity': ['antigravity-client'],
  'gemini-cli': ['Gemini CLI MCP Client'],
  'mcp-remote': ['MCP CLI Client'],
  'libre-chat': ['LibreChat MCP Client'],
};

/** A row of `knownPrograms`. */
export interface KnownProgram extends Program {
  readonly id: ProgramId;
  readonly publisher: string;
  readonly homePage: string;
  /** The names that it registers under; the first is its name. */
  readonly names: readonly string[];
  /** Where it was read or recorded how the program connects. */
  readonly source: VendorSource;
}

/** A row of `knownPrograms` by its id. */
export function knownProgram(id: ProgramId): KnownProgram {
  const [name, publisher, homePage, found] = table[id];
  const [kind, address] = found.split(' ');
  const names = [name, ...(registeredNames[id] ?? [])];
  const source = (kind === 'read' ? read : recorded)(`https://${address}`);
  return { id, name, publisher, homePage: `https://${homePage}`, names, source };
}

/** Whether it is the id of one of `knownPrograms`. */
export function isProgramId(id: string): id is ProgramId {
  return Object.hasOwn(table, id);
}

/**
 * The programs that vendor rows, document rows and the page _Connect your assistant_ refer to: each once, however many ways in
 * it has.
 */
export const knownPrograms: readonly KnownProgram[] = Object.keys(table).filter(isProgramId).map(knownProgram);

/** The program that a row names, without what only the table needs. */
export function programNamed(given: ProgramId | Program | undefined): Program | undefined {
  if (typeof given !== 'string') return given;
  const { id, name, publisher, homePage } = knownProgram(given);
  return { id, name, publisher, homePage };
}
