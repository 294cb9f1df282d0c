import assert from 'node:assert/strict';
import { connect, type TestClient } from '../../helpers/flow.ts';
import { assertRefused } from '../probes.ts';
import type { Row } from '../row.ts';

const section = 'Authentication: Registration rules 5';
const wanted = {
  clientName: 'Study Timer',
  redirectUris: ['https://timer.example/callback'],
  scopes: ['openid', 'account:read'],
  confidential: true,
} as const;

/** OAuth applications that an operator makes. */
export const applications: readonly Row[] = [
  {
    id: '697b',
    section,
    sentence: 'MUST make an operator’s application a member client, with the scopes that were chosen for it',
    check: async ({ start }) => {
      const { harbour, browser, campus } = await start();
      const site = { id: 'harbour', origin: harbour, name: 'Harbour School', connectionsEnabled: true };
      const { application, clientSecret = '' } = await campus.clients.create(site, wanted);
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
    sentence: 'MUST NOT make an application while connections are not enabled for the site',
    check: async ({ start }) => {
      const { harbour, campus } = await start();
      const site = { id: 'harbour', origin: harbour, name: 'Harbour School', connectionsEnabled: false };
      await assert.rejects(campus.clients.create(site, wanted), { error: 'access_denied' });
    },
  },
];
