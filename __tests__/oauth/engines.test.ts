import { expect, test } from '@jest/globals';
import { createRegistry } from '../../lib/engine/engine.ts';
import { authorizeUrl, connect, exchange, pkce, refresh, webMemberApp } from '../helpers/flow.ts';
import { startSchools } from '../helpers/schools.ts';

test('as many engines are kept as there is room for; the one that was not used for longest makes room', () => {
  const made: string[] = [];
  const keys = { signing: [], published: [], cookies: [] };
  const engineOf = createRegistry(
    ({ id }) => ({ number: made.push(id) }),
    2,
    () => keys,
  );
  const use = (id: string): { number: number } => engineOf({ id, origin: `https://${id}.example` });
  expect([use('a'), use('b'), use('a'), use('c'), use('a'), use('b')].map(({ number }) => number)).toEqual([
    1, 2, 1, 3, 1, 4,
  ]);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  expect(engineOf({ id: 'a', origin: 'https://moved.example' }).number).toBe(5);
});

test('with one engine for two schools, all that has begun goes on: interactions, sessions, codes and tokens', async () => {
  const schools = await startSchools({ campus: { engines: 1 } });
  const { harbour, summit } = schools;
  const sam = schools.browser('sam');
  const pair = pkce();
  const atConsent = await sam.follow(authorizeUrl(harbour, webMemberApp, pair));
  const other = await connect(schools.browser('sam'), summit, webMemberApp);
  const { url } = await sam.decide(atConsent, 'allow');
  const refreshed = await refresh(summit, webMemberApp, other.body['refresh_token']);
  const code = {
    origin: harbour,
    client: webMemberApp,
    code: url.searchParams.get('code') ?? '',
    verifier: pair.verifier,
  };
  const first = await exchange(code);
  await refresh(summit, webMemberApp, refreshed.body['refresh_token']);
  const again = await refresh(harbour, webMemberApp, first.body['refresh_token']);
  const silent = await sam.follow(authorizeUrl(harbour, webMemberApp, pkce(), { prompt: 'none' }));
  expect([refreshed.status, first.status, again.status]).toEqual([200, 200, 200]);
  expect(silent.url.searchParams.has('code')).toBe(true);
  await schools.close();
});
