import { afterEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, Connection, Site } from '../../lib/index.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { csrfOf } from '../helpers/browser.ts';
import { connect, memberApp, postForm, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
afterEach(async () => {
  resetClock();
  await schools.close();
});

const path = '/account/connected-apps';
const at = (id: 'harbour' | 'summit' = 'harbour'): Site => ({
  id,
  origin: schools[id],
  name: id,
  connectionsEnabled: true,
});
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

describe('campus.connections', () => {
  test('list returns a member’s connections at one site, with scopes and date', async () => {
    await withTwo();
    const { connections } = schools.campus;
    const all = await connections.list(at(), 'sam');
    expect(names(all)).toEqual(['Pocket School', 'Study Buddy']);
    const buddy = all.find(({ clientId }) => clientId === webMemberApp.id);
    expect(buddy).toMatchObject({ host: 'buddy.example', audience: 'member', source: 'static' });
    expect(buddy?.scopes).toEqual(['openid', 'profile', 'email', 'account:read']);
    expect(Math.abs((buddy?.createdAt ?? 0) - now())).toBeLessThan(5);
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
    expect(Math.abs((await lastUsed()) - first)).toBeLessThan(5);
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
});

describe('the connected apps page', () => {
  const post = async (person: string, fields: Record<string, string>) => {
    const browser = schools.browser(person);
    const { html } = await browser.follow(schools.harbour + path);
    const body = new URLSearchParams({ csrf: csrfOf(html), ...fields });
    return browser.follow(schools.harbour + path, { method: 'POST', body });
  };

  test('redirects signed-out visitors to sign-in, and is 403 without a role', async () => {
    schools = await startSchools();
    const { url } = await schools.browser().follow(schools.harbour + path);
    expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/sign-in', schools.harbour + path]);
    expect((await schools.browser('nora').follow(schools.harbour + path)).response.status).toBe(403);
  });

  test('disconnects one app immediately', async () => {
    const { pocket, buddy } = await withTwo();
    const [one] = (await schools.campus.connections.list(at(), 'sam')).filter(
      ({ clientId }) => clientId === memberApp.id,
    );
    const { html, url } = await post('sam', { action: 'end', id: one?.id ?? '' });
    expect(url.search).toBe('?ended=1');
    expect(html).not.toContain('Pocket School');
    expect([await status(pocket), await status(buddy)]).toEqual([401, 200]);
    expect((await post('sam', { action: 'end', id: one?.id ?? '' })).html).toContain('Already disconnected.');
  });

  test('disconnects all apps after a confirmation', async () => {
    const { pocket, buddy } = await withTwo();
    const { html } = await schools.browser('sam').follow(`${schools.harbour}${path}?confirm=all`);
    expect(html).toContain('2 applications lose');
    expect(await status(pocket)).toBe(200);
    expect((await post('sam', { action: 'end-all' })).html).toContain('2 applications disconnected.');
    expect([await status(pocket), await status(buddy)]).toEqual([401, 401]);
  });

  test('rejects a form with another member’s CSRF token, or with none', async () => {
    const { pocket } = await withTwo();
    await connect(schools.browser('olivia'), schools.harbour, memberApp);
    const { html } = await schools.browser('olivia').follow(schools.harbour + path);
    for (const csrf of [csrfOf(html), '']) {
      const body = new URLSearchParams({ csrf, action: 'end-all' });
      const stop = await schools.browser('sam').follow(schools.harbour + path, { method: 'POST', body });
      expect(stop.response.status).toBe(400);
    }
    expect(await status(pocket)).toBe(200);
  });
});
