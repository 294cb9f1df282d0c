import { afterEach, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { dpop } from '../../../lib/dpop.ts';
import { authorize, getCode, memberApp } from '../../helpers/flow.ts';
import { plugins, type Schools, startSchools } from '../../helpers/schools.ts';

let schools: Schools;
afterEach(() => schools.close());

const redirect_uri = memberApp.redirectUri;

describe.each(['when_needed', 'required'] as const)('with nonces %s', (nonces) => {
  test.each([0, 3600])('openid-client, whose clock differs by %d seconds, goes through everything', async (skew) => {
    schools = await startSchools({ campus: { dpop: dpop({ nonces }) }, ...plugins });
    const { harbour } = schools;
    const insecure = { execute: [oidc.allowInsecureRequests] };
    const metadata = { [oidc.clockTolerance]: 7200, [oidc.clockSkew]: skew };
    const config = await oidc.discovery(new URL(harbour), memberApp.id, metadata, oidc.None(), insecure);
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
    const verifier = oidc.randomPKCECodeVerifier();
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid account:read',
      resource: harbour,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      dpop_jkt: await DPoP.calculateThumbprint(),
    });
    const { url: callback } = await authorize(schools.browser('sam'), url);
    const checks = { pkceCodeVerifier: verifier };
    const tokens = await oidc.authorizationCodeGrant(config, callback, checks, { resource: harbour }, { DPoP });
    expect(tokens.token_type).toBe('dpop');
    const { sub } = await oidc.fetchUserInfo(config, tokens.access_token, 'sam', { DPoP });
    expect(sub).toBe('sam');
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
    const call = (path: string, body: object): Promise<Response> => {
      const headers = new Headers({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      });
      const text = JSON.stringify(body);
      const at = new URL(`${harbour}${path}`);
      return oidc.fetchProtectedResource(config, refreshed.access_token, at, 'POST', text, headers, { DPoP });
    };
    const viewer = await call('/member/graphql', { query: '{ viewer { id } }' });
    expect(await viewer.json()).toMatchObject({ data: { viewer: { id: 'sam' } } });
    const listed = await call('/mcp/member', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(listed.status).toBe(200);
  });

  test('oauth4webapi repeats a request for which it needs a nonce', async () => {
    schools = await startSchools({ campus: { dpop: dpop({ nonces }) } });
    const { harbour } = schools;
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(harbour);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
    const client: oauth.Client = { client_id: memberApp.id };
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const { code, verifier } = await getCode(schools.browser('sam'), harbour, memberApp, { nonce: undefined });
    const answer = new URLSearchParams({ code, iss: harbour });
    const parameters = oauth.validateAuthResponse(as, client, answer, oauth.expectNoState);
    const ask = async (): Promise<oauth.TokenEndpointResponse> => {
      const options = { ...insecure, DPoP, additionalParameters: { resource: harbour } };
      const sent = [as, client, oauth.None(), parameters, redirect_uri, verifier, options] as const;
      return oauth.processAuthorizationCodeResponse(as, client, await oauth.authorizationCodeGrantRequest(...sent));
    };
    const tokens = await ask().catch((error: unknown) => {
      if (oauth.isDPoPNonceError(error)) return ask();
      throw error;
    });
    expect(tokens.token_type).toBe('dpop');
    const info = await oauth.userInfoRequest(as, client, tokens.access_token, { ...insecure, DPoP });
    expect(await oauth.processUserInfoResponse(as, client, 'sam', info)).toMatchObject({ sub: 'sam' });
  });
});
