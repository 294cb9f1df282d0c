import * as openid from 'openid-client';
import { authorizeAs, olivia, sam } from './automatic-person.ts';
import { deviceWalkthrough } from './device.ts';
import { listenForCallback } from './loopback.ts';
import { askViewer } from './member-api.ts';
import { readOptions, usage, type Options } from './options.ts';
import { heading, print, shorten, show } from './output.ts';
import { serviceWalkthrough } from './service.ts';

// The demo uses plain HTTP. Verifying the ID token's signature is optional in a code exchange; this client does it.
const insecure = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks];

/** Uses the demo's member client, or registers an operator client. */
async function prepare({ issuer, register }: Options, redirectUri: string) {
  if (!register) {
    heading('Discover the server');
    const config = await openid.discovery(new URL(issuer), 'harbour-member-app', {}, openid.None(), {
      execute: insecure,
    });
    return { config, person: sam, scope: 'openid profile email account:read account:write', member: true };
  }
  heading('Discover the server, and register');
  const metadata = { client_name: 'Walkthrough', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' };
  const config = await openid.dynamicClientRegistration(new URL(issuer), metadata, openid.None(), {
    execute: insecure,
  });
  show(config.clientMetadata());
  return { config, person: olivia, scope: 'openid profile email courses:read', member: false };
}

async function walkthrough(options: Options): Promise<void> {
  const { issuer, auto } = options;
  const listener = await listenForCallback();
  const { config, person, scope, member } = await prepare(options, listener.redirectUri).catch((error: unknown) => {
    listener.close();
    throw error;
  });
  const server = config.serverMetadata();
  show(server);
  // A school can publish keys before they sign. Then there is no ID token, and UserInfo identifies the person.
  const signs = server.id_token_signing_alg_values_supported !== undefined && server.jwks_uri !== undefined;

  heading('Send the person to the authorization endpoint');
  const resource = issuer;
  const codeVerifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const nonce = openid.randomNonce();
  const authorizeUrl = openid.buildAuthorizationUrl(config, {
    redirect_uri: listener.redirectUri,
    scope,
    resource,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  print(auto ? `Signing in as ${person.email} at` : `Open this address, sign in (${person.email}, demo) and allow:`);
  print(authorizeUrl.href);
  let callback: URL;
  try {
    if (auto) await fetch(await authorizeAs(person, authorizeUrl.href, listener.redirectUri));
    callback = await listener.callback;
  } finally {
    listener.close();
  }
  show(Object.fromEntries(callback.searchParams));

  heading('Exchange the code for tokens');
  const checks = { pkceCodeVerifier: codeVerifier, expectedState: state };
  const tokens = await openid.authorizationCodeGrant(
    config,
    callback,
    signs ? { ...checks, expectedNonce: nonce, idTokenExpected: true } : checks,
    { resource },
  );
  show(tokens);

  heading('Verify the ID token');
  const claims = tokens.claims();
  if (claims) show(claims);
  else print('The school does not issue ID tokens yet; UserInfo identifies the person.');

  heading('Request UserInfo');
  show(await openid.fetchUserInfo(config, tokens.access_token, claims?.sub ?? openid.skipSubjectCheck));

  heading('Refresh');
  if (tokens.refresh_token === undefined) throw new Error('the exchange returned no refresh token');
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token, { resource });
  show(refreshed);
  if (refreshed.id_token !== undefined) throw new Error('a refresh may not return an ID token');
  if (refreshed.refresh_token === undefined) throw new Error('the refresh returned no refresh token');
  if (refreshed.refresh_token === tokens.refresh_token) throw new Error('the refresh token was not rotated');
  print(
    `No id_token. Refresh token ${shorten(tokens.refresh_token)} was replaced by ${shorten(refreshed.refresh_token)}.`,
  );

  heading('Introspect the access token');
  const before = await openid.tokenIntrospection(config, refreshed.access_token);
  show(before);
  if (!before.active) throw new Error('a fresh access token should be active');

  if (member) {
    heading('Query the Member API: profile, courses, purchases and notifications');
    show(await askViewer(config, issuer, refreshed.access_token));
  }

  heading('Revoke the refresh token, and with it the whole grant');
  await openid.tokenRevocation(config, refreshed.refresh_token, { token_type_hint: 'refresh_token' });
  print('Revoked.');

  heading('Introspect the access token again');
  const after = await openid.tokenIntrospection(config, refreshed.access_token);
  show(after);
  if (after.active) throw new Error('a revoked token should not be active');
}

/** Includes the causes of an error. OAuth errors are shown as code and description. */
function explain(error: unknown): string {
  if (error instanceof openid.ResponseBodyError || error instanceof openid.AuthorizationResponseError) {
    return `${error.error}: ${error.error_description ?? 'no description'}`;
  }
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ECONNREFUSED') return `${error.message}; start the demo with npm start`;
  return error.cause === undefined ? error.message : `${error.message}\n   ${explain(error.cause)}`;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(usage);
  else if (options.service) await serviceWalkthrough(options.issuer);
  else if (options.device) await deviceWalkthrough(options.issuer, options.auto ? sam : undefined);
  else await walkthrough(options);
} catch (error) {
  console.error(`\nFailed: ${explain(error)}`);
  process.exitCode = 1;
}
