import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { CampusOptions, MetadataDocumentPolicy, RegistrationPolicy } from '../../lib/index.ts';
import { loopbackClients, metadataDocuments } from '../../policies/index.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../outbound/document-server.ts';
import {
  authorize,
  authorizeUrl,
  connect,
  exchange,
  introspect,
  jsonResponse,
  pkce,
  refresh,
  type TestClient,
  userinfo,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const clientId = 'https://docs.example/client.json';
const document = { client_id: clientId, client_name: 'Doc Client', redirect_uris: ['https://docs.example/callback'] };
const client: TestClient = {
  id: clientId,
  redirectUri: 'https://docs.example/callback',
  scope: 'openid courses:read courses:write',
};
const gateway: TestClient = { id: 'gateway', redirectUri: '', secret: 'gateway-secret', scope: '' };

let documents: DocumentServer;
let schools: Schools;
beforeAll(async () => {
  documents = await startDocumentServer();
});
beforeEach(() => {
  documents.respond((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
});
afterAll(() => documents.close());
afterEach(() => schools.close());

async function start(policy: MetadataDocumentPolicy, campus: Partial<CampusOptions> = {}): Promise<void> {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const testing = { resolve, ca: certificate, allowPrivateAddresses: true, port: documents.port };
  schools = await startSchools({ campus: { metadataDocuments: policy, testing, ...campus } });
}

describe('the scopes that a client may have today', () => {
  test('counts at a refresh: what a withdrawn review allowed is in no new token', async () => {
    let reviewed = true;
    await start(metadataDocuments({ hosts: ['docs.example'], reviewed: () => reviewed }));
    const tokens = await connect(schools.browser('olivia'), schools.harbour, client);
    expect(tokens.body['scope']).toBe(client.scope);
    reviewed = false;
    const refreshed = await refresh(schools.harbour, client, tokens.body['refresh_token']);
    expect(refreshed.body['scope']).toBe('openid courses:read');
  });

  test('has the scopes of the host: those to read for a document that nobody has reviewed', async () => {
    let reviewed = false;
    const row = { area: 'Kilns', text: 'use kilns' } as const;
    await start(metadataDocuments({ hosts: ['docs.example'], reviewed: () => reviewed }), {
      scopes: {
        own: [
          { ...row, scope: 'kilns:read', access: 'read' },
          { ...row, scope: 'kilns:write', access: 'write' },
          { ...row, scope: 'shelf:read', access: 'read', audience: 'member' },
        ],
      },
    });
    const granted = async (scope: string): Promise<unknown> => {
      const browser = schools.browser('olivia');
      const pair = pkce();
      const { url } = await authorize(browser, authorizeUrl(schools.harbour, client, pair, { scope }));
      const code = url.searchParams.get('code');
      if (code === null) return url.searchParams.get('error');
      return (await exchange({ origin: schools.harbour, client, code, verifier: pair.verifier })).body['scope'];
    };
    expect(await granted('openid kilns:read')).toBe('openid kilns:read');
    expect(await granted('openid kilns:write')).toBe('openid');
    reviewed = true;
    expect(await granted('openid kilns:write')).toBe('openid kilns:write');
    expect(await granted('openid shelf:read')).toBe('invalid_scope');
  });

  test.each([
    ['account:read', { scope: 'openid account:read' }],
    ['a scope that is not there', { scope: 'openid everything' }],
    ['a redirect URI that is script', { redirect_uris: ['javascript:alert(1)'] }],
    ['a redirect URI in the clear', { redirect_uris: ['http://evil.example/cb'] }],
    ['the scheme of an app', { redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] }],
  ])('a policy that admits %s is wrong: a fault, not a registration', async (_name, change) => {
    const loose: RegistrationPolicy = {
      name: 'loose',
      decide: () => ({
        decision: 'admit',
        metadata: {
          application_type: 'native',
          redirect_uris: ['http://127.0.0.1/'],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code'],
          response_types: ['code'],
          scope: 'openid',
          ...change,
        },
      }),
    };
    schools = await startSchools({ campus: { registration: [loose] } });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(`${schools.harbour}/api/oauth/register`, init)).status).toBe(500);
    expect(String(schools.faults[0]?.cause)).toContain('loose admitted');
  });

  test('a registration of more than 4,096 characters is refused', async () => {
    schools = await startSchools({ campus: { registration: [loopbackClients()] } });
    const redirect_uris = Array.from({ length: 10 }, (_, i) => `http://127.0.0.1/${'x'.repeat(1000)}${i}`);
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris }),
    };
    const response = await jsonResponse(await fetch(`${schools.harbour}/api/oauth/register`, init));
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
  });
});

describe('a document that changed since consent', () => {
  test('is asked for consent again: its refresh token is worth nothing, and a new consent is', async () => {
    await start(metadataDocuments({ hosts: ['docs.example'], reviewed: () => true }));
    const tokens = await connect(schools.browser('olivia'), schools.harbour, client);
    const same = await refresh(schools.harbour, client, tokens.body['refresh_token']);
    expect(same.status).toBe(200);
    // The cache has run out, and the document has another name.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_000);
    documents.respond((_request, response) => {
      const changed = { ...document, client_name: 'Somebody Else' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(changed));
    });
    // The last good copy serves once more, while the document is fetched again.
    const changed = new Promise((resolve) => {
      schools.campus.events.on('audit', ({ action }) => action === 'document.changed' && resolve(undefined));
    });
    const last = await refresh(schools.harbour, client, same.body['refresh_token']);
    expect(last.status).toBe(200);
    await changed;
    expect((await introspect(schools.harbour, gateway, last.body['refresh_token'])).body).toEqual({ active: false });
    const refused = await refresh(schools.harbour, client, last.body['refresh_token']);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(refused.body['error_description']).toContain('changed since');
    const again = await connect(schools.browser('olivia'), schools.harbour, client);
    expect((await refresh(schools.harbour, client, again.body['refresh_token'])).status).toBe(200);
    clock.mockRestore();
  });
});

describe('a host that was taken off the list', () => {
  test('ends its access tokens at once, at every endpoint', async () => {
    let permitted = true;
    const policy = metadataDocuments({ hosts: ['docs.example'], reviewed: () => true });
    const closed = metadataDocuments({ hosts: ['other.example'] });
    await start({ ...policy, checkClientId: (id) => (permitted ? policy : closed).checkClientId(id) });
    const { body } = await connect(schools.browser('olivia'), schools.harbour, client);
    expect((await introspect(schools.harbour, gateway, body['access_token'])).body['active']).toBe(true);
    permitted = false;
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
    for (const name of ['access_token', 'refresh_token']) {
      expect((await introspect(schools.harbour, gateway, body[name])).body).toEqual({ active: false });
    }
    expect(await refresh(schools.harbour, client, body['refresh_token'])).toMatchObject({ status: 400 });
  });
});
