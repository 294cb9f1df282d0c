import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { Site } from '../../../lib/index.ts';
import { type Browser, csrfOf, type Stop } from '../../helpers/browser.ts';
import { authorizeUrl, connect, getCode, pkce, webMemberApp } from '../../helpers/flow.ts';
import { signingKey } from '../../helpers/keys.ts';
import { type RedisNode, startRedis } from '../../helpers/redis.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { connectTo } from './campus.ts';
import { ceaseFire, fire, type Hit, type Shot } from './fire.ts';
import { deadline, type Peer, startPeer } from './peer.ts';

const rounds = 20;

let server: RedisNode;
let client: ReturnType<typeof connectTo>;
let schools: Schools;
let peer: Peer;
beforeAll(async () => {
  server = await startRedis();
  client = connectTo(server.port);
  const keys = { signing: [await signingKey('shared')], cookies: ['a secret of both processes'] };
  schools = await startSchools({ campus: { store: redisStore(client, { deadline }), keys } });
  peer = await startPeer({ redisPort: server.port, origin: schools.harbour, keys });
});
afterAll(async () => {
  ceaseFire();
  await peer?.close();
  await schools?.close();
  client?.disconnect();
  await server?.stop();
});
let browser: Browser;
beforeEach(() => {
  browser = schools.browser('sam');
});
afterEach(() => schools.campus.connections.revokeAll(site(), 'sam'));

const site = (): Site => harbourSite(schools.harbour);
const granted = async (): Promise<string> =>
  (await schools.campus.connections.list(site(), 'sam')).map(({ scopes }) => scopes.join(' ')).join();

function consentPage(scope: string): Promise<Stop> {
  return browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce(), { scope, prompt: 'consent' }));
}

/** All cookies that the browser sends to an address, with that of the platform's session. */
function cookieFor(path: string): string {
  const own = browser.cookies().filter((cookie) => path.startsWith(cookie.path));
  return ['person=sam', ...own.map(({ name, value }) => `${name}=${value}`)].join('; ');
}

const submission = ({ url, html }: Stop): Shot => ({
  path: url.pathname,
  form: { csrf: csrfOf(html), decision: 'allow' },
  cookie: cookieFor(url.pathname),
});

/** Four times from each process, at the same moment. */
async function fireFromBoth(shot: Shot): Promise<Hit[]> {
  const port = Number(new URL(schools.summit).port);
  return (await Promise.all([fire(port, schools.harbour, shot, 4), peer.fire(shot, 4)])).flat();
}

const expired = (hits: readonly Hit[]): number =>
  hits.filter(({ status, body }) => status === 400 && body.includes('already been answered')).length;

test(`a consent that two processes get 8 times at once gives one code, ${rounds} times`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const submitted = await fireFromBoth(submission(await consentPage('openid profile')));
    const [accepted, ...more] = submitted.filter(({ status }) => status === 303);
    expect([more.length, expired(submitted)]).toEqual([0, 7]);
    const { pathname } = new URL(accepted?.location ?? '', schools.harbour);
    const resumed = await fireFromBoth({ path: pathname, cookie: cookieFor(pathname) });
    const codes = resumed.filter(({ location = '' }) => URL.parse(location)?.searchParams.has('code'));
    expect([codes.length, expired(resumed)]).toEqual([1, 7]);
  }
});

test(`a revocation during a consent in another process is not undone, ${rounds} times`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    await connect(browser, schools.harbour, webMemberApp);
    expect(await granted()).toContain('account:read');
    const shot = submission(await consentPage('openid'));
    // A little later each time, so that it meets each step of the consent.
    const pause = async (): Promise<void> => {
      for (let i = 0; i < round % 10; i += 1) await client.ping();
    };
    const revocation = pause().then(() => schools.campus.connections.revokeAll(site(), 'sam'));
    const [[hit], revoked] = await Promise.all([peer.fire(shot, 1), revocation]);
    expect([hit?.status, revoked]).toEqual([303, 1]);
    // The revocation came last, or between: never are scopes back that were not allowed just now.
    expect(['', 'openid']).toContain(await granted());
    await schools.campus.connections.revokeAll(site(), 'sam');
  }
});

test(`consents in two processes at once lose no scope, ${rounds} times`, async () => {
  const port = Number(new URL(schools.summit).port);
  for (let round = 0; round < rounds; round += 1) {
    await getCode(browser, schools.harbour, webMemberApp, { scope: 'openid' });
    const here = submission(await consentPage('openid profile'));
    const there = submission(await consentPage('openid email'));
    const hits = await Promise.all([fire(port, schools.harbour, here, 1), peer.fire(there, 1)]);
    expect(hits.flat().map(({ status }) => status)).toEqual([303, 303]);
    expect((await granted()).split(' ').sort()).toEqual(['email', 'openid', 'profile']);
    await schools.campus.connections.revokeAll(site(), 'sam');
  }
});
