import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { TemporarilyUnavailable } from '../../lib/index.ts';
import type { RecordKind, Store } from '../../lib/store.ts';
import { recordKinds } from '../../lib/records/record-kinds.ts';
import { recordStore } from '../../lib/records/record-store.ts';
import { authorizeUrl, connect, jsonResponse, pkce, refresh, webMemberApp } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { type Endpoints, prepareEndpoints } from './redis/endpoints.ts';

const kinds = [
  'Session',
  'Interaction',
  'Grant',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
  'ClientCredentials',
  'DeviceRequest',
  'DeviceCode',
  'Client',
  'Document',
  'DocumentReview',
  'AppRule',
  'AllowedPerson',
  'ConnectedClient',
  'ConnectedApp',
  'AppRequest',
  'News',
  'OneTimeSecret',
  'KeyFingerprints',
] as const satisfies readonly RecordKind[];

/** Kinds whose records look as if a later release had written them. */
let later: readonly RecordKind[] = [];
let laterReplays = false;
const laterRecord = (record: string): string => record.replace(/"v":\d+/, '"v":99');

const second: readonly RecordKind[] = ['RefreshToken', 'Grant', 'AccessToken'];
const readable = (kind: RecordKind): string => (second.includes(kind) ? '2' : '1');

function storeWithLaterRecords(inner: Store): Store {
  return {
    ...inner,
    find: async (siteId, kind, id) => {
      const found = await inner.find(siteId, kind, id);
      return found && later.includes(kind) ? { ...found, record: laterRecord(found.record) } : found;
    },
    list: async (siteId, kind) => {
      const records = await inner.list(siteId, kind);
      return later.includes(kind) ? records.map(laterRecord) : records;
    },
    redeem: async (siteId, redemption) => {
      const outcome = await inner.redeem(siteId, redemption);
      return laterReplays && !outcome.won ? { won: false, replay: outcome.replay?.replace('1.', '99.') } : outcome;
    },
  };
}

describe('a record with an unknown version is 503, never a verdict on the token, client or session', () => {
  let schools: Schools;
  let endpoints: Endpoints;
  beforeEach(async () => {
    later = [];
    laterReplays = false;
    schools ??= await startSchools({ campus: { store: storeWithLaterRecords(memoryStore()) } });
    endpoints = await prepareEndpoints(schools);
    schools.faults.length = 0;
  });
  afterAll(() => schools.close());

  test.each<[RecordKind, readonly string[]]>([
    ['Session', ['authorize, known browser']],
    ['Interaction', ['the interaction page', 'the consent form']],
    ['Grant', ['authorize, new browser', 'token, with a code', 'token, with a refresh token', 'introspect']],
    ['AuthorizationCode', ['token, with a code']],
    ['AccessToken', ['revoke', 'introspect', 'userinfo']],
    ['RefreshToken', ['token, with a refresh token']],
  ])('%s at: %j', async (kind, names) => {
    later = [kind];
    for (const name of names) {
      const response = await endpoints.calls[name]?.run();
      if (!response) throw new Error(`no endpoint ${name}`);
      expectError(response, 503, 'temporarily_unavailable');
      expect(response.headers.get('www-authenticate')).toBeNull();
      expect(schools.faults.splice(0)).toContainEqual({
        message: `reading a stored ${kind} failed`,
        cause: new Error(`the record has version 99; this release reads version ${readable(kind)}`),
      });
    }
    later = [];
    expect(await endpoints.succeed()).toEqual([200, 200, 200, 200]);
  });

  test('AppRule: at the authorization endpoint and in campus.apps', async () => {
    const site = harbourSite(schools.harbour);
    const { apps } = schools.campus;
    await apps.set(site, { clientId: webMemberApp.id }, { access: 'blocked' });
    later = ['AppRule'];
    const url = authorizeUrl(schools.harbour, webMemberApp, pkce());
    const response = await schools.browser('sam').fetch(url, { headers: { accept: 'application/json' } });
    expectError(await jsonResponse(response), 503, 'temporarily_unavailable');
    await expect(apps.list(site, { status: 'blocked' })).rejects.toBeInstanceOf(TemporarilyUnavailable);
    later = [];
    await apps.reset(site, { clientId: webMemberApp.id });
  });

  test('Client: at the authorization endpoint and in campus.applications', async () => {
    const site = harbourSite(schools.harbour);
    const redirectUri = 'https://notes.example/callback';
    const { application } = await schools.campus.applications.create(site, {
      clientName: 'Notes',
      redirectUris: [redirectUri],
      scopes: ['openid'],
      confidential: false,
    });
    const client = { id: application.clientId, redirectUri, scope: 'openid' };
    later = ['Client'];
    const url = authorizeUrl(schools.harbour, client, pkce());
    const response = await schools.browser('sam').fetch(url, { headers: { accept: 'application/json' } });
    expectError(await jsonResponse(response), 503, 'temporarily_unavailable');
    const { applications } = schools.campus;
    await expect(applications.list(site)).rejects.toBeInstanceOf(TemporarilyUnavailable);
    await expect(applications.find(site, client.id)).rejects.toBeInstanceOf(TemporarilyUnavailable);
  });

  test('a stored replay: the second refresh within the grace window', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const again = () => refresh(schools.harbour, webMemberApp, body['refresh_token']);
    const first = await again();
    laterReplays = true;
    expectError(await again(), 503, 'temporarily_unavailable');
    laterReplays = false;
    expect((await again()).body).toEqual(first.body);
  });
});

test('every kind is among them', () => {
  expect(kinds).toEqual(Object.keys(recordKinds));
});

test.each(kinds)('recordStore reports an unknown version of a %s as a fault', async (kind) => {
  const faults: string[] = [];
  const store = recordStore({ ...memoryStore(), find: async () => ({ record: '{"v":99}' }) }, (message, cause) =>
    faults.push(`${message}: ${String(cause)}`),
  );
  await expect(store.find('harbour', kind, 'id')).rejects.toBeInstanceOf(TemporarilyUnavailable);
  expect(faults).toEqual([
    `reading a stored ${kind} failed: Error: the record has version 99; this release reads version ${readable(kind)}`,
  ]);
});
