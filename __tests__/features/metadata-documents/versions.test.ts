import { describe, expect, test } from '@jest/globals';
import type { Site } from '../../../lib/index.ts';
import { decisionsOn } from '../../helpers/browser.ts';
import { passTime } from '../../helpers/clock.ts';
import { authorizeUrl, connect, pkce, refresh } from '../../helpers/flow.ts';
import { siteOf } from '../../helpers/sites.ts';
import { client, clientId, documentSchools, ordinary } from './document-schools.ts';
import { reviewsOf, type Shown } from '../../helpers/reviews.ts';

const { schools, events, start, publish, fail, nextEvent } = documentSchools();

type School = 'harbour' | 'summit';
const at = (id: School): Site => ({ ...siteOf(schools(), id), connectionsEnabled: false });
const documents = () => reviewsOf(schools().campus);

/** Opens an authorization request of the client; without a person, nobody is signed in. */
const begin = (school: School, person?: string, scope = 'openid') =>
  schools()
    .browser(person)
    .follow(authorizeUrl(schools()[school], client, pkce(), { scope }));

/** Whether the client may get a write scope without an approval. */
const mayWrite = async (school: School): Promise<boolean> =>
  !decisionsOn((await begin(school, 'olivia', 'openid courses:write')).html).includes('approve');

async function listed(school: School): Promise<Shown> {
  const [document] = await documents().list(at(school));
  if (!document) throw new Error('the document is not listed');
  return document;
}

/** Has the document shown and approves it. */
async function approve(school: School): Promise<void> {
  await begin(school, 'olivia');
  await documents().approve(at(school), clientId, (await listed(school)).version);
}

describe('a version that no operator was shown', () => {
  test('cannot be approved after it was withdrawn', async () => {
    publish();
    await start();
    await begin('harbour', 'olivia');
    const first = await listed('harbour');
    passTime(31);
    publish({ client_name: 'Other Client', redirect_uris: ['https://docs.example/other', client.redirectUri] });
    expect(await mayWrite('summit')).toBe(false);
    const second = await listed('harbour');
    expect(second).toMatchObject({
      clientName: 'Other Client',
      redirectUris: expect.arrayContaining([client.redirectUri]),
    });
    expect(second.digest).not.toBe(first.digest);
    passTime(62);
    fail(404);
    expect((await begin('summit')).response.status).toBe(400);
    expect(await listed('harbour')).toEqual(first);
    expect(first).toMatchObject({ clientName: 'Doc Client', redirectUris: ordinary.redirect_uris });
    const other = documents().approve(at('harbour'), clientId, second.version);
    await expect(other).rejects.toMatchObject({ status: 409, difference: 'version', decided: undefined });
    await documents().approve(at('harbour'), clientId, first.version);
    expect(await listed('harbour')).toMatchObject({ digest: first.digest, status: 'approved' });
    passTime(93);
    publish({ client_name: 'Other Client', redirect_uris: ['https://docs.example/other', client.redirectUri] });
    expect(await mayWrite('harbour')).toBe(false);
    expect(await listed('harbour')).toMatchObject({ digest: second.digest, status: 'changed' });
    passTime(124);
    publish();
    expect(await mayWrite('harbour')).toBe(true);
  });
});

describe('the audit event changed', () => {
  const changes = () => events.filter(({ action }) => action === 'document.changed').map(({ siteId }) => siteId);

  test('comes once at each school that has approved another version, whichever school fetched it', async () => {
    publish();
    await start();
    await approve('harbour');
    await approve('summit');
    const tokens = await connect(schools().browser('olivia'), schools().summit, client);
    passTime(31);
    publish({ client_name: 'Other Client' });
    expect(await mayWrite('harbour')).toBe(false);
    expect(await mayWrite('harbour')).toBe(false);
    expect(changes()).toEqual(['harbour']);
    await refresh(schools().summit, client, tokens.body['refresh_token']);
    expect(changes()).toEqual(['harbour', 'summit']);
    expect(await mayWrite('summit')).toBe(false);
    expect(await mayWrite('summit')).toBe(false);
    expect(changes()).toEqual(['harbour', 'summit']);
    expect(events.find(({ siteId, action }) => siteId === 'summit' && action === 'document.changed')).toMatchObject({
      outcome: 'allowed',
      clientId,
    });
  });

  test('comes again for the next version, and for an old one after another was approved', async () => {
    publish();
    await start();
    await approve('harbour');
    await begin('summit', 'olivia');
    for (const [turn, name] of ['Second', 'Third'].entries()) {
      passTime(31 * (turn + 1));
      publish({ client_name: name });
      await begin('summit', 'olivia');
      expect(await mayWrite('harbour')).toBe(false);
    }
    expect(changes()).toEqual(['summit', 'harbour', 'summit', 'harbour']);
    await approve('harbour');
    passTime(93);
    publish({ client_name: 'Second' });
    await begin('summit', 'olivia');
    expect(await mayWrite('harbour')).toBe(false);
    expect(changes().filter((site) => site === 'harbour')).toHaveLength(3);
  });

  test('comes when the version that was noticed before an approval returns after it', async () => {
    publish();
    await start();
    await approve('harbour');
    passTime(31);
    publish({ client_name: 'Other Client' });
    expect(await mayWrite('harbour')).toBe(false);
    passTime(62);
    publish();
    await begin('summit', 'olivia');
    await approve('harbour');
    passTime(93);
    publish({ client_name: 'Other Client' });
    await begin('summit', 'olivia');
    expect(await mayWrite('harbour')).toBe(false);
    expect(changes()).toEqual(['harbour', 'summit', 'summit', 'harbour']);
  });

  test('comes from a fetch in the background', async () => {
    publish();
    await start();
    await approve('harbour');
    const tokens = await connect(schools().browser('olivia'), schools().harbour, client);
    passTime(31);
    publish({ client_name: 'Other Client' });
    const changed = nextEvent('document.changed');
    const refreshed = await refresh(schools().harbour, client, tokens.body['refresh_token']);
    await changed;
    await refresh(schools().harbour, client, refreshed.body['refresh_token']);
    expect(changes()).toEqual(['harbour']);
  });
});
