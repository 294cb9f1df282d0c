import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Provider } from 'oidc-provider';
import { knownToClients } from '../../lib/core/enabled/enabled.ts';
import { clientMetadata, ownMetadata } from '../../lib/core/clients/client-metadata.ts';
import { isLoopbackRedirect } from '../../lib/core/clients/redirect-uri.ts';
import { loopbackClients } from '../../policies/index.ts';
import { authorize, authorizeUrl, jsonResponse, memberApp, pkce, type TestClient } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const hosts = ['127.0.0.1', '[::1]', 'localhost'] as const;
type Host = (typeof hosts)[number];

/** Anything but the port of `http://{host}/callback`. */
const foreignTo = (host: Host): string[] => [
  `http://attacker@${host}:49152/callback`,
  `http://:secret@${host}:49152/callback`,
  `http://${host}:49152@evil.example/callback`,
  `http://${host}:49152\\@evil.example/callback`,
  `http://evil.example\\@${host}:49152/callback`,
  'http://127.0.0.2:49152/callback',
  `http://${host}.evil.example:49152/callback`,
  `http://${host}.:49152/callback`,
  'http://127.1:49152/callback',
  'http://0x7f.1:49152/callback',
  'http://2130706433:49152/callback',
  'http://0.0.0.0:49152/callback',
  'http://[::ffff:127.0.0.1]:49152/callback',
  'http://LOCALHOST:49152/callback',
  'http://Localhost:49152/callback',
  'http://localhost%2e:49152/callback',
  'http://evil.localhost:49152/callback',
  `https://${host}:49152/callback`,
  `HTTP://${host}:49152/callback`,
  `http:${host}:49152/callback`,
  `http:///${host}:49152/callback`,
  `http://${host}:49152`,
  `http://${host}:49152/`,
  `http://${host}:49152/callback/`,
  `http://${host}:49152/Callback`,
  `http://${host}:49152//callback`,
  `http://${host}:49152/callback/../callback`,
  `http://${host}:49152/./callback`,
  `http://${host}:49152/%63allback`,
  `http://${host}:49152/callback%2f`,
  `http://${host}:49152/callback;a=b`,
  `http://${host}:49152/callback?`,
  `http://${host}:49152/callback?code=stolen`,
  `http://${host}:49152/callback#`,
  `http://${host}:49152/callback#fragment`,
  `http://${host}:99999/callback`,
  `http://${host}:-1/callback`,
  `http://${host}:0/callback`,
  `http://${host}:080/callback`,
  `http://${host}:49152 /callback`,
  ` http://${host}:49152/callback`,
  `http://${host}:49152/callback `,
  `http://${host}:49152/callback\n`,
  `http://${host}:49152/call\tback`,
  `//${host}:49152/callback`,
  '/callback',
  'callback',
  'https://evil.example/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  // The specification allows another port, not another name of the same machine.
  ...hosts.filter((other) => other !== host).map((other) => `http://${other}:49152/callback`),
];

/** The engine as far as it compares redirect URIs, with a client for each host. */
const engine = new Provider('https://harbour.example', {
  adapter: () => {
    throw new Error('nothing is stored');
  },
  clients: hosts.map((host) =>
    clientMetadata(knownToClients([]), {
      clientId: host,
      clientName: 'CLI',
      audience: 'member',
      redirectUris: [`http://${host}/callback`],
      scopes: ['openid'],
    }),
  ),
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  cookies: { keys: ['a secret of the tests'] },
  extraClientMetadata: { properties: [...ownMetadata] },
  features: { devInteractions: { enabled: false } },
  jwks: { keys: [await signingKey('key-1')] },
});

/** Whether a request gets beyond its redirect URI: what the engine compares, and the rule of ours behind it. */
async function isAllowed(host: Host, uri: string): Promise<boolean> {
  const client = await engine.Client.find(host);
  if (!client) throw new Error(`no client for ${host}`);
  return client.redirectUriAllowed(uri) && isLoopbackRedirect(uri, { localhost: true });
}

const ports = ['', ':80', ':1', ':65535'] as const;

describe.each(hosts)('a client with http://%s/callback', (host) => {
  test.each(foreignTo(host))('may not use %j', async (uri) => {
    expect(await isAllowed(host, uri)).toBe(false);
  });

  test.each(ports)('may use it with port %j', async (port) => {
    expect(await isAllowed(host, `http://${host}${port}/callback`)).toBe(true);
  });
});

describe.each([true, false])('with loopbackClients({ localhost: %s })', (localhost) => {
  let schools: Schools;
  const clients: Partial<Record<Host, TestClient>> = {};
  const registrable = hosts.filter((host) => localhost || host !== 'localhost');

  const register = async (redirectUri: string) => {
    const body = JSON.stringify({ client_name: 'CLI', redirect_uris: [redirectUri] });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    return jsonResponse(await fetch(`${schools.harbour}/api/oauth/register`, init));
  };
  beforeAll(async () => {
    schools = await startSchools({ campus: { registration: [loopbackClients({ localhost })] } });
    for (const host of registrable) {
      const { body } = await register(`http://${host}/callback`);
      clients[host] = { id: String(body['client_id']), redirectUri: `http://${host}:49152/callback`, scope: 'openid' };
    }
  });
  afterAll(() => schools.close());

  const clientOf = (host: Host): TestClient => {
    const client = clients[host];
    if (!client) throw new Error(`no client for ${host}`);
    return client;
  };
  const stops = async (person: string | undefined, client: TestClient, redirectUri: string): Promise<void> => {
    const url = authorizeUrl(schools.harbour, client, pkce(), { redirect_uri: redirectUri });
    const page = await schools.browser(person).fetch(url);
    expect([page.status, page.headers.get('location'), page.headers.get('refresh')]).toEqual([400, null, null]);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const json = await schools.browser(person).fetch(url, { headers: { accept: 'application/json' } });
    expectError(await jsonResponse(json), 400, 'invalid_redirect_uri');
    expect(json.headers.get('location')).toBeNull();
  };

  // Which addresses are foreign is tested above; here, that they lead nowhere, whoever asks.
  const host = localhost ? 'localhost' : '[::1]';
  const chosen = [`http://${host}:49152@evil.example/callback`, `http://${host}:080/callback`, 'callback'];
  test.each(chosen)(`registered with ${host}: %j stops at a page, and goes nowhere`, async (uri) => {
    for (const person of [undefined, 'olivia']) await stops(person, clientOf(host), uri);
  });

  test.each(['http://127.0.0.1:49152\\@evil.example/callback', 'http://localhost:49152/callback'])(
    'in code with 127.0.0.1: %j stops at a page, and goes nowhere',
    async (uri) => {
      for (const person of [undefined, 'sam']) await stops(person, memberApp, uri);
    },
  );

  test.each(registrable)('registered with %s, and used with another port: gets the code', async (registered) => {
    const redirectUri = `http://${registered}:65535/callback`;
    const url = authorizeUrl(schools.harbour, clientOf(registered), pkce(), { redirect_uri: redirectUri });
    const end = await authorize(schools.browser('olivia'), url);
    expect(`${end.url.origin}${end.url.pathname}`).toBe(redirectUri);
    expect(end.url.searchParams.get('code')).toBeTruthy();
  });

  test('in code with 127.0.0.1, and used with another port: gets the code', async () => {
    const end = await authorize(schools.browser('sam'), authorizeUrl(schools.harbour, memberApp, pkce()));
    expect([end.url.host, end.url.searchParams.has('code')]).toEqual(['127.0.0.1:49152', true]);
  });

  test('http://localhost registers only where it is allowed', async () => {
    const response = await register('http://localhost/callback');
    if (localhost) expect(response.status).toBe(201);
    else expectError(response, 400, 'invalid_redirect_uri');
  });
});
