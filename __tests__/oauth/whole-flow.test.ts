import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { authorize } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools();
});
afterAll(() => schools.close());

describe.each(['harbour', 'summit'] as const)('openid-client at %s', (site) => {
  test('discovers, authorizes, exchanges, verifies, asks UserInfo, refreshes, introspects and revokes', async () => {
    const issuer = schools[site];
    const insecure = { execute: [oidc.allowInsecureRequests] };
    const auth = oidc.ClientSecretPost('buddy-secret');
    const config = await oidc.discovery(new URL(issuer), 'web-member-app', undefined, auth, insecure);
    const verifier = oidc.randomPKCECodeVerifier();
    const nonce = oidc.randomNonce();
    const state = oidc.randomState();
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: 'https://buddy.example/callback',
      scope: 'openid profile email account:read',
      resource: issuer,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      nonce,
      state,
    });
    const { url: callback } = await authorize(schools.browser('sam'), url);
    expect(callback.searchParams.get('iss')).toBe(issuer);
    const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: state };
    const tokens = await oidc.authorizationCodeGrant(config, callback, checks, { resource: issuer });
    expect(tokens.claims()).toMatchObject({ sub: 'sam', aud: 'web-member-app', org_id: site, roles: ['student'] });

    const { payload } = await jwtVerify(
      tokens.id_token ?? '',
      createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`)),
    );
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
    expect(decodeProtectedHeader(tokens.id_token ?? '')).toMatchObject({ alg: 'ES256', kid: 'key-1' });

    const info = await oidc.fetchUserInfo(config, tokens.access_token, 'sam');
    const { iss: _iss, aud: _aud, exp: _exp, iat: _iat, nonce: _nonce, ...claims } = payload;
    expect(info).toEqual(claims);

    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.id_token).toBeUndefined();
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);

    const active = await oidc.tokenIntrospection(config, refreshed.access_token);
    expect(active).toMatchObject({ active: true, aud: issuer, client_id: 'web-member-app', sub: 'sam' });
    await oidc.tokenRevocation(config, refreshed.refresh_token ?? '');
    expect(await oidc.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
    await expect(oidc.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});
