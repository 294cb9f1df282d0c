import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, Site } from '../../lib/index.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import {
  connect,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  memberApp,
  refresh,
  revokeToken,
  userinfo,
} from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

/** Both devices use one shared client, as the users of a metadata document do. */
const app = memberApp;

let schools: Schools;
let phone: JsonResponse;
let laptop: JsonResponse;
const events: AuditEvent[] = [];
beforeEach(async () => {
  schools = await startSchools();
  phone = await connect(schools.browser('sam'), schools.harbour, app);
  laptop = await connect(schools.browser('sam'), schools.harbour, app);
  schools.campus.events.on('audit', (event) => events.push(event));
  events.splice(0);
});
afterEach(async () => {
  resetClock();
  await schools.close();
});

const site = (): Site => harbourSite(schools.harbour);
const again = ({ body }: JsonResponse): Promise<JsonResponse> => refresh(schools.harbour, app, body['refresh_token']);
const revoke = (token: unknown): Promise<JsonResponse> => revokeToken(schools.harbour, app, token);
const connected = async (): Promise<number> => (await schools.campus.connections.list(site(), 'sam')).length;
const parties = { siteId: 'harbour', clientId: app.id, memberId: 'sam' };

async function expectLive(device: JsonResponse): Promise<void> {
  expect((await userinfo(schools.harbour, device.body['access_token'])).status).toBe(200);
  expect((await introspect(schools.harbour, app, device.body['refresh_token'])).body['active']).toBe(true);
}

async function expectEnded(device: JsonResponse): Promise<void> {
  expectError(await userinfo(schools.harbour, device.body['access_token']), 401, 'invalid_token');
  expect((await introspect(schools.harbour, app, device.body['refresh_token'])).body).toEqual({ active: false });
  expectError(await again(device), 400, 'invalid_grant');
}

describe('two devices on one client', () => {
  test('are one connection', async () => {
    expect(await connected()).toBe(1);
  });

  test('a used refresh token on one of them ends that one; the other goes on, and stays connected', async () => {
    const next = await again(phone);
    setClockAhead(31);
    expectError(await again(phone), 400, 'invalid_grant');
    await expectEnded(next);
    await expectLive(laptop);
    const newest = await again(laptop);
    expect(newest.status).toBe(200);
    await expectLive(newest);
    expect(await connected()).toBe(1);
  });

  test('a used refresh token of an old generation ends its device too', async () => {
    let newest = phone;
    for (let i = 0; i < 5; i += 1) newest = await again(newest);
    setClockAhead(31);
    expectError(await again(phone), 400, 'invalid_grant');
    await expectEnded(newest);
    await expectLive(laptop);
  });

  test('a code that is sent again ends the device that it signed in', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, app);
    const tablet = await exchange(code);
    setClockAhead(3);
    expectError(await exchange(code), 400, 'invalid_grant');
    await expectEnded(tablet);
    for (const device of [phone, laptop]) await expectLive(device);
  });

  test.each(['access_token', 'refresh_token'])('revoking the %s of one of them signs it out', async (name) => {
    expect((await revoke(phone.body[name])).status).toBe(200);
    expect(events).toMatchObject([{ action: 'token.revoked', outcome: 'allowed', ...parties }]);
    await expectEnded(phone);
    await expectLive(laptop);
    expect(await connected()).toBe(1);
    await revoke(laptop.body[name]);
    await expectEnded(laptop);
    expect(await connected()).toBe(0);
  });

  test('disconnecting ends both at once, with their codes and redeemed tokens', async () => {
    const next = await again(phone);
    const code = await getCode(schools.browser('sam'), schools.harbour, app);
    const [connection] = await schools.campus.connections.list(site(), 'sam');
    expect(await schools.campus.connections.revoke(site(), 'sam', connection?.id ?? '')).toBe(true);
    for (const device of [next, phone, laptop]) await expectEnded(device);
    expectError(await exchange(code), 400, 'invalid_grant');
    expect(await connected()).toBe(0);
  });
});

describe('tokens from before a disconnect', () => {
  let old: JsonResponse[];
  let fresh: JsonResponse;
  beforeEach(async () => {
    old = [phone];
    for (let i = 0; i < 3; i += 1) old.push(await again(old.at(-1) ?? phone));
    expect(await schools.campus.connections.revokeAll(site(), 'sam')).toBe(1);
    fresh = await connect(schools.browser('sam'), schools.harbour, app);
    events.splice(0);
  });

  test('are not valid in the next connection, and do not end it', async () => {
    setClockAhead(31);
    for (const device of [...old, laptop]) await expectEnded(device);
    for (const { body } of [...old, laptop]) {
      for (const name of ['access_token', 'refresh_token']) expect((await revoke(body[name])).status).toBe(200);
    }
    await expectLive(fresh);
    expect(await connected()).toBe(1);
    expect(events.filter(({ action }) => action === 'token.revoked')).toEqual([]);
  });

  test('nor is a code', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, app);
    await schools.campus.connections.revokeAll(site(), 'sam');
    fresh = await connect(schools.browser('sam'), schools.harbour, app);
    for (let i = 0; i < 2; i += 1) expectError(await exchange(code), 400, 'invalid_grant');
    await expectLive(fresh);
  });
});
