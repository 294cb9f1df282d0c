import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import type { AuditEvent } from '../../../lib/index.ts';
import { setClockAhead, resetClock } from '../../helpers/clock.ts';
import {
  approve,
  confirmCode,
  type DeviceCodes,
  enterCode,
  kioskApp,
  poll,
  startDevice,
  submit,
  terminal,
  terminalApp,
  withDevices,
} from './devices.ts';
import { exchange, postForm, userinfo } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { harbourSite } from '../../helpers/sites.ts';

let schools: Schools;
let events: AuditEvent[];
beforeEach(async () => {
  schools = await startSchools({ campus: withDevices });
  events = [];
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterEach(async () => {
  expect(schools.faults).toEqual([]);
  resetClock();
  await schools.close();
});

const actions = (): string[] => events.map(({ action, reason }) => (reason ? `${action} ${reason}` : action));

describe('client libraries', () => {
  test('openid-client asks for a code and gets the tokens of the person who enters it', async () => {
    const insecure = { execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks] };
    const config = await oidc.discovery(new URL(schools.harbour), terminalApp.id, {}, oidc.None(), insecure);
    const parameters = { scope: terminalApp.scope, resource: schools.harbour };
    const codes = await oidc.initiateDeviceAuthorization(config, parameters);
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${schools.harbour}/oauth/device`,
      verification_uri_complete: `${schools.harbour}/oauth/device?user_code=${codes.user_code}`,
      expires_in: 900,
      interval: 5,
    });
    await approve(schools.browser('sam'), { ...waiting(codes.device_code), userCode: codes.user_code });
    // The library waits before it asks.
    const tokens = await oidc.pollDeviceAuthorizationGrant(
      config,
      { ...codes, interval: 0 },
      { resource: schools.harbour },
    );
    expect(tokens.claims()).toMatchObject({ sub: 'sam', aud: 'terminal' });
    expect(tokens.scope).toBe(terminalApp.scope);
    const again = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '', { resource: schools.harbour });
    expect((await userinfo(schools.harbour, again.access_token)).body).toMatchObject({ sub: 'sam' });
    expect(actions()).toEqual(['consent.given', 'authorization.granted', 'token.issued', 'token.refreshed']);
    const families = new Set(events.slice(1).map(({ familyId }) => familyId));
    expect([...families]).toEqual([expect.any(String)]);
  });

  test('oauth4webapi does so, and is told to wait, and to slow down', async () => {
    const issuer = new URL(schools.harbour);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
    const client = { client_id: terminalApp.id };
    const asked = await oauth.deviceAuthorizationRequest(
      server,
      client,
      oauth.None(),
      { scope: terminalApp.scope, resource: schools.harbour },
      insecure,
    );
    const codes = await oauth.processDeviceAuthorizationResponse(server, client, asked);
    const ask = async (): Promise<oauth.TokenEndpointResponse> => {
      const options = { ...insecure, additionalParameters: { resource: schools.harbour } };
      const response = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), codes.device_code, options);
      return oauth.processDeviceCodeResponse(server, client, response);
    };
    await expect(ask()).rejects.toMatchObject({ error: 'authorization_pending', status: 400 });
    await expect(ask()).rejects.toMatchObject({ error: 'slow_down', status: 400 });
    await approve(schools.browser('sam'), { ...waiting(codes.device_code), userCode: codes.user_code });
    expect(await ask()).toMatchObject({ scope: terminalApp.scope, refresh_token: expect.any(String) });
    expect(actions()).not.toContain('token.refused authorization_pending');
  });
});

function waiting(deviceCode: string): DeviceCodes {
  return { origin: schools.harbour, client: terminalApp, deviceCode, userCode: '' };
}

describe('the person', () => {
  test.each<[how: string, typed: (code: string) => string]>([
    ['in small letters', (code) => code.toLowerCase()],
    ['with spaces', (code) => ` ${code.replace('-', ' ')} `],
    ['without a separator', (code) => code.replace('-', '')],
    ['with dots and dashes of other kinds', (code) => code.replace('-', ' – ').replace(/$/, '.')],
    ['in wide letters', (code) => code.replaceAll(/[A-Z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))],
  ])('can type the code %s', async (_how, typed) => {
    const codes = await startDevice(schools.harbour);
    const { html } = await enterCode(schools.browser('sam'), schools.harbour, typed(codes.userCode));
    expect(html).toContain('Is this your device?');
  });

  test('sees app, school, device and code, and a warning, before they decide anything', async () => {
    const codes = await startDevice(schools.harbour);
    const { html } = await enterCode(schools.browser('sam'), schools.harbour, codes.userCode);
    for (const text of ['Lab Terminal', 'Harbour School', 'lab-terminal/1.0 (Linux)', '127.0.0.1', codes.userCode])
      expect(html).toContain(text);
    expect(html).toContain('If someone sent you this code, stop');
    // Neither answer is the obvious one. RFC 10027 section 6.1.14.
    expect(html).toContain('<button type="submit" name="confirm" value="yes">');
    expect(html).toContain('<button type="submit" name="abort" value="yes">');
    expect(html).not.toContain('<script');
    expectError(await poll(codes), 400, 'authorization_pending');
  });

  test('with a link sends the code themselves, and confirms it as with a typed one', async () => {
    const codes = await startDevice(schools.harbour);
    const sam = schools.browser('sam');
    const link = `${schools.harbour}/oauth/device?user_code=${codes.userCode}`;
    const stop = await sam.follow(link);
    expect(readPage(stop.html).getByRole('textbox').value).toBe(codes.userCode);
    expect(stop.html).not.toMatch(/<script|Is this your device/);
    expect((await submit(sam, stop, { user_code: codes.userCode })).html).toContain('Is this your device?');
    expect((await schools.browser().follow(link)).url.searchParams.get('return_to')).toBe(link);
  });

  test('of a first-party client is asked whether it is their device, and nothing else', async () => {
    const codes = await startDevice(schools.harbour, kioskApp);
    const { html } = await confirmCode(schools.browser('sam'), schools.harbour, codes.userCode);
    expect(html).toContain('Your device is connected');
    expect(readPage(html).getByRole('link', { name: 'See what it can do' }).href).toMatch(/^\/account\/apps\/./);
    expect((await poll(codes)).body).toMatchObject({ scope: kioskApp.scope });
    expect(actions()).toContain('consent.given first_party');
  });

  test('refuses at the confirmation, or at the consent page, and the device learns it', async () => {
    const sam = schools.browser('sam');
    const [first, second] = [await startDevice(schools.harbour), await startDevice(schools.harbour)];
    const asked = await enterCode(sam, schools.harbour, first.userCode);
    const { html } = await submit(sam, asked, { user_code: first.userCode, abort: 'yes' });
    expect(html).toContain('The device was not connected');
    const consent = await confirmCode(sam, schools.harbour, second.userCode);
    expect((await sam.decide(consent, 'deny')).html).toContain('The device was not connected');
    for (const codes of [first, second]) expectError(await poll(codes), 400, 'access_denied');
    expect(actions().filter((action) => action.startsWith('consent'))).toEqual([
      'consent.denied declined',
      'consent.denied declined',
    ]);
  });

  test('without a role gets no page, and the device still waits for someone else', async () => {
    const codes = await startDevice(schools.harbour);
    const { response, html } = await schools.browser('nora').follow(`${schools.harbour}/oauth/device`);
    expect([response.status, html.includes('user_code')]).toEqual([403, false]);
    await approve(schools.browser('sam'), codes);
    expect((await poll(codes)).status).toBe(200);
  });
});

test.each<[what: string, shown: 'problem' | 'page', other: (codes: DeviceCodes) => Promise<string>]>([
  ['a code that does not exist', 'problem', async () => 'BBBB-BBBB'],
  ['a code of another length', 'problem', async ({ userCode }) => userCode.slice(1)],
  ['no code', 'problem', async () => ' - '],
  ['a device code', 'problem', async ({ deviceCode }) => deviceCode],
  ['the code itself', 'page', async ({ userCode }) => userCode],
  [
    'a code that was refused',
    'problem',
    async ({ userCode }) => {
      const sam = schools.browser('sam');
      await submit(sam, await enterCode(sam, schools.harbour, userCode), { user_code: userCode, abort: 'yes' });
      return userCode;
    },
  ],
  [
    'a code that another person has approved',
    'problem',
    async (codes) => {
      await approve(schools.browser('olivia'), codes);
      return codes.userCode;
    },
  ],
  ['a code of another school', 'problem', async () => (await startDevice(schools.summit, kioskApp)).userCode],
  [
    'an expired code',
    'problem',
    async ({ userCode }) => {
      setClockAhead(901);
      return userCode;
    },
  ],
])('%s leads to a %s', async (_what, shown, other) => {
  const userCode = await other(await startDevice(schools.harbour));
  const { html, response } = await enterCode(schools.browser('sam'), schools.harbour, userCode);
  expect(readPage(html).queryByRole('alert') !== undefined).toBe(shown === 'problem');
  expect(html.includes('Is this your device?')).toBe(shown === 'page');
  expect(response.status).toBe(shown === 'problem' ? 400 : 200);
  // What was typed is still there.
  if (shown === 'problem') expect(readPage(html).field('user_code')).toBe(userCode);
});

test.each<[what: string, error: string, change: (codes: DeviceCodes) => Promise<DeviceCodes>]>([
  ['an unknown code', 'invalid_grant', async (codes) => ({ ...codes, deviceCode: 'unknown' })],
  ['the user code', 'invalid_grant', async (codes) => ({ ...codes, deviceCode: codes.userCode })],
  [
    'what the store has of it',
    'invalid_grant',
    async (codes) => ({ ...codes, deviceCode: `user code ${codes.userCode.replace('-', '')}` }),
  ],
  ['the code of another client', 'invalid_grant', async (codes) => ({ ...codes, client: kioskApp })],
  [
    'the code of another school',
    'invalid_grant',
    async () => ({ ...(await startDevice(schools.summit, kioskApp)), origin: schools.harbour }),
  ],
  [
    'an expired code',
    'expired_token',
    async (codes) => {
      setClockAhead(901);
      return codes;
    },
  ],
  [
    'an expired code that was approved',
    'expired_token',
    async (codes) => {
      await approve(schools.browser('sam'), codes);
      setClockAhead(901);
      return codes;
    },
  ],
  [
    'a code whose connection the person has ended',
    'invalid_grant',
    async (codes) => {
      await approve(schools.browser('sam'), codes);
      await schools.campus.connections.revokeAll(site(), 'sam');
      return codes;
    },
  ],
  [
    'a code of a client that the school has blocked since',
    'invalid_grant',
    async (codes) => {
      await approve(schools.browser('sam'), codes);
      await schools.campus.apps.set(site(), { clientId: terminal.clientId }, { access: 'blocked' });
      return codes;
    },
  ],
])('the token endpoint refuses %s: %s', async (_what, error, change) => {
  const codes = await change(await startDevice(schools.harbour));
  expectError(await poll(codes), 400, error);
});

const site = () => harbourSite(schools.harbour);

test('a device code is not an authorization code', async () => {
  const codes = await startDevice(schools.harbour);
  await approve(schools.browser('sam'), codes);
  const { origin, client, deviceCode: code } = codes;
  expectError(await exchange({ origin, client, code, verifier: 'v'.repeat(43) }), 400, 'unauthorized_client');
  const form = { grant_type: 'refresh_token', refresh_token: code, client_id: client.id };
  expectError(await postForm(`${origin}/api/oauth/token`, form), 400, 'invalid_grant');
});

describe('another person at the same browser', () => {
  test('does not confirm what the first one was asked', async () => {
    const codes = await startDevice(schools.harbour);
    const browser = schools.browser('sam');
    const asked = await enterCode(browser, schools.harbour, codes.userCode);
    browser.platformCookie('person', 'olivia');
    const { html } = await submit(browser, asked, { user_code: codes.userCode, confirm: 'yes' });
    expect(html).toContain('This form was no longer valid');
    expectError(await poll(codes), 400, 'authorization_pending');
    // And can enter the code for themselves.
    expect((await confirmCode(browser, schools.harbour, codes.userCode)).html).toContain('olivia@example.com');
  });

  test('does not allow what the first one was asked, and starts with the code again', async () => {
    const codes = await startDevice(schools.harbour);
    const browser = schools.browser('sam');
    const consent = await confirmCode(browser, schools.harbour, codes.userCode);
    browser.platformCookie('person', 'olivia');
    const { html } = await browser.decide(consent, 'allow');
    const hrefs = readPage(html)
      .getAllByRole('link')
      .map(({ href }) => href);
    expect(hrefs).toContain(`${schools.harbour}/oauth/device`);
    expectError(await poll(codes), 400, 'authorization_pending');
  });
});
