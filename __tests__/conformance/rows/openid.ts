import assert from 'node:assert/strict';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { library, startLogoutSchools } from '../../features/logout/logout-schools.ts';
import { authorizeUrl, connect, pkce, type TestClient, userinfo, webMemberApp } from '../../helpers/flow.ts';
import { signingKey } from '../../helpers/keys.ts';
import { readPage } from '../../helpers/page.ts';
import { siteOf } from '../../helpers/sites.ts';
import { getJson, metadata, text, texts, verified } from '../probes.ts';
import type { Row } from '../row.ts';

const discovery = 'Endpoints: Discovery and description';
const endpoints = 'Endpoints: OAuth endpoints';
const idTokens = 'Authentication: ID token verification';

const bye = 'https://apps.example/bye';

const pairwise = (id: string, host: string): TestClient => ({
  id,
  redirectUri: `https://${host}/callback`,
  secret: `${id}-secret`,
  scope: 'openid',
});

/** What the conformance suite of the OpenID Foundation checks of a sign-in client. */
export const openidRows: readonly Row[] = [
  {
    id: 'a61d',
    section: `${discovery}, OpenID Connect Discovery section 3`,
    sentence:
      'MUST list RS256 beside the default ES256 if there is such a key, and publish a key for each algorithm listed',
    check: async ({ start }) => {
      const signing = await Promise.all([signingKey('es'), signingKey('rs', 'RS256')]);
      const both = await start({ campus: { keys: { signing, cookies: ['a secret of the tests'] } } });
      const { id_token_signing_alg_values_supported: algorithms, jwks_uri: keys } = await metadata(both.harbour);
      assert.deepEqual(algorithms, ['ES256', 'RS256']);
      const { body } = await getJson(text(keys));
      assert.deepEqual(texts(Array.from(Object(body['keys']), (key) => Object(key).alg)), ['ES256', 'RS256']);
      const one = await start();
      assert.deepEqual((await metadata(one.harbour))['id_token_signing_alg_values_supported'], ['ES256']);
    },
  },
  {
    id: 'c90e',
    section: `${endpoints}, OpenID Connect RP-Initiated Logout sections 2 and 3`,
    sentence:
      'MUST ask the person, send them to a registered address only, with `state`, and refuse an ID token hint that was changed',
    check: async () => {
      const schools = await startLogoutSchools();
      try {
        const browser = schools.browser('sam');
        const { body } = await connect(browser, schools.harbour, library);
        const hint = text(body['id_token']);
        const address = text((await metadata(schools.harbour))['end_session_endpoint']);
        const leave = (changes: Readonly<Record<string, string>>) => {
          const parameters = { id_token_hint: hint, post_logout_redirect_uri: bye, state: 'xyz', ...changes };
          return browser.follow(`${address}?${new URLSearchParams(parameters).toString()}`);
        };
        const asked = await leave({});
        assert.deepEqual([asked.response.status, schools.ended.length], [200, 0]);
        const fields = new URLSearchParams([...readPage(asked.html).getByRole('form').fields, ['logout', 'yes']]);
        const left = await browser.follow(`${address}/confirm`, { method: 'POST', body: fields });
        assert.deepEqual([left.url.href, schools.ended], [`${bye}?state=xyz`, ['sam']]);
        const changed = `${hint.slice(0, -2)}${hint.endsWith('AA') ? 'BB' : 'AA'}`;
        for (const wrong of [{ post_logout_redirect_uri: `${bye}/other` }, { id_token_hint: changed }]) {
          const refused = await leave(wrong);
          assert.deepEqual([refused.response.status, refused.url.host], [400, new URL(address).host]);
        }
      } finally {
        await schools.close();
      }
    },
  },
  {
    id: '2f7b',
    section: `${endpoints}, OpenID Connect Back-Channel Logout section 2`,
    sentence: 'MUST post a signed logout token with `events`, `jti`, `sub` and `sid`, and without `nonce`',
    check: async () => {
      const schools = await startLogoutSchools();
      try {
        const browser = schools.browser('sam');
        browser.platformCookie('session_id', 'the-session-of-sam');
        const { body } = await connect(browser, schools.harbour, library);
        const { backchannel_logout_supported: told, backchannel_logout_session_supported: sessions } = await metadata(
          schools.harbour,
        );
        assert.deepEqual([told, sessions], [true, true]);
        await schools.campus.signedOut(siteOf(schools), 'sam', 'the-session-of-sam');
        await schools.delivered();
        assert.equal(schools.received.length, 1);
        const token = text(schools.received[0]?.form.get('logout_token'));
        const { payload } = await verified(schools.harbour, token);
        const { aud, sub, sid, events, jti } = payload;
        assert.deepEqual([aud, sub, sid], [library.id, 'sam', decodeJwt(text(body['id_token']))['sid']]);
        assert.deepEqual(events, { 'http://schemas.openid.net/event/backchannel-logout': {} });
        assert.ok(text(jti) !== '' && !('nonce' in payload));
        assert.deepEqual(decodeProtectedHeader(token).typ, 'logout+jwt');
      } finally {
        await schools.close();
      }
    },
  },
  {
    id: '83da',
    section: `${idTokens}, OIDC Core section 8.1`,
    sentence: 'MUST have another `sub` for each sector of a pairwise client, the same one in UserInfo and each time',
    check: async ({ start }) => {
      const clients = [pairwise('quiz', 'quiz.example'), pairwise('lab', 'lab.example')];
      const { harbour, browser } = await start({
        campus: {
          pseudonyms: { key: 'a key of pseudonyms that never changes' },
          clients: clients.map(({ id, redirectUri, secret }) => ({
            clientId: id,
            clientName: id,
            audience: 'member',
            redirectUris: [redirectUri],
            scopes: ['openid'],
            clientSecret: secret,
            subject: 'pairwise',
          })),
        },
      });
      assert.deepEqual(texts((await metadata(harbour))['subject_types_supported']), ['pairwise', 'public']);
      const subs = await Promise.all(
        [...clients, ...clients].map(async (client) => {
          const { body } = await connect(browser('sam'), harbour, client);
          const sub = text((await verified(harbour, body['id_token'])).payload.sub);
          assert.equal((await userinfo(harbour, body['access_token'])).body['sub'], sub);
          return sub;
        }),
      );
      assert.deepEqual(subs.slice(2), subs.slice(0, 2));
      assert.equal(new Set([...subs, 'sam']).size, 3);
      assert.ok(subs.every((sub) => /^[\x20-\x7e]{1,255}$/.test(sub)));
    },
  },
  {
    id: '5e14',
    section: `${idTokens}, OIDC Core section 3.1.2.1`,
    sentence: 'MUST say by `acr` how the person signed in, and refuse a request whose `acr_values` that does not meet',
    check: async ({ start }) => {
      const { harbour, browser } = await start({
        wrapPlatform: (platform) => ({
          ...platform,
          acrValues: ['one', 'two'],
          signedInMember: async (ctx, site) => {
            const session = await platform.signedInMember(ctx, site);
            return session && { ...session, acr: 'one' };
          },
        }),
      });
      assert.deepEqual(texts((await metadata(harbour))['acr_values_supported']), ['one', 'two']);
      const { body } = await connect(browser('sam'), harbour, webMemberApp, { acr_values: 'one' });
      assert.equal((await verified(harbour, body['id_token'])).payload['acr'], 'one');
      const silent = { acr_values: 'two', prompt: 'none' };
      const { url } = await browser('sam').follow(authorizeUrl(harbour, webMemberApp, pkce(), silent));
      assert.deepEqual([url.searchParams.has('code'), url.searchParams.has('error')], [false, true]);
    },
  },
];
