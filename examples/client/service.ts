import * as openid from 'openid-client';
import { heading, print, show } from './output.ts';

const [clientId, secret] = ['harbour-sync', 'demo-sync-secret'];

/** A service gets a token with its secret, and nobody signs in. RFC 6749 section 4.4. */
export async function serviceWalkthrough(issuer: string): Promise<void> {
  heading('Discover the server');
  const authentication = openid.ClientSecretBasic(secret);
  const config = await openid.discovery(new URL(issuer), clientId, secret, authentication, {
    // The demo uses plain HTTP.
    execute: [openid.allowInsecureRequests],
  });
  const server = config.serverMetadata();
  show(server);
  if (server.grant_types_supported?.includes('client_credentials') !== true) {
    throw new Error('this school has no services; start the demo with DEMO_GRANTS=all');
  }

  heading('Request a token');
  const tokens = await openid.clientCredentialsGrant(config, { scope: 'students:read', resource: issuer });
  show(tokens);
  if (tokens.refresh_token !== undefined) throw new Error('a service gets no refresh token');

  heading('Call a tool that takes services');
  show(await callTool(config, issuer, tokens.access_token, 'list_students'));

  heading('Introspect the token');
  const before = await openid.tokenIntrospection(config, tokens.access_token);
  show(before);
  if (before.sub !== clientId) throw new Error('the subject of a service’s token should be the client');

  heading('Revoke it, and introspect it again');
  await openid.tokenRevocation(config, tokens.access_token);
  print('Revoked.');
  const after = await openid.tokenIntrospection(config, tokens.access_token);
  show(after);
  if (after.active) throw new Error('a revoked token should not be active');
}

async function callTool(config: openid.Configuration, issuer: string, token: string, name: string): Promise<unknown> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  });
  const address = new URL('/mcp/operator', issuer);
  const response = await openid.fetchProtectedResource(
    config,
    token,
    address,
    'POST',
    JSON.stringify(message),
    headers,
  );
  const result: unknown = await response.json();
  if (!response.ok) throw new Error(`the tool responded with ${response.status}: ${JSON.stringify(result)}`);
  return result;
}
