import { decodeJwt, decodeProtectedHeader } from 'jose';
import { loopbackClients, metadataDocuments, vendorPlatforms } from '../../policies/index.ts';
import {
  authorizeUrl,
  clientFields,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  pkce,
  postForm,
  refresh,
  type TestClient,
  userinfo,
} from '../helpers/flow.ts';
import { startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { certificate, startDocumentServer } from '../outbound/document-server.ts';

const documentId = 'https://docs.example/client.json';
const document = {
  client_id: documentId,
  client_name: 'Doc Client',
  redirect_uris: ['https://docs.example/callback'],
};
const acme = {
  clientId: 'acme-agents',
  clientName: 'Acme Agents',
  names: ['Acme Agents'],
  redirectUris: ['https://agents.acme.example/callback'],
};
const tool = {
  client_name: 'Command line',
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1:8123/callback'],
  token_endpoint_auth_method: 'none',
};

/** What differs each time: ports, times, tokens and ids of clients. */
export function settled(text: string): string {
  return text
    .replaceAll(/(localhost|127\.0\.0\.1):\d+/g, '$1')
    .replaceAll(/(localhost|127\.0\.0\.1)%3A\d+/g, '$1')
    .replaceAll(/\b1[789]\d{8}\b/g, '0')
    .replaceAll(/"(access_token|refresh_token|id_token|jti)":"[^"]+"/g, '"$1":"random"')
    .replaceAll(/\b(?:app|reg)-[\w-]{16,}/g, 'random');
}

const changing = new Set(['connection', 'content-length', 'date', 'keep-alive', 'server-timing']);

function shown({ status, headers, body }: JsonResponse): object {
  return { status, headers: [...headers].filter(([name]) => !changing.has(name)), body };
}

/**
 * What the clients that need nothing new get: an application, a vendor, an app that registers itself, and a metadata document. Recorded with the
 * commit before sign-in clients, in `recorded-responses.json`.
 */
export async function recordedResponses(): Promise<Readonly<Record<string, unknown>>> {
  const server = await startDocumentServer();
  server.respond((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(document));
  });
  const schools = await startSchools({
    campus: {
      registration: [vendorPlatforms([acme]), loopbackClients()],
      metadataDocuments: metadataDocuments({ hosts: ['docs.example'] }),
      testing: {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        ca: certificate,
        allowPrivateAddresses: true,
        port: server.port,
      },
    },
  });
  const { harbour, campus } = schools;
  const post = async (path: string, body: object): Promise<JsonResponse> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${harbour}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  };
  try {
    const { application, clientSecret = '' } = await campus.applications.create(siteOf(schools), {
      clientName: 'Timer',
      redirectUris: ['https://timer.example/callback'],
      scopes: ['openid', 'profile', 'email', 'account:read'],
      confidential: true,
    });
    const [vendor, app] = [
      await post('/api/oauth/register', { client_name: 'Acme Agents' }),
      await post('/api/oauth/register', tool),
    ];
    const redirectUri = 'https://timer.example/callback';
    const clients: Readonly<Record<string, readonly [string, TestClient]>> = {
      application: [
        'sam',
        { id: application.clientId, redirectUri, secret: clientSecret, scope: 'openid profile account:read' },
      ],
      vendor: ['olivia', { id: 'acme-agents', redirectUri: acme.redirectUris[0] ?? '', scope: 'openid courses:read' }],
      app: [
        'olivia',
        {
          id: String(app.body['client_id']),
          redirectUri: 'http://127.0.0.1:50123/callback',
          scope: 'openid courses:read',
        },
      ],
      document: [
        'olivia',
        { id: documentId, redirectUri: 'https://docs.example/callback', scope: 'openid courses:read' },
      ],
    };
    const all: Record<string, unknown> = { registrations: [shown(vendor), shown(app)] };
    for (const [kind, [person, client]] of Object.entries(clients)) {
      const browser = schools.browser(person);
      const back = async (changes: Readonly<Record<string, string | undefined>>): Promise<string> =>
        (await browser.follow(authorizeUrl(harbour, client, pkce(), changes))).url.href.replace(
          /(code|state)=[^&]+/g,
          '$1',
        );
      const refused = {
        resource: await back({ resource: undefined, prompt: 'none' }),
        other: await back({ resource: 'https://other.example', prompt: 'none' }),
        acr: await back({ acr_values: 'two', prompt: 'none' }),
      };
      const tokens = await exchange(await getCode(browser, harbour, client));
      const idToken = String(tokens.body['id_token']);
      const basic = { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret ?? ''}`).toString('base64')}` };
      all[kind] = {
        refused,
        tokens: shown(tokens),
        idToken: [decodeProtectedHeader(idToken), decodeJwt(idToken)],
        userinfo: shown(await userinfo(harbour, tokens.body['access_token'])),
        introspection: shown(await introspect(harbour, client, tokens.body['access_token'])),
        refresh: shown(await refresh(harbour, client, tokens.body['refresh_token'])),
        basic: shown(
          await postForm(`${harbour}/api/oauth/token`, { grant_type: 'refresh_token', refresh_token: 'x' }, basic),
        ),
        wrong: shown(await postForm(`${harbour}/api/oauth/token`, { ...clientFields(client), grant_type: 'password' })),
      };
    }
    return all;
  } finally {
    await schools.close();
    await server.close();
  }
}
