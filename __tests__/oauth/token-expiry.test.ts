import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { CampusOptions } from '../../lib/index.ts';
import { expectError } from '../helpers/responses.ts';
import { resetClock, setClockAhead, stopClock } from '../helpers/clock.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  getCode,
  introspect,
  pkce,
  refresh,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { hoardingStore } from '../helpers/stores.ts';

const hour = 3600;
const day = 24 * hour;

describe.each([
  ['a store that removes expired records at once', memoryStore],
  ['a store that removes expired records late', hoardingStore],
])('with %s', (_name, store) => {
  let schools: Schools;
  let started: Schools[];
  /** Sets the clock, which is stopped: so that seconds after it was stopped are seconds after a token was issued. */
  let later: (seconds: number) => void;
  beforeEach(async () => {
    started = [];
    later = stopClock();
    schools = await start();
  });
  afterEach(async () => {
    resetClock();
    for (const each of started) await each.close();
  });

  async function start(lifetimes: CampusOptions['lifetimes'] = {}): Promise<Schools> {
    const own = await startSchools({ campus: { lifetimes, store: store() } });
    started.push(own);
    return own;
  }

  test.each([
    [59, 200],
    [61, 400],
  ])('a code exchange after %i s: %i', async (seconds, status) => {
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    later(seconds);
    const response = await exchange(code);
    expect(response.status).toBe(status);
    if (status === 400) expectError(response, 400, 'invalid_grant');
  });

  test.each([
    [2 * hour - 1, 200, true],
    [2 * hour + 1, 401, false],
  ])('an access token after %i s: UserInfo %i, active %p', async (seconds, status, active) => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    later(seconds);
    const response = await userinfo(schools.harbour, body['access_token']);
    expect(response.status).toBe(status);
    if (status === 401) expectError(response, 401, 'invalid_token');
    expect((await introspect(schools.harbour, webMemberApp, body['access_token'])).body['active']).toBe(active);
  });

  test.each([
    [30 * day - 1, 200],
    [30 * day + 1, 400],
  ])('a refresh token after %i s: %i', async (seconds, status) => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    later(seconds);
    const response = await refresh(schools.harbour, webMemberApp, body['refresh_token']);
    expect(response.status).toBe(status);
    if (status === 400) expectError(response, 400, 'invalid_grant');
  });

  test('a refresh restarts the 30 days, until the consent is 180 days old', async () => {
    let { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    for (const days of [29, 58, 87, 116, 145, 174]) {
      later(days * day);
      const response = await refresh(schools.harbour, webMemberApp, body['refresh_token']);
      expect([days, response.status]).toEqual([days, 200]);
      body = response.body;
    }
    later(181 * day);
    expectError(await refresh(schools.harbour, webMemberApp, body['refresh_token']), 400, 'invalid_grant');
  });

  test('an access token does not outlive its grant', async () => {
    const own = await start({ grant: 60, accessToken: 600 });
    const { body } = await connect(own.browser('sam'), own.harbour, webMemberApp);
    later(61);
    expectError(await userinfo(own.harbour, body['access_token']), 401, 'invalid_token');
    expect((await introspect(own.harbour, webMemberApp, body['access_token'])).body).toEqual({ active: false });
  });

  test('lifetimes of the options are applied', async () => {
    const own = await start({ authorizationCode: 5, accessToken: 20, refreshToken: 40 });
    const { body } = await connect(own.browser('sam'), own.harbour, webMemberApp);
    expect(body['expires_in']).toBe(20);
    const code = await getCode(own.browser('sam'), own.harbour, webMemberApp);
    later(6);
    expectError(await exchange(code), 400, 'invalid_grant');
    later(21);
    expectError(await userinfo(own.harbour, body['access_token']), 401, 'invalid_token');
    later(41);
    expectError(await refresh(own.harbour, webMemberApp, body['refresh_token']), 400, 'invalid_grant');
  });
});

test('an interaction after an hour is a page that explains what to do', async () => {
  const schools = await startSchools();
  const browser = schools.browser('sam');
  const page = await browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
  setClockAhead(hour + 1);
  const { response, html } = await browser.decide(page, 'allow');
  resetClock();
  await schools.close();
  expect(response.status).toBe(400);
  expect(html).toContain('start again');
});
