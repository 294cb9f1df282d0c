import { describe, expect, test } from '@jest/globals';
import type { Site } from '../../../lib/index.ts';
import { type KnownDocument, metadataDocuments, type MetadataDocumentsOptions } from '../../../policies/index.ts';
import { clientKey, keyFields } from '../../helpers/client-keys.ts';
import { passTime } from '../../helpers/clock.ts';
import { authorizeUrl, connect, exchange, getCode, pkce, postForm, refresh } from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { client, clientId, documentSchools, ordinary } from './document-schools.ts';
import { reviewsOf } from '../../helpers/reviews.ts';

const { schools, events, start, publish, fail } = documentSchools();

const row: KnownDocument = {
  name: 'Doc Client',
  url: clientId,
  source: { url: 'https://docs.example/', kind: 'read' },
  app: { id: 'doc-client', name: 'Doc Client' },
};
const copied: KnownDocument = { ...row, copy: { date: '2026-10-09', document: ordinary } };
const admit = (document: KnownDocument, more: MetadataDocumentsOptions = {}) => ({ documents: [document], ...more });
const begin = (changes = {}) =>
  schools()
    .browser('olivia')
    .follow(authorizeUrl(schools().harbour, client, pkce(), changes));
const site = (): Site => harbourSite(schools().harbour);
const actions = () =>
  events.flatMap(({ action, reason }) => (action.startsWith('document.') ? `${action} ${reason}` : []));
const mark = 'can’t be reached: as of <time datetime="2026-10-09T11:00:00.000Z">October 9, 2026</time></span>';
const write = 'openid courses:read courses:write';

describe('the copy of a known document, while its host responds with 403', () => {
  test('serves with a mark, and gets nothing that needs an approval', async () => {
    fail(403);
    await start(admit(copied));
    const { response, html } = await begin();
    expect(response.status).toBe(200);
    expect(html).toContain(mark);
    expect(html).not.toContain('address verified');
    const tokens = await connect(schools().browser('olivia'), schools().harbour, client);
    expect(tokens.body).toMatchObject({ scope: 'openid profile courses:read' });
    expect((await refresh(schools().harbour, client, tokens.body['refresh_token'])).status).toBe(200);
    expect(new Set(actions())).toEqual(new Set(['document.unreachable shipped', 'document.seen undefined']));
    const [seen] = await schools().campus.apps.list(site(), { waiting: true });
    expect(seen).toMatchObject({ app: 'doc-client', review: { copyDate: '2026-10-09', status: 'unreviewed' } });
    const page = `${schools().harbour}/developers/apps?client=${encodeURIComponent(clientId)}`;
    expect((await schools().browser('olivia').follow(page)).html).toContain(mark);
  });

  test('can be approved explicitly; the next version that is fetched is another one', async () => {
    fail(403);
    await start(admit(copied));
    await connect(schools().browser('olivia'), schools().harbour, client);
    const documents = reviewsOf(schools().campus);
    await documents.approve(site(), clientId);
    const { body } = await connect(schools().browser('olivia'), schools().harbour, { ...client, scope: write });
    expect(body).toMatchObject({ scope: write });
    publish({ client_name: 'Doc Client 2' });
    passTime(11);
    expect((await begin()).html).not.toContain(mark);
    expect(actions()).toContain('document.changed undefined');
    const error = { status: 400, body: { error: 'invalid_grant' } };
    expect(await refresh(schools().harbour, client, body['refresh_token'])).toMatchObject(error);
    expect((await documents.list(site()))[0]).toMatchObject({ status: 'changed', clientName: 'Doc Client 2' });
  });

  test('says at every endpoint that the client proves who it is', async () => {
    fail(403);
    const key = await clientKey();
    const document = {
      ...ordinary,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      jwks: { keys: [{ ...key.publicJwk }] },
    };
    const copy = { date: '2026-10-09', document };
    await start(admit({ ...row, copy }), { clientAuthentication: ['private_key_jwt'] });
    const proof = () => keyFields(clientId, schools().harbour, key);
    const code = await getCode(schools().browser('olivia'), schools().harbour, client);
    const { body } = await exchange(code, await proof());
    for (const path of ['introspect', 'revoke']) {
      const form = { token: String(body['access_token']) };
      const address = `${schools().harbour}/api/oauth/${path}`;
      expectError(await postForm(address, { ...form, client_id: clientId }), 401, 'invalid_client');
      expect((await postForm(address, { ...form, ...(await proof()) })).status).toBe(200);
    }
  });

  test('is reviewed in code by its digest', async () => {
    fail(403);
    const { digest: known } = metadataDocuments(admit(copied)).checkDocument(clientId, ordinary);
    await start(admit(copied, { reviewed: (_clientId, digest) => digest === known }));
    const { body } = await connect(schools().browser('olivia'), schools().harbour, { ...client, scope: write });
    expect(body).toMatchObject({ scope: write });
  });

  test('gives way to what was fetched, and to a verdict on what is used', async () => {
    publish();
    await start(admit({ ...copied, copy: { date: '2026-10-09', document: { ...ordinary, client_name: 'Old' } } }));
    expect((await begin()).html).toContain('Doc Client');
    fail(404);
    passTime(31);
    expect((await begin()).response.status).toBe(400);
    fail(403);
    passTime(50);
    expect((await begin()).response.status).toBe(503);
  });

  test('does not come back after the document of a connection was removed', async () => {
    fail(403);
    await start(admit(copied));
    await connect(schools().browser('olivia'), schools().harbour, client);
    fail(404);
    passTime(11);
    expect((await begin()).response.status).toBe(400);
    fail(403);
    passTime(30);
    expect((await begin()).response.status).toBe(503);
    expect(actions()).toContain('document.withdrawn invalid_client_metadata');
  });
});

describe('a row that names the redirect URIs that count', () => {
  const foreign = 'https://console.example/callback';
  const [own = ''] = ordinary.redirect_uris;
  const both = { redirect_uris: [own, foreign] };
  const named = { ...row, redirectUris: [own] };

  test('only these can be used, and are what is reviewed', async () => {
    publish(both);
    await start(admit(named));
    expect((await begin({ redirect_uri: own })).response.status).toBe(200);
    expect((await begin({ redirect_uri: foreign })).response.status).toBe(400);
    expect(await reviewsOf(schools().campus).list(site())).toMatchObject([{ redirectUris: [own] }]);
  });

  test.each<[string, MetadataDocumentsOptions, object]>([
    ['a row that names none', admit(row), both],
    ['a row that names the foreign one too', admit({ ...row, redirectUris: [own, foreign] }), both],
    ['a document that has none of them', admit(named), { redirect_uris: [foreign] }],
    ['a document of an admitted host', { hosts: ['docs.example'] }, both],
  ])('%s: refused', async (_what, policy, document) => {
    publish(document);
    await start(policy);
    expect((await begin({ redirect_uri: own })).response.status).toBe(400);
  });
});

test.each([
  ['http://localhost/callback', 'http://127.0.0.1:49300/callback', 200],
  ['http://localhost:8000/callback', 'http://127.0.0.1:49300/callback', 200],
  ['http://localhost/callback', 'http://localhost:49300/callback', 200],
  ['http://localhost/callback', 'http://[::1]:49300/callback', 400],
  ['http://localhost/callback', 'http://127.0.0.1:49300/other', 400],
  ['http://localhost/localhost', 'http://127.0.0.1:49300/localhost', 200],
  ['http://127.0.0.1/callback', 'http://localhost:49300/callback', 400],
  ['http://[::1]/callback', 'http://127.0.0.1:49300/callback', 400],
  ['https://docs.example/localhost', 'https://docs.example/127.0.0.1', 400],
])('a document with %s, sent to %s: %i', async (documented, used, status) => {
  publish({ redirect_uris: [documented] });
  await start();
  expect((await begin({ redirect_uri: used })).response.status).toBe(status);
});

test('an app that listens on 127.0.0.1 connects where its document says localhost', async () => {
  publish({ redirect_uris: ['http://localhost/callback'] });
  await start();
  const there = { ...client, redirectUri: 'http://127.0.0.1:49300/callback' };
  const { status, body } = await connect(schools().browser('olivia'), schools().harbour, there);
  expect(status).toBe(200);
  expect((await refresh(schools().harbour, there, body['refresh_token'])).status).toBe(200);
});
