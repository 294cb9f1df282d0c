import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, CampusOptions } from '../../lib/index.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { connect, introspect, type JsonResponse, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
let phone: JsonResponse;
const events: AuditEvent[] = [];
async function start(limits: CampusOptions['limits']): Promise<void> {
  schools = await startSchools({ campus: { limits, lifetimes: { refreshGrace: 60 } } });
  phone = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  events.splice(0);
  schools.campus.events.on('audit', (event) => events.push(event));
}
afterEach(async () => {
  resetClock();
  await schools.close();
});

const again = ({ body }: JsonResponse): Promise<JsonResponse> =>
  refresh(schools.harbour, webMemberApp, body['refresh_token']);

async function refreshes(device: JsonResponse, count: number): Promise<JsonResponse> {
  let newest = device;
  for (let i = 0; i < count; i += 1) {
    newest = await again(newest);
    expect(newest.status).toBe(200);
  }
  return newest;
}

describe('refreshes of one family in an hour', () => {
  beforeEach(() => start({ refreshes: { perFamily: 3 } }));

  test('above the limit get 429 with Retry-After, and do not use up the refresh token', async () => {
    const newest = await refreshes(phone, 3);
    for (let i = 0; i < 2; i += 1) {
      const refused = await again(newest);
      expectError(refused, 429, 'slow_down');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    }
    expect(events.at(-1)).toMatchObject({
      action: 'quota.exceeded',
      outcome: 'refused',
      reason: 'refreshes',
      siteId: 'harbour',
      clientId: webMemberApp.id,
      memberId: 'sam',
    });
    expect((await userinfo(schools.harbour, newest.body['access_token'])).status).toBe(200);
    const active = async ({ body }: JsonResponse): Promise<unknown> =>
      (await introspect(schools.harbour, webMemberApp, body['refresh_token'])).body['active'];
    // The used ones look unused within the grace window.
    setClockAhead(61);
    expect([await active(phone), await active(newest)]).toEqual([false, true]);
  });

  test('do not count for another device, and a code exchange does not count', async () => {
    await refreshes(phone, 3);
    const laptop = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    await refreshes(laptop, 3);
  });

  test('get a stored response again without being counted', async () => {
    const first = await again(phone);
    for (let i = 0; i < 5; i += 1) expect((await again(phone)).body).toEqual(first.body);
    expectError(await again(await refreshes(first, 2)), 429, 'slow_down');
    expect((await again(phone)).body).toEqual(first.body);
  });
});

test('120 refreshes of a family in an hour are allowed by default', async () => {
  await start(undefined);
  expectError(await again(await refreshes(phone, 120)), 429, 'slow_down');
});

test('with limits: false there is no limit', async () => {
  await start(false);
  await refreshes(phone, 130);
});
