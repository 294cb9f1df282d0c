import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { passTime, stopTime } from '../../helpers/clock.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  getCode,
  introspect,
  jsonResponse,
  pkce,
  postForm,
  refresh,
  userinfo,
} from '../../helpers/flow.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { client, clientId, documentSchools, ordinary } from './document-schools.ts';

const { schools, events, start, publish, fail, nextEvent, server } = documentSchools();

const week = 7 * 24 * 60 * 60;
const connected = () => connect(schools().browser('olivia'), schools().harbour, client);
const begin = (school: 'harbour' | 'summit' = 'harbour', person = 'olivia') =>
  schools()
    .browser(person)
    .follow(authorizeUrl(schools()[school], client, pkce()));
const documentEvents = () => events.map(({ action }) => action).filter((action) => action.startsWith('document.'));

describe('a host that responds with 403', () => {
  test('existing connections and new authorizations go on with the last good copy, and there is an event', async () => {
    publish();
    await start();
    const tokens = await connected();
    fail(403);
    passTime(31);
    const stale = nextEvent('document.unreachable');
    const refreshed = await refresh(schools().harbour, client, tokens.body['refresh_token']);
    expect(refreshed.status).toBe(200);
    await stale;
    expect(events.find(({ reason }) => reason === 'stale')).toMatchObject({
      action: 'document.unreachable',
      outcome: 'allowed',
      siteId: 'harbour',
      clientId,
    });
    expect((await connected()).status).toBe(200);
    passTime(week - 60);
    expect((await connected()).status).toBe(200);
    passTime(week + 60);
    expect(await refresh(schools().harbour, client, refreshed.body['refresh_token'])).toMatchObject({ status: 503 });
  });

  test('while a copy serves, diagnose names the document, and the response says so to doctor', async () => {
    publish();
    await start();
    await connected();
    const found = async () => (await schools().campus.diagnose()).filter(({ id }) => id === 'document-copy');
    const copyIn = async () =>
      (await fetch(authorizeUrl(schools().harbour, client, pkce()), { redirect: 'manual' })).headers.get(
        'campus-document-copy',
      );
    expect([await copyIn(), await found()]).toEqual([null, []]);
    fail(403);
    passTime(31);
    expect(await copyIn()).toBe('last');
    const text = expect.stringMatching(
      `^${clientId} cannot be fetched, so its last copy is used for up to 7 days: .*403`,
    );
    expect(await found()).toMatchObject([{ severity: 'warning', text }]);
    publish();
    passTime(50);
    expect([await copyIn(), await found()]).toEqual([null, []]);
  });

  test('without a copy: 503 with Retry-After, at every endpoint that needs the document', async () => {
    fail(403);
    await start();
    const later = stopTime();
    const { response, html } = await begin();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    expect(html).not.toContain('invalid_client');
    later(4);
    const json = await jsonResponse(
      await fetch(authorizeUrl(schools().harbour, client, pkce()), { headers: { accept: 'application/json' } }),
    );
    expect(json).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
    const refused = await refresh(schools().harbour, client, 'any');
    expect(refused).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('6');
    expect(documentEvents()).toEqual(['document.unreachable']);
    publish();
    later(11);
    expect((await begin()).response.status).toBe(200);
  });

  test('a document that is gone is a verdict: its copy no longer serves', async () => {
    publish();
    await start();
    const tokens = await connected();
    fail(404);
    passTime(31);
    expect((await begin()).response.status).toBe(400);
    expect(documentEvents()).toEqual(['document.seen', 'document.withdrawn']);
    const error = { status: 400, body: { error: 'invalid_client_metadata' } };
    expect(await refresh(schools().harbour, client, tokens.body['refresh_token'])).toMatchObject(error);
    publish();
    passTime(50);
    expect((await refresh(schools().harbour, client, tokens.body['refresh_token'])).status).toBe(200);
  });
});

test('a refresh does not wait for the document', async () => {
  publish();
  await start();
  const tokens = await connected();
  passTime(31);
  const asked = new Promise<void>((resolve) => server().respond(() => resolve()));
  expect((await refresh(schools().harbour, client, tokens.body['refresh_token'])).status).toBe(200);
  await asked;
});

describe('revocation and introspection', () => {
  test('never fetch: they work while the host is down and there is no copy', async () => {
    publish();
    const store = memoryStore();
    let forgotten = false;
    await start(undefined, {
      store: {
        ...store,
        find: async (siteId, kind, id) => (forgotten && kind === 'Document' ? undefined : store.find(siteId, kind, id)),
      },
    });
    const { body } = await connected();
    forgotten = true;
    fail(503);
    const before = server().requests.length;
    expect((await introspect(schools().harbour, client, body['access_token'])).body).toMatchObject({
      active: true,
      client_id: clientId,
    });
    const fields = { token: String(body['refresh_token']), client_id: clientId };
    expect((await postForm(`${schools().harbour}/api/oauth/revoke`, fields)).status).toBe(200);
    expect((await userinfo(schools().harbour, body['access_token'])).status).toBe(401);
    expect(server().requests.length).toBe(before);
  });
});

describe('the cache', () => {
  test('two schools share one fetch, and the connected apps have the name', async () => {
    publish();
    await start();
    const before = server().requests.length;
    await connected();
    expect((await begin('summit')).response.status).toBe(200);
    expect(server().requests.length).toBe(before + 1);
    const site = harbourSite(schools().harbour);
    expect(await schools().campus.connections.list(site, 'olivia')).toMatchObject([
      { clientId, clientName: ordinary.client_name, host: 'docs.example', source: 'document' },
    ]);
  });

  test('the code of a stale document is exchanged without another request first', async () => {
    publish();
    await start();
    const code = await getCode(schools().browser('olivia'), schools().harbour, client);
    passTime(31);
    fail(500);
    expect((await exchange(code)).status).toBe(200);
  });
});

test('one school’s requests leave another school alone, and documents in use go on', async () => {
  publish();
  await start({ open: true }, { limits: { documents: { perAddress: 1000, perSite: 1000 } } });
  const tokens = await connected();
  server().respond((_request, response) => response.writeHead(404).end());
  const spray = async (school: 'harbour' | 'summit', name: string): Promise<number> => {
    const id = `https://docs.example/${name}.json`;
    const response = await fetch(authorizeUrl(schools()[school], { ...client, id }, pkce()));
    await response.arrayBuffer();
    return response.status;
  };
  const statuses: number[] = [];
  for (let i = 0; i < 60; i += 1) statuses.push(await spray('harbour', `h${i}`));
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
  expect(await spray('harbour', 'last')).toBe(429);
  expect(await spray('summit', 'first')).toBe(400);
  publish({ client_name: 'Renamed' });
  passTime(31);
  const changed = nextEvent('document.changed');
  expect((await refresh(schools().harbour, client, tokens.body['refresh_token'])).status).toBe(200);
  await changed;
});
