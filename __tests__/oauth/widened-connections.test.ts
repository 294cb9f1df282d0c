import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AccessRule, AuditEvent, Connection, Question } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { csrfOf } from '../helpers/browser.ts';
import {
  authorizeUrl,
  exchange,
  introspect,
  type JsonResponse,
  memberApp,
  pkce,
  refresh,
  reports,
  type TestClient,
  userinfo,
} from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

// A person gives a connected app, later, a permission that it was refused: the app does not ask, and gets it with its own refresh.

let schools: Schools;
const memory = memoryStore();
let knowsDevices = true;
const reads: string[] = [];
const store: Store = {
  ...memory,
  find: async (...query) => {
    reads.push(query[1]);
    const found = await memory.find(...query);
    return found && !knowsDevices ? { ...found, devices: null } : found;
  },
};
const events: AuditEvent[] = [];
let verdict: (question: Question) => AccessRule | undefined = () => undefined;
const asked: Question[] = [];

beforeAll(async () => {
  const policy = (question: Question): AccessRule | undefined => {
    asked.push(question);
    return verdict(question);
  };
  schools = await startSchools({ campus: { store, access: [policy] } });
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterAll(() => schools.close());
beforeEach(() => {
  events.length = 0;
  asked.length = 0;
});
afterEach(async () => {
  verdict = () => undefined;
  for (const person of ['sam', 'olivia']) await connections().revokeAll(site(), person);
});

const site = () => siteOf(schools);
const connections = () => schools.campus.connections;

/** A consent in which only these scopes stay ticked, and the tokens that come of it. */
async function allow(
  scopes: string,
  client: TestClient = memberApp,
  person = 'sam',
  changes = {},
): Promise<JsonResponse> {
  const browser = schools.browser(person);
  const pair = pkce();
  const page = await browser.follow(authorizeUrl(schools.harbour, client, pair, { prompt: 'consent', ...changes }));
  const body = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow', choice: 'shown' });
  for (const scope of scopes.split(' ')) body.append('scope', scope);
  const { url } = await browser.follow(page.url, { method: 'POST', body });
  return exchange({
    origin: schools.harbour,
    client,
    code: url.searchParams.get('code') ?? '',
    verifier: pair.verifier,
  });
}

async function connection(person = 'sam'): Promise<Connection> {
  const [found] = await connections().list(site(), person);
  if (!found) throw new Error('nothing is connected');
  return found;
}

const widen = async (...scopes: string[]): Promise<Connection | undefined> =>
  connections().widen(site(), 'sam', (await connection()).id, scopes);
const givable = async (person = 'sam'): Promise<readonly string[]> =>
  connections().givable(site(), person, (await connection(person)).id);
const again = ({ body }: JsonResponse, changes = {}, client = memberApp): Promise<JsonResponse> =>
  refresh(schools.harbour, client, body['refresh_token'], changes);

const without = 'openid profile email account:read';
const all = `${without} account:write`;

describe('a permission that is given later', () => {
  test('is in the next refresh, on every device; tokens of before stay as they are', async () => {
    const phone = await allow('account:read');
    const laptop = await allow('account:read');
    expect([phone.body['scope'], await givable()]).toEqual([without, ['account:write']]);
    const before = await connection();
    expect(await widen('account:write')).toEqual({
      ...before,
      scopes: all.split(' '),
      refused: [],
      version: expect.not.stringMatching(before.version),
    });
    for (const device of [phone, laptop]) {
      expect((await userinfo(schools.harbour, device.body['access_token'])).status).toBe(200);
      const { body } = await introspect(schools.harbour, memberApp, device.body['access_token']);
      expect(body['scope']).toBe(without);
      const next = await again(device);
      expect(next.body['scope']).toBe(all);
      expect((await again(next)).body['scope']).toBe(all);
    }
    expect(await givable()).toEqual([]);
    expect(asked.at(-1)).toMatchObject({ at: 'refresh', member: { id: 'sam' }, scopes: all.split(' ') });
  });

  test('is reported once, with the scopes of before and after, and a host’s hook can learn of it', async () => {
    await allow('account:read');
    events.length = 0;
    await widen('account:write');
    await widen('account:write', 'account:read');
    expect(events).toMatchObject([
      {
        action: 'connection.widened',
        outcome: 'allowed',
        actor: { kind: 'member', id: 'sam' },
        memberId: 'sam',
        clientId: memberApp.id,
        connectionId: (await connection()).id,
        scopes: { before: without.split(' '), after: all.split(' ') },
      },
    ]);
  });

  test('is not in the token of an app that names others when it refreshes, and is if it names it', async () => {
    const named = await allow('account:read');
    await widen('account:write');
    const fewer = await again(named, { scope: 'openid account:read' });
    expect(fewer.body['scope']).toBe('openid account:read');
    const more = await again(fewer, { scope: 'openid account:write' });
    expect(more.body['scope']).toBe('openid account:write');
    const other = await again(more, { scope: 'courses:write' });
    expect([other.status, other.body['error']]).toEqual([400, 'invalid_scope']);
  });

  test('is in the token of an app that names all that it was first given, as Codex, rmcp and the Swift SDK do', async () => {
    // One names what it asked for first, in each refresh; the other what the last response had.
    const [first, last] = [await allow('account:read'), await allow('account:read')];
    await widen('account:write');
    let devices = [first, last];
    for (let refreshes = 0; refreshes < 3; refreshes += 1) {
      const scopes = [without, devices[1]?.body['scope']];
      reads.length = 0;
      devices = await Promise.all(devices.map((each, i) => again(each, { scope: scopes[i] })));
      expect(devices.map(({ body }) => body['scope'])).toEqual([all, all]);
      expect(reads.filter((kind) => kind !== 'AppRule')).toEqual(['RefreshToken', 'RefreshToken']);
    }
    await connections().narrow(site(), 'sam', (await connection()).id, ['account:write', 'email']);
    const left = devices.map((each, i) => again(each, { scope: [without, all][i] }));
    expect((await Promise.all(left)).map(({ body }) => body['scope'])).toEqual(
      Array(2).fill('openid profile account:read'),
    );
  });

  test('is not in the token of an app that leaves out one that it was first given, as often as it does', async () => {
    let named = await allow('account:read');
    const { id } = await connection();
    await widen('account:write');
    for (let refreshes = 0; refreshes < 3; refreshes += 1) {
      const token = named;
      const fewer = { scope: 'openid profile account:read' };
      named = await again(token, fewer);
      expect(named.body['scope']).toBe(fewer.scope);
      // The same request once more, as after a lost response, also if something is given or taken away in between.
      await connections().narrow(site(), 'sam', id, ['email']);
      expect((await again(token, fewer)).body).toEqual(named.body);
      await connections().widen(site(), 'sam', id, ['email']);
      expect((await again(token, fewer)).body).toEqual(named.body);
    }
    const { body } = await again(named, { scope: without });
    expect(String(body['scope']).split(' ').sort()).toEqual(all.split(' ').sort());
  });

  test('is ticked when the app asks again, and can be taken away again', async () => {
    const phone = await allow('account:read');
    await widen('account:write');
    const page = await schools.browser('sam').follow(authorizeUrl(schools.harbour, memberApp, pkce()));
    const boxes = readPage(page.html).getAllByRole('checkbox');
    expect(boxes.map(({ checked }) => checked)).toEqual([true, true]);
    const next = await again(phone);
    await connections().narrow(site(), 'sam', (await connection()).id, ['account:write']);
    expect((await userinfo(schools.harbour, next.body['access_token'])).status).toBe(401);
    expect((await again(next)).body['scope']).toBe(without);
    expect(await givable()).toEqual(['account:write']);
  });

  test('two at the same moment both count, beside one that is taken away', async () => {
    const wide: TestClient = { ...reports, scope: 'openid courses:read courses:write orders:read' };
    const tokens = await allow('courses:read', wide, 'olivia');
    const { id } = await connection('olivia');
    await Promise.all([
      connections().widen(site(), 'olivia', id, ['courses:write']),
      connections().widen(site(), 'olivia', id, ['orders:read']),
      connections().narrow(site(), 'olivia', id, ['courses:read']),
    ]);
    const { body } = await again(tokens, {}, wide);
    expect(String(body['scope']).split(' ').sort()).toEqual(['courses:write', 'openid', 'orders:read']);
  });
});

describe('cannot be given', () => {
  test('what the app never asked for, or what nobody has; and by nobody else', async () => {
    await allow('openid', memberApp, 'sam', { scope: 'openid account:read' });
    const { id } = await connection();
    for (const scope of ['account:write', 'courses:write', 'nothing'])
      await expect(widen('account:read', scope)).rejects.toThrow(
        `was refused and may have now (account:read), not ${scope}`,
      );
    expect((await connection()).scopes).toEqual(['openid']);
    expect(await connections().widen(site(), 'olivia', id, ['account:read'])).toBeUndefined();
    expect(await connections().widen(siteOf(schools, 'summit'), 'sam', id, ['account:read'])).toBeUndefined();
    expect(await connections().givable(site(), 'olivia', id)).toEqual([]);
  });

  test('to a device that starts later, with a consent that did not ask for it', async () => {
    const phone = await allow('account:read');
    await widen('account:write');
    const laptop = await allow('account:read', memberApp, 'sam', { scope: 'openid account:read' });
    expect((await again(laptop)).body['scope']).toBe('openid account:read');
    expect((await again(phone)).body['scope']).toBe(all);
  });

  test('what the rule of a school, an approval or a consent policy does not leave', async () => {
    await allow('account:read');
    const client = { clientId: memberApp.id };
    verdict = ({ scopes }) => ({ scopes: scopes.filter((scope) => scope !== 'account:write') });
    expect(await givable()).toEqual([]);
    verdict = () => ({ access: 'blocked' });
    expect(await givable()).toEqual([]);
    verdict = () => undefined;
    const scopes = ['openid', 'profile', 'email', 'account:read'];
    await schools.campus.apps.set(site(), client, { access: 'allowed', scopes });
    await allow('account:read');
    expect([(await connection()).refused, await givable()]).toEqual([['account:write'], []]);
    await expect(widen('account:write')).rejects.toThrow('was refused and may have now (nothing)');
    await schools.campus.apps.set(site(), client, { access: 'view_only' });
    await allow('account:read');
    expect([(await connection()).refused, await givable()]).toEqual([['account:write'], []]);
    await schools.campus.apps.reset(site(), client);
    expect(await givable()).toEqual(['account:write']);
  });

  test('by a person who may no longer use the app', async () => {
    const wide: TestClient = { ...reports, scope: 'openid courses:read courses:write' };
    await allow('courses:read', wide, 'olivia');
    expect(await givable('olivia')).toEqual(['courses:write']);
    const { olivia, ...others } = schools.people['harbour'] ?? {};
    if (!olivia) throw new Error('the school has no owner');
    schools.people['harbour'] = { ...others, olivia: { ...olivia, roles: ['student'] } };
    expect(await givable('olivia')).toEqual([]);
    schools.people['harbour'] = { ...others };
    expect(await givable('olivia')).toEqual([]);
    schools.people['harbour'] = { ...others, olivia };
  });

  test('where no device is signed in', async () => {
    await allow('account:read');
    expect(await givable()).toEqual(['account:write']);
    knowsDevices = false;
    expect(await givable()).toEqual([]);
    knowsDevices = true;
  });
});

describe('a rule that comes afterwards', () => {
  test('takes it from every token and every refresh', async () => {
    const phone = await allow('account:read');
    await widen('account:write');
    const next = await again(phone);
    const scopes = ['openid', 'profile', 'email', 'account:read'];
    await schools.campus.apps.set(site(), { clientId: memberApp.id }, { access: 'allowed', scopes });
    expect((await userinfo(schools.harbour, next.body['access_token'])).status).toBe(401);
    expect((await again(next)).body['scope']).toBe(scopes.join(' '));
    await schools.campus.apps.reset(site(), { clientId: memberApp.id });
  });
});
