import { describe, expect, test } from '@jest/globals';
import type { Site } from '../../../lib/index.ts';
import { decisionsOn } from '../../helpers/browser.ts';
import { setClockAhead } from '../../helpers/clock.ts';
import { authorizeUrl, connect, exchange, getCode, pkce, refresh, userinfo } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { siteOf } from '../../helpers/sites.ts';
import { client, clientId, documentSchools, ordinary } from './document-schools.ts';
import { reviewsOf, type Shown } from '../../helpers/reviews.ts';

const { schools, events, start, publish, server } = documentSchools();

function at(id: 'harbour' | 'summit'): Site {
  return { ...siteOf(schools(), id), connectionsEnabled: false };
}

const documents = () => reviewsOf(schools().campus);
const waitingAt = (school: 'harbour' | 'summit') => schools().campus.apps.list(at(school), { waiting: true });

/** Opens an authorization request of the client. */
const begin = (school: 'harbour' | 'summit', person: string, scope: string) =>
  schools()
    .browser(person)
    .follow(authorizeUrl(schools()[school], client, pkce(), { scope }));

/** Whether the client may get a write scope without an approval. */
async function mayWrite(school: 'harbour' | 'summit', person = 'olivia'): Promise<boolean> {
  const { html } = await begin(school, person, 'openid courses:write');
  const title = readPage(html).getByRole('heading', { level: 1 }).text;
  expect([title, ...decisionsOn(html)]).toContain('allow');
  return !decisionsOn(html).includes('approve');
}

/** The document as an operator of Harbour School sees it after its consent page was shown. */
async function shown(): Promise<Shown> {
  await begin('harbour', 'olivia', 'openid');
  const [document] = await documents().list(at('harbour'));
  if (!document) throw new Error('the document is not listed');
  return document;
}

test('the list of apps has the name of a document that nobody has connected', async () => {
  publish();
  await start();
  await shown();
  const page = await schools().browser('olivia').follow(`${schools().harbour}/developers/apps?show=all`);
  const rows = readPage(page.html)
    .getAllByRole('row')
    .map(({ text }) => text);
  expect(rows).toContainEqual(expect.stringMatching(/\bDoc Client\b.*View only/));
  expect(rows.filter((text) => text.includes(clientId))).toEqual([]);
});

describe('campus.apps.list(site, { waiting: true })', () => {
  test('has a document once its consent page was shown to an operator, at that school only', async () => {
    publish();
    await start();
    await schools()
      .browser()
      .follow(authorizeUrl(schools().harbour, client, pkce()));
    await begin('harbour', 'sam', 'openid');
    expect(await waitingAt('harbour')).toEqual([]);
    await begin('harbour', 'olivia', 'openid');
    await begin('harbour', 'olivia', 'openid');
    const review = {
      clientName: 'Doc Client',
      redirectUris: ordinary.redirect_uris,
      digest: expect.stringMatching(/^[\w-]{43}$/),
      seenAt: expect.any(Number),
      status: 'unreviewed',
    };
    expect(await waitingAt('harbour')).toMatchObject([
      { clientId, clientName: 'Doc Client', status: 'view_only', people: 0, version: expect.any(String), review },
    ]);
    expect(await waitingAt('summit')).toEqual([]);
    expect(events.filter(({ action }) => action.startsWith('document.'))).toMatchObject([
      { action: 'document.seen', outcome: 'allowed', siteId: 'harbour', clientId, memberId: 'olivia' },
    ]);
  });
});

describe('campus.apps.set with the version that was seen', () => {
  test('lifts the limit at that school, until the document changes, and again after another approval', async () => {
    publish();
    await start();
    const { version } = await shown();
    expect(await mayWrite('harbour')).toBe(false);
    await documents().approve(at('harbour'), clientId, version, { by: 'oscar' });
    expect(await mayWrite('harbour')).toBe(true);
    expect(await mayWrite('summit')).toBe(false);
    const account = await begin('harbour', 'olivia', 'openid account:read');
    expect(account.url.searchParams.get('error')).toBe('invalid_scope');

    setClockAhead(31);
    publish({ client_name: 'Other Client' });
    expect(await mayWrite('harbour')).toBe(false);
    const changed = await shown();
    expect(changed).toMatchObject({ status: 'changed', clientName: 'Other Client', decidedBy: 'oscar' });
    await expect(documents().approve(at('harbour'), clientId, version)).rejects.toMatchObject({
      status: 409,
      difference: 'version',
      decided: { at: expect.any(Number), by: 'oscar' },
    });
    await documents().approve(at('harbour'), clientId, changed.version);
    expect(await mayWrite('harbour')).toBe(true);
    expect(await shown()).toMatchObject({ status: 'approved' });
  });

  test('a refresh of an approved client keeps its write scope, and a code is worth what the review says by then', async () => {
    publish();
    await start();
    await shown();
    await documents().approve(at('harbour'), clientId);
    const scope = 'openid courses:write';
    const tokens = await connect(schools().browser('olivia'), schools().harbour, client, { scope });
    const refreshed = await refresh(schools().harbour, client, tokens.body['refresh_token']);
    expect([tokens.body['scope'], refreshed.body['scope']]).toEqual([scope, scope]);
  });

  test('409 for a version that nobody was shown there, and nothing is approved without one', async () => {
    publish();
    await start();
    const { version } = await shown();
    const [decision = ''] = version.split('.');
    const conflict = { error: 'conflict', status: 409 };
    for (const other of [`${decision}.x`, `x${version}`, ''])
      await expect(documents().approve(at('harbour'), clientId, other)).rejects.toMatchObject(conflict);
    await expect(documents().approve(at('summit'), clientId, version)).rejects.toMatchObject(conflict);
    await schools().campus.apps.set(at('harbour'), { clientId }, { access: 'allowed' });
    await schools().campus.apps.set(at('harbour'), { clientId }, { access: 'allowed' }, { version: undefined });
    expect(await mayWrite('harbour')).toBe(false);
  });
});

test('the event of each decision says who made it, with the whole rule and version', async () => {
  publish({ logo_uri: 'https://docs.example/logo.png' });
  await start();
  await shown();
  const { apps } = schools().campus;
  const [target, by] = [{ clientId }, 'oscar'];
  const rule = { access: 'allowed', ask: true, roles: ['owner'], scopes: ['openid', 'courses:read'] } as const;
  const { version, review } = await apps.find(at('harbour'), target);
  const before = events.length;
  await apps.set(at('harbour'), target, rule, { version, by, note: 'For the lessons' });
  await apps.set(at('harbour'), target, rule);
  await apps.allowPerson(at('harbour'), target, 'olivia', { by });
  await apps.resetPerson(at('harbour'), target, 'olivia', { by });
  await apps.reset(at('harbour'), target, { by });
  const actor = { kind: 'administrator', id: by };
  const shared = { action: 'app.decided', siteId: 'harbour', outcome: 'allowed', clientId };
  const approved = {
    digest: review?.digest,
    clientName: 'Doc Client',
    redirectUris: ordinary.redirect_uris,
    logoUri: undefined,
    logoDigest: undefined,
    scopes: undefined,
  };
  expect(events.slice(before)).toEqual(
    [
      { reason: 'approved', actor, rule, approved },
      { reason: 'set', actor: { kind: 'administrator' }, rule },
      { reason: 'person_allowed', actor, memberId: 'olivia' },
      { reason: 'person_reset', actor, memberId: 'olivia' },
      { reason: 'reset', actor },
    ].map((each) => ({ version: 1, time: expect.any(String), eventId: expect.any(String), ...shared, ...each })),
  );
});

describe('campus.apps.set blocks a client', () => {
  test('ends connections and refuses the client at that school; an approval lifts it', async () => {
    publish();
    await start();
    const code = await getCode(schools().browser('olivia'), schools().harbour, client);
    const waiting = await getCode(schools().browser('oscar'), schools().harbour, client);
    const { body } = await exchange(code);
    await shown();
    expect(await schools().campus.apps.set(at('harbour'), { clientId }, { access: 'blocked' })).toEqual({
      ended: 2,
      atRefresh: 0,
    });
    expect((await userinfo(schools().harbour, body['access_token'])).status).toBe(401);
    const error = { status: 400, body: { error: 'invalid_grant' } };
    expect(await refresh(schools().harbour, client, body['refresh_token'])).toMatchObject(error);
    expect(await exchange(waiting)).toMatchObject(error);
    const { response, html } = await begin('harbour', 'olivia', 'openid');
    expect([response.status, html.includes('You can change this')]).toEqual([403, true]);
    expect(await documents().list(at('harbour'))).toMatchObject([{ status: 'unreviewed' }]);
    expect((await begin('summit', 'olivia', 'openid')).response.status).toBe(200);

    await documents().approve(at('harbour'), clientId);
    expect(await mayWrite('harbour')).toBe(true);
    expect(events.filter(({ action }) => action === 'app.decided')).toMatchObject([
      { reason: 'set', outcome: 'refused', rule: { access: 'blocked' }, clientId },
      { reason: 'approved', outcome: 'allowed', rule: { access: 'allowed' }, clientId },
    ]);
  });

  test('holds for a changed document, and makes no request', async () => {
    publish();
    await start();
    await shown();
    await schools().campus.apps.set(at('harbour'), { clientId }, { access: 'blocked' });
    setClockAhead(31);
    publish({ client_name: 'Other Client' });
    const before = server().requests.length;
    expect((await begin('harbour', 'olivia', 'openid')).response.status).toBe(403);
    expect(server().requests.length).toBe(before);
  });
});

describe('the consent form', () => {
  test('counts for the document that it showed', async () => {
    publish();
    await start();
    const browser = schools().browser('olivia');
    const page = await browser.follow(authorizeUrl(schools().harbour, client, pkce()));
    expect(page.html).toContain('Doc Client');
    setClockAhead(31);
    publish({ client_name: 'Other Client' });
    await schools()
      .browser('olivia')
      .follow(authorizeUrl(schools().harbour, client, pkce()));
    expect((await browser.decide(page, 'allow')).response.status).toBe(400);
    const again = await browser.follow(page.url);
    expect(again.html).toContain('Other Client');
    expect((await browser.decide(again, 'allow')).url.searchParams.get('code')).toMatch(/./);
  });
});
