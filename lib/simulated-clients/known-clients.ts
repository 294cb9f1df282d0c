import * as behaviours from './behaviours.ts';
import type {
  ClientBehaviour,
  SimulatedClient,
  KnownClient,
  ReplayClient,
  RegistrationBehaviour,
  AppSource,
} from './simulated-client.ts';

type Way = Omit<SimulatedClient, 'source' | 'behaviour'>;

/** How an app registers, and what it is redirected to. */
interface Registers {
  readonly redirectUri: string;
  readonly registration: RegistrationBehaviour;
}

function ways(
  product: KnownClient,
  source: AppSource,
  behaviour: ClientBehaviour,
  rows: readonly Way[],
): ReplayClient[] {
  return rows.map((row) => ({ product, source, behaviour, ...row }));
}

/** An app that registers, by default this redirect URI alone and without a secret. */
function registers(clientName: string, redirectUri: string, more: Partial<RegistrationBehaviour> = {}): Registers {
  return { redirectUri, registration: { clientName, redirectUris: [redirectUri], authMethods: ['none'], ...more } };
}

const withSecret = ['client_secret_post', 'none'];
const native = { applicationType: 'native' } as const;
const asked = { scope: 'asked' } as const;

const claudeCallback = 'https://claude.ai/api/mcp/auth_callback';
const claudeCodeCallback = 'http://localhost:54213/callback';
const claudeCodeDocument = 'https://claude.ai/oauth/claude-code-client-metadata';
const chatgptCallback = 'https://chatgpt.com/connector_platform_oauth_redirect';
const codexCallback = 'http://127.0.0.1:51732/callback';

const insidersCallback = 'https://insiders.vscode.dev/redirect';
const vsCodeCallback = 'https://vscode.dev/redirect';
const vsCodeDocument = 'https://vscode.dev/oauth/client-metadata.json';
const copilotCallback = 'https://global.consent.azure-apim.net/redirect/new-5fharbour-20mcp-5fdfde809e1caf448f';

function vsCode(redirectUri: string): Registers {
  const redirectUris = [insidersCallback, vsCodeCallback, 'http://127.0.0.1/', 'http://127.0.0.1:33418/'];
  return registers('Visual Studio Code', redirectUri, { redirectUris, ...native, ...asked });
}

const cursorScheme = 'cursor://anysphere.cursor-mcp/oauth/callback';
const cursorCloud = 'https://www.cursor.com/agents/mcp/oauth/callback';
const cursorLoopback = 'http://localhost:8787/callback';
const cursorNow = { redirectUris: [cursorScheme, cursorCloud, cursorLoopback], ...asked };

const sdkExample = registers('Example MCP Client', 'http://localhost:8090/callback', asked);
const libreChatCallback = 'https://chat.harbour.example/api/mcp/harbour/oauth/callback';

/** What people use, one row for each way in which it connects. Autumn 2026. */
export const simulatedClients: readonly ReplayClient[] = [
  ...ways('claude', 'recorded', behaviours.claude, [
    { name: 'Claude.ai, registered', ...registers('Claude', claudeCallback, { authMethods: withSecret }) },
    {
      name: 'Claude.ai, document',
      redirectUri: claudeCallback,
      document: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    },
  ]),
  ...ways('claude-code', 'recorded', behaviours.claudeCode, [
    { name: 'Claude Code, registered', ...registers('Claude Code (harbour)', claudeCodeCallback, asked) },
    { name: 'Claude Code, document', redirectUri: claudeCodeCallback, document: claudeCodeDocument },
    {
      name: 'Claude Code, document, back to 127.0.0.1',
      redirectUri: 'http://127.0.0.1:54213/callback',
      document: claudeCodeDocument,
    },
  ]),
  ...ways('chatgpt', 'recorded', behaviours.chatgpt, [
    { name: 'ChatGPT, registered', ...registers('ChatGPT', chatgptCallback) },
    { name: 'ChatGPT, document', redirectUri: chatgptCallback, document: 'https://chatgpt.com/oauth/client.json' },
    {
      name: 'ChatGPT, document of one connector',
      redirectUri: 'https://chatgpt.com/connector/oauth/tU1UVEq8rRTK',
      document: 'https://chatgpt.com/oauth/tU1UVEq8rRTK/client.json',
    },
  ]),
  ...ways('codex', 'read', behaviours.codex, [
    { name: 'Codex CLI, registered', ...registers('Codex', codexCallback, native) },
    { name: 'Codex CLI, registered, callback with an id', ...registers('Codex', `${codexCallback}/b1c2d3e4`, native) },
    {
      name: 'Codex CLI, document',
      ...registers('Codex', codexCallback, native),
      document: 'https://chatgpt.com/oauth/codex/client.json',
    },
    {
      name: 'Codex CLI, document with an id',
      ...registers('Codex', `${codexCallback}/q2r_T-x01234`, native),
      document: 'https://chatgpt.com/oauth/codex/q2r_T-x01234/client.json',
    },
  ]),
  ...ways('vs-code', 'read', behaviours.visualStudioCode, [
    { name: 'VS Code, registered', ...vsCode('http://127.0.0.1:33418/') },
    { name: 'VS Code, registered, another port', ...vsCode('http://127.0.0.1:52044/') },
    { name: 'VS Code, registered, back through vscode.dev', ...vsCode(vsCodeCallback) },
    { name: 'VS Code, document', ...vsCode('http://127.0.0.1:52044/'), document: vsCodeDocument },
    { name: 'VS Code, document, back through vscode.dev', ...vsCode(vsCodeCallback), document: vsCodeDocument },
  ]),
  ...ways('vs-code-insiders', 'read', behaviours.visualStudioCode, [
    { name: 'VS Code Insiders, registered', ...vsCode(insidersCallback) },
  ]),
  // The callback of each tool has a path of its own. Which name it registers under is not recorded.
  ...ways('copilot-studio', 'recorded', behaviours.strictest, [
    {
      name: 'Copilot Studio',
      ...registers('Harbour courses', copilotCallback, { authMethods: ['client_secret_post'] }),
    },
  ]),
  ...ways('cursor', 'recorded', behaviours.cursor, [
    { name: 'Cursor', ...registers('Cursor', cursorLoopback, cursorNow) },
    { name: 'Cursor, back through cursor://', ...registers('Cursor', cursorScheme, cursorNow) },
    { name: 'Cursor, older', ...registers('Cursor', cursorScheme, asked) },
  ]),
  ...ways('cursor-cloud-agents', 'recorded', behaviours.cursor, [
    { name: 'Cursor cloud agents', ...registers('Cursor', cursorCloud, asked) },
  ]),
  ...ways('gemini-cli', 'read', behaviours.gemini, [
    { name: 'Gemini CLI', ...registers('Gemini CLI MCP Client', 'http://localhost:7777/oauth/callback') },
  ]),
  ...ways('mcp-remote', 'read', behaviours.mcpRemote, [
    { name: 'mcp-remote', ...registers('MCP CLI Client', 'http://localhost:3334/oauth/callback', asked) },
  ]),
  ...ways('mcp-inspector', 'read', behaviours.inspector, [
    {
      // A page, which calls every endpoint itself.
      name: 'MCP Inspector, web',
      ...registers('MCP Inspector', 'http://localhost:6274/oauth/callback', { ...native, scope: 'empty' }),
      page: 'http://localhost:6274',
    },
    {
      name: 'MCP Inspector, command line',
      ...registers('MCP Inspector', 'http://127.0.0.1:6276/oauth/callback', { ...native, scope: 'empty' }),
    },
  ]),
  ...ways('rmcp', 'read', behaviours.rustSdk, [
    { name: 'rmcp example', ...registers('rmcp', 'http://127.0.0.1:8080/callback', native) },
  ]),
  ...ways('typescript-sdk-1', 'read', behaviours.typescriptSdk1, [{ name: 'Apps on TypeScript SDK 1', ...sdkExample }]),
  ...ways('typescript-sdk-2', 'read', behaviours.typescriptSdk2, [{ name: 'Apps on TypeScript SDK 2', ...sdkExample }]),
  ...ways('zed', 'read', behaviours.zed, [
    {
      // It registers only where documents are not advertised.
      name: 'Zed',
      ...registers('Zed', 'http://127.0.0.1:27523/callback'),
      document: 'https://zed.dev/oauth/client-metadata.json',
    },
  ]),
  // At an address of its operator's own, which no vendor row can know.
  ...ways('libre-chat', 'read', behaviours.libreChat, [
    {
      name: 'LibreChat',
      ...registers('LibreChat MCP Client', libreChatCallback, { authMethods: withSecret, ...asked }),
    },
  ]),
];

/** The ways in at a server: where documents are advertised, an app that has one uses it; elsewhere it registers. */
export function waysAt(server: { readonly documents: boolean; readonly registers: boolean }): readonly ReplayClient[] {
  const withDocument = simulatedClients.filter(({ document }) => server.documents && document !== undefined);
  const products = new Set(withDocument.map(({ product }) => product));
  return simulatedClients.filter(({ product, document, registration }) =>
    products.has(product) ? document !== undefined : server.registers && registration !== undefined,
  );
}
