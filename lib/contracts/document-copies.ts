import type { JsonObject } from './json.ts';

/** A copy of a metadata document. */
export interface DatedDocument {
  /** The day on which it was recorded, `2026-11-22`. */
  readonly date: string;
  /** For a row whose `url` is a pattern: with `*` wherever the segment of the path is repeated. */
  readonly document: JsonObject & { readonly client_id: string; readonly redirect_uris: readonly string[] };
}

const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code';
const usual = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};
const chatgpt = {
  ...usual,
  client_name: 'ChatGPT',
  client_uri: 'https://chatgpt.com/',
  logo_uri: 'https://persistent.oaistatic.com/sonic/misc/openai-logo.png',
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  token_endpoint_auth_signing_alg: 'RS256',
  jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
};
const codex = {
  ...usual,
  client_name: 'Codex',
  client_uri: 'https://chatgpt.com/codex',
  application_type: 'native',
  token_endpoint_auth_methods_supported: ['none'],
};

const recorded: readonly DatedDocument['document'][] = [
  {
    ...usual,
    client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    client_name: 'Claude',
    client_uri: 'https://claude.ai',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
  },
  {
    ...usual,
    client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
    client_name: 'Claude Code',
    client_uri: 'https://claude.ai',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  },
  {
    ...chatgpt,
    client_id: 'https://chatgpt.com/oauth/client.json',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
  },
  {
    ...chatgpt,
    client_id: 'https://chatgpt.com/oauth/*/client.json',
    redirect_uris: ['https://chatgpt.com/connector/oauth/*'],
  },
  {
    ...codex,
    client_id: 'https://chatgpt.com/oauth/codex/client.json',
    redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  },
  {
    ...codex,
    client_id: 'https://chatgpt.com/oauth/codex/*/client.json',
    redirect_uris: ['http://127.0.0.1/callback/*', 'http://localhost/callback/*'],
  },
  {
    ...usual,
    client_id: 'https://vscode.dev/oauth/client-metadata.json',
    client_name: 'Visual Studio Code',
    logo_uri: 'https://code.visualstudio.com/assets/branding/code-stable.png',
    client_uri: 'https://vscode.dev/product',
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token', deviceCode],
    redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  },
  {
    ...usual,
    client_id: 'https://zed.dev/oauth/client-metadata.json',
    client_name: 'Zed',
    client_uri: 'https://zed.dev',
    logo_uri: 'https://cdn.zed.dev/images/logo-dark.png',
    redirect_uris: ['http://127.0.0.1/callback'],
  },
  {
    client_id: 'https://github.com/copilot/cli/client-metadata.json',
    client_name: 'GitHub Copilot CLI',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    redirect_uris: ['http://127.0.0.1:33418/'],
  },
  {
    ...usual,
    client_id: 'https://goose-docs.ai/oauth/client-metadata.json',
    client_name: 'goose',
    logo_uri: 'https://goose-docs.ai/img/logo_light.png',
    redirect_uris: ['http://127.0.0.1/oauth_callback', 'http://[::1]/oauth_callback'],
    code_challenge_methods_supported: ['S256'],
  },
  {
    ...usual,
    client_id: 'https://opencode.ai/oauth/opencode/client.json',
    client_name: 'opencode',
    client_uri: 'https://opencode.ai',
    logo_uri: 'https://opencode.ai/web-app-manifest-512x512.png',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    token_endpoint_auth_methods_supported: ['none'],
  },
];

const grok = {
  ...usual,
  client_id: 'https://grok.com/oauth/mcp-client.json',
  client_name: 'Grok',
  client_uri: 'https://grok.com',
  logo_uri: 'https://grok.com/icon-512x512.png',
  redirect_uris: [
    'https://grok.com/connectors-oauth-exchange-code/',
    'https://console.x.ai/connectors-oauth-exchange-code/',
  ],
};

/** Copies of the documents of known programs, by the URL or pattern of their rows. */
export const documentCopies: ReadonlyMap<string, DatedDocument> = new Map(
  [...recorded.map((document) => ({ date: '2026-11-22', document })), { date: '2026-10-09', document: grok }].map(
    (copy) => [copy.document.client_id, copy],
  ),
);
