import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { AccessRule, AuditEvent, CampusOptions, Explanation, Question, Site } from '../../../lib/index.ts';
import { epochSeconds } from '../../../lib/kernel/clock.ts';
import { grantIdOf, serializeRecord } from '../../../lib/records/codec.ts';
import type { Store } from '../../../lib/store.ts';
import {
  loopbackClients,
  reviewedOnly,
  vendorPlatforms,
  viewOnlyUnlessVerified,
  wellKnownVendors,
} from '../../../policies/index.ts';
import { decisionsOn, type Stop } from '../../helpers/browser.ts';
import {
  authorizeUrl,
  connect,
  jsonResponse,
  type JsonResponse,
  pkce,
  refresh,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { partsOf } from '../../../lib/public/campus.ts';
import { type Part, readPage } from '../../helpers/page.ts';
import { plugins, type Schools, type SchoolsOptions, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { namedApp } from '../../../lib/core/apps/named-app.ts';
import { reviewsOf } from '../../helpers/reviews.ts';

// One record for what a school has decided about an app or client, and one word for what follows from it.

let schools: Schools;
let store: Store;
const scope = 'openid courses:read courses:write';
const writes = scope.split(' ');
const reads = ['openid', 'courses:read'];

async function start(
  options: Partial<CampusOptions> = {},
  wrapPlatform: SchoolsOptions['wrapPlatform'] = (platform) => platform,
): Promise<void> {
  store = memoryStore();
  const registration = [vendorPlatforms(wellKnownVendors), loopbackClients()];
  const platform = { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'] };
  schools = await startSchools({ ...plugins, campus: { registration, store, ...options }, platform, wrapPlatform });
  const { olivia, sam } = schools.people['harbour'] ?? {};
  if (!olivia || !sam) throw new Error('the school has no people');
  const tess = { ...olivia, id: 'tess', name: 'Tess Teacher', roles: ['teacher'] };
  const theo = { ...tess, id: 'theo', name: 'Theo Teacher' };
  schools.people['harbour'] = { olivia, sam, tess, theo };
}
beforeEach(() => start());
afterEach(() => schools.close());

const site = (): Site => siteOf(schools);
const apps = () => schools.campus.apps;
const documents = () => reviewsOf(schools.campus);

/** An app that registers itself. */
async function register(name: string, redirectUri: string): Promise<TestClient> {
  const body = JSON.stringify({ client_name: name, redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
  const { body: client } = await jsonResponse(registered);
  return { id: String(client['client_id']), redirectUri, scope };
}

const claude = (): Promise<TestClient> => register('Claude', 'https://claude.ai/api/mcp/auth_callback');

const explain = (client: TestClient, memberId: string): Promise<Explanation> =>
  schools.campus.explain(site(), { clientId: client.id, memberId, scopes: writes });

const ask = (client: TestClient, person: string): Promise<Stop> =>
  schools.browser(person).follow(authorizeUrl(schools.harbour, client, pkce()));

/** A store takes as many steps as it needs. */
async function erase(memberId: string): Promise<void> {
  let removal = await schools.campus.members.erase(site(), memberId);
  while (removal.next !== undefined) removal = await schools.campus.members.erase(site(), memberId, removal);
}

/** An administrator opens the consent page and approves what waits. */
async function approve(client: TestClient): Promise<void> {
  const browser = schools.browser('olivia');
  const page = await browser.follow(authorizeUrl(schools.harbour, client, pkce()));
  const form = readPage(page.html).fields;
  form.set('decision', 'approve');
  form.append('scope', 'courses:write');
  await browser.follow(page.url, { method: 'POST', body: form });
}

const target = { app: 'claude' } as const;

describe('ask each time', () => {
  test('nobody connects it before an administrator has allowed it for them, and then only they do', async () => {
    await apps().set(site(), target.app, { access: 'allowed', ask: true });
    const client = await claude();
    for (const person of ['tess', 'olivia']) {
      expect(await explain(client, person)).toMatchObject({ outcome: 'needs_approval', scopes: [] });
      const { response, html } = await ask(client, person);
      expect([response.status, html.includes('Staff approve this app for each person.')]).toEqual([403, true]);
    }
    await apps().allowPerson(site(), target.app, 'tess', {
      by: 'olivia',
      note: 'She tries it for the history lessons',
    });
    expect(await explain(client, 'tess')).toMatchObject({ outcome: 'allowed', scopes: writes, reasons: [] });
    const { body } = await connect(schools.browser('tess'), schools.harbour, client);
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    expect((await ask(client, 'theo')).response.status).toBe(403);
    expect(await apps().allowedPeople(site(), target.app)).toEqual([
      {
        memberId: 'tess',
        at: expect.any(Number),
        by: 'olivia',
        note: 'She tries it for the history lessons',
        version: expect.any(String),
      },
    ]);

    expect(await apps().resetPerson(site(), target.app, 'tess')).toEqual({ ended: 1, atRefresh: 0 });
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
    expect(await apps().allowedPeople(site(), target.app)).toEqual([]);
    expect(await apps().resetPerson(site(), target.app, 'tess')).toEqual({ ended: 0, atRefresh: 0 });
  });

  test('what is taken back for one person leaves the connections of others', async () => {
    const client = await claude();
    await apps().set(site(), target.app, { access: 'allowed', ask: true });
    for (const person of ['tess', 'theo']) await apps().allowPerson(site(), target.app, person);
    await connect(schools.browser('tess'), schools.harbour, client);
    const { body } = await connect(schools.browser('theo'), schools.harbour, client);
    expect(await apps().resetPerson(site(), target.app, 'tess')).toEqual({ ended: 1, atRefresh: 0 });
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
  });

  test('what is taken back for an app also ends a client of it that has a rule of its own', async () => {
    const client = await claude();
    await apps().set(site(), { clientId: client.id }, { access: 'allowed', ask: true });
    await apps().allowPerson(site(), target.app, 'tess');
    const { body } = await connect(schools.browser('tess'), schools.harbour, client);
    expect(await apps().resetPerson(site(), target.app, 'tess')).toEqual({ ended: 1, atRefresh: 0 });
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
  });

  test('it ends what people have connected, and stands in the list in its word', async () => {
    const client = await claude();
    const { body } = await connect(schools.browser('tess'), schools.harbour, client);
    expect(await apps().set(site(), target.app, { access: 'allowed', ask: true })).toEqual({ ended: 1, atRefresh: 0 });
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
    expect(await apps().find(site(), target.app)).toMatchObject({ status: 'needs_approval' });
    expect(await schools.campus.apps.find(site(), { clientId: client.id })).toMatchObject({ status: 'needs_approval' });
  });

  test('a block beats what was decided for a person', async () => {
    const client = await claude();
    await apps().set(site(), target.app, { access: 'allowed', ask: true });
    await apps().allowPerson(site(), target.app, 'tess');
    await connect(schools.browser('tess'), schools.harbour, client);
    expect(await apps().set(site(), target.app, { access: 'blocked' })).toEqual({ ended: 1, atRefresh: 0 });
    expect(await explain(client, 'tess')).toMatchObject({ outcome: 'blocked' });
  });

  test('a person is let through the roles of the school, and not through those of the platform', async () => {
    const client = await claude();
    await apps().set(site(), target.app, { access: 'allowed', roles: ['owner'] });
    expect(await explain(client, 'tess')).toMatchObject({ outcome: 'blocked' });
    await apps().allowPerson(site(), { clientId: client.id }, 'tess');
    const { body } = await connect(schools.browser('tess'), schools.harbour, client);
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    expect(await explain(client, 'theo')).toMatchObject({ outcome: 'blocked' });

    await schools.close();
    await start({ access: [() => ({ roles: ['owner'] })] });
    const again = await claude();
    await apps().allowPerson(site(), target.app, 'tess');
    expect(await explain(again, 'tess')).toMatchObject({ outcome: 'blocked', reasons: [{ from: 'platform' }] });
  });

  test('where the platform asks for it, the school decides on each person', async () => {
    await schools.close();
    await start({
      access: [({ app }) => (app.id === 'claude' ? { ask: true } : undefined)],
    });
    const client = await claude();
    const refused = { outcome: 'needs_approval', reasons: [{ from: 'school', code: 'needs_approval' }] };
    expect(await explain(client, 'tess')).toMatchObject(refused);
    await apps().allowPerson(site(), target.app, 'tess');
    const { body } = await connect(schools.browser('tess'), schools.harbour, client);
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    const listed = await apps().find(site(), { clientId: client.id });
    expect(listed).toMatchObject({ status: 'needs_approval', from: 'platform' });
  });
});

describe('a stricter rule', () => {
  const owners = { access: 'allowed', roles: ['owner'] } as const;
  const ended: AuditEvent[] = [];
  let client: TestClient;
  let tokens: Readonly<Record<'olivia' | 'tess', JsonResponse>>;
  const statuses = () =>
    Promise.all(
      Object.values(tokens).map(async ({ body }) => (await userinfo(schools.harbour, body['access_token'])).status),
    );
  const again = async (person: keyof typeof tokens): Promise<JsonResponse> => {
    const response = await refresh(schools.harbour, client, tokens[person].body['refresh_token']);
    if (response.status === 200) tokens = { ...tokens, [person]: response };
    return response;
  };
  const connected = async (person: string): Promise<number> =>
    (await schools.campus.connections.list(site(), person)).length;

  async function connectBoth(): Promise<void> {
    ended.length = 0;
    schools.campus.events.on('audit', (event) => event.action === 'connection.ended' && ended.push(event));
    client = await claude();
    tokens = {
      olivia: await connect(schools.browser('olivia'), schools.harbour, client),
      tess: await connect(schools.browser('tess'), schools.harbour, client),
    };
  }

  /** Connections of people whom nobody looks up. */
  async function connectMany(count: number): Promise<void> {
    const now = epochSeconds();
    for (let i = 0; i < count; i += 1) {
      const memberId = `member-${i}`;
      const grant = { accountId: memberId, clientId: client.id, scope, declined: '', iat: now, exp: now + 1000 };
      await store.save('harbour', {
        kind: 'Grant',
        id: grantIdOf(memberId, client.id),
        record: serializeRecord('Grant', { ...grant, resource: schools.harbour }),
        ttl: 1000,
        memberId,
        clientId: client.id,
        replaces: null,
      });
    }
  }

  test('disconnects those whom it refuses, and the others go on with their next refresh', async () => {
    await connectBoth();
    expect(await apps().set(site(), target.app, owners)).toEqual({ ended: 1, atRefresh: 0 });
    expect(await statuses()).toEqual([401, 401]);
    expect([await connected('olivia'), await connected('tess')]).toEqual([1, 0]);
    expect([(await again('olivia')).body['scope'], (await again('tess')).status]).toEqual([scope, 400]);
    expect(ended.map(({ memberId, reason, connections }) => [memberId, reason, connections])).toEqual([
      ['tess', 'rule_changed', undefined],
    ]);
    expect(await apps().set(site(), target.app, { ...owners, scopes: reads })).toEqual({ ended: 0, atRefresh: 0 });
    expect((await again('olivia')).body['scope']).toBe(reads.join(' '));
    expect(await apps().set(site(), target.app, owners)).toEqual({ ended: 0, atRefresh: 0 });
    expect((await again('olivia')).body['scope']).toBe(scope);
  });

  test('ends the access tokens of more than 500 people, and looks at each of them at the next refresh', async () => {
    await connectBoth();
    await connectMany(500);
    expect(await apps().set(site(), target.app, owners)).toEqual({ ended: 0, atRefresh: 502 });
    expect(await statuses()).toEqual([401, 401]);
    expect([await connected('olivia'), await connected('tess')]).toEqual([1, 1]);
    const rowOf = async (person: string): Promise<string> =>
      readPage((await schools.browser(person).follow(`${schools.harbour}/account/apps`)).html).getByRole('main').text;
    expect(await rowOf('tess')).toContain('Harbour School has turned off Claude.');
    expect(await rowOf('olivia')).toContain('Can change: Courses');
    expect([(await again('olivia')).status, (await again('tess')).status]).toEqual([200, 400]);
    expect([await connected('olivia'), await connected('tess')]).toEqual([1, 0]);
    expect(ended.map(({ memberId, reason }) => [memberId, reason])).toEqual([['tess', 'rule_changed']]);
    // Who is looked at once is as all others: a role that is lost later can come back.
    const { olivia, ...others } = schools.people['harbour'] ?? {};
    if (!olivia) throw new Error('the school has no owner');
    schools.people['harbour'] = { ...others, olivia: { ...olivia, roles: ['teacher'] } };
    expect((await again('olivia')).status).toBe(400);
    schools.people['harbour'] = { ...others, olivia };
    expect((await again('olivia')).status).toBe(200);
    expect(await apps().set(site(), target.app, { access: 'blocked' })).toEqual({ ended: 501, atRefresh: 0 });
  });

  describe('whom the platform does not find', () => {
    let isDown: boolean;
    beforeEach(async () => {
      isDown = false;
      await schools.close();
      await start({}, (platform) => ({
        ...platform,
        findMember: (at, id) => {
          if (isDown && id === 'tess') throw new Error('the directory is down');
          return platform.findMember(at, id);
        },
      }));
      await connectBoth();
    });

    async function decideBlindly(): Promise<void> {
      isDown = true;
      expect(await apps().set(site(), target.app, owners)).toEqual({ ended: 0, atRefresh: 1 });
    }

    test('is left to the next refresh', async () => {
      await decideBlindly();
      expect((await again('tess')).status).toBe(503);
      isDown = false;
      expect([await statuses(), await connected('tess')]).toEqual([[401, 401], 1]);
      expect([(await again('tess')).status, await connected('tess')]).toEqual([400, 0]);
    });

    test('reads so until OK, which ends the connection for good; a later decision is a new row', async () => {
      const yourApps = `${schools.harbour}/account/apps`;
      const show = async (query = '') => readPage((await schools.browser('tess').follow(yourApps + query)).html);
      const rows = async () => (await show()).queryByRole('list', { name: 'What is new' })?.text;
      const ok = async (page: Part): Promise<void> => {
        const form = page.getAllByRole('form').find(({ fields }) => fields.get('action') === 'ok');
        await schools.browser('tess').follow(yourApps, { method: 'POST', body: new URLSearchParams(form?.fields) });
      };
      const off = expect.stringContaining('Harbour School has turned off Claude.');
      await decideBlindly();
      isDown = false;
      const first = await show();
      first.getByRole('link', { name: 'Your apps, 1 new' });
      // What is new is on the first page only, so another list still has the app.
      (await show('?q=claude')).getByRole('link', { name: /^Claude/ });
      // A decision that was taken back ends nothing.
      await apps().reset(site(), target.app);
      await ok(first);
      expect([await rows(), await connected('tess')]).toEqual([undefined, 1]);

      for (const time of ['first', 'second']) {
        if (time === 'second') await connect(schools.browser('tess'), schools.harbour, client);
        await decideBlindly();
        isDown = false;
        expect(await rows()).toEqual(off);
        await ok(await show());
        expect([await rows(), await rows(), await connected('tess')]).toEqual([undefined, undefined, 0]);
        expect((await again('tess')).status).toBe(400);
        await apps().reset(site(), target.app);
        expect(await rows()).toBeUndefined();
      }
    });
  });

  test('is judged by the rule of that time: what is given back meanwhile disconnects nobody', async () => {
    await connectBoth();
    await connectMany(500);
    await apps().set(site(), target.app, owners);
    await apps().reset(site(), target.app);
    expect([(await again('tess')).status, (await again('olivia')).status, ended]).toEqual([200, 200, []]);
  });
});

describe('a policy that refuses what nobody has approved', () => {
  beforeEach(async () => {
    await schools.close();
    await start({ access: [reviewedOnly()] });
  });

  test('an administrator approves it on the consent page, and then everybody connects it', async () => {
    const client = await claude();
    const before = await ask(client, 'tess');
    expect([before.response.status, before.html.includes('Nobody at your school has checked this app yet.')]).toEqual([
      403,
      true,
    ]);
    const waiting = async () => (await documents().list(site(), { waiting: true })).map(({ clientId }) => clientId);
    expect(await waiting()).toEqual([client.id]);
    expect(decisionsOn((await ask(client, 'olivia')).html)).toEqual(['approve', 'deny']);
    await approve(client);
    expect(await waiting()).toEqual([]);
    const { body } = await connect(schools.browser('tess'), schools.harbour, client);
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    // Tokens say that it was approved, so they end with the approval.
    expect(await apps().reset(site(), { clientId: client.id })).toEqual({ ended: 0, atRefresh: 0 });
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
    expect((await ask(client, 'tess')).response.status).toBe(403);
  });
});

describe('a policy that takes the writes of a client before an approval could', () => {
  const asked: [Question['at'], reviewed: boolean][] = [];
  const policy = ({ at, app, member }: Question): undefined => void (member && asked.push([at, app.reviewed]));
  beforeEach(async () => {
    await schools.close();
    asked.length = 0;
    await start({ access: [viewOnlyUnlessVerified(), policy] });
  });

  test('what people have connected is reviewed by the version that an administrator saw, though nothing waits', async () => {
    const client = await register('Notes', 'http://127.0.0.1/callback');
    const { id: clientId, redirectUri } = client;
    const find = () => apps().find(site(), { clientId });
    const listed = async () => (await apps().list(site())).find((each) => each.clientId === clientId);
    expect(await find()).not.toHaveProperty('review');
    const { body } = await connect(schools.browser('tess'), schools.harbour, client);
    const use = async (access: unknown) => {
      expect((await userinfo(schools.harbour, access)).status).toBe(200);
      return asked.at(-1);
    };
    expect(await use(body['access_token'])).toEqual(['use', false]);

    const seen = await find();
    const version = { clientName: 'Notes', redirectUris: [redirectUri] };
    expect(seen.review).toMatchObject({ ...version, status: 'unreviewed' });
    expect(await listed()).toMatchObject({ review: seen.review, version: seen.version });
    const other = { version: `${seen.version}0` };
    await expect(apps().set(site(), { clientId }, { access: 'allowed' }, other)).rejects.toMatchObject({ status: 409 });
    expect(await find()).toEqual(seen);

    await apps().set(site(), { clientId }, { access: 'allowed' }, { version: seen.version, by: 'olivia' });
    const { review, own, status } = await find();
    expect([review, own, status]).toMatchObject([{ ...version, status: 'approved' }, undefined, 'view_only']);
    expect(await listed()).toMatchObject({ review, decided: { by: 'olivia' } });
    expect(await apps().list(site(), { waiting: true })).toEqual([]);
    expect(await use(body['access_token'])).toEqual(['use', false]);
    const refreshed = await refresh(schools.harbour, client, body['refresh_token']);
    expect([asked.at(-1), refreshed.body['scope']]).toEqual([['refresh', true], reads.join(' ')]);
    expect(await use(refreshed.body['access_token'])).toEqual(['use', true]);
  });

  test('what the platform has made needs no review', async () => {
    await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect(asked.at(-1)).toEqual(['connect', true]);
    expect(await apps().find(site(), { clientId: webMemberApp.id })).not.toHaveProperty('review');
  });
});

describe('a decision takes the place of the one before', () => {
  test('an approval, then a block, then nothing: one record, one word', async () => {
    await apps().set(site(), target.app, { access: 'view_only', roles: ['owner', 'teacher'] }, { by: 'olivia' });
    const client = await claude();
    const word = async () => (await schools.campus.apps.find(site(), { clientId: client.id }))?.status;
    const stored = async () => {
      const all = (await store.list('harbour', 'AppRule')).map((text): { client_id?: string } => JSON.parse(text));
      return all.filter((each) => each.client_id === client.id);
    };
    await connect(schools.browser('tess'), schools.harbour, client);
    expect(await word()).toBe('view_only');
    await approve(client);
    expect(await word()).toBe('allowed');
    expect(await stored()).toMatchObject([{ by: 'olivia', approved: { scopes: 'openid courses:read courses:write' } }]);
    expect(await explain(client, 'theo')).toMatchObject({ outcome: 'allowed', approved: { by: 'olivia' } });

    await schools.campus.apps.set(site(), { clientId: client.id }, { access: 'blocked' });
    expect(await word()).toBe('blocked');
    expect(await stored()).toHaveLength(1);
    expect(await stored()).not.toMatchObject([{ approved: expect.anything() }]);
    expect(await documents().find(site(), client.id)).toMatchObject({ status: 'unreviewed' });

    await schools.campus.apps.reset(site(), { clientId: client.id });
    expect(await stored()).toEqual([]);
    expect(await explain(client, 'tess')).toMatchObject({ outcome: 'view_only', scopes: reads });
  });

  test('an approval of a client follows the rule of its app, which can still be made stricter', async () => {
    await apps().set(site(), target.app, { access: 'view_only' });
    const client = await claude();
    await approve(client);
    expect(await explain(client, 'tess')).toMatchObject({ outcome: 'allowed' });
    await apps().set(site(), target.app, { access: 'view_only', roles: ['owner'] });
    expect(await explain(client, 'tess')).toMatchObject({ outcome: 'blocked' });
    await apps().set(site(), target.app, { access: 'blocked' }, { by: 'olivia', note: 'Not for our school' });
    expect(await explain(client, 'olivia')).toMatchObject({
      outcome: 'blocked',
      reasons: [{ code: 'client_blocked', since: expect.any(Number) }],
    });
    expect((await apps().find(site(), target.app)).decided).toEqual({
      at: expect.any(Number),
      by: 'olivia',
      note: 'Not for our school',
    });
  });

  test('an approval that is taken back ends what it allowed, also of a client that is no document', async () => {
    await apps().set(site(), target.app, { access: 'view_only' });
    const client = await claude();
    await approve(client);
    const { body } = await connect(schools.browser('tess'), schools.harbour, client);
    expect(body['scope']).toBe(scope);
    expect(await apps().reset(site(), { clientId: client.id })).toEqual({ ended: 0, atRefresh: 0 });
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
    expect(await explain(client, 'tess')).toMatchObject({ outcome: 'view_only' });
  });

  test('an approval after a block is what its rule says', async () => {
    await apps().set(site(), target.app, { access: 'view_only', roles: ['owner'] });
    const client = await claude();
    await ask(client, 'olivia');
    await apps().set(site(), { clientId: client.id }, { access: 'blocked' });
    const { version } = await apps().find(site(), { clientId: client.id });
    await apps().set(site(), { clientId: client.id }, { access: 'allowed', roles: ['owner'] }, { version });
    expect(await explain(client, 'tess')).toMatchObject({ outcome: 'blocked', reasons: [{ code: 'client_role' }] });
    expect(await explain(client, 'olivia')).toMatchObject({ outcome: 'allowed' });
  });

  test('a decision on a client in code is compared with the rule of its app', async () => {
    await schools.close();
    const redirectUris = ['https://claude.ai/api/mcp/auth_callback'] as const;
    const inCode = { clientId: 'claude-here', app: 'claude', audience: 'operator', redirectUris } as const;
    await start({ clients: [{ ...inCode, clientName: 'Claude', scopes: writes }] });
    await apps().set(site(), target.app, { access: 'view_only', roles: ['owner'] });
    const client = { id: inCode.clientId, redirectUri: redirectUris[0], scope };
    await ask(client, 'olivia');
    await documents().approve(site(), client.id);
    expect(await explain(client, 'tess')).toMatchObject({ outcome: 'allowed' });
  });

  test('a refusal by the rule of an app has its date and note, whatever was approved of the client later', async () => {
    const note = { by: 'olivia', note: 'Until the exams are over' };
    await apps().set(site(), target.app, { access: 'view_only', roles: ['owner'] }, note);
    const client = await claude();
    await approve(client);
    expect((await explain(client, 'tess')).reasons).toMatchObject([
      { code: 'client_role', by: 'olivia', note: note.note },
    ]);
  });

  test('where rules leave nothing of what is asked for, page, event and explain have the same reason', async () => {
    const reasons: unknown[] = [];
    schools.campus.events.on('audit', ({ action, reason }) => {
      if (action === 'authorization.refused') reasons.push(reason);
    });
    await apps().set(site(), target.app, { access: 'allowed', scopes: ['openid'] });
    const client = { ...(await claude()), scope: 'courses:write' };
    const { url } = await ask(client, 'olivia');
    expect(url.searchParams.get('error')).toBe('access_denied');
    expect(reasons).toEqual(['scope']);
    const explained = await schools.campus.explain(site(), { clientId: client.id, scopes: ['courses:write'] });
    expect(explained).toMatchObject({ outcome: 'blocked', reasons: [{ code: 'scope', from: 'school' }] });
  });

  test('erased people and their words are in no decision, and they have none', async () => {
    await apps().set(site(), target.app, { access: 'allowed', ask: true }, { by: 'olivia' });
    await apps().allowPerson(site(), target.app, 'tess', { by: 'olivia' });
    const { requests } = schools.campus;
    for (const [app, by] of [
      ['cursor', 'olivia'],
      ['claude', 'owen'],
    ] as const) {
      const asked = { app, clientName: app, redirectUris: ['https://chat.example/callback'] };
      await requests.decline(site(), (await requests.ask(site(), 'tess', asked)).id, 'Not now.', { by });
    }
    await erase('olivia');
    expect((await apps().find(site(), target.app)).decided).toEqual({ at: expect.any(Number) });
    expect(await apps().allowedPeople(site(), target.app)).toEqual([
      { memberId: 'tess', at: expect.any(Number), version: expect.any(String) },
    ]);
    const answered = await requests.list(site(), { status: 'decided' });
    expect(Object.fromEntries(answered.map(({ app, by, answer }) => [app, [by, answer]]))).toEqual({
      cursor: [undefined, undefined],
      claude: ['owen', 'Not now.'],
    });
    expect(JSON.stringify(await store.list('harbour', 'AppRequest'))).not.toContain('olivia');
    await erase('tess');
    expect(await apps().allowedPeople(site(), target.app)).toEqual([]);
  });
});

test.each([target, { clientId: 'web-member-app' }])(
  'a block of another process that comes as a decision is taken back stays: %o',
  async (of) => {
    await schools.close();
    const memory = memoryStore();
    let block: (() => Promise<unknown>) | undefined;
    await start({
      store: {
        ...memory,
        remove: async (siteId, kind, id, text) => {
          const meanwhile = kind === 'AppRule' ? block : undefined;
          block = undefined;
          await meanwhile?.();
          return memory.remove(siteId, kind, id, text);
        },
      },
    });
    await apps().set(site(), namedApp(of), { access: 'view_only' });
    block = () => apps().set(site(), namedApp(of), { access: 'blocked' });
    await apps().reset(site(), namedApp(of));
    expect(await apps().find(site(), namedApp(of))).toMatchObject({ status: 'blocked', own: { access: 'blocked' } });
    await apps().reset(site(), namedApp(of));
    expect(await apps().find(site(), namedApp(of))).not.toHaveProperty('own');
  },
);

describe('what waits for an approval', () => {
  const waiting = async (): Promise<readonly string[]> =>
    (await documents().list(site(), { waiting: true })).map(({ clientId }) => clientId);
  const word = async (client: TestClient) => (await apps().find(site(), { clientId: client.id })).status;
  /** The number beside “Review” on the page of the apps. */
  const counted = async (): Promise<boolean> => {
    const { html } = await schools.browser('olivia').follow(`${schools.harbour}/developers/apps`);
    return html.includes('review=waiting');
  };

  test('is known without a look-up of each client, where no rule asks for an approval', async () => {
    await schools.close();
    const memory = memoryStore();
    const found: string[] = [];
    const find: Store['find'] = (siteId, kind, ...rest) => {
      found.push(kind);
      return memory.find(siteId, kind, ...rest);
    };
    await start({ store: { ...memory, find } });
    const notes = await register('Notes', 'http://127.0.0.1/callback');
    const [clientId, rule] = [notes.id, { access: 'view_only' }] as const;
    await apps().set(site(), { clientId }, rule);
    await ask(notes, 'tess');
    // What counts them for the page of the apps.
    const reviews = partsOf(schools.campus)?.school.reviews.documents;
    const listed = async () => {
      found.length = 0;
      const all = await reviews?.list(site(), { waiting: true });
      return [all?.map((each) => each.clientId), found.filter((kind) => kind === 'Client').length];
    };
    expect(await listed()).toEqual([[clientId], 0]);
    await apps().reset(site(), { clientId });
    expect(await listed()).toEqual([[], 0]);
    // It could be a client of that app.
    await apps().set(site(), target.app, rule);
    expect(await listed()).toEqual([[], 1]);
  });

  test('is nothing once no rule asks for one, as explain says', async () => {
    await apps().set(site(), target.app, { access: 'view_only' });
    const client = await claude();
    await ask(client, 'tess');
    expect([await waiting(), await counted()]).toEqual([[client.id], true]);
    for (const rule of [
      { access: 'allowed' },
      { access: 'blocked' },
      { access: 'allowed', ask: true },
      undefined,
    ] as const) {
      if (rule) await apps().set(site(), target.app, rule);
      else await apps().reset(site(), target.app);
      const { outcome, waiting: scopes } = await explain(client, 'tess');
      expect([outcome, scopes]).toEqual([rule && 'ask' in rule ? 'needs_approval' : (rule?.access ?? 'allowed'), []]);
      expect([await waiting(), await counted()]).toEqual([[], false]);
    }
    await apps().set(site(), target.app, { access: 'view_only' });
    expect([await waiting(), (await explain(client, 'tess')).waiting]).toEqual([[client.id], ['courses:write']]);
    await approve(client);
    expect(await waiting()).toEqual([]);
    expect(await apps().find(site(), { clientId: client.id })).toMatchObject({ review: { status: 'approved' } });
  });

  test('has nothing of what a policy takes away: no approval ends that', async () => {
    await schools.close();
    const asked: Question[] = [];
    const policy = (question: Question): AccessRule => {
      asked.push(question);
      return { access: 'view_only' };
    };
    await start({ access: [policy] });
    const uri = 'https://notes.example/callback';
    const made = { clientName: 'Notes', audience: 'member', redirectUris: [uri], scopes: ['account:write'] } as const;
    const { application } = await schools.campus.applications.create(site(), { ...made, confidential: false });
    const notes = { id: application.clientId, redirectUri: uri, scope: 'account:write' };
    await ask(notes, 'tess');
    asked.length = 0;
    expect([await waiting(), await word(notes)]).toEqual([[], 'view_only']);
    expect(asked).toMatchObject([
      { app: { source: 'application' }, client: { audience: 'member' }, member: undefined },
    ]);
  });
});
