import { afterEach, describe, expect, test } from '@jest/globals';
import { deviceAuthorization } from '../../../lib/grant-types.ts';
import type { AuditEvent, CampusOptions, StaticClient } from '../../../lib/index.ts';
import { loopbackClients } from '../../../policies/index.ts';
import { type ClientKey, clientKey, keyFields } from '../../helpers/client-keys.ts';
import { resetClock, setClockAhead, stopClock, stopTime } from '../../helpers/clock.ts';
import {
  approve,
  askForDevice,
  confirmCode,
  enterCode,
  kioskApp,
  poll,
  startDevice,
  terminal,
  terminalApp,
  withDevices,
} from './devices.ts';
import { type Changes, connect, jsonResponse, memberApp, reports, type TestClient } from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../../helpers/schools.ts';
import { sync, syncApp, withServices } from '../../helpers/services.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { breakableStore, type StoreMethod } from '../../helpers/stores.ts';

let schools: Schools;
let events: AuditEvent[];
afterEach(async () => {
  resetClock();
  await schools.close();
});

async function start(options: SchoolsOptions['campus'] = {}): Promise<void> {
  schools = await startSchools({ campus: { ...withDevices, ...options } });
  events = [];
  schools.campus.events.on('audit', (event) => events.push(event));
}

const site = () => harbourSite(schools.harbour);
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

test.each<[what: string, client: TestClient, changes: Changes, status: number, error: string]>([
  ['an unknown client', { ...terminalApp, id: 'nobody' }, {}, 401, 'invalid_client'],
  ['a client without a secret that has one', { ...kioskApp, secret: '' }, {}, 401, 'invalid_client'],
  ['a wrong secret', { ...kioskApp, secret: 'wrong' }, {}, 401, 'invalid_client'],
  ['a client that may not', memberApp, {}, 400, 'unauthorized_client'],
  ['a confidential client that may not', reports, {}, 400, 'unauthorized_client'],
  ['a service', syncApp, { resource: undefined }, 400, 'unauthorized_client'],
  ['an unknown scope', terminalApp, { scope: 'openid everything' }, 400, 'invalid_scope'],
  ['a scope that it does not have', terminalApp, { scope: 'openid account:write' }, 400, 'invalid_scope'],
  ['another resource', terminalApp, { resource: 'https://elsewhere.example' }, 400, 'invalid_target'],
  ['no resource', terminalApp, { resource: undefined }, 400, 'invalid_target'],
  ['a parameter that is too long', terminalApp, { claims_locales: 'x'.repeat(9000) }, 400, 'invalid_request'],
  ['a request object', terminalApp, { request: 'x' }, 400, 'request_not_supported'],
])('the device authorization endpoint refuses %s', async (_what, client, changes, status, error) => {
  await start({
    ...withServices,
    ...withDevices,
    grants: [...withServices.grants, ...withDevices.grants],
    clients: [...withDevices.clients, sync],
  });
  expectError(await askForDevice(schools.harbour, client, changes), status, error);
});

describe('who can connect devices', () => {
  test('a client with callbacks keeps its ordinary flow', async () => {
    await start({
      clients: withDevices.clients.map((each) => (each.clientId === memberApp.id ? { ...each, device: true } : each)),
    });
    const sam = schools.browser('sam');
    expect((await connect(sam, schools.harbour, memberApp)).status).toBe(200);
    const codes = await startDevice(schools.harbour, memberApp);
    await approve(sam, codes);
    expect((await poll(codes)).body).toMatchObject({ scope: memberApp.scope });
  });

  test('an application that the school has created for it, until that is changed', async () => {
    await start();
    const { application } = await schools.campus.applications.create(site(), {
      clientName: 'Display',
      redirectUris: [],
      scopes: ['openid', 'profile'],
      confidential: false,
      device: true,
    });
    const client = { id: application.clientId, redirectUri: '', scope: 'openid profile' };
    const codes = await startDevice(schools.harbour, client);
    await approve(schools.browser('sam'), codes);
    expect((await poll(codes)).status).toBe(200);
    const redirectUris = ['https://display.example/callback'];
    const changed = await schools.campus.applications.update(site(), application.clientId, {
      redirectUris,
      device: false,
    });
    expect([application.device, changed.device]).toEqual([true, undefined]);
    expectError(await askForDevice(schools.harbour, client), 400, 'unauthorized_client');
  });

  test.each([
    ['not a client that registers itself', false, 400],
    ['a client that registers itself and asks for it, if the platform lets it', true, 200],
  ])('%s', async (_what, registered, status) => {
    await start({ grants: [deviceAuthorization({ registered })], registration: [loopbackClients()] });
    const register = async (more: object): Promise<TestClient> => {
      const metadata = { client_name: 'Tool', redirect_uris: ['http://127.0.0.1/'], ...more };
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(metadata);
      const response = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
      const { body: client } = await jsonResponse(response);
      return { id: String(client['client_id']), redirectUri: 'http://127.0.0.1/', scope: 'openid courses:read' };
    };
    const asked = await askForDevice(schools.harbour, await register({ grant_types: [deviceGrant] }));
    expect(asked.status).toBe(status);
    expectError(await askForDevice(schools.harbour, await register({})), 400, 'unauthorized_client');
    if (status !== 200) return;
    const page = await confirmCode(schools.browser('olivia'), schools.harbour, String(asked.body['user_code']));
    expect(page.html).toContain('Not verified: any app can use this name');
  });

  test('a client with keys: its assertion names it, and counts once, there and at each poll', async () => {
    const [key, other] = await Promise.all([clientKey(), clientKey()]);
    const keyed = (clientId: string, { publicJwk }: ClientKey): StaticClient => ({
      ...terminal,
      clientId,
      firstParty: true,
      publicKeys: { keys: [publicJwk] },
    });
    const clients = [...withDevices.clients, keyed('keyed', key), keyed('another', other)];
    await start({ clients, clientAuthentication: ['private_key_jwt'] });
    const proof = async (own: ClientKey, id = 'keyed'): Promise<Changes> => ({
      client_id: undefined,
      ...(await keyFields(id, schools.harbour, own)),
    });
    const client = { ...terminalApp, id: 'keyed' };
    const used = await proof(key);
    const { body } = await askForDevice(schools.harbour, client, used);
    expectError(await askForDevice(schools.harbour, client, used), 401, 'invalid_client');
    expectError(await askForDevice(schools.harbour, client), 401, 'invalid_client');
    const aud = `${schools.harbour}/api/oauth/token`;
    const misaddressed = {
      client_id: undefined,
      ...(await keyFields('keyed', schools.harbour, key, { claims: { aud } })),
    };
    expectError(await askForDevice(schools.harbour, client, misaddressed), 401, 'invalid_client');
    expect(events.at(-1)).toMatchObject({
      reason: 'assertion_audience',
      clientId: 'keyed',
      claimed: { audiences: [aud] },
    });
    const foreign = { ...(await proof(other, 'another')), client_id: 'keyed' };
    expectError(await askForDevice(schools.harbour, client, foreign), 400, 'invalid_request');
    const [deviceCode, userCode] = [String(body['device_code']), String(body['user_code'])];
    const codes = { origin: schools.harbour, client, deviceCode, userCode };
    expectError(await poll(codes, used), 401, 'invalid_client');
    expectError(await poll(codes, await proof(other, 'another')), 400, 'invalid_grant');
    await approve(schools.browser('sam'), codes);
    expect((await poll(codes, await proof(key))).status).toBe(200);
  });

  test('nobody without the option: the endpoint and the page do not exist', async () => {
    schools = await startSchools();
    for (const path of ['/oauth/device', '/oauth/device/x', '/api/oauth/device_authorization'])
      expect((await fetch(schools.harbour + path)).status).toBe(404);
  });

  test.each<[what: string, client: Partial<StaticClient>, grants: CampusOptions['grants'], message: string]>([
    ['without the option', {}, [], 'clients[0].device must not be true without grants: [deviceAuthorization()]'],
    [
      'a first-party client without a secret',
      { firstParty: true },
      withDevices.grants,
      'clients[0].device must not be true for a first-party client without clientSecret',
    ],
    [
      'a service',
      { audience: 'service', clientSecret: 'x', scopes: ['courses:read'] },
      [...withServices.grants, ...withDevices.grants],
      'clients[0].device must not be true for a service',
    ],
  ])('not: %s', async (_what, client, grants, message) => {
    const own = { clients: [{ ...terminal, ...client }], grants };
    await start();
    await expect(startSchools({ campus: own })).rejects.toThrow(message);
  });
});

describe('limits', () => {
  test('an address, a person and a school can enter so many codes', async () => {
    const generous = { perAddress: 1000, perSite: 4000 };
    await start({ limits: { userCodes: { ...generous, perAddress: 3 } } });
    const statuses = async (person: string, count: number): Promise<number[]> => {
      const all: number[] = [];
      for (let i = 0; i < count; i += 1)
        all.push((await enterCode(schools.browser(person), schools.harbour, 'BBBBBBBB')).response.status);
      return all;
    };
    expect(await statuses('sam', 4)).toEqual([400, 400, 400, 429]);
    expect(await statuses('olivia', 1)).toEqual([429]);
    expect(events.filter(({ action }) => action === 'quota.exceeded')).toMatchObject([
      { reason: 'userCodes' },
      { reason: 'userCodes' },
    ]);
    await schools.close();
    await start({ limits: { userCodes: generous } });
    const own = await statuses('sam', 61);
    expect([own.filter((status) => status === 400).length, own.at(-1)]).toEqual([60, 429]);
    expect(await statuses('olivia', 1)).toEqual([400]);
    await schools.close();
    await start({ limits: { userCodes: { perAddress: 1000, perSite: 4 } } });
    expect((await statuses('sam', 5)).at(-1)).toBe(429);
  });

  test('a request of a device counts as an authorization request before sign-in', async () => {
    await start({ limits: { authorizations: { perAddress: 2, perSite: 100 } } });
    await startDevice(schools.harbour);
    await startDevice(schools.harbour);
    expectError(await askForDevice(schools.harbour), 429, 'slow_down');
  });

  test('a device may ask again after four seconds, also without limits', async () => {
    await start({ limits: false });
    const codes = await startDevice(schools.harbour);
    const asks = async () => (await poll(codes)).body['error'];
    const later = stopTime();
    expect([await asks(), await asks()]).toEqual(['authorization_pending', 'slow_down']);
    later(4.1);
    expect([await asks(), await asks()]).toEqual(['authorization_pending', 'slow_down']);
  });
});

describe('what goes wrong', () => {
  test.each<[what: string, broken: StoreMethod, error: string | undefined]>([
    ['before the consent leaves the code as it was', 'save Interaction', undefined],
    ['while the code is given leaves no tokens', 'save DeviceCode', 'invalid_grant'],
    ['while the decision is written leaves the code as it was', 'save DeviceRequest', undefined],
  ])('a fault %s', async (_what, broken, error) => {
    const breakable = breakableStore();
    await start({ store: breakable.store });
    const codes = await startDevice(schools.harbour);
    const sam = schools.browser('sam');
    breakable.break(broken);
    expect((await approve(sam, codes)).response.status).toBe(503);
    expect(schools.faults.length).toBeGreaterThan(0);
    breakable.break();
    if (error === undefined) await approve(sam, codes);
    // Until then the code can still arrive.
    else setClockAhead(10);
    const polled = await poll(codes);
    if (error === undefined) expect(polled.status).toBe(200);
    else expectError(polled, 400, error);
  });

  test('a user code that waits already is not given to another device', async () => {
    const { store } = breakableStore();
    await start({
      store: {
        ...store,
        save: async (id, entry) =>
          entry.kind === 'DeviceRequest' && entry.replaces === null ? false : store.save(id, entry),
      },
    });
    expectError(await askForDevice(schools.harbour), 503, 'temporarily_unavailable');
  });

  test('polls are not in the log, what a person decides is', async () => {
    stopClock();
    await start();
    const codes = await startDevice(schools.harbour);
    await poll(codes);
    await poll(codes);
    expect(events).toEqual([]);
    await approve(schools.browser('sam'), codes);
    await poll(codes);
    expect(events.map(({ action, actor }) => [action, actor.kind, actor.id])).toEqual([
      ['consent.given', 'member', 'sam'],
      ['authorization.granted', 'member', 'sam'],
      ['token.issued', 'client', 'terminal'],
    ]);
  });
});

test('a person who may not use the client sees who is signed in, and the device waits for someone else', async () => {
  const console: StaticClient = {
    ...terminal,
    clientId: 'console',
    audience: 'operator',
    scopes: ['openid', 'courses:read'],
  };
  await start({ clients: [...withDevices.clients, console] });
  const codes = await startDevice(schools.harbour, { id: 'console', redirectUri: '', scope: 'openid courses:read' });
  const { response, html } = await approve(schools.browser('sam'), codes);
  expect([response.status, html.includes('sam@example.com')]).toEqual([403, true]);
  expectError(await poll(codes), 400, 'authorization_pending');
  await approve(schools.browser('olivia'), codes);
  expect((await poll(codes)).body).toMatchObject({ scope: 'openid courses:read' });
});

test('a client that the school has blocked gets nothing, and says so', async () => {
  await start();
  const codes = await startDevice(schools.harbour);
  await schools.campus.apps.set(site(), { clientId: terminal.clientId }, { access: 'blocked' });
  const { response, html } = await approve(schools.browser('sam'), codes);
  expect([response.status, html.includes('Only its staff can change this')]).toEqual([403, true]);
});
