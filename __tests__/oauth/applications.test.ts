import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { digest } from '../../lib/kernel/crypto.ts';
import { InvalidApplication, type NewApplication, type Site } from '../../lib/index.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  getCode,
  introspect,
  pkce,
  refresh,
  type TestClient,
  userinfo,
} from '../helpers/flow.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

let schools: Schools;
afterEach(() => {
  resetClock();
  return schools.close();
});

const at = (id: 'harbour' | 'summit' = 'harbour', connectionsEnabled = true): Site => ({
  ...siteOf(schools, id),
  connectionsEnabled,
});
const wanted: NewApplication = {
  clientName: 'Study Timer',
  redirectUris: ['https://timer.example/callback'],
  scopes: ['openid', 'email', 'account:read'],
  confidential: true,
};
async function create(change: Partial<NewApplication> = {}): Promise<TestClient & { secret: string }> {
  const { application, clientSecret = '' } = await schools.campus.applications.create(at(), { ...wanted, ...change });
  return {
    id: application.clientId,
    redirectUri: application.redirectUris[0] ?? '',
    secret: clientSecret,
    scope: 'openid email account:read',
  };
}

describe('an operator’s application', () => {
  test('is a member client: a student goes through the whole flow with it, account:read included', async () => {
    schools = await startSchools();
    const client = await create();
    const tokens = await connect(schools.browser('sam'), schools.harbour, client);
    expect(tokens.body['scope']).toBe(client.scope);
    expect((await introspect(schools.harbour, client, tokens.body['access_token'])).body['client_audience']).toBe(
      'member',
    );
  });

  test('on loopback is public if so made, on any port, and must send resource', async () => {
    schools = await startSchools();
    const { application, clientSecret } = await schools.campus.applications.create(at(), {
      ...wanted,
      confidential: false,
      redirectUris: ['http://127.0.0.1/cb'],
    });
    expect(clientSecret).toBeUndefined();
    const client: TestClient = { id: application.clientId, redirectUri: 'http://127.0.0.1:40000/cb', scope: 'openid' };
    expect((await connect(schools.browser('sam'), schools.harbour, client)).status).toBe(200);
    const { url } = await schools
      .browser('sam')
      .follow(authorizeUrl(schools.harbour, client, pkce(), { resource: undefined }));
    expect(url.searchParams.get('error')).toBe('invalid_target');
  });

  test('loses its home page when that is left out', async () => {
    schools = await startSchools();
    const { applications: clients } = schools.campus;
    const { application } = await clients.create(at(), { ...wanted, clientUri: 'https://timer.example/' });
    await clients.update(at(), application.clientId, { clientName: 'Timer' });
    expect((await clients.find(at(), application.clientId))?.clientUri).toBe('https://timer.example/');
    await clients.update(at(), application.clientId, { clientUri: undefined });
    expect(await clients.find(at(), application.clientId)).not.toHaveProperty('clientUri');
  });

  test('is found and listed at its school alone, without its secret', async () => {
    schools = await startSchools();
    const client = await create();
    const found = await schools.campus.applications.find(at(), client.id);
    expect(found).toMatchObject({ ...wanted, clientId: client.id });
    const use = { people: 0, lastActiveAt: undefined, status: 'allowed' };
    expect(await schools.campus.applications.list(at())).toEqual([{ ...found, ...use }]);
    expect(JSON.stringify(found)).not.toContain(client.secret);
    expect(await schools.campus.applications.find(at('summit'), client.id)).toBeUndefined();
    expect(await schools.campus.applications.list(at('summit'))).toEqual([]);
    expect(await schools.campus.applications.find(at(), 'reports')).toBeUndefined();
  });

  test('keeps its connections when renamed, and loses them when a scope is taken away', async () => {
    schools = await startSchools();
    const client = await create();
    const tokens = await connect(schools.browser('sam'), schools.harbour, client);
    await schools.campus.applications.update(at(), client.id, { clientName: 'Timer 2' });
    expect((await userinfo(schools.harbour, tokens.body['access_token'])).status).toBe(200);
    const { url } = await schools
      .browser('sam')
      .follow(authorizeUrl(schools.harbour, client, pkce(), { prompt: 'consent' }));
    expect(url.pathname).toMatch(/interaction/);
    await schools.campus.applications.update(at(), client.id, { scopes: ['openid'] });
    expect((await userinfo(schools.harbour, tokens.body['access_token'])).status).toBe(401);
  });

  test('has one secret: the old one is refused after rotation', async () => {
    schools = await startSchools();
    const client = await create();
    const tokens = await connect(schools.browser('sam'), schools.harbour, client);
    const { clientSecret = '' } = await schools.campus.applications.rotateSecret(at(), client.id);
    expect(await refresh(schools.harbour, client, tokens.body['refresh_token'])).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(
      (await refresh(schools.harbour, { ...client, secret: clientSecret }, tokens.body['refresh_token'])).status,
    ).toBe(200);
  });

  describe('with an overlap of two secrets', () => {
    const start = Math.floor(Date.now() / 1000);
    const day = 24 * 3600;
    /** Which of the secrets are accepted. */
    const accepted = (client: TestClient, secrets: readonly string[]): Promise<boolean[]> =>
      Promise.all(
        secrets.map(async (secret) => (await introspect(schools.harbour, { ...client, secret }, 'x')).status === 200),
      );

    test('accepts both until the old one ends, also after a change; another rotation leaves the last two, or one', async () => {
      const reasons: (string | undefined)[] = [];
      schools = await startSchools();
      schools.campus.events.on('audit', ({ action, reason }) => {
        if (action === 'application.secret_rotated') reasons.push(reason);
      });
      const client = await create();
      const { applications } = schools.campus;
      const rotate = async (overlap?: number): Promise<string> =>
        (await applications.rotateSecret(at(), client.id, { overlap })).clientSecret ?? '';
      const secrets = [client.secret, await rotate(3600)];
      await applications.update(at(), client.id, { clientName: 'Timer 2' });
      expect(await accepted(client, [...secrets, 'wrong', ''])).toEqual([true, true, false, false]);
      expect((await applications.secrets(at(), client.id)).map(({ validUntil }) => typeof validUntil)).toEqual([
        'undefined',
        'number',
      ]);
      secrets.push(await rotate(60));
      expect(await accepted(client, secrets)).toEqual([false, true, true]);
      setClockAhead(61);
      expect(await accepted(client, secrets)).toEqual([false, false, true]);
      expect(await applications.secrets(at(), client.id)).toEqual([{}]);
      secrets.push(await rotate(7 * day), await rotate());
      expect(await accepted(client, secrets)).toEqual([false, false, false, false, true]);
      expect(reasons).toEqual(['overlap', 'overlap', 'overlap', undefined]);
      expect(JSON.stringify(await applications.list(at()))).not.toContain(digest(secrets.at(-1) ?? ''));
    });

    test('says when each was last used, to within a day, in no call of the store more than that of the day', async () => {
      const calls: string[] = [];
      const store = memoryStore();
      for (const name of ['find', 'save', 'redeem', 'list', 'remove'] as const) {
        const call: (...args: never[]) => unknown = store[name].bind(store);
        Object.assign(store, { [name]: (...args: never[]) => (calls.push(name), call(...args)) });
      }
      schools = await startSchools({ campus: { store } });
      const client = await create();
      let { body } = await connect(schools.browser('sam'), schools.harbour, client);
      const refreshed = async (secret: string): Promise<readonly string[]> => {
        calls.length = 0;
        ({ body } = await refresh(schools.harbour, { ...client, secret }, body['refresh_token']));
        return [...calls].sort();
      };
      const usual = await refreshed(client.secret);
      expect(usual).not.toContain('save');
      const { clientSecret: second = '' } = await schools.campus.applications.rotateSecret(at(), client.id, {
        overlap: 3 * day,
      });
      const used = async (): Promise<(number | undefined)[]> =>
        (await schools.campus.applications.secrets(at(), client.id)).map(({ lastUsedAt }) => lastUsedAt);
      expect(await used()).toEqual([undefined, expect.any(Number)]);
      expect(await refreshed(client.secret)).toEqual(usual);
      setClockAhead(day + 60);
      expect(await refreshed(second)).toEqual([...usual, 'find', 'save'].sort());
      for (const secret of [second, second]) expect(await refreshed(secret)).toEqual(usual);
      const [now = 0, before = 0] = await used();
      expect([now - start >= day, before - start < day]).toEqual([true, true]);
      await refreshed(client.secret);
      const [, again = 0] = await used();
      expect(again - start >= day).toBe(true);
    });
  });

  test('removed: its codes, tokens and name are good for nothing at once', async () => {
    schools = await startSchools();
    const client = await create();
    const tokens = await connect(schools.browser('sam'), schools.harbour, client);
    const code = await getCode(schools.browser('olivia'), schools.harbour, client);
    expect(await schools.campus.applications.remove(at(), client.id)).toEqual({ connections: 2 });
    expect((await userinfo(schools.harbour, tokens.body['access_token'])).status).toBe(401);
    expect((await refresh(schools.harbour, client, tokens.body['refresh_token'])).body['error']).toBe('invalid_client');
    expect((await exchange(code)).body['error']).toBe('invalid_client');
    expect((await schools.browser('sam').follow(authorizeUrl(schools.harbour, client, pkce()))).response.status).toBe(
      400,
    );
    expect(await schools.campus.applications.list(at())).toEqual([]);
  });
});

describe('campus.applications refuses', () => {
  test.each<[string, Partial<NewApplication>, string]>([
    ['no name', { clientName: '  ' }, 'clientName is empty'],
    ['a long name', { clientName: 'x'.repeat(101) }, 'clientName has more than 100 characters'],
    ['a name with direction marks', { clientName: 'a\u202Eb' }, 'clientName contains an invisible character, U+202E'],
    ['a name with a filler', { clientName: 'a\u3164b' }, 'clientName contains an invisible character, U+3164'],
    ['no redirect URI', { redirectUris: [] }, 'redirectUris is empty'],
    ['http elsewhere', { redirectUris: ['http://timer.example/'] }, 'redirectUris "http://timer.example/"'],
    ['a private-use scheme', { redirectUris: ['com.example.app:/cb'] }, 'redirectUris "com.example.app:/cb"'],
    ['no scope', { scopes: [] }, 'scopes is empty'],
    ['a page that is script', { clientUri: 'javascript:alert(1)' }, 'clientUri is not an https: URL'],
  ])('%s', async (_name, change, message) => {
    schools = await startSchools();
    await expect(schools.campus.applications.create(at(), { ...wanted, ...change })).rejects.toThrow(message);
    expect(await schools.campus.applications.list(at())).toEqual([]);
  });

  test('what is not of the type, with its field', async () => {
    schools = await startSchools();
    const given: object = { redirectUris: 'https://x.example/', confidential: true };
    const error = await Reflect.apply(Reflect.get(schools.campus.applications, 'create'), undefined, [
      at(),
      given,
    ]).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      problems: [{ field: 'clientName' }, { field: 'redirectUris' }, { field: 'scopes' }],
    });
  });

  test('several mistakes at once, each with its field', async () => {
    schools = await startSchools();
    const error = await schools.campus.applications
      .create(at(), { ...wanted, clientName: '', scopes: [] })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidApplication);
    expect(error).toMatchObject({ problems: [{ field: 'clientName' }, { field: 'scopes' }] });
  });

  test('a value of a list, with the value and the reason', async () => {
    schools = await startSchools();
    const error: unknown = await schools.campus.applications
      .create(at(), { ...wanted, redirectUris: ['https://x.example/ok', 'https://x.example/#a'] })
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: 'redirectUris "https://x.example/#a" has a fragment',
      problems: [{ field: 'redirectUris', code: 'unusable', value: 'https://x.example/#a', reason: 'has a fragment' }],
    });
  });

  test('everything that writes while connections are off', async () => {
    schools = await startSchools();
    const client = await create();
    const off = at('harbour', false);
    const { applications: clients } = schools.campus;
    for (const attempt of [
      clients.create(off, wanted),
      clients.update(off, client.id, {}),
      clients.rotateSecret(off, client.id),
      clients.remove(off, client.id),
    ]) {
      await expect(attempt).rejects.toMatchObject({ error: 'access_denied', status: 403 });
    }
    expect(await clients.list(off)).toHaveLength(1);
  });

  test('to change another version than the one that was seen, or that changes at the same moment', async () => {
    schools = await startSchools();
    const { applications: clients } = schools.campus;
    const { application } = await clients.create(at(), wanted);
    const { clientId, version } = application;
    expect(await clients.find(at(), clientId)).toEqual(application);
    const second = await clients.update(at(), clientId, { clientName: 'Second' }, { version });
    expect(second.version).not.toBe(version);
    const refusal = { error: 'conflict', status: 409 };
    await expect(clients.update(at(), clientId, { clientName: 'Third' }, { version })).rejects.toMatchObject(refusal);
    expect(await clients.find(at(), clientId)).toEqual(second);

    const everyone = (seen: { version?: string }) =>
      Promise.allSettled([
        ...['A', 'B', 'C', 'D'].map((clientName) => clients.update(at(), clientId, { clientName }, seen)),
        ...[1, 2, 3, 4].map(() => clients.rotateSecret(at(), clientId, seen)),
      ]);
    // One of those that saw the same version wins. Changes without a version may also run one after the other.
    const ofOneVersion = await everyone({ version: second.version });
    expect(ofOneVersion.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of [...ofOneVersion, ...(await everyone({}))])
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refusal);
  });

  test('to bring back an application that was removed at the same moment', async () => {
    schools = await startSchools();
    const { applications: clients } = schools.campus;
    const { application } = await clients.create(at(), wanted);
    const update = clients.update(at(), application.clientId, { clientName: 'Second' });
    await Promise.allSettled([clients.remove(at(), application.clientId), update]);
    expect(await clients.list(at())).toEqual([]);
  });

  test('to touch what is not an application', async () => {
    schools = await startSchools();
    const { applications: clients } = schools.campus;
    for (const id of ['reports', 'nothing', 'https://docs.example/client.json']) {
      await expect(clients.remove(at(), id)).rejects.toMatchObject({ status: 404 });
    }
    const { application } = await clients.create(at(), { ...wanted, confidential: false });
    await expect(clients.rotateSecret(at(), application.clientId)).rejects.toMatchObject({ status: 400 });
  });
});
