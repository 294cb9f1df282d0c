import assert from 'node:assert/strict';
import {
  authorize,
  authorizeUrl,
  connect,
  exchange,
  getCode,
  memberApp,
  pkce,
  reports,
  webMemberApp,
} from '../../helpers/flow.ts';
import { assertRefused, assertShown, getJson, text, verified } from '../probes.ts';
import type { Row } from '../row.ts';

const endpoint = 'Endpoints: OAuth endpoints, GET /oauth/authorize';
const parameters = 'Endpoints: Authorize query parameters';

/** The authorization endpoint and its parameters. */
export const authorizeRows: readonly Row[] = [
  {
    id: 'c075',
    section: endpoint,
    sentence: 'MUST redirect to the redirect URI with `code`, `iss` (RFC 9207) and the echoed `state`',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      for (const origin of [harbour, summit]) {
        const { url } = await authorize(browser('sam'), authorizeUrl(origin, webMemberApp, pkce()));
        assert.equal(`${url.origin}${url.pathname}`, webMemberApp.redirectUri);
        const { code, ...rest } = Object.fromEntries(url.searchParams);
        text(code);
        assert.deepEqual({ ...rest }, { iss: origin, state: 'the-state' });
      }
    },
  },
  {
    id: '7bbd',
    section: endpoint,
    sentence: 'MUST redirect with `access_denied` and no code when the person declines',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const person = browser('sam');
      const { url } = await person.decide(await person.follow(authorizeUrl(harbour, memberApp, pkce())), 'deny');
      assert.equal(`${url.origin}${url.pathname}`, memberApp.redirectUri);
      const { error, code, iss, state } = Object.fromEntries(url.searchParams);
      assert.deepEqual(
        { error, code, iss, state },
        { error: 'access_denied', code: undefined, iss: harbour, state: 'the-state' },
      );
    },
  },
  {
    id: '9f74',
    section: `${parameters}, response_type`,
    sentence: 'MUST be `code`; other response types are refused',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      for (const responseType of [undefined, 'token', 'id_token', 'code id_token', 'none']) {
        const changes = { response_type: responseType };
        const { url } = await authorize(browser('sam'), authorizeUrl(harbour, memberApp, pkce(), changes));
        assert.match(url.href, /[?#&]error=(invalid_request|unsupported_response_type)&/);
        assert.doesNotMatch(url.href, /code=|token=/);
      }
    },
  },
  {
    id: '1b2f',
    section: `${parameters}, client_id`,
    sentence: 'MUST be present and identify a client of this site',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      await assertShown(browser('sam'), harbour, memberApp, { client_id: undefined });
      await assertShown(browser('sam'), harbour, memberApp, { client_id: 'nobody' });
      await assertShown(browser('sam'), summit, memberApp, {});
    },
  },
  {
    id: 'b672',
    section: `${parameters}, redirect_uri`,
    sentence: 'MUST be present',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      await assertShown(browser('sam'), harbour, memberApp, { redirect_uri: undefined });
      await assertShown(browser('sam'), harbour, webMemberApp, { redirect_uri: undefined });
    },
  },
  {
    id: '1abf',
    section: `${parameters}, scope`,
    sentence: 'MUST be a list of scopes separated by spaces; the token has the allowed ones',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const { body } = await connect(browser('sam'), harbour, memberApp, { scope: 'openid account:write email' });
      assert.deepEqual(text(body['scope']).split(' ').sort(), ['account:write', 'email', 'openid']);
    },
  },
  {
    id: '4555',
    section: `${parameters}, resource`,
    sentence: 'MUST be the origin that the protected-resource metadata advertises',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      const { body } = await getJson(`${harbour}/.well-known/oauth-protected-resource`);
      const advertised = text(body['resource']);
      const tokens = await exchange(await getCode(browser('sam'), harbour, webMemberApp, { resource: advertised }));
      assert.equal(tokens.status, 200);
      for (const resource of [summit, 'https://elsewhere.example', 'no address']) {
        await assertRefused(browser('sam'), harbour, memberApp, { resource }, 'invalid_target');
      }
    },
  },
  {
    id: '3dcd',
    section: `${parameters}, resource`,
    sentence: 'MUST be present for a member token',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      await assertRefused(browser('sam'), harbour, memberApp, { resource: undefined }, 'invalid_target');
      await assertRefused(browser('sam'), harbour, webMemberApp, { resource: undefined }, 'invalid_target');
    },
  },
  {
    id: '1045',
    section: `${parameters}, code_challenge`,
    sentence: 'MUST be the S256 challenge of the verifier, from public and confidential clients alike',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const none = { code_challenge: undefined, code_challenge_method: undefined };
      const malformed = ['', 'too-short', `${'x'.repeat(42)}=`, 'x'.repeat(44)];
      for (const changes of [none, ...malformed.map((challenge) => ({ code_challenge: challenge }))]) {
        await assertRefused(browser('sam'), harbour, memberApp, changes, 'invalid_request');
        await assertRefused(browser('olivia'), harbour, reports, changes, 'invalid_request');
      }
    },
  },
  {
    id: 'ba13',
    section: `${parameters}, code_challenge_method`,
    sentence: 'MUST be `S256`',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      for (const method of [undefined, 'plain', 's256', 'S512']) {
        await assertRefused(browser('sam'), harbour, memberApp, { code_challenge_method: method }, 'invalid_request');
      }
    },
  },
  {
    id: '0445',
    section: `${parameters}, state`,
    sentence: 'MUST be echoed back unchanged, with any characters',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const state = 'a b+c%20&d=e#f?g"<é>';
      const person = browser('sam');
      const { url } = await authorize(person, authorizeUrl(harbour, memberApp, pkce(), { state }));
      assert.equal(url.searchParams.get('state'), state);
      const none = await authorize(person, authorizeUrl(harbour, memberApp, pkce(), { state: undefined }));
      assert.equal(none.url.searchParams.has('state'), false);
    },
  },
  {
    id: '6f87',
    section: `${parameters}, nonce`,
    sentence: 'MUST be echoed in the ID token when sent, and only then',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const sent = await connect(browser('sam'), harbour, memberApp, { nonce: 'n-0S6_WzA2Mj' });
      assert.equal((await verified(harbour, sent.body['id_token'])).payload['nonce'], 'n-0S6_WzA2Mj');
      const none = await connect(browser('sam'), harbour, memberApp, { nonce: undefined });
      assert.equal('nonce' in (await verified(harbour, none.body['id_token'])).payload, false);
    },
  },
];
