import type { TextKey } from '../../i18n/texts.ts';
import type { KnownAppId } from '../../core/known-apps/known-apps.ts';
import { paths } from '../../http/paths.ts';
import type { Scope } from '../../core/scopes/scopes.ts';

/** The application that an app uses, with its secret where that is still known. */
export interface TargetClient {
  readonly clientId: string;
  readonly confidential: boolean;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly secret?: string | undefined;
}

/** What an app is given. */
export interface Target {
  readonly origin: string;
  /** That of the tools. */
  readonly address: string;
  /** Only for an app that does not get in by itself. */
  readonly client?: TargetClient | undefined;
}

/** For a terminal, or for a file of settings. */
interface Paste {
  readonly file?: string;
  readonly text: (target: Target) => string;
}

/** How a person connects an app. docs/reference/client-apps.md has the apps. */
export interface SetUpApp {
  readonly id: KnownAppId;
  /** The address that opens the app, with everything filled in. */
  readonly link?: (target: Target) => string;
  /** Where in the app's own windows. */
  readonly steps?: TextKey;
  readonly pastes?: readonly Paste[];
  readonly after?: TextKey;
  /** Whether it has a place for a client id. @default true */
  readonly takesClient?: false;
  /** Whether it gets in by an application alone. @default false */
  readonly needsClient?: true;
}

/** What stands in for a secret that is no longer shown. */
export const hiddenSecret = 'CLIENT_SECRET';

/** What apps call the school in their settings. */
const school = 'school';

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** Members of a JSON object for the client; none without one. */
function forClient<T>({ client }: Target, members: (id: string, client: TargetClient) => T): T | undefined {
  return client && members(client.clientId, client);
}

const cursorServer = (target: Target) => ({
  url: target.address,
  ...forClient(target, (CLIENT_ID, { scopes }) => ({ auth: { CLIENT_ID, scopes } })),
});

const vsCodeServer = (target: Target) => ({
  type: 'http',
  url: target.address,
  ...forClient(target, (clientId) => ({ oauth: { clientId } })),
});

export const setUpApps: readonly SetUpApp[] = [
  { id: 'claude', steps: 'assistants.claude' },
  { id: 'claude-code', pastes: [{ text: claudeCode }], after: 'assistants.claudeCode' },
  { id: 'chatgpt', steps: 'assistants.chatgpt' },
  {
    id: 'codex',
    takesClient: false,
    pastes: [
      { text: ({ address }) => `codex mcp add ${school} --url ${address}\ncodex mcp login ${school}` },
      { file: '~/.codex/config.toml', text: ({ address }) => `[mcp_servers.${school}]\nurl = ${json(address)}` },
    ],
    after: 'assistants.codex',
  },
  {
    id: 'vs-code',
    link: (target) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: school, ...vsCodeServer(target) }))}`,
    steps: 'assistants.vsCode',
    pastes: [{ file: 'mcp.json', text: (target) => json({ servers: { [school]: vsCodeServer(target) } }) }],
  },
  {
    id: 'cursor',
    link: (target) => {
      const config = Buffer.from(JSON.stringify(cursorServer(target))).toString('base64');
      const query = new URLSearchParams({ name: school, config });
      return `cursor://anysphere.cursor-deeplink/mcp/install?${query.toString()}`;
    },
    steps: 'assistants.cursor',
    pastes: [
      { file: '~/.cursor/mcp.json', text: (target) => json({ mcpServers: { [school]: cursorServer(target) } }) },
    ],
    after: 'assistants.cursor.then',
  },
  { id: 'copilot-studio', steps: 'assistants.copilotStudio', takesClient: false },
  { id: 'gemini-cli', pastes: [{ file: '~/.gemini/settings.json', text: geminiCli }], after: 'assistants.gemini' },
  {
    id: 'opencode',
    takesClient: false,
    pastes: [
      { file: 'opencode.json', text: ({ address: url }) => json({ mcp: { [school]: { type: 'remote', url } } }) },
    ],
    after: 'assistants.opencode',
  },
  {
    id: 'zed',
    takesClient: false,
    pastes: [{ file: 'settings.json', text: ({ address: url }) => json({ context_servers: { [school]: { url } } }) }],
    after: 'assistants.zed.then',
  },
  {
    id: 'libre-chat',
    needsClient: true,
    steps: 'assistants.libreChat',
    pastes: [{ file: 'librechat.yaml', text: libreChat }],
  },
  {
    id: 'mcp-inspector',
    takesClient: false,
    pastes: [{ text: () => 'npx @modelcontextprotocol/inspector' }],
    after: 'assistants.inspector',
  },
];

function claudeCode(target: Target): string {
  const options = forClient(target, (id) => ` --client-id ${id} --callback-port 8080`) ?? '';
  return `claude mcp add --transport http${options} ${school} ${target.address}`;
}

function geminiCli(target: Target): string {
  const oauth = forClient(target, (clientId) => ({ oauth: { enabled: true, clientId } }));
  return json({ mcpServers: { [school]: { httpUrl: target.address, ...oauth } } });
}

const libreChatCallback = /\/api\/mcp\/([\w-]+)\/oauth\/callback$/;

/** The name of the server in LibreChat, which is part of its callback; `undefined` for another callback. */
export function libreChatServer(redirectUris: readonly string[]): string | undefined {
  return redirectUris.flatMap((uri) => libreChatCallback.exec(uri)?.[1] ?? [])[0];
}

/**
 * LibreChat uses a client id only together with both endpoints, and then neither discovers how to authenticate nor sends
 * `resource`, which stands in the query of the endpoints instead. A JSON string is also one of YAML.
 */
function libreChat({ origin, address, client }: Target): string {
  const { clientId = '', redirectUris = [], scopes = [], secret = hiddenSecret } = client ?? {};
  const query = new URLSearchParams({ resource: address }).toString();
  const lines = [
    ['authorization_url', `${origin}${paths.authorize}?${query}`],
    ['token_url', `${origin}${paths.token}?${query}`],
    ['client_id', clientId],
    ['client_secret', secret],
    ['redirect_uri', redirectUris[0] ?? ''],
    ['scope', scopes.join(' ')],
    ['token_endpoint_auth_methods_supported', ['client_secret_post']],
  ] as const;
  return `mcpServers:
  ${libreChatServer(redirectUris) ?? school}:
    type: streamable-http
    url: ${JSON.stringify(address)}
    oauth:
${lines.map(([name, value]) => `      ${name}: ${JSON.stringify(value)}`).join('\n')}`;
}
