import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resetClock, stopTime } from '../helpers/clock.ts';
import { jsonResponse } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { values as serviceValues } from '../../lib/features/services/describe.ts';
import { values } from '../../lib/features/device/describe.ts';
import { deviceGrant } from '../../lib/features/device/names.ts';
import { approve, startDevice, terminal, terminalApp, withDevices } from '../features/device/devices.ts';
import { serviceToken, syncApp, withServices } from '../helpers/services.ts';
import { everything } from './configurations.ts';
import { expectDescribed, readText } from './described.ts';
import { type Description, readDescription } from './description.ts';
import { shellBlocks, startShell } from '../helpers/shell.ts';

/** Every feature, with every optional grant type and client authentication. */
const all = everything();
const options = {
  ...all,
  campus: {
    ...all.campus,
    grants: [...withServices.grants, ...withDevices.grants],
    clients: [...withServices.clients, terminal],
    clientAuthentication: ['client_secret_basic', 'private_key_jwt'],
  },
} as const;

let schools: Schools;
let description: Description;
let guide: string;
beforeAll(async () => {
  schools = await startSchools(options);
  description = await readDescription(schools.harbour);
  guide = await (await fetch(`${schools.harbour}/auth.md`)).text();
});
afterAll(() => schools.close());

test('discovery lists what is switched on after what always is', async () => {
  const { body } = await jsonResponse(await fetch(`${schools.harbour}/.well-known/openid-configuration`));
  const methods = ['client_secret_post', 'none', 'client_secret_basic', 'private_key_jwt'];
  const algorithms = ['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256'];
  expect(body).toMatchObject({
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant],
    device_authorization_endpoint: `${schools.harbour}/api/oauth/device_authorization`,
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    introspection_endpoint_auth_signing_alg_values_supported: algorithms,
  });
});

test('discovery lists algorithms of assertions with private_key_jwt, where RFC 8414 demands them, and only then', async () => {
  // Apps on mcp (Python) before 1.13 read no document that has one of these members.
  const listed = async (methods: ('client_secret_basic' | 'private_key_jwt')[]): Promise<string[]> => {
    const some = await startSchools({ campus: { ...options.campus, clientAuthentication: methods } });
    try {
      const { body } = await jsonResponse(await fetch(`${some.harbour}/.well-known/oauth-authorization-server`));
      return Object.keys(body).filter((name) => name.endsWith('_auth_signing_alg_values_supported'));
    } finally {
      await some.close();
    }
  };
  expect(await listed(['client_secret_basic'])).toEqual([]);
  expect(await listed(['private_key_jwt'])).toEqual(
    ['token', 'revocation', 'introspection'].map((name) => `${name}_endpoint_auth_signing_alg_values_supported`),
  );
});

test('the description has the form of a service, whose example works, and the flow with its scopes', async () => {
  const { token } = { token: description.paths['/api/oauth/token']?.['post'] };
  const example = token?.requestBody?.content['application/x-www-form-urlencoded']?.examples?.['service']?.value;
  expect(example).toMatchObject({ grant_type: 'client_credentials', client_id: serviceValues.client_id });
  const response = await fetch(`${schools.harbour}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: syncApp.id,
      client_secret: String(syncApp.secret),
    }),
  });
  expectDescribed(description, '/api/oauth/token', 'POST', await readText(response));
  const { flows } = description.components.securitySchemes.oauth;
  expect(flows).toMatchObject({ clientCredentials: { tokenUrl: `${schools.harbour}/api/oauth/token` } });
  const { scopes } = { scopes: {}, ...Reflect.get(flows, 'clientCredentials') };
  expect(Object.keys(scopes)).toEqual(expect.arrayContaining(['courses:read', 'students:write']));
  expect(Object.keys(scopes).filter((scope) => /openid|profile|email|account/.test(scope))).toEqual([]);
});

test('the forms have the fields of an assertion, and its refusal is described', async () => {
  for (const form of ['CodeExchange', 'Refresh', 'ServiceToken', 'TokenForm'])
    expect(JSON.stringify(Reflect.get(description.components.schemas, form))).toContain('client_assertion_type');
  const assertion = {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'a.e30.',
  };
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...assertion });
  const refused = await fetch(`${schools.harbour}/api/oauth/token`, { method: 'POST', body });
  expectDescribed(description, '/api/oauth/token', 'POST', await readText(refused));
});

test('the description has the endpoint of devices, the form of their codes, and every answer', async () => {
  const asked = await askRaw({});
  expectDescribed(description, '/api/oauth/device_authorization', 'POST', await readText(asked));
  const form = 'application/x-www-form-urlencoded';
  const examples = description.paths['/api/oauth/token']?.['post']?.requestBody?.content[form]?.examples;
  expect(examples?.['device']?.value).toMatchObject({
    grant_type: deviceGrant,
    device_code: values.device_code,
  });
  const refused = await askRaw({ client_id: 'nobody' });
  expectDescribed(description, '/api/oauth/device_authorization', 'POST', await readText(refused));
  const codes = await startDevice(schools.harbour);
  stopTime();
  for (const error of ['authorization_pending', 'slow_down', 'invalid_grant']) {
    const device_code = error === 'invalid_grant' ? 'unknown' : codes.deviceCode;
    const body = new URLSearchParams({ grant_type: deviceGrant, device_code, client_id: terminal.clientId });
    const polled = await readText(await fetch(`${schools.harbour}/api/oauth/token`, { method: 'POST', body }));
    expect(polled.text).toContain(error);
    expectDescribed(description, '/api/oauth/token', 'POST', polled);
  }
  resetClock();
});

function askRaw(changes: Readonly<Record<string, string>>): Promise<Response> {
  const body = new URLSearchParams({ client_id: terminal.clientId, resource: schools.harbour, ...changes });
  return fetch(`${schools.harbour}/api/oauth/device_authorization`, { method: 'POST', body });
}

test('the guide explains devices, and its commands ask for codes and tokens', async () => {
  const [ask = '', redeem = ''] = shellBlocks(guide).filter((text) => text.includes('DEVICE_CLIENT'));
  const shell = startShell({ ORIGIN: schools.harbour, DEVICE_CLIENT: terminal.clientId });
  const codes = JSON.parse(await shell.run(ask));
  await shell.end();
  expect(codes).toMatchObject({ user_code: expect.any(String), interval: 5 });
  const device = {
    origin: schools.harbour,
    client: terminalApp,
    deviceCode: codes.device_code,
    userCode: codes.user_code,
  };
  await approve(schools.browser('sam'), device);
  const later = startShell({
    ORIGIN: schools.harbour,
    DEVICE_CLIENT: terminal.clientId,
    DEVICE_CODE: codes.device_code,
  });
  const tokens = JSON.parse(await later.run(redeem));
  await later.end();
  expect(tokens).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) });
});

test('refusals of services and of HTTP Basic are described', async () => {
  const wrong = { authorization: `Basic ${Buffer.from('sync:wrong').toString('base64')}` };
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  const refused = await fetch(`${schools.harbour}/api/oauth/token`, { method: 'POST', body, headers: wrong });
  expectDescribed(description, '/api/oauth/token', 'POST', await readText(refused));
  const { body: issued } = await serviceToken(schools.harbour);
  const headers = { authorization: `Bearer ${String(issued['access_token'])}` };
  const userinfo = await fetch(`${schools.harbour}/api/oauth/userinfo`, { headers });
  expectDescribed(description, '/api/oauth/userinfo', 'GET', await readText(userinfo));
  const introspected = await fetch(`${schools.harbour}/api/oauth/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ token: String(issued['access_token']) }),
    headers: { authorization: `Basic ${Buffer.from('sync:sync-secret').toString('base64')}` },
  });
  expectDescribed(description, '/api/oauth/introspect', 'POST', await readText(introspected));
});

test('the guide explains services, and its command requests a token', async () => {
  const block = shellBlocks(guide).find((text) => text.includes('client_credentials')) ?? '';
  const shell = startShell({ ORIGIN: schools.harbour, SERVICE_ID: syncApp.id, SERVICE_SECRET: String(syncApp.secret) });
  const written = await shell.run(block);
  await shell.end();
  expect(JSON.parse(written)).toMatchObject({ token_type: 'Bearer', scope: syncApp.scope });
});

test.each([
  ['There are three kinds of client.', true],
  ['They can also authenticate with HTTP Basic (`client_secret_basic`)', true],
  ['They can also authenticate with a JWT that their private key has signed (`private_key_jwt`', true],
  ['| `client_assertion` |', true],
  ['| `courses:read` | View courses | operator clients and services |', true],
  ['| access tokens of a service | 120 per service |', true],
  [
    `\`grant_type\` is not \`authorization_code\`, \`refresh_token\`, \`client_credentials\` or \`${deviceGrant}\``,
    true,
  ],
  ['| `authorization_pending` | 400 |', true],
  ['| user codes that are entered | 60 per person, 600 per IP address, 3000 in total', true],
  ['the device flow', false],
  ['or the school does not permit this service', true],
  ['HTTP Basic, which is not supported', false],
  ['client credentials grants', false],
])('the guide says: %s (%s)', (text, isThere) => {
  expect(guide.includes(text)).toBe(isThere);
});
