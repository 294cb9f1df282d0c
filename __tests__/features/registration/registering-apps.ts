/** What one app posts, and what comes of it. */
export interface RegisteringApp {
  readonly app: string;
  /** What it posts beside `grant_types` and `response_types`. */
  readonly body: { readonly redirect_uris: readonly string[]; readonly [member: string]: unknown };
  /** The `client_id` of a vendor, `admitted` for a client of its own, or `refused`. */
  readonly outcome: string;
  /** A redirect URI that it uses; of a loopback address with a port that it did not register. */
  readonly uses: string;
  /** Where the consent page says that it leads. */
  readonly destination?: string;
  /** Redirect URIs that this client must not use. */
  readonly foreign?: readonly string[];
}

const none = { token_endpoint_auth_method: 'none' };
const native = { ...none, application_type: 'native' };
const post = { token_endpoint_auth_method: 'client_secret_post' };

const onThisComputer = (host: string): string => `an app on this computer (${host})`;

const cursorUris = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
] as const;
const cursor = { outcome: 'cursor', body: { client_name: 'Cursor', ...none, redirect_uris: cursorUris } };
const notCursor = [
  'cursor://anysphere.cursor-mcp/oauth/callback/',
  'cursor://anysphere.cursor-mcp/oauth/callback?x=1',
  'cursor://anysphere.cursor-mcp/oauth/Callback',
  'CURSOR://anysphere.cursor-mcp/oauth/callback',
  'cursor://anysphere.cursor-mcp:80/oauth/callback',
  'cursor://evil.cursor-mcp/oauth/callback',
  'cursor:/oauth/callback',
  'vscode://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com:8787/agents/mcp/oauth/callback',
  'https://www.cursor.com/callback',
  'http://127.0.0.1:8787/callback',
  'http://localhost:8787/oauth/callback',
];

const visualStudioCode = {
  client_name: 'Visual Studio Code',
  client_uri: 'https://code.visualstudio.com',
  ...native,
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  redirect_uris: [
    'https://insiders.vscode.dev/redirect',
    'https://vscode.dev/redirect',
    'http://127.0.0.1/',
    'http://127.0.0.1:33418/',
  ],
};
const notVisualStudioCode = [
  'http://localhost:33418/',
  'http://127.0.0.1:33418/callback',
  'http://127.0.0.1:33418//',
  'https://vscode.dev:33418/redirect',
  'https://vscode.dev/redirect/',
];

const geminiCallback = 'https://oauth-redirect.googleusercontent.com/r/user_bound_custom-mcp-1161-mcp_harbour_example';
const consentOf = (tool: string): string => `https://global.consent.azure-apim.net/redirect/${tool}`;

/** The apps of which a registration was read or recorded. */
export const apps: readonly RegisteringApp[] = [
  {
    app: 'rmcp',
    body: { ...native, redirect_uris: ['http://127.0.0.1:8080/callback'] },
    outcome: 'admitted',
    uses: 'http://127.0.0.1:8081/callback',
    destination: onThisComputer('127.0.0.1'),
    foreign: ['http://localhost:8080/callback', 'http://[::1]:8080/callback', 'http://127.0.0.1:8080/'],
  },
  {
    app: 'Codex',
    body: { client_name: 'Codex', ...native, redirect_uris: ['http://127.0.0.1:51732/callback'] },
    outcome: 'admitted',
    uses: 'http://127.0.0.1:51733/callback',
  },
  {
    app: 'Codex with an id in the path',
    body: { client_name: 'Codex', ...native, redirect_uris: ['http://127.0.0.1:51732/callback/b1c2d3e4'] },
    outcome: 'admitted',
    uses: 'http://127.0.0.1:51733/callback/b1c2d3e4',
    foreign: ['http://127.0.0.1:51732/callback', 'http://127.0.0.1:51732/callback/other'],
  },
  {
    app: 'Gemini CLI',
    body: { client_name: 'Gemini CLI MCP Client', ...none, redirect_uris: ['http://localhost:7777/oauth/callback'] },
    outcome: 'admitted',
    uses: 'http://localhost:7778/oauth/callback',
    destination: onThisComputer('localhost'),
    foreign: ['http://127.0.0.1:7777/oauth/callback'],
  },
  {
    app: 'VS Code, on this computer',
    body: visualStudioCode,
    outcome: 'visual-studio-code',
    uses: 'http://127.0.0.1:52044/',
    destination: onThisComputer('127.0.0.1'),
    foreign: notVisualStudioCode,
  },
  {
    app: 'VS Code, through vscode.dev',
    body: visualStudioCode,
    outcome: 'visual-studio-code',
    uses: 'https://vscode.dev/redirect',
    destination: 'vscode.dev',
  },
  {
    app: 'VS Code Insiders',
    body: { ...visualStudioCode, client_name: 'Visual Studio Code - Insiders' },
    outcome: 'visual-studio-code',
    uses: 'https://insiders.vscode.dev/redirect',
  },
  {
    app: 'the same list under a name that no row knows',
    body: { ...visualStudioCode, client_name: 'Another Editor' },
    outcome: 'refused',
    uses: 'http://127.0.0.1:33418/',
  },
  {
    app: 'Claude',
    body: { client_name: 'Claude', ...post, redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] },
    outcome: 'claude',
    uses: 'https://claude.ai/api/mcp/auth_callback',
    destination: 'claude.ai',
    foreign: ['https://claude.ai/api/mcp/auth_callback/', 'https://claude.ai/', cursorUris[0]],
  },
  {
    app: 'Claude, at its other host',
    body: { client_name: 'Claude', ...post, redirect_uris: ['https://claude.com/api/mcp/auth_callback'] },
    outcome: 'claude',
    uses: 'https://claude.com/api/mcp/auth_callback',
  },
  {
    app: 'Claude Code',
    body: { client_name: 'Claude Code (harbour)', ...none, redirect_uris: ['http://localhost:54213/callback'] },
    outcome: 'admitted',
    uses: 'http://localhost:54214/callback',
  },
  ...['ChatGPT', 'Some connector', undefined].map((client_name) => ({
    app: `ChatGPT as ${client_name}`,
    body: { client_name, redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'] },
    outcome: 'chatgpt',
    uses: 'https://chatgpt.com/connector_platform_oauth_redirect',
    destination: 'chatgpt.com',
    foreign: ['https://chatgpt.com/connector/oauth/SvtDqU1r6I17', consentOf('a')],
  })),
  {
    app: 'ChatGPT with a callback for each connection',
    body: { client_name: 'ChatGPT', redirect_uris: ['https://chatgpt.com/connector/oauth/SvtDqU1r6I17'] },
    outcome: 'admitted',
    uses: 'https://chatgpt.com/connector/oauth/SvtDqU1r6I17',
    foreign: [
      'https://chatgpt.com/connector_platform_oauth_redirect',
      'https://chatgpt.com/connector/oauth/_syG1DzKsjXV',
      'https://chatgpt.com/connector/oauth/SvtDqU1r6I17/',
    ],
  },
  {
    app: 'Cursor, through its scheme',
    ...cursor,
    uses: cursorUris[0],
    destination: 'an app on this device (cursor)',
    foreign: notCursor,
  },
  { app: 'Cursor, in the cloud', ...cursor, uses: cursorUris[1], destination: 'www.cursor.com' },
  { app: 'Cursor, on this computer', ...cursor, uses: 'http://localhost:8788/callback' },
  {
    app: 'Cursor, older',
    body: { ...cursor.body, redirect_uris: [cursorUris[0]] },
    outcome: 'cursor',
    uses: cursorUris[0],
  },
  {
    app: 'Cursor, cloud agents',
    body: { ...cursor.body, redirect_uris: [cursorUris[1]] },
    outcome: 'cursor',
    uses: cursorUris[1],
  },
  {
    app: 'mcp-remote',
    body: { client_name: 'MCP CLI Client', ...none, redirect_uris: ['http://localhost:3334/oauth/callback'] },
    outcome: 'admitted',
    uses: 'http://localhost:3335/oauth/callback',
  },
  {
    app: 'MCP Inspector',
    body: {
      client_name: 'MCP Inspector',
      ...native,
      scope: '',
      redirect_uris: ['http://localhost:6274/oauth/callback'],
    },
    outcome: 'admitted',
    uses: 'http://localhost:6274/oauth/callback',
  },
  {
    app: 'MCP Inspector, command line',
    body: {
      client_name: 'MCP Inspector',
      ...native,
      scope: '',
      redirect_uris: ['http://127.0.0.1:6276/oauth/callback'],
    },
    outcome: 'admitted',
    uses: 'http://127.0.0.1:6277/oauth/callback',
  },
  {
    app: 'Zed',
    body: { client_name: 'Zed', ...none, redirect_uris: ['http://127.0.0.1:40123/callback'] },
    outcome: 'admitted',
    uses: 'http://127.0.0.1:40124/callback',
  },
  ...['Gemini', 'A connected app', undefined].map((client_name) => ({
    app: `Gemini as ${client_name}`,
    body: { client_name, ...post, redirect_uris: [geminiCallback] },
    outcome: 'admitted',
    uses: geminiCallback,
    destination: 'oauth-redirect.googleusercontent.com',
    foreign: [
      'https://oauth-redirect.googleusercontent.com/r/some-project',
      'https://oauth-redirect.googleusercontent.com/r/user_bound_custom-mcp-1-other_example',
    ],
  })),
  {
    app: 'a project at Google that is not Gemini',
    body: { client_name: 'Gemini', redirect_uris: ['https://oauth-redirect.googleusercontent.com/r/some-project'] },
    outcome: 'refused',
    uses: 'https://oauth-redirect.googleusercontent.com/r/some-project',
  },
  {
    app: 'Microsoft 365 Copilot',
    body: { ...post, redirect_uris: ['https://teams.microsoft.com/api/platform/v1.0/oAuthRedirect'] },
    outcome: 'microsoft-365-copilot',
    uses: 'https://teams.microsoft.com/api/platform/v1.0/oAuthRedirect',
    foreign: ['https://teams.microsoft.com/api/platform/v1.0/oAuthConsentRedirect'],
  },
  {
    app: 'Postman',
    body: { ...none, redirect_uris: ['https://oauth.pstmn.io/v1/callback'] },
    outcome: 'postman',
    uses: 'https://oauth.pstmn.io/v1/callback',
  },
  {
    app: 'Raycast',
    body: { ...none, redirect_uris: ['https://raycast.com/redirect?packageName=Extension'] },
    outcome: 'raycast',
    uses: 'https://raycast.com/redirect?packageName=Extension',
    foreign: ['https://raycast.com/redirect', 'https://raycast.com/redirect?packageName=Other'],
  },
  {
    app: 'GitHub Copilot for JetBrains',
    body: { ...none, redirect_uris: ['http://127.0.0.1:33428/callback', 'http://127.0.0.1/callback'] },
    outcome: 'admitted',
    uses: 'http://127.0.0.1:33429/callback',
  },
  ...['Copilot Studio', 'A name of the maker', undefined].map((client_name) => ({
    app: `Copilot Studio as ${client_name}`,
    body: { client_name, ...post, redirect_uris: [consentOf('new-5fharbour-20mcp-5fdfde809e')] },
    outcome: 'admitted',
    uses: consentOf('new-5fharbour-20mcp-5fdfde809e'),
    destination: 'global.consent.azure-apim.net',
    foreign: [
      consentOf('another-tool'),
      consentOf(''),
      consentOf('new-5fharbour-20mcp-5fdfde809e/'),
      consentOf('new-5fharbour-20mcp-5fdfde809e?x=1'),
      consentOf('%6eew-5fharbour-20mcp-5fdfde809e'),
    ],
  })),
  {
    app: 'LibreChat, at a host of its own',
    body: {
      client_name: 'LibreChat MCP Client',
      ...post,
      redirect_uris: ['https://chat.school.example/api/mcp/harbour/oauth/callback'],
    },
    outcome: 'refused',
    uses: 'https://chat.school.example/api/mcp/harbour/oauth/callback',
  },
];

/** Redirect URIs that no client may use. */
export const foreignToAll: readonly string[] = [
  'https://evil.example/callback',
  'http://evil.example/callback',
  'http://127.0.0.2:8080/callback',
  'http://localhost.evil.example/callback',
  'evil://anysphere.cursor-mcp/oauth/callback',
  'javascript:alert(1)',
  'https://global.consent.azure-apim.net.evil.example/redirect/a',
  'https://global.consent.azure-apim.net/redirect/../evil',
];
