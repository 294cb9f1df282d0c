import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { AccessPolicy, CampusOptions, MetadataDocumentPolicy } from '../../../lib/index.ts';
import { dpop } from '../../../lib/dpop.ts';
import type { Store } from '../../../lib/store.ts';
import { metadataDocuments } from '../../../policies/index.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../../outbound/document-server.ts';
import { decisionsOn } from '../../helpers/browser.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  getCode,
  jsonResponse,
  pkce,
  refresh,
  type TestClient,
  userinfo,
} from '../../helpers/flow.ts';
import { signingKey } from '../../helpers/keys.ts';
import { passTime, resetClock } from '../../helpers/clock.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { harbourSite, siteOf } from '../../helpers/sites.ts';
import { reviewsOf } from '../../helpers/reviews.ts';

const clientId = 'https://docs.example/client.json';
const ordinary = {
  client_id: clientId,
  client_name: 'Doc Client',
  redirect_uris: ['https://docs.example/callback', 'http://localhost/callback'],
};
const client: TestClient = {
  id: clientId,
  redirectUri: 'http://localhost:49300/callback',
  scope: 'openid profile courses:read',
};

let documents: DocumentServer;
let schools: Schools;
beforeAll(async () => {
  documents = await startDocumentServer();
});
afterAll(() => documents.close());
afterEach(async () => {
  resetClock();
  await schools.close();
});

function publish(document: object, headers: Record<string, string> = {}): void {
  documents.respond((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document));
  });
}

async function start(policy: CampusOptions['metadataDocuments'], more: Partial<CampusOptions> = {}): Promise<void> {
  const testing = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ca: certificate,
    allowPrivateAddresses: true,
    port: documents.port,
  };
  schools = await startSchools({ campus: { ...(policy && { metadataDocuments: policy }), testing, ...more } });
}

const begin = (changes = {}) =>
  schools.browser('olivia').follow(authorizeUrl(schools.harbour, client, pkce(), changes));

describe('a metadata document as client_id', () => {
  test('that says what a sign-in client has gets none of it', async () => {
    publish({
      ...ordinary,
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'RS256',
      subject_type: 'pairwise',
      campus_sign_in: { basic: true, id_token_algorithm: 'RS256', default_resource: true },
      campus_subject: 'pairwise',
      campus_audience: 'member',
      campus_source: 'application',
    });
    await start(metadataDocuments({ hosts: ['docs.example'] }), {
      keys: {
        signing: await Promise.all([signingKey('es'), signingKey('rs', 'RS256')]),
        cookies: ['a secret of the tests'],
      },
      pseudonyms: { key: 'a key of pseudonyms that never changes' },
    });
    const { body } = await connect(schools.browser('olivia'), schools.harbour, client);
    const token = String(body['id_token']);
    expect([decodeProtectedHeader(token).alg, decodeJwt(token).sub]).toEqual(['ES256', 'olivia']);
    expect((await begin({ scope: 'openid account:read' })).url.searchParams.get('error')).toBe('invalid_scope');
  });

  test('completes the authorization code flow and refreshes', async () => {
    publish(ordinary);
    await start(metadataDocuments({ hosts: ['docs.example'] }));
    const tokens = await connect(schools.browser('olivia'), schools.harbour, client);
    expect(tokens.body['scope']).toBe(client.scope);
    expect((await userinfo(schools.harbour, tokens.body['access_token'])).body['sub']).toBe('olivia');
    expect((await refresh(schools.harbour, client, tokens.body['refresh_token'])).status).toBe(200);
  });

  test.each([
    ['http://localhost/callback and no application_type', ordinary],
    ['token_endpoint_auth_methods_supported only', { ...ordinary, token_endpoint_auth_methods_supported: ['none'] }],
    [
      'unknown members and a logo elsewhere',
      { ...ordinary, logo_uri: 'https://cdn.example/logo.png', contacts: 'x', software_id: 7 },
    ],
    [
      'client_credentials, a scope and a logout address',
      {
        ...ordinary,
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        scope: 'orders:read account:read',
        backchannel_logout_uri: 'https://docs.example/out',
      },
    ],
  ])('is accepted in the form that real clients publish: %s', async (_name, document) => {
    publish(document);
    await start(metadataDocuments({ hosts: ['docs.example'] }));
    expect(decisionsOn((await begin()).html)).toContain('allow');
  });

  test.each([
    ['a redirect on another host', { ...ordinary, redirect_uris: ['https://evil.example/callback'] }],
    ['another client_id inside', { ...ordinary, client_id: 'https://docs.example/other.json' }],
    ['a secret', { ...ordinary, client_secret: 'x' }],
    ['no redirect URI', { ...ordinary, redirect_uris: [] }],
  ])('with %s is refused with an error page, and fetched again after 10 seconds', async (_name, document) => {
    publish(document);
    await start(metadataDocuments({ hosts: ['docs.example'] }));
    const before = documents.requests.length;
    const { response, html } = await begin();
    expect([response.status, html.includes('invalid_client_metadata')]).toEqual([400, true]);
    expect((await begin()).response.status).toBe(400);
    expect(documents.requests.length).toBe(before + 1);
    passTime(11);
    await begin();
    expect(documents.requests.length).toBe(before + 2);
  });

  test('whose host is not permitted: invalid_client_metadata and no fetch', async () => {
    await start(metadataDocuments({ hosts: ['apps.example'] }));
    const before = documents.requests.length;
    const { response, html } = await begin();
    expect([response.status, html.includes('invalid_client_metadata')]).toEqual([400, true]);
    expect(documents.requests.length).toBe(before);
  });

  test('that a policy blocks: the person is told so, once it is known who that is', async () => {
    publish(ordinary);
    const policy: AccessPolicy = ({ app }) => (app.source === 'document' ? { access: 'blocked' } : undefined);
    await start(metadataDocuments({ hosts: ['docs.example'] }), { access: [policy] });
    const { response, html } = await begin();
    expect([response.status, html.includes('The school can’t change this.')]).toEqual([403, true]);
  });

  test('that the school has blocked: refused before it is fetched', async () => {
    publish(ordinary);
    await start(metadataDocuments({ hosts: ['docs.example'] }));
    await schools.campus.apps.set(harbourSite(schools.harbour), { clientId }, { access: 'blocked' });
    const before = documents.requests.length;
    const { response, html } = await begin();
    expect([response.status, html.includes('has blocked the client')]).toEqual([400, true]);
    expect(documents.requests.length).toBe(before);
  });

  test('without a policy is refused, and client_id_metadata_document_supported is false', async () => {
    await start(undefined);
    expect((await begin()).response.status).toBe(400);
    const metadata = await jsonResponse(await fetch(`${schools.harbour}/.well-known/oauth-authorization-server`));
    expect(metadata.body['client_id_metadata_document_supported']).toBe(false);
  });

  test('with a policy: client_id_metadata_document_supported is true', async () => {
    await start(metadataDocuments({ hosts: ['docs.example'] }));
    const metadata = await jsonResponse(await fetch(`${schools.harbour}/.well-known/oauth-authorization-server`));
    expect(metadata.body['client_id_metadata_document_supported']).toBe(true);
  });
});

test('a policy of the host is checkClientId, checkDocument and allowedScopes', async () => {
  publish(ordinary);
  const ours = metadataDocuments({ hosts: ['docs.example'] });
  const digests: string[] = [];
  const policy: MetadataDocumentPolicy = {
    checkClientId: (...asked) => ours.checkClientId(...asked),
    checkDocument: (...asked) => ({ ...ours.checkDocument(...asked), digest: 'a digest of the host' }),
    allowedScopes: (_clientId, digest) => {
      digests.push(digest);
      return ['openid'];
    },
  };
  await start(policy);
  expect(decisionsOn((await begin({ scope: 'openid' })).html)).toContain('allow');
  const { body } = await connect(schools.browser('olivia'), schools.harbour, client, { scope: 'openid email' });
  expect(body['scope']).toBe('openid');
  expect(new Set(digests)).toEqual(new Set(['a digest of the host']));
});

describe('what it may ask for', () => {
  test.each(['courses:write', 'storage:write'])('unreviewed: %s is not granted with what can be', async (scope) => {
    publish(ordinary);
    await start(metadataDocuments({ hosts: ['docs.example'] }));
    const asked = `openid orders:read ${scope}`;
    const { body } = await connect(schools.browser('olivia'), schools.harbour, client, { scope: asked });
    expect(body['scope']).toBe('openid orders:read');
    const silent = await begin({ scope: asked, prompt: 'none' });
    expect(silent.url.searchParams.get('error')).toBe('consent_required');
  });

  test('account:read is invalid_scope', async () => {
    publish(ordinary);
    await start(metadataDocuments({ hosts: ['docs.example'] }));
    const { url } = await begin({ scope: 'openid account:read' });
    expect(url.searchParams.get('error')).toBe('invalid_scope');
    expect(url.searchParams.get('error_description')).toContain('the school makes for its members');
  });

  test('reviewed: every operator scope, until the document changes', async () => {
    publish(ordinary, { 'cache-control': 'no-store' });
    let reviewed = '';
    const policy = metadataDocuments({ hosts: ['docs.example'], reviewed: (_id, digest) => digest === reviewed });
    reviewed = policy.checkDocument(clientId, ordinary).digest;
    await start(policy);
    const waiting = () => reviewsOf(schools.campus).list(siteOf(schools), { waiting: true });
    expect(decisionsOn((await begin({ scope: 'openid courses:write' })).html)).not.toContain('approve');
    expect(await waiting()).toEqual([]);
    const account = await begin({ scope: 'openid account:read' });
    expect(account.url.searchParams.get('error')).toBe('invalid_scope');
    reviewed = 'the digest of an older document';
    expect(decisionsOn((await begin({ scope: 'openid courses:write' })).html)).toContain('approve');
    expect(await waiting()).toMatchObject([{ clientId }]);
  });

  test('reviewed: waits for the school all the same where its rule asks for an approval', async () => {
    publish(ordinary);
    await start(metadataDocuments({ hosts: ['docs.example'], reviewed: () => true }));
    const { apps } = schools.campus;
    const site = siteOf(schools);
    const asked = { clientId, memberId: 'olivia', scopes: ['openid', 'courses:write'] };
    const seen = async () => ({
      page: decisionsOn((await begin({ scope: 'openid courses:write' })).html).includes('approve'),
      explained: (await schools.campus.explain(site, asked)).outcome,
      listed: (await apps.find(site, { clientId })).status,
      waiting: (await apps.list(site, { waiting: true })).total,
    });
    await apps.set(site, { clientId }, { access: 'view_only' });
    expect(await seen()).toEqual({ page: true, explained: 'view_only', listed: 'view_only', waiting: 1 });
    await reviewsOf(schools.campus).approve(site, clientId);
    expect(await seen()).toEqual({ page: false, explained: 'allowed', listed: 'allowed', waiting: 0 });
  });

  test('a review that cannot be looked up is a fault, not a verdict', async () => {
    publish(ordinary);
    const reviewed = (): never => {
      throw new Error('reviews are down');
    };
    await start(metadataDocuments({ hosts: ['docs.example'], reviewed }));
    expect((await begin({ scope: 'openid' })).response.status).toBe(503);
    expect(schools.faults.map(({ message }) => message)).toEqual(['metadataDocuments.allowedScopes failed']);
  });
});

describe('a policy in plain JavaScript is a fault that says what it returned, and a page: 503', () => {
  const permission = 'it must be undefined; throw an OAuthError to refuse';
  const rows: [string, () => unknown, string][] = [
    ['checkClientId', () => true, `returned true; ${permission}`],
    ['checkClientId', () => false, `returned false; ${permission}`],
    ['checkClientId', async () => undefined, `returned an instance of Promise; ${permission}`],
    ['checkClientId', () => Promise.reject(new Error('away')), `returned an instance of Promise; ${permission}`],
    ['checkDocument', () => true, 'returned true; it must be { metadata, digest }; throw an OAuthError to refuse'],
    ['checkDocument', () => ({ digest: 'x' }), 'returned metadata: undefined; it must be an object'],
    ['allowedScopes', () => true, 'returned true; it must be an array of scopes'],
    ['allowedScopes', async () => null, 'returned null; it must be an array of scopes'],
    ['allowedScopes', () => ['openid', 7], 'returned [1]: 7; it must be a string'],
  ];
  test('a host that does not respond is named on the page, and is not one of ours', async () => {
    documents.respond((_request, response) => void response.destroy());
    await start(metadataDocuments({ hosts: ['docs.example'] }));
    const { response, html } = await begin({ scope: 'openid' });
    expect(response.status).toBe(503);
    expect(readPage(html).text).toContain('docs.example isn’t responding. The app is published there');
    expect(html).not.toContain('our systems');
    expect(schools.faults).toEqual([]);
  });

  test.each(rows)('%s %s', async (method, returned, cause) => {
    publish(ordinary);
    await start({ ...metadataDocuments({ hosts: ['docs.example'] }), [method]: returned });
    const { response, html } = await begin({ scope: 'openid' });
    expect(response.status).toBe(503);
    expect(html).toContain('This is not available right now');
    const what = `metadataDocuments.${method}`;
    expect(schools.faults).toContainEqual({ message: `${what} failed`, cause: new TypeError(`${what} ${cause}`) });
  });

  test('null from checkClientId permits', async () => {
    publish(ordinary);
    await start({
      ...metadataDocuments({ hosts: ['docs.example'] }),
      checkClientId: JSON.parse('0', () => () => null),
    });
    expect([(await begin({ scope: 'openid' })).response.status, schools.faults]).toEqual([200, []]);
  });
});

describe('the cache of metadata documents', () => {
  test('is used at every step of the flow: one fetch', async () => {
    publish(ordinary, { 'cache-control': 'max-age=600' });
    await start(metadataDocuments({ hosts: ['docs.example'] }));
    const before = documents.requests.length;
    await connect(schools.browser('olivia'), schools.harbour, client);
    expect(documents.requests.length).toBe(before + 1);
  });

  test('does not bypass the policy after a host is no longer permitted', async () => {
    publish(ordinary, { 'cache-control': 'max-age=600' });
    let permitted = true;
    const policy = metadataDocuments({ hosts: ['docs.example'] });
    const closed = metadataDocuments({ hosts: ['other.example'] });
    await start({ ...policy, checkClientId: (id) => (permitted ? policy : closed).checkClientId(id) });
    const code = await getCode(schools.browser('olivia'), schools.harbour, client);
    permitted = false;
    expect(await exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    expect((await begin()).response.status).toBe(400);
  });

  test('30 concurrent requests cause one fetch', async () => {
    // The response waits until each request has found nothing stored, and no other read is under way: a store may keep some waiting.
    const store = memoryStore();
    const all = Promise.withResolvers<void>();
    let [looked, reading] = [0, 0];
    const find: Store['find'] = async (...args) => {
      reading += 1;
      const found = await store.find(...args);
      reading -= 1;
      if (args[1] === 'Document') looked += 1;
      if (looked === 30 && reading === 0) all.resolve();
      return found;
    };
    await start(metadataDocuments({ hosts: ['docs.example'] }), { store: { ...store, find } });
    documents.respond((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      void all.promise.then(() => response.end(JSON.stringify(ordinary)));
    });
    const before = documents.requests.length;
    await Promise.all(Array.from({ length: 30 }, () => begin()));
    expect(documents.requests.length).toBe(before + 1);
  });
});

test('a document can ask for bound tokens alone, which counts where proofs are accepted', async () => {
  publish({ ...ordinary, dpop_bound_access_tokens: true });
  const policy = metadataDocuments({ hosts: ['docs.example'] });
  await start(policy, { dpop: dpop() });
  const refused = await connect(schools.browser('olivia'), schools.harbour, client);
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  await schools.close();
  await start(policy);
  const issued = await connect(schools.browser('olivia'), schools.harbour, client);
  expect(issued).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
});

test('fetches of metadata documents are limited per address and site', async () => {
  publish({ error: 'not a document' });
  await start(metadataDocuments({ open: true }), { limits: { documents: { perAddress: 2, perSite: 100 } } });
  const statuses: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    const id = `https://docs.example/${name}.json`;
    statuses.push(
      (await schools.browser('olivia').follow(authorizeUrl(schools.harbour, { ...client, id }, pkce()))).response
        .status,
    );
  }
  expect(statuses).toEqual([400, 400, 429]);
  const late = await refresh(schools.harbour, { ...client, id: 'https://docs.example/d.json' }, 'any');
  expect([late.status, Number(late.headers.get('retry-after')) > 3000]).toEqual([429, true]);
});
