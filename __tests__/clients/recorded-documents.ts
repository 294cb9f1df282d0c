import { readFileSync } from 'node:fs';
import { type DocumentServer, startDocumentServer } from '../metadata-documents/document-server.ts';

/** A metadata document, as far as the tests look at it. */
export interface RecordedDocument {
  readonly client_id: string;
  readonly redirect_uris: readonly string[];
  readonly [member: string]: unknown;
}

/** Documents as their vendors published them in autumn 2026, by URL. */
export const recordedDocuments: Readonly<Record<string, RecordedDocument>> = {
  'https://claude.ai/oauth/mcp-oauth-client-metadata': {
    client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    client_name: 'Claude',
    client_uri: 'https://claude.ai',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  'https://claude.ai/oauth/claude-code-client-metadata': {
    client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
    client_name: 'Claude Code',
    client_uri: 'https://claude.ai',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  'https://chatgpt.com/oauth/client.json': {
    client_id: 'https://chatgpt.com/oauth/client.json',
    client_uri: 'https://chatgpt.com/',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    client_name: 'ChatGPT',
    logo_uri: 'https://persistent.oaistatic.com/sonic/misc/openai-logo.png',
    token_endpoint_auth_signing_alg: 'RS256',
    jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
  },
  'https://chatgpt.com/oauth/tU1UVEq8rRTK/client.json': {
    client_id: 'https://chatgpt.com/oauth/tU1UVEq8rRTK/client.json',
    client_uri: 'https://chatgpt.com/',
    redirect_uris: ['https://chatgpt.com/connector/oauth/tU1UVEq8rRTK'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    client_name: 'ChatGPT',
    token_endpoint_auth_signing_alg: 'RS256',
    jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
  },
  'https://chatgpt.com/oauth/codex/client.json': {
    client_id: 'https://chatgpt.com/oauth/codex/client.json',
    client_uri: 'https://chatgpt.com/',
    client_name: 'Codex',
    redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  'https://chatgpt.com/oauth/codex/q2rTx01234/client.json': {
    client_id: 'https://chatgpt.com/oauth/codex/q2rTx01234/client.json',
    client_uri: 'https://chatgpt.com/codex',
    client_name: 'Codex',
    redirect_uris: ['http://127.0.0.1/callback/q2rTx01234', 'http://localhost/callback/q2rTx01234'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    token_endpoint_auth_methods_supported: ['none'],
    application_type: 'native',
  },
  'https://vscode.dev/oauth/client-metadata.json': {
    client_name: 'Visual Studio Code',
    logo_uri: 'https://code.visualstudio.com/assets/branding/code-stable.png',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    client_id: 'https://vscode.dev/oauth/client-metadata.json',
    client_uri: 'https://vscode.dev/product',
    redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  },
  'https://zed.dev/oauth/client-metadata.json': {
    client_id: 'https://zed.dev/oauth/client-metadata.json',
    client_name: 'Zed',
    client_uri: 'https://zed.dev',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    logo_uri: 'https://cdn.zed.dev/images/logo-dark.png',
  },
};

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

/** The certificate of the vendors' hosts. */
export const vendorCertificate: string = fixture('tls-cert.pem');

/** Serves documents under the names of their hosts; every other address is 404. */
export async function serveDocuments(documents: Readonly<Record<string, RecordedDocument>>): Promise<DocumentServer> {
  const server = await startDocumentServer({ key: fixture('tls-key.pem'), cert: vendorCertificate });
  server.respond((request, response) => {
    const document = documents[`https://${request.headers.host ?? ''}${request.url ?? ''}`];
    response
      .writeHead(document ? 200 : 404, { 'content-type': 'application/json', 'cache-control': 'max-age=300' })
      .end(JSON.stringify(document ?? {}));
  });
  return server;
}
