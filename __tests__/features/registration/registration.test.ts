import { afterEach, describe, expect, test } from '@jest/globals';
import type { CampusOptions, RegistrationPolicy } from '../../../lib/index.ts';
import { loopbackClients, vendorPlatforms } from '../../../policies/index.ts';
import {
  authorize,
  authorizeUrl,
  connect,
  introspect,
  jsonResponse,
  type JsonResponse,
  pkce,
  refresh,
  type TestClient,
} from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { harbourSite } from '../../helpers/sites.ts';

const vendor = {
  clientId: 'acme-agents',
  clientName: 'Acme Agents',
  names: ['Acme Agents', /^acme agents \d+$/],
  redirectUris: ['https://agents.acme.example/callback'],
};
const policies: Record<string, RegistrationPolicy[]> = {
  both: [vendorPlatforms([vendor]), loopbackClients()],
  vendors: [vendorPlatforms([vendor])],
  loopback: [loopbackClients()],
};

let schools: Schools;
afterEach(() => schools.close());
const start = async (registration: RegistrationPolicy[], more: Partial<CampusOptions> = {}): Promise<void> => {
  schools = await startSchools({ campus: { registration, ...more } });
};

async function register(body: unknown, headers: Record<string, string> = {}): Promise<JsonResponse> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return jsonResponse(await fetch(`${schools.harbour}/api/oauth/register`, { ...init, body: text }));
}

const site = () => harbourSite(schools.harbour);
const loopback = { client_name: 'CLI', redirect_uris: ['http://127.0.0.1:8123/callback'] };

/** Name, posted body, and the verdict with both policies, with vendors alone, with loopback alone. */
const rows: [string, object, string, string, string][] = [
  ['a vendor by name', { client_name: ' ACME  agents ' }, 'known', 'known', 'invalid_redirect_uri'],
  [
    'a vendor by pattern',
    { client_name: 'acme agents 7', redirect_uris: ['https://evil.example/'] },
    'known',
    'known',
    'invalid_redirect_uri',
  ],
  ['a loopback client', loopback, 'admitted', 'invalid_client_metadata', 'admitted'],
  ['a vendor name with a loopback address', { ...loopback, client_name: 'Acme Agents' }, 'known', 'known', 'admitted'],
  [
    'a look-alike of a vendor',
    { ...loopback, client_name: 'Аcme Agents' },
    'invalid_client_metadata',
    'invalid_client_metadata',
    'admitted',
  ],
  [
    'a fixed https address',
    { client_name: 'Web', redirect_uris: ['https://web.example/cb'] },
    'invalid_redirect_uri',
    'invalid_client_metadata',
    'invalid_redirect_uri',
  ],
  [
    'a mixed list',
    { ...loopback, redirect_uris: ['http://127.0.0.1/', 'https://evil.example/'] },
    'invalid_redirect_uri',
    'invalid_client_metadata',
    'invalid_redirect_uri',
  ],
  [
    'no address at all',
    { client_name: 'CLI' },
    'invalid_redirect_uri',
    'invalid_client_metadata',
    'invalid_redirect_uri',
  ],
  [
    'localhost',
    { ...loopback, redirect_uris: ['http://localhost:1/cb'] },
    'admitted',
    'invalid_client_metadata',
    'admitted',
  ],
  [
    'a wrong type',
    { ...loopback, client_name: 7 },
    'invalid_client_metadata',
    'invalid_client_metadata',
    'invalid_client_metadata',
  ],
  [
    'redirect_uris that are no list',
    { redirect_uris: 'http://127.0.0.1/' },
    'invalid_redirect_uri',
    'invalid_redirect_uri',
    'invalid_redirect_uri',
  ],
  [
    'a secret wanted',
    { ...loopback, token_endpoint_auth_method: 'client_secret_post' },
    'admitted',
    'invalid_client_metadata',
    'admitted',
  ],
  [
    'a vendor that wants a secret, and other grants',
    {
      client_name: 'Acme Agents',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['token'],
    },
    'known',
    'known',
    'invalid_redirect_uri',
  ],
  [
    'unknown members',
    { ...loopback, software_statement: 'x', client_id: 'reports', client_secret: 'y', jwks: {} },
    'admitted',
    'invalid_client_metadata',
    'admitted',
  ],
];

/** What every registered client has, whatever it posts. RFC 7591 section 3.2.1. */
const ours = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

describe.each(['both', 'vendors', 'loopback'] as const)('POST /api/oauth/register with %s', (which) => {
  test.each(rows)('%s', async (_name, body, ...verdicts) => {
    await start(policies[which] ?? []);
    const expected = verdicts[Object.keys(policies).indexOf(which)];
    const response = await register(body);
    const explained = await schools.campus.explainRegistration(site(), body);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(explained.status).toBe(response.status);
    if (expected === 'known' || expected === 'admitted') {
      expect([response.status, explained.outcome]).toEqual([201, expected]);
      expect(Object.keys(response.body).sort()).toEqual(Object.keys(JSON.parse(JSON.stringify(explained.body))).sort());
      for (const member of ['client_secret', 'registration_access_token', 'registration_client_uri', 'campus_source']) {
        expect(response.body).not.toHaveProperty(member);
      }
    } else {
      expect([response.status, response.body['error'], explained.outcome]).toEqual([400, expected, 'refused']);
      expect(explained.body).toEqual(response.body);
    }
    if (response.status === 201) expect(response.body).toMatchObject(ours);
    if (expected === 'known') {
      expect(response.body).toMatchObject({ client_id: 'acme-agents', redirect_uris: vendor.redirectUris });
    }
  });
});

describe('the request', () => {
  test.each([
    ['malformed JSON', '{"client_name":', {}, 400, 'invalid_request'],
    ['an array', [], {}, 400, 'invalid_client_metadata'],
    ['another content type', 'client_name=a', { 'content-type': 'text/plain' }, 400, 'invalid_request'],
    ['a body of 100 kB', { client_name: 'x'.repeat(100_000) }, {}, 413, 'invalid_request'],
    [
      '__proto__',
      '{"__proto__":{"redirect_uris":["http://127.0.0.1/"]},"client_name":"x"}',
      {},
      400,
      'invalid_redirect_uri',
    ],
  ])('with %s is refused', async (_name, body, headers, status, error) => {
    await start([loopbackClients()]);
    expect(await register(body, headers)).toMatchObject({ status, body: { error } });
  });

  test('without a policy there is no endpoint, and discovery names none', async () => {
    schools = await startSchools();
    expect((await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST' })).status).toBe(404);
    const metadata = await jsonResponse(await fetch(`${schools.harbour}/.well-known/oauth-authorization-server`));
    expect(metadata.body).not.toHaveProperty('registration_endpoint');
  });

  test('with a policy discovery names the endpoint', async () => {
    await start([loopbackClients()]);
    const metadata = await jsonResponse(await fetch(`${schools.harbour}/.well-known/oauth-authorization-server`));
    expect(metadata.body['registration_endpoint']).toBe(`${schools.harbour}/api/oauth/register`);
  });

  test('a policy that fails is a fault: 503', async () => {
    await start([{ name: 'mine', decide: () => Promise.reject(new Error('database away')) }]);
    const response = await register(loopback);
    expect(response).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
    expect(JSON.stringify(response.body)).not.toContain('database');
    expect(schools.faults[0]?.message).toBe('registration[0] failed');
  });
});

const registered = async (): Promise<TestClient> => {
  const { body } = await register(loopback);
  return {
    id: String(body['client_id']),
    redirectUri: 'http://127.0.0.1:49200/callback',
    scope: 'openid email courses:read courses:write',
  };
};

describe('a registered client', () => {
  test('goes through the whole flow for an operator, on another port, and refreshes', async () => {
    await start([loopbackClients()]);
    const client = await registered();
    const tokens = await connect(schools.browser('olivia'), schools.harbour, client);
    expect(tokens.body['scope']).toBe(client.scope);
    const refreshed = await refresh(schools.harbour, client, tokens.body['refresh_token']);
    expect((await introspect(schools.harbour, client, refreshed.body['access_token'])).body).toMatchObject({
      active: true,
      client_audience: 'operator',
    });
  });

  test('gets invalid_scope for account:read, and access_denied for a student', async () => {
    await start([loopbackClients()]);
    const client = await registered();
    const scope = await schools
      .browser('olivia')
      .follow(authorizeUrl(schools.harbour, client, pkce(), { scope: 'openid account:read' }));
    expect(scope.url.searchParams.get('error')).toBe('invalid_scope');
    const student = await schools.browser('sam').follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(student.url.searchParams.get('error')).toBe('access_denied');
  });

  test('does not exist at another school', async () => {
    await start([loopbackClients()]);
    const client = await registered();
    const { response, html } = await schools.browser('sam').follow(authorizeUrl(schools.summit, client, pkce()));
    expect([response.status, html.includes('no client')]).toEqual([400, true]);
  });

  test('the vendor client is the vendor’s: its own redirect works, a posted one does not', async () => {
    await start(policies['both'] ?? []);
    await register({ client_name: 'Acme Agents', redirect_uris: ['https://evil.example/'] });
    const client: TestClient = {
      id: 'acme-agents',
      redirectUri: 'https://agents.acme.example/callback',
      scope: 'openid courses:read',
    };
    expect(
      (await authorize(schools.browser('olivia'), authorizeUrl(schools.harbour, client, pkce()))).url.searchParams.has(
        'code',
      ),
    ).toBe(true);
    const evil = await schools
      .browser('olivia')
      .follow(authorizeUrl(schools.harbour, client, pkce(), { redirect_uri: 'https://evil.example/' }));
    expect(evil.response.status).toBe(400);
  });
});

describe('limits', () => {
  test('one address registers so often an hour, then 429 with Retry-After', async () => {
    await start([loopbackClients()], { limits: { registrations: { perAddress: 2, perSite: 100 } } });
    expect([(await register(loopback)).status, (await register(loopback)).status]).toEqual([201, 201]);
    const third = await register(loopback);
    expect(third).toMatchObject({ status: 429, body: { error: 'slow_down' } });
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(3000);
  });

  test('a site accepts so many an hour, whatever the address', async () => {
    await start([loopbackClients()], { limits: { registrations: { perAddress: 100, perSite: 1 } } });
    expect([(await register(loopback)).status, (await register(loopback)).status]).toEqual([201, 429]);
  });

  test('limits: false lifts them', async () => {
    await start([loopbackClients()], { limits: false });
    const responses = await Promise.all(Array.from({ length: 100 }, () => register(loopback)));
    expect(responses.every(({ status }) => status === 201)).toBe(true);
  });
});
