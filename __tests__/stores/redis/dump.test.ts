import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { RedisKeys } from '../../../adapters/redis/format.ts';
import type { RecordKind } from '../../../lib/store.ts';
import type { Browser } from '../../helpers/browser.ts';
import {
  authorizeUrl,
  exchange,
  getCode,
  jsonResponse,
  memberApp,
  pkce,
  refresh,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { approve, enterCode, startDevice, withDevices } from '../../features/device/devices.ts';
import { serviceToken, sync, syncApp, withServices } from '../../helpers/services.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { type RedisCampus, startRedisCampus } from './campus.ts';
import { dump, type DumpedKey } from './dump.ts';

let campus: RedisCampus;
let keys: DumpedKey[];
/** The client that olivia connected. */
let registeredId: string;
/** Every credential, by what it is. */
const credentials = new Map<string, string>();
/** As they are shown, and as they are compared. */
const userCodes: string[] = [];
beforeAll(async () => {
  const grants = [...withServices.grants, ...withDevices.grants];
  campus = await startRedisCampus({ campus: { grants, clients: [...withDevices.clients, sync] } });
  const sam = campus.schools.browser('sam');
  const clients = [memberApp, webMemberApp, await application(), await registered()];
  for (const client of clients) await use(client === clients[3] ? campus.schools.browser('olivia') : sam, client);
  const { body } = await serviceToken(campus.schools.harbour);
  credentials.set('service token', String(body['access_token'])).set('service secret', String(syncApp.secret));
  for (const name of ['waiting', 'connected'] as const) {
    const codes = await startDevice(campus.schools.harbour);
    credentials.set(`${name} device code`, codes.deviceCode);
    userCodes.push(codes.userCode, codes.userCode.replace('-', ''));
    if (name === 'connected') await approve(sam, codes);
    else await enterCode(sam, campus.schools.harbour, codes.userCode);
  }
  // A consent page that no one submits.
  await sam.follow(authorizeUrl(campus.schools.harbour, memberApp, pkce()));
  keepCookies(sam);
  keys = await dump(campus.admin);
});
afterAll(() => campus.close());

const site = () => {
  const origin = campus.schools.harbour;
  return harbourSite(origin);
};

/** An operator's application with a secret. */
async function application(): Promise<TestClient> {
  const redirectUri = 'https://notes.example/callback';
  const input = { clientName: 'Notes', redirectUris: [redirectUri], scopes: ['openid'], confidential: true } as const;
  const created = await campus.schools.campus.applications.create(site(), input);
  const rotated = await campus.schools.campus.applications.rotateSecret(site(), created.application.clientId);
  const secret = rotated.clientSecret ?? '';
  credentials.set('first secret', created.clientSecret ?? '').set('second secret', secret);
  return { id: created.application.clientId, redirectUri, secret, scope: 'openid' };
}

async function registered(): Promise<TestClient> {
  const redirectUri = 'http://127.0.0.1:8123/callback';
  const body = JSON.stringify({ client_name: 'CLI', redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${site().origin}/api/oauth/register`, { method: 'POST', headers, body });
  registeredId = String((await jsonResponse(response)).body['client_id']);
  return { id: registeredId, redirectUri, scope: 'openid profile' };
}

/** An authorization, an exchange and a refresh, then a second authorization whose code is not exchanged. */
async function use(browser: Browser, client: TestClient): Promise<void> {
  const { harbour } = site() && campus.schools;
  const code = await getCode(browser, harbour, client);
  const first = await exchange(code);
  const second = await refresh(harbour, client, first.body['refresh_token']);
  const unused = await getCode(browser, harbour, client);
  keepCookies(browser);
  credentials.set(`${client.id} secret`, client.secret ?? 'reports-secret').set(`${client.id} verifier`, code.verifier);
  credentials.set(`${client.id} code`, code.code).set(`${client.id} second code`, unused.code);
  for (const [turn, { status, body }] of Object.entries({ first, second })) {
    expect(status).toBe(200);
    for (const name of ['access_token', 'refresh_token'])
      credentials.set(`${client.id} ${turn} ${name}`, String(body[name]));
    credentials.set(`${client.id} handle`, String(body['refresh_token']).split('~')[0] ?? '');
    if (typeof body['id_token'] === 'string') {
      credentials.set(`${client.id} ${turn} id_token`, body['id_token']);
      expect(decodeJwt(body['id_token']).sub).toBeTruthy();
    }
  }
}

/** Session and interaction ids are in cookies. */
function keepCookies(browser: Browser): void {
  for (const { name, value } of browser.cookies()) credentials.set(`cookie ${name} ${value}`, value);
}

test('a dump contains no credential', () => {
  expect(credentials.size).toBeGreaterThan(35);
  expect(keys.length).toBeGreaterThan(25);
  const all = keys.map(({ key, text }) => `${key}\n${text}`).join('\n');
  expect([userCodes.length, userCodes.filter((code) => all.includes(code))]).toEqual([4, []]);
  for (const [what, credential] of credentials) {
    expect({ what, long: credential.length > 10 }).toEqual({ what, long: true });
    expect({ what, found: all.includes(credential) }).toEqual({ what, found: false });
  }
});

test('a dump contains no name or address of a person', () => {
  const { name, email, picture } = campus.schools.people['harbour']?.['sam'] ?? {};
  const all = keys.map(({ key, text }) => `${key}\n${text}`).join('\n');
  expect(all).toContain('sam');
  expect([name, email, picture].filter((text) => !text || all.includes(text))).toEqual([]);
});

test('every key belongs to the site and expires, except for the lists of clients', () => {
  for (const { key, ttl } of keys) {
    expect(key).toMatch(/^campus:\{harbour\}:[a-zA-Z]/);
    if (/:[ly]$/.test(key)) expect(ttl).toBe(-1);
    else expect({ key, expires: ttl > 0 }).toEqual({ key, expires: true });
  }
});

const recordKinds = [
  'Session',
  'Interaction',
  'Grant',
  'AuthorizationCode',
  'AccessToken',
  'ClientCredentials',
  'RefreshToken',
  'DeviceRequest',
  'DeviceCode',
  'Client',
  'Document',
  'OneTimeSecret',
  'KeyFingerprints',
] as const satisfies readonly RecordKind[];

test('adapters/README.md lists every kind of key, with its type', async () => {
  const text = await readFile(new URL('../../../adapters/README.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-zA-Z])(?::[^`]*)?` +\| (\w+)/gm)].map(
    ([, letter, type]) => `${letter} ${type}`,
  );
  const letter = (key: string): string => key.slice('campus:{harbour}:'.length).slice(0, 1);
  const found = new Set(keys.map(({ key, type }) => `${letter(key)} ${type}`));
  expect([...found].filter((kind) => !rows.includes(kind))).toEqual([]);
  const names = new RedisKeys('campus', 'harbour');
  const lists = [names.member('a'), names.grantee({ clientId: 'a' }), names.use];
  const listed = [
    names.listed('Client'),
    names.listed('DocumentReview'),
    names.listed('AppRule'),
    names.listed('ConnectedClient'),
    names.listed('ConnectedApp'),
    names.listed('AppRequest'),
  ];
  const others = [names.replay('RefreshToken', 'a'), names.counter('a'), ...listed];
  const all = [...recordKinds.map((kind) => names.record(kind, 'a')), ...lists, ...others];
  expect(new Set(rows.map((row) => row[0]))).toEqual(new Set(all.map(letter)));
});

describe('after a person’s connections were revoked', () => {
  test('the digests of their tokens are left to expire, without a grant: none of them is valid', async () => {
    const { harbour, campus: running } = campus.schools;
    expect(await running.connections.revokeAll(site(), 'sam')).toBe(4);
    const left = (await dump(campus.admin)).map(({ key }) => key.slice('campus:{harbour}:'.length)[0]);
    for (const letter of 'gmx') expect(left.filter((its) => its === letter)).toHaveLength(1);
    expect(left.filter((letter) => letter === 't')).toHaveLength(8);
    expect(new Set(left)).toEqual(new Set('Xaceghijlmnprstxy'));
    const tokens = [...credentials].filter(([name]) => name.endsWith('access_token'));
    const statuses = tokens.map(async ([name, token]) => ({ name, ...(await userinfo(harbour, token)) }));
    const valid = (await Promise.all(statuses)).filter(({ status }) => status === 200);
    expect(valid).toHaveLength(2);
    expect(valid.every(({ name }) => name.startsWith(registeredId))).toBe(true);
  });
});
