import { afterEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, Connection, Site } from '../../lib/index.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { authorizeUrl, connect, memberApp, pkce, postForm, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

let schools: Schools;
afterEach(async () => {
  resetClock();
  await schools.close();
});

const at = (id: 'harbour' | 'summit' = 'harbour'): Site => siteOf(schools, id);
const now = (): number => Math.floor(Date.now() / 1000);
const names = (connections: readonly Connection[]): string[] => connections.map(({ clientName }) => clientName).sort();

async function withTwo(): Promise<{ pocket: unknown; buddy: unknown; refreshToken: unknown }> {
  schools = await startSchools();
  const pocket = await connect(schools.browser('sam'), schools.harbour, memberApp);
  const buddy = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  return {
    pocket: pocket.body['access_token'],
    buddy: buddy.body['access_token'],
    refreshToken: pocket.body['refresh_token'],
  };
}

const status = async (token: unknown): Promise<number> => (await userinfo(schools.harbour, token)).status;

const family: unknown = expect.stringMatching(/^[\w-]{11}$/);

describe('campus.connections', () => {
  test('list returns a member’s connections at one site, with scopes and date', async () => {
    const before = now();
    await withTwo();
    const after = now();
    const { connections } = schools.campus;
    const all = await connections.list(at(), 'sam');
    expect(names(all)).toEqual(['Pocket School', 'Study Buddy']);
    const buddy = all.find(({ clientId }) => clientId === webMemberApp.id);
    expect(buddy).toMatchObject({ host: 'buddy.example', audience: 'member', source: 'static' });
    expect(buddy?.scopes).toEqual(['openid', 'profile', 'email', 'account:read']);
    expect(buddy?.createdAt).toBeGreaterThanOrEqual(before);
    expect(buddy?.createdAt).toBeLessThanOrEqual(after);
    expect(await connections.list(at('summit'), 'sam')).toEqual([]);
    expect(await connections.list(at(), 'olivia')).toEqual([]);
  });

  test('list distinguishes createdAt, allowedAt and lastUsedAt', async () => {
    const { refreshToken } = await withTwo();
    const { connections } = schools.campus;
    const one = async (): Promise<Connection | undefined> =>
      (await connections.list(at(), 'sam')).find(({ clientId }) => clientId === memberApp.id);
    const first = await one();
    setClockAhead(24 * 60 * 60);
    await refresh(schools.harbour, memberApp, refreshToken);
    const used = await one();
    expect(used).toMatchObject({ createdAt: first?.createdAt, allowedAt: first?.allowedAt });
    expect((used?.lastUsedAt ?? 0) - (first?.lastUsedAt ?? 0)).toBeGreaterThanOrEqual(24 * 60 * 60 - 1);
    setClockAhead(48 * 60 * 60);
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    const again = await one();
    expect(again?.createdAt).toBe(first?.createdAt);
    expect((again?.allowedAt ?? 0) - (first?.allowedAt ?? 0)).toBeGreaterThanOrEqual(48 * 60 * 60 - 1);
    setClockAhead(72 * 60 * 60);
    const narrowed = await connections.narrow(at(), 'sam', again?.id ?? '', ['account:read']);
    expect(narrowed).toMatchObject({ createdAt: first?.createdAt, allowedAt: again?.allowedAt });
    expect(narrowed?.scopes).not.toContain('account:read');
  });

  test('lastUsedAt is of the device that was used last, among those that are still signed in', async () => {
    const { refreshToken } = await withTwo();
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    const lastUsed = async (): Promise<number> => {
      const all = await schools.campus.connections.list(at(), 'sam');
      return all.find(({ clientId }) => clientId === memberApp.id)?.lastUsedAt ?? 0;
    };
    const first = await lastUsed();
    setClockAhead(3600);
    const { body } = await refresh(schools.harbour, memberApp, refreshToken);
    expect((await lastUsed()) - first).toBeGreaterThanOrEqual(3599);
    const fields = { token: String(body['refresh_token']), client_id: memberApp.id };
    expect((await postForm(`${schools.harbour}/api/oauth/revoke`, fields)).status).toBe(200);
    expect(await lastUsed()).toBe(first);
  });

  test('revoke ends one connection of that member, and audits it', async () => {
    const { pocket, buddy } = await withTwo();
    const { connections } = schools.campus;
    const [one] = (await connections.list(at(), 'sam')).filter(({ clientId }) => clientId === memberApp.id);
    expect(await connections.revoke(at(), 'olivia', one?.id ?? '')).toBe(false);
    expect(await connections.revoke(at('summit'), 'sam', one?.id ?? '')).toBe(false);
    expect(await status(pocket)).toBe(200);
    const auditEvents: AuditEvent[] = [];
    schools.campus.events.on('audit', (event) => auditEvents.push(event));
    expect(await connections.revoke(at(), 'sam', one?.id ?? '')).toBe(true);
    const siteId = 'harbour';
    expect(auditEvents).toMatchObject([
      { action: 'connection.ended', siteId, memberId: 'sam', clientId: memberApp.id, connectionId: one?.id },
    ]);
    expect(await connections.revoke(at(), 'sam', one?.id ?? '')).toBe(false);
    expect([await status(pocket), await status(buddy)]).toEqual([401, 200]);
  });

  test('revokeAll ends all connections of the member', async () => {
    const { pocket, buddy } = await withTwo();
    expect(await schools.campus.connections.revokeAll(at(), 'sam')).toBe(2);
    expect([await status(pocket), await status(buddy)]).toEqual([401, 401]);
    expect(await schools.campus.connections.list(at(), 'sam')).toEqual([]);
  });

  test('list omits the connections of a removed application', async () => {
    schools = await startSchools();
    const { application, clientSecret = '' } = await schools.campus.applications.create(at(), {
      clientName: 'Gone',
      redirectUris: ['https://gone.example/cb'],
      scopes: ['openid'],
      confidential: true,
    });
    const client = {
      id: application.clientId,
      redirectUri: 'https://gone.example/cb',
      secret: clientSecret,
      scope: 'openid',
    };
    await connect(schools.browser('sam'), schools.harbour, client);
    expect(names(await schools.campus.connections.list(at(), 'sam'))).toEqual(['Gone']);
    await schools.campus.applications.remove(at(), client.id);
    expect(await schools.campus.connections.list(at(), 'sam')).toEqual([]);
  });

  test('find returns one connection of the member, with the devices that are signed in', async () => {
    const { pocket, refreshToken } = await withTwo();
    const { connections } = schools.campus;
    const id = (await connections.list(at(), 'sam')).find(({ clientId }) => clientId === memberApp.id)?.id ?? '';
    const found = (devices: number): object => ({
      clientName: 'Pocket School',
      devices: Array.from({ length: devices }, () => ({ id: family, lastUsedAt: expect.any(Number) })),
    });
    expect(await connections.find(at(), 'sam', id)).toMatchObject(found(1));
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    expect(await connections.find(at(), 'sam', id)).toMatchObject(found(2));
    await refresh(schools.harbour, memberApp, refreshToken);
    expect(await connections.find(at(), 'sam', id)).toMatchObject(found(2));
    await postForm(`${schools.harbour}/api/oauth/revoke`, { token: String(refreshToken), client_id: memberApp.id });
    expect(await connections.find(at(), 'sam', id)).toMatchObject(found(1));
    expect(await status(pocket)).toBe(401);
    expect(await connections.find(at(), 'olivia', id)).toBeUndefined();
    expect(await connections.find(at('summit'), 'sam', id)).toBeUndefined();
  });

  test('revokeDevice signs one device out, and with the last one the connection ends; nobody else can', async () => {
    const { pocket } = await withTwo();
    const { connections } = schools.campus;
    const events: AuditEvent[] = [];
    schools.campus.events.on('audit', (event) => events.push(event));
    const id = (await connections.list(at(), 'sam')).find(({ clientId }) => clientId === memberApp.id)?.id ?? '';
    const [first] = (await connections.find(at(), 'sam', id))?.devices ?? [];
    const other = await connect(schools.browser('sam'), schools.harbour, memberApp);
    events.length = 0;
    for (const [where, who, device] of [
      [at(), 'olivia', first?.id],
      [at('summit'), 'sam', first?.id],
      [at(), 'sam', 'nothing'],
    ] as const) {
      expect(await connections.revokeDevice(where, who, id, device ?? '')).toBe(false);
    }
    expect([await status(pocket), events]).toEqual([200, []]);
    expect(await connections.revokeDevice(at(), 'sam', id, first?.id ?? '')).toBe(true);
    expect([await status(pocket), await status(other.body['access_token'])]).toEqual([401, 200]);
    expect(events[0]).toMatchObject({
      action: 'token.revoked',
      reason: 'signed_out',
      actor: { kind: 'member', id: 'sam' },
      clientId: memberApp.id,
      connectionId: id,
      familyId: first?.id,
    });
    const [last] = (await connections.find(at(), 'sam', id))?.devices ?? [];
    expect(await connections.revokeDevice(at(), 'sam', id, last?.id ?? '')).toBe(true);
    expect(await connections.find(at(), 'sam', id)).toBeUndefined();
  });

  test('narrow takes scopes away at once, on all devices; refreshes give what is left, and the connection stays', async () => {
    const { pocket, refreshToken } = await withTwo();
    const { connections } = schools.campus;
    const before = (await connections.list(at(), 'sam')).find(({ clientId }) => clientId === memberApp.id);
    const id = before?.id ?? '';
    const auditEvents: AuditEvent[] = [];
    schools.campus.events.on('audit', (event) => auditEvents.push(event));
    expect(await connections.narrow(at(), 'olivia', id, ['account:read'])).toBeUndefined();
    expect(await connections.narrow(at(), 'sam', id, ['courses:read'])).toEqual(before);
    expect([await status(pocket), auditEvents]).toEqual([200, []]);
    expect(await connections.narrow(at(), 'sam', id, ['account:write', 'account:read'])).toEqual({
      ...before,
      version: expect.any(String),
      scopes: ['openid', 'profile', 'email'],
      refused: ['account:read', 'account:write'],
    });
    expect(await status(pocket)).toBe(401);
    const refreshed = await refresh(schools.harbour, memberApp, refreshToken);
    expect(refreshed.body['scope']).toBe('openid profile email');
    expect(await status(refreshed.body['access_token'])).toBe(200);
    const parties = { siteId: 'harbour', memberId: 'sam', clientId: memberApp.id, connectionId: id };
    const scopes = { before: before?.scopes, after: ['openid', 'profile', 'email'] };
    expect(auditEvents.filter(({ action }) => action !== 'token.rejected')).toMatchObject([
      { ...parties, action: 'connection.narrowed', actor: { kind: 'member', id: 'sam' }, scopes },
      { ...parties, action: 'token.refreshed' },
    ]);
    await expect(connections.narrow(at(), 'sam', id, ['openid', 'profile', 'email'])).rejects.toThrow(
      'cannot remove the last scope',
    );
  });

  test('a confidential client that was narrowed gets the rest without a question, and asks again with prompt=consent', async () => {
    await withTwo();
    const { connections } = schools.campus;
    const id = (await connections.list(at(), 'sam')).find(({ clientId }) => clientId === webMemberApp.id)?.id ?? '';
    await connections.narrow(at(), 'sam', id, ['account:read']);
    const { response } = await schools
      .browser('sam')
      .follow(authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'none' }));
    expect(response.headers.get('location')).toContain('code=');
    const again = await connect(schools.browser('sam'), schools.harbour, webMemberApp, { prompt: 'consent' });
    expect(again.body['scope']).toBe('openid profile email account:read');
  });

  test('two narrowings at the same moment both count', async () => {
    const { refreshToken } = await withTwo();
    const { connections } = schools.campus;
    const id = (await connections.list(at(), 'sam')).find(({ clientId }) => clientId === memberApp.id)?.id ?? '';
    await Promise.all(['account:read', 'account:write'].map((scope) => connections.narrow(at(), 'sam', id, [scope])));
    const { body } = await refresh(schools.harbour, memberApp, refreshToken);
    expect(body['scope']).toBe('openid profile email');
  });
});
