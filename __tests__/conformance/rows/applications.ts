import assert from 'node:assert/strict';
import type { IssuedSecret } from '../../../lib/index.ts';
import { csrfOf } from '../../helpers/browser.ts';
import { connect, introspect, type TestClient } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { assertRefused } from '../probes.ts';
import type { Row } from '../row.ts';

const section = 'Authentication: Registration rules 5';
const wanted = {
  clientName: 'Study Timer',
  redirectUris: ['https://timer.example/callback'],
  scopes: ['openid', 'account:read'],
  confidential: true,
} as const;

const assistant = {
  audience: 'operator',
  clientName: 'School Chat',
  redirectUris: ['https://chat.school.example/callback'],
  scopes: ['openid', 'courses:write', 'account:write'],
  confidential: true,
} as const;

const area = '/developers/oauth-applications';

/** OAuth applications that an operator creates. */
export const applications: readonly Row[] = [
  {
    id: '697b',
    section,
    sentence: 'MUST create an operator’s application as a member client with the chosen scopes',
    check: async ({ start }) => {
      const { harbour, browser, campus } = await start();
      const site = harbourSite(harbour);
      const { application, clientSecret = '' } = await campus.applications.create(site, wanted);
      const client: TestClient = {
        id: application.clientId,
        redirectUri: 'https://timer.example/callback',
        secret: clientSecret,
        scope: 'openid account:read',
      };
      for (const person of ['sam', 'olivia']) {
        assert.equal((await connect(browser(person), harbour, client)).body['scope'], 'openid account:read');
      }
      await assertRefused(browser('nora'), harbour, client, {}, 'access_denied');
      await assertRefused(browser('sam'), harbour, client, { scope: 'openid email' }, 'invalid_scope');
    },
  },
  {
    id: '48c0',
    section,
    sentence: 'MUST NOT create an application while connections are not enabled for the site',
    check: async ({ start }) => {
      const { harbour, campus } = await start();
      const site = harbourSite(harbour, { connectionsEnabled: false });
      await assert.rejects(campus.applications.create(site, wanted), { error: 'access_denied' });
    },
  },
  {
    id: 'bbed',
    section,
    sentence: 'MUST allow an operator to create a member client in the admin area (Developers, OAuth applications)',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const olivia = browser('olivia');
      const { html } = await olivia.follow(`${harbour}${area}/new`);
      const fields = {
        name: wanted.clientName,
        redirect_uris: wanted.redirectUris[0],
        kind: 'public',
        scope: 'openid',
      };
      const body = new URLSearchParams({ csrf: csrfOf(html), ...fields });
      const made = await olivia.follow(`${harbour}${area}/new`, { method: 'POST', body });
      const id = readPage(made.html).getByLabelText('Client ID').value;
      const client: TestClient = { id, redirectUri: wanted.redirectUris[0], scope: 'openid' };
      assert.equal((await connect(browser('sam'), harbour, client)).body['scope'], 'openid');
    },
  },
  {
    id: 'bcb8',
    section,
    sentence: 'MUST show the admin area if connections are enabled for the site, and only then',
    check: async ({ start }) => {
      for (const connectionsEnabled of [false, true]) {
        const { harbour, browser } = await start({
          wrapPlatform: (platform) => ({
            ...platform,
            findSite: async (origin) => {
              const site = await platform.findSite(origin);
              return site && { ...site, connectionsEnabled };
            },
          }),
        });
        const { response } = await browser('olivia').follow(`${harbour}${area}`);
        assert.equal(response.status, connectionsEnabled ? 200 : 404);
      }
    },
  },
  {
    id: 'e3a7',
    section: 'Authentication: Registration rules 6',
    sentence: 'MUST refuse `account:read` to an operator client that an operator of the site creates',
    check: async ({ start }) => {
      const { harbour, browser, campus } = await start();
      const site = harbourSite(harbour);
      const scopes = [...assistant.scopes, 'account:read'] as const;
      await assert.rejects(campus.applications.create(site, { ...assistant, scopes }), {
        error: 'invalid_client_metadata',
        message: 'scopes "account:read" is reserved for member clients',
      });
      const client = clientOf(await campus.applications.create(site, assistant));
      await assert.rejects(campus.applications.update(site, client.id, { scopes }), {
        error: 'invalid_client_metadata',
      });
      await assertRefused(browser('olivia'), harbour, client, { scope: scopes.join(' ') }, 'invalid_scope');
    },
  },
  {
    id: '7c1d',
    section: 'Authentication: Registration rules 6',
    sentence: 'MUST allow an operator client that an operator of the site creates to have the other scopes',
    check: async ({ start }) => {
      const { harbour, browser, campus } = await start();
      const site = harbourSite(harbour);
      const client = clientOf(await campus.applications.create(site, assistant));
      const { body } = await connect(browser('olivia'), harbour, client);
      assert.equal(body['scope'], client.scope);
      const { body: token } = await introspect(harbour, client, body['access_token']);
      assert.equal(token['client_audience'], 'operator');
      for (const person of ['sam', 'nora']) await assertRefused(browser(person), harbour, client, {}, 'access_denied');
    },
  },
];

function clientOf({ application, clientSecret = '' }: IssuedSecret): TestClient {
  const { clientId: id, redirectUris, scopes } = application;
  return { id, redirectUri: redirectUris[0] ?? '', secret: clientSecret, scope: scopes.join(' ') };
}
