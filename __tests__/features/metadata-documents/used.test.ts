import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { createDocumentCache } from '../../../lib/features/metadata-documents/domain/document-cache.ts';
import { recordStore } from '../../../lib/records/record-store.ts';
import { passTime, setClockAhead } from '../../helpers/clock.ts';
import { authorizeUrl, connect, pkce, refresh, userinfo } from '../../helpers/flow.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { client, clientId, documentSchools } from './document-schools.ts';
import { reviewsOf } from '../../helpers/reviews.ts';

const { schools, start, publish, fail, nextEvent, server } = documentSchools();

const day = 24 * 60 * 60;
const one = { limits: { documents: { perAddress: 2, perSite: 1 } } };
const begin = (school: 'harbour' | 'summit' = 'harbour', id = clientId) =>
  schools()
    .browser('olivia')
    .follow(authorizeUrl(schools()[school], { ...client, id }, pkce()));

/** Authorizes the client, and returns how many requests that has caused. */
async function requestsOf(school: 'harbour' | 'summit' = 'harbour'): Promise<number> {
  const before = server().requests.length;
  expect((await begin(school)).response.status).toBe(200);
  return server().requests.length - before;
}

describe('limits.documents', () => {
  test('counts every fetch of a document that nobody has allowed; over the limit its copy serves', async () => {
    publish();
    await start(undefined, one);
    expect(await requestsOf()).toBe(1);
    setClockAhead(31);
    expect(await requestsOf()).toBe(0);
    expect(await requestsOf('summit')).toBe(1);
    passTime(day + 62);
    expect(await requestsOf()).toBe(1);
  });

  test.each(['allowed', 'approved'] as const)('does not count one that was %s at any school', async (how) => {
    publish();
    await start(undefined, one);
    await begin();
    const site = harbourSite(schools().harbour);
    if (how === 'allowed') await connect(schools().browser('olivia'), schools().harbour, client);
    else await reviewsOf(schools().campus).approve(site, clientId);
    for (const seconds of [31, 93]) {
      setClockAhead(seconds);
      expect(await requestsOf()).toBe(1);
      setClockAhead(seconds + 31);
      expect(await requestsOf('summit')).toBe(1);
    }
  });

  test('counts a fetch for the token endpoint, which strangers can call too', async () => {
    publish();
    await start(undefined, one);
    expect((await refresh(schools().harbour, client, 'any')).body['error']).toBe('invalid_grant');
    const other = { ...client, id: 'https://docs.example/other.json' };
    expect((await refresh(schools().harbour, other, 'any')).status).toBe(429);
  });

  test('refreshes of a connection do not use it up after the document was withdrawn, and go on after its return', async () => {
    publish();
    await start(undefined, { limits: { documents: { perAddress: 2, perSite: 2 } } });
    const tokens = await connect(schools().browser('olivia'), schools().harbour, client);
    fail(404);
    for (const seconds of [31, 62, 93]) {
      passTime(seconds);
      await begin();
      expect((await refresh(schools().harbour, client, tokens.body['refresh_token'])).status).toBe(400);
    }
    publish({ client_id: 'https://docs.example/other.json' });
    expect((await begin('harbour', 'https://docs.example/other.json')).response.status).toBe(200);
    publish();
    passTime(124);
    const refreshed = await refresh(schools().harbour, client, tokens.body['refresh_token']);
    expect(refreshed.status).toBe(200);
    expect((await userinfo(schools().harbour, refreshed.body['access_token'])).status).toBe(200);
  });
});

test('a request to the token endpoint fetches a document again only if somebody has allowed it', async () => {
  publish();
  await start(undefined, { limits: { documents: { perAddress: 3, perSite: 8 } } });
  await begin();
  passTime(31);
  expect((await refresh(schools().harbour, client, 'any')).body['error']).toBe('invalid_grant');
  // A fetch in the background would have ended by then, and have counted.
  await begin('summit');
  passTime(62);
  expect(await requestsOf()).toBe(1);
  await connect(schools().browser('olivia'), schools().summit, client);
  passTime(93);
  publish({ client_name: 'Renamed' });
  const changed = nextEvent('document.changed');
  expect((await refresh(schools().harbour, client, 'any')).body['error']).toBe('invalid_grant');
  await changed;
});

describe('createDocumentCache(store)', () => {
  const grant = 180 * day;
  const fetched = { document: { client_id: clientId }, digest: 'first', ttl: 30 };
  const cacheOf = () => createDocumentCache(recordStore(memoryStore(), () => undefined));

  test('a document that nobody has allowed is stored for 24 hours', async () => {
    const cache = cacheOf();
    await cache.save(clientId, fetched);
    setClockAhead(day - 60);
    expect(await cache.find(clientId)).toMatchObject({ digest: 'first' });
    setClockAhead(day + 60);
    expect(await cache.find(clientId)).toBeUndefined();
  });

  test('a used one is stored as long as a grant and 7 days from the last consent, whatever is fetched', async () => {
    const cache = cacheOf();
    await cache.save(clientId, fetched);
    await cache.markUsed(clientId, 'first', grant);
    setClockAhead(100 * day);
    await cache.markUsed(clientId, 'first', grant);
    setClockAhead(286 * day);
    await cache.save(clientId, { ...fetched, digest: 'second' });
    await cache.withdraw(clientId);
    setClockAhead(287 * day - 60);
    const withdrawn = await cache.find(clientId);
    expect([withdrawn?.digest, withdrawn?.document]).toEqual(['second', undefined]);
    setClockAhead(287 * day + 60);
    expect(await cache.find(clientId)).toBeUndefined();
  });

  test('an approval of a document that is no longer stored counts: its return with other content is a change', async () => {
    const cache = cacheOf();
    await cache.markUsed(clientId, 'approved', grant);
    expect((await cache.save(clientId, { ...fetched, digest: 'approved' })).changed).toBe(false);
    expect((await cache.save(clientId, fetched)).changed).toBe(true);
    setClockAhead(2 * day);
    expect(await cache.find(clientId)).toMatchObject({ digest: 'first' });
  });
});
