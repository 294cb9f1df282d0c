import * as openid from 'openid-client';
import { authorizeAs, olivia } from '../../examples/client/automatic-person.ts';

// Connects with a `state` of 1,900 characters of JSON, as apps send that keep their next step in it, and prints what it has got.
const [origin = ''] = process.argv.slice(2);
const redirectUri = 'http://127.0.0.1:49152/callback';
const state = JSON.stringify({ seen: Array.from({ length: 270 }, (_, i) => String(1000 + i)) });

const metadata = { client_name: 'Long state', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' };
const config = await openid.dynamicClientRegistration(new URL(origin), metadata, openid.None());
const pkceCodeVerifier = openid.randomPKCECodeVerifier();
const url = openid.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: 'openid courses:read',
  resource: origin,
  code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state,
});
const callback = await authorizeAs(olivia, url.href, redirectUri);
const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState: state });
console.log(state.length, Object.keys(tokens).join(' '));
