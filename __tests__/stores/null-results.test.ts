import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Store } from '../../lib/store.ts';
import { loopbackClients } from '../../policies/index.ts';
import { connect, introspect, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

/** Returns `null` wherever a store may have no value, as many databases do. */
function nullStore(): Store {
  const inner = memoryStore();
  return {
    ...inner,
    find: async (siteId, kind, id) => {
      const found = await inner.find(siteId, kind, id);
      return found ? { ...found, consumed: found.consumed ?? null, devices: null } : null;
    },
    redeem: async (siteId, redemption) => {
      const outcome = await inner.redeem(siteId, redemption);
      return outcome.won ? outcome : { won: false, replay: outcome.replay ?? null };
    },
    consumeQuota: async (...args) => (await inner.consumeQuota(...args)) ?? null,
  };
}

describe('a store that returns null where it has no value', () => {
  let schools: Schools;
  beforeAll(async () => {
    const lifetimes = { refreshGrace: 0 };
    schools = await startSchools({ campus: { store: nullStore(), registration: [loopbackClients()], lifetimes } });
  });
  afterAll(() => schools.close());

  test('serves a whole connection: exchange, verification, introspection, list and refresh', async () => {
    const { harbour: origin, campus } = schools;
    const first = await connect(schools.browser('sam'), origin, webMemberApp);
    expect((await userinfo(origin, first.body['access_token'])).status).toBe(200);
    expect((await introspect(origin, webMemberApp, first.body['access_token'])).body['active']).toBe(true);
    const site = harbourSite(origin);
    const [connection] = await campus.connections.list(site, 'sam');
    expect(connection).toMatchObject({ clientId: webMemberApp.id, source: 'static' });
    expect((await refresh(origin, webMemberApp, first.body['refresh_token'])).status).toBe(200);
    expectError(await refresh(origin, webMemberApp, first.body['refresh_token']), 400, 'invalid_grant');
  });

  test('has no token, client or grant that it does not find', async () => {
    const { harbour: origin } = schools;
    expectError(await userinfo(origin, 'unknown'), 401, 'invalid_token');
    expectError(await refresh(origin, { ...webMemberApp, id: 'unknown' }, 'unknown'), 401, 'invalid_client');
    expectError(await refresh(origin, webMemberApp, 'unknown'), 400, 'invalid_grant');
    expect(schools.faults).toEqual([]);
  });

  test('counts quotas: null means that the use was counted', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ client_name: 'CLI', redirect_uris: ['http://127.0.0.1:1/callback'] });
    const response = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
  });
});
