import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Store } from '../../../lib/store.ts';
import { resetClock, setClockAhead } from '../../helpers/clock.ts';
import { approve, confirmCode, poll, startDevice, terminalApp, withDevices } from './devices.ts';
import { refresh, userinfo } from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { type CrowdedStore, crowdedStore } from '../../helpers/stores.ts';

let crowded: CrowdedStore;
let schools: Schools;
let actions: string[];
beforeEach(async () => {
  crowded = crowdedStore();
  schools = await startSchools({ campus: { ...withDevices, store: crowded.store } });
  actions = [];
  schools.campus.events.on('audit', ({ action }) => actions.push(action));
});
afterEach(async () => {
  expect(schools.faults).toEqual([]);
  resetClock();
  await schools.close();
});

test('polls that come too early are told to slow down, those of another device are not', async () => {
  const [one, other] = [await startDevice(schools.harbour), await startDevice(schools.harbour)];
  expectError(await poll(one), 400, 'authorization_pending');
  expectError(await poll(one), 400, 'slow_down');
  expectError(await poll(other), 400, 'authorization_pending');
  await approve(schools.browser('sam'), one);
  expect((await poll(one)).status).toBe(200);
});

test.each([2, 16])('of %i polls at once, one gets tokens', async (count) => {
  const codes = await startDevice(schools.harbour);
  await approve(schools.browser('sam'), codes);
  crowded.gather(count);
  const responses = await Promise.all(Array.from({ length: count }, () => poll(codes)));
  const won = responses.filter(({ status }) => status === 200);
  for (const lost of responses.filter(({ status }) => status !== 200)) expectError(lost, 400, 'invalid_grant');
  expect([won.length, crowded.refreshTokens()]).toEqual([1, 1]);
  expect((await userinfo(schools.harbour, won[0]?.body['access_token'])).status).toBe(200);
});

test('the code that comes again later is stolen: its tokens end', async () => {
  const codes = await startDevice(schools.harbour);
  await approve(schools.browser('sam'), codes);
  const { body } = await poll(codes);
  setClockAhead(3);
  expectError(await poll(codes), 400, 'invalid_grant');
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
  expectError(await refresh(schools.harbour, terminalApp, body['refresh_token']), 400, 'invalid_grant');
  expect(actions).toContain('token.reused');
});

test('of two people who approve one code at once, one is connected', async () => {
  const codes = await startDevice(schools.harbour);
  const people = ['sam', 'olivia'].map((name) => schools.browser(name));
  const pages = await Promise.all(
    people.map(async (browser) => ({ browser, page: await confirmCode(browser, schools.harbour, codes.userCode) })),
  );
  crowded.gather(2, (kind) => kind === 'DeviceRequest');
  const ends = await Promise.all(pages.map(({ browser, page }) => browser.decide(page, 'allow')));
  const connected = ends.map(({ html }) => html.includes('Your device is connected'));
  expect(connected.filter(Boolean)).toHaveLength(1);
  const { body } = await poll(codes);
  const winner = connected[0] === true ? 'sam' : 'olivia';
  expect((await userinfo(schools.harbour, body['access_token'])).body['sub']).toBe(winner);
});

test('who allows a code in one tab and refuses it in another is not told that nothing is connected', async () => {
  const codes = await startDevice(schools.harbour);
  const sam = schools.browser('sam');
  const [one, other] = [
    await confirmCode(sam, schools.harbour, codes.userCode),
    await confirmCode(sam, schools.harbour, codes.userCode),
  ];
  expect((await sam.decide(one, 'allow')).html).toContain('Your device is connected');
  const { response, html } = await sam.decide(other, 'deny');
  expect([response.status, html.includes('this code has been used by another request')]).toEqual([400, true]);
  expect((await poll(codes)).status).toBe(200);
});

test('a poll between the decision and the code that it gives waits for the code', async () => {
  await schools.close();
  const polls: (() => Promise<unknown>)[] = [];
  const { store } = crowdedStore();
  const save: Store['save'] = async (siteId, entry) => {
    if (entry.kind === 'DeviceCode') for (const each of polls.splice(0)) await each();
    return store.save(siteId, entry);
  };
  schools = await startSchools({ campus: { ...withDevices, store: { ...store, save } } });
  const codes = await startDevice(schools.harbour);
  polls.push(async () => expectError(await poll(codes), 400, 'authorization_pending'));
  expect((await approve(schools.browser('sam'), codes)).html).toContain('Your device is connected');
  expect([polls.length, (await poll(codes)).status]).toEqual([0, 200]);
});
