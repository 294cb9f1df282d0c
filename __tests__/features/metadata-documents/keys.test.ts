import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditEvent, CampusOptions, Site } from '../../../lib/index.ts';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { digest } from '../../../lib/kernel/crypto.ts';
import { issueTokens } from '../../../lib/testing/index.ts';
import { metadataDocuments } from '../../../policies/index.ts';
import { assertion, type ClientKey, clientKey, keyFields, serviceTokenWith } from '../../helpers/client-keys.ts';
import { resetClock, setClockAhead } from '../../helpers/clock.ts';
import {
  authorizeUrl,
  type Changes,
  exchange,
  getCode,
  type JsonResponse,
  pkce,
  postForm,
  refresh,
  userinfo,
} from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { withServices } from '../../helpers/services.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { client, clientId, ordinary } from './document-schools.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../../outbound/document-server.ts';

const keysAt = 'https://docs.example/jwks.json';

/** A service whose keys are at the same address. */
const service = {
  clientId: 'published',
  clientName: 'Published',
  audience: 'service',
  redirectUris: [],
  scopes: ['courses:read'],
  publicKeys: keysAt,
} as const;

let server: DocumentServer;
let first: ClientKey;
let second: ClientKey;
beforeAll(async () => {
  [server, first, second] = await Promise.all([startDocumentServer(), clientKey(), clientKey('RS256', 'key-2')]);
});
afterAll(() => server.close());

let schools: Schools;
let events: AuditEvent[];
/** What the server says of the document, and as keys. */
let document: object;
let keys: (response: ServerResponse) => void;
afterEach(async () => {
  resetClock();
  await schools.close();
});

const json =
  (body: unknown, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/jwk-set+json', ...headers }).end(JSON.stringify(body));
const set = (...given: ClientKey[]) => ({ keys: given.map(({ publicJwk }) => publicJwk) });
const repeated = (length: number) => json(set(...Array.from({ length }, () => first)));
const fetches = (): number => server.requests.filter((each) => each.endsWith('/jwks.json')).length;

async function start(more: Partial<CampusOptions> & { readonly testing?: object } = {}): Promise<void> {
  document = { ...ordinary, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: keysAt };
  keys = json(set(first));
  events = [];
  server.respond((request, response) =>
    request.url === '/jwks.json'
      ? keys(response)
      : response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document)),
  );
  const testing = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ca: certificate,
    allowPrivateAddresses: true,
    port: server.port,
    ...more.testing,
  };
  const options = {
    ...withServices,
    clients: [...withServices.clients, service],
    clientAuthentication: ['private_key_jwt'],
    metadataDocuments: metadataDocuments({ hosts: ['docs.example'] }),
  } as const;
  schools = await startSchools({ campus: { ...options, ...more, testing } });
  schools.campus.events.on('audit', (event) => events.push(event));
}

const proof = (own = first, id = clientId): Promise<Changes> => keyFields(id, schools.harbour, own);
const ask = async (own = first): Promise<JsonResponse> =>
  serviceTokenWith(schools.harbour, await proof(own, service.clientId));
const post = (path: string, form: Changes): Promise<JsonResponse> =>
  postForm(`${schools.harbour}/api/oauth/${path}`, form);

describe('a metadata document with private_key_jwt', () => {
  test('connects, refreshes, introspects and revokes with its key, and never without', async () => {
    await start();
    const code = await getCode(schools.browser('olivia'), schools.harbour, client);
    expect(fetches()).toBe(0);
    expectError(await exchange(code), 401, 'invalid_client');
    expectError(await exchange(code, await proof(second)), 401, 'invalid_client');
    const { status, body } = await exchange(code, await proof());
    expect(status).toBe(200);
    const { access_token: token, refresh_token: refreshToken } = body;
    expect((await userinfo(schools.harbour, token)).status).toBe(200);
    expectError(await refresh(schools.harbour, client, refreshToken), 401, 'invalid_client');
    expect((await refresh(schools.harbour, client, refreshToken, await proof())).status).toBe(200);
    for (const path of ['introspect', 'revoke']) {
      expectError(await post(path, { token: String(token), client_id: clientId }), 401, 'invalid_client');
    }
    expect((await post('introspect', { token: String(token), ...(await proof()) })).body['active']).toBe(true);
    expect((await post('revoke', { token: String(token), ...(await proof()) })).status).toBe(200);
    expect((await userinfo(schools.harbour, token)).status).toBe(401);
  });

  test('may send the token endpoint as the audience if its row says so, at every endpoint, and not because it says so itself', async () => {
    const row = { name: 'Docs', url: clientId, source: { kind: 'recorded', url: 'https://docs.example/' } } as const;
    const claims = (): object => ({ aud: `${schools.harbour}/api/oauth/token` });
    const proofFor = (): Promise<Changes> => keyFields(clientId, schools.harbour, first, { claims: { ...claims() } });
    await start();
    document = { ...document, assertionAudience: 'token_endpoint', campus_assertion_audience: 'token_endpoint' };
    const refused = await getCode(schools.browser('olivia'), schools.harbour, client);
    expectError(await exchange(refused, await proofFor()), 401, 'invalid_client');
    await schools.close();
    await start({
      metadataDocuments: metadataDocuments({ documents: [{ ...row, assertionAudience: 'token_endpoint' }] }),
    });
    const code = await getCode(schools.browser('olivia'), schools.harbour, client);
    const { status, body } = await exchange(code, await proofFor());
    expect(status).toBe(200);
    const token = String(body['access_token']);
    expect((await post('introspect', { token, ...(await proofFor()) })).body['active']).toBe(true);
    expect((await post('revoke', { token, ...(await proof()) })).status).toBe(200);
  });

  test('is shown as one that proves who it is', async () => {
    await start();
    const { html } = await schools.browser('olivia').follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(html).toContain('its own key');
    await exchange(await getCode(schools.browser('olivia'), schools.harbour, client), await proof());
    const site: Site = harbourSite(schools.harbour);
    expect(await schools.campus.connections.list(site, 'olivia')).toMatchObject([{ usesKey: true }]);
  });

  test('uses no more than 10,000 assertions in an hour at a school, and others are not affected', async () => {
    const store = memoryStore();
    await start({ store });
    const code = await getCode(schools.browser('olivia'), schools.harbour, client);
    await store.consumeQuota('harbour', [{ name: `assertions:${digest(clientId)}`, limit: 10_000 }], 3600, 10_000);
    expectError(await exchange(code, await proof()), 429, 'slow_down');
    expect((await ask()).status).toBe(200);
  });

  test('gets tokens from issueTokens without a key', async () => {
    await start();
    const request = { site: schools.harbour, memberId: 'olivia', clientId, scopes: ['openid'] };
    expect((await issueTokens(schools.campus, request)).scope).toBe('openid');
  });

  test('may have its keys in itself; those that cannot be used do not count', async () => {
    await start();
    const { jwks_uri: _address, ...rest } = { jwks_uri: '', ...document };
    const secret = { ...second.publicJwk, d: 'AQAB' };
    document = { ...rest, jwks: { keys: [{ kty: 'oct', k: 'x' }, secret, first.publicJwk] } };
    const before = fetches();
    const code = await getCode(schools.browser('olivia'), schools.harbour, client);
    expectError(await exchange(code, await proof(second)), 401, 'invalid_client');
    expect((await exchange(code, await proof())).status).toBe(200);
    expect(fetches()).toBe(before);
  });

  test.each<[what: string, changes: object, text: string]>([
    ['no keys', { jwks_uri: undefined }, 'has no public key'],
    ['keys in two places', { jwks: { keys: [] } }, 'beside jwks_uri'],
    ['keys without TLS', { jwks_uri: 'http://docs.example/jwks.json' }, 'plain https: address'],
    ['another method', { token_endpoint_auth_method: 'client_secret_jwt' }, 'none or private_key_jwt'],
  ])('with %s is refused', async (_what, changes, text) => {
    await start();
    document = { ...document, ...changes };
    const { response, html } = await schools.browser('olivia').follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(response.status).toBe(400);
    expect(html).toContain(text);
  });

  test('that lists none as well, as ChatGPT does, is public while the option is off, and uses its key while it is on', async () => {
    const methods = ['none', 'private_key_jwt'];
    await start({ clientAuthentication: [], clients: withServices.clients });
    document = { ...document, token_endpoint_auth_methods_supported: methods };
    expect((await exchange(await getCode(schools.browser('olivia'), schools.harbour, client))).status).toBe(200);
    await schools.close();
    await start();
    document = { ...document, token_endpoint_auth_methods_supported: methods };
    const code = await getCode(schools.browser('olivia'), schools.harbour, client);
    expectError(await exchange(code), 401, 'invalid_client');
    expect((await exchange(code, await proof())).status).toBe(200);
  });
});

describe('keys at an address', () => {
  test('are fetched once, again when they are no longer fresh, and one that was taken out ends', async () => {
    await start();
    const before = fetches();
    expect([(await ask()).status, (await ask()).status, fetches() - before]).toEqual([200, 200, 1]);
    keys = json(set(second), { 'cache-control': 'max-age=86400' });
    setClockAhead(601);
    expectError(await ask(), 401, 'invalid_client');
    expect(fetches() - before).toBe(2);
    expect((await ask(second)).status).toBe(200);
    setClockAhead(601 + 590);
    expect([(await ask(second)).status, fetches() - before]).toEqual([200, 2]);
    setClockAhead(601 + 601);
    expect([(await ask(second)).status, fetches() - before]).toEqual([200, 3]);
  });

  test('are fetched once more for a key that is not among them, and not for each that is made up', async () => {
    await start();
    const before = fetches();
    expect((await ask()).status).toBe(200);
    keys = json(set(first, second));
    expectError(await ask(second), 401, 'invalid_client');
    setClockAhead(31);
    expect([(await ask(second)).status, fetches() - before]).toEqual([200, 2]);
    setClockAhead(62);
    const made = await Promise.all(['a', 'b', 'c'].map((kid) => clientKey('ES256', kid)));
    for (const each of await Promise.all(made.map((own) => ask(own)))) expectError(each, 401, 'invalid_client');
    expect(fetches() - before).toBe(3);
  });

  test('without a request that names the client, or with one that has no assertion, are not fetched', async () => {
    await start();
    const before = fetches();
    expectError(await serviceTokenWith(schools.harbour, { client_id: service.clientId }), 401, 'invalid_client');
    expect(fetches()).toBe(before);
  });

  test.each<[what: string, keys: (response: ServerResponse) => void, status: number, error: string]>([
    ['are not there', (response) => response.writeHead(404).end(), 401, 'invalid_client'],
    ['are no keys', json({ keys: 'none' }), 401, 'invalid_client'],
    ['are too many', (response) => repeated(11)(response), 401, 'invalid_client'],
    ['have one kid', (response) => repeated(2)(response), 401, 'invalid_client'],
    [
      'have half of a surrogate pair',
      (response) => json({ ...set(first), more: '\ud800' })(response),
      401,
      'invalid_client',
    ],
    ['are too large', json({ keys: [], more: 'x'.repeat(33 * 1024) }), 401, 'invalid_client'],
    ['are somewhere else', (response) => response.writeHead(302, { location: '/other' }).end(), 401, 'invalid_client'],
    ['cannot be read now', (response) => response.writeHead(503).end(), 503, 'temporarily_unavailable'],
    ['break off', (response) => response.destroy(), 503, 'temporarily_unavailable'],
  ])('that %s', async (_what, respond, status, error) => {
    await start();
    keys = respond;
    expectError(await ask(), status, error);
    // Nobody makes the server ask again and again.
    const before = fetches();
    await ask();
    expect(fetches()).toBe(before);
    keys = json(set(first));
    setClockAhead(601);
    expect((await ask()).status).toBe(200);
  });

  test('at a private address are not fetched, with the sentence of every failure', async () => {
    await start({ testing: { allowPrivateAddresses: false } });
    const before = server.connections();
    const response = await ask();
    expectError(response, 503, 'temporarily_unavailable');
    expect(response.body['error_description']).toMatch(
      /^the key set at \S+ cannot be fetched; serve it to the internet/,
    );
    expect(server.connections()).toBe(before);
  });

  test('that do not come are given up with the campus', async () => {
    await start();
    const arrived = Promise.withResolvers<void>();
    keys = () => arrived.resolve();
    const waiting = ask();
    await arrived.promise;
    await schools.campus.close();
    expectError(await waiting, 503, 'temporarily_unavailable');
  });

  test('an assertion for another school is refused before anything is written', async () => {
    await start();
    const wrong = await assertion(service.clientId, schools.summit, first);
    const response = await serviceTokenWith(schools.harbour, {
      ...(await proof(first, service.clientId)),
      client_assertion: wrong,
    });
    expectError(response, 401, 'invalid_client');
    expect(events).toMatchObject([{ action: 'token.refused', siteId: 'harbour' }]);
  });
});
