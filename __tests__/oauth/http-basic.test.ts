import { afterEach, describe, expect, test } from '@jest/globals';
import type { StaticClient } from '../../lib/index.ts';
import { type Changes, connect, exchange, getCode, type JsonResponse, postForm, reports } from '../helpers/flow.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { serviceToken, syncApp, withServices } from '../helpers/services.ts';
import { harbourSite } from '../helpers/sites.ts';

/** Its id and secret have every character that the encoding changes. */
const odd = {
  clientId: 'a:b+c%20d&e=f',
  clientName: 'Odd',
  audience: 'service',
  redirectUris: [],
  scopes: ['courses:read'],
  clientSecret: 'a +%:&=?/secret',
} as const satisfies StaticClient;

let schools: Schools;
afterEach(() => schools.close());

async function start(
  changes: SchoolsOptions['campus'] = { clientAuthentication: ['client_secret_basic'] },
): Promise<void> {
  schools = await startSchools({ campus: { ...withServices, clients: [...withServices.clients, odd], ...changes } });
}

/** As RFC 6749 appendix B encodes it. */
const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
const raw = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
const basic = (id: string, secret: string): string => raw(`${encoded(id)}:${encoded(secret)}`);

function post(path: string, authorization: string, form: Changes): Promise<JsonResponse> {
  return postForm(`${schools.harbour}/api/oauth/${path}`, form, { authorization });
}

const sync = basic(syncApp.id, String(syncApp.secret));
const service = { grant_type: 'client_credentials' };

describe('HTTP Basic', () => {
  test.each<[what: string, authorization: string]>([
    ['a simple id and secret', sync],
    ['every character that is encoded', basic(odd.clientId, odd.clientSecret)],
    [
      'percent escapes in place of plus signs',
      raw(`${encodeURIComponent(odd.clientId)}:${encodeURIComponent(odd.clientSecret)}`),
    ],
    ['another case of the scheme', sync.replace('Basic', 'bAsIc')],
  ])('authenticates with %s', async (_what, authorization) => {
    await start();
    const { status, body } = await post('token', authorization, service);
    expect([status, body['token_type']]).toEqual([200, 'Bearer']);
  });

  test('authenticates at every endpoint, with client_id in the form too', async () => {
    await start();
    const { body } = await post('token', sync, { ...service, client_id: syncApp.id });
    const token = String(body['access_token']);
    expect((await post('introspect', sync, { token })).body).toMatchObject({ active: true, client_id: syncApp.id });
    expect((await post('revoke', sync, { token })).status).toBe(200);
    expect((await post('introspect', sync, { token })).body).toEqual({ active: false });
  });

  test('redeems codes and refresh tokens, and a refresh that comes twice gets the same response', async () => {
    await start();
    const authorization = basic(reports.id, String(reports.secret));
    const { code, verifier } = await getCode(schools.browser('olivia'), schools.harbour, reports);
    const { redirectUri: redirect_uri } = reports;
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri };
    const { status, body } = await post('token', authorization, form);
    expect(status).toBe(200);
    const again = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) };
    const [first, second] = [await post('token', authorization, again), await post('token', authorization, again)];
    expect([first.status, second.body]).toEqual([200, first.body]);
  });

  test('notes when a secret was used', async () => {
    await start();
    const site = harbourSite(schools.harbour);
    const { application, clientSecret } = await schools.campus.applications.create(site, {
      audience: 'service',
      clientName: 'Library',
      scopes: ['courses:read'],
    });
    await post('token', basic(application.clientId, String(clientSecret)), service);
    const [secret] = await schools.campus.applications.secrets(site, application.clientId);
    expect(secret?.lastUsedAt).toEqual(expect.any(Number));
  });

  const form = { client_id: syncApp.id, client_secret: String(syncApp.secret) };
  const other = { client_id: 'reports' };
  const format = 'the Authorization header must be Basic with client_id:client_secret in base64';

  test.each<[what: string, authorization: string, form: Changes, status: number, text: string]>([
    ['a wrong secret', basic(syncApp.id, 'wrong'), {}, 401, 'client_secret is wrong'],
    ['an unknown client', basic('nobody', 'x'), {}, 401, 'there is no client with this client_id'],
    ['a public client', basic('member-app', 'x'), {}, 401, 'a public client sends none'],
    ['a secret that is not encoded', raw(`${odd.clientId}:${odd.clientSecret}`), {}, 400, 'must be percent-encoded'],
    ['the secret in the form as well', sync, form, 400, 'client_secret in the body or in the Authorization header'],
    [
      'another client in the form',
      sync,
      other,
      400,
      'client_id must be the same in the body and in the Authorization header',
    ],
    ['no colon', raw('sync'), {}, 400, format],
    ['no secret', raw('sync:'), {}, 400, 'client_secret is missing in the Authorization header'],
    ['no id', raw(':sync-secret'), {}, 400, 'client_id is missing'],
    ['what is not Base64', 'Basic !!!', {}, 400, format],
    ['another scheme', 'Digest x', {}, 400, format],
  ])('refuses %s at every endpoint', async (_what, authorization, changes, status, text) => {
    await start();
    const forms = { token: service, introspect: { token: 'x' }, revoke: { token: 'x' } };
    for (const [path, fields] of Object.entries(forms)) {
      const response = await post(path, authorization, { ...fields, ...changes });
      expectError(response, status, status === 401 ? 'invalid_client' : 'invalid_request');
      expect(response.body['error_description']).toContain(text);
      const challenge = response.headers.get('www-authenticate');
      if (status === 401) expect(challenge).toMatch(new RegExp(`^Basic realm="${schools.harbour}"`));
      else expect(challenge).toBeNull();
    }
  });

  test('refuses two headers', async () => {
    await start();
    const body = 'grant_type=client_credentials';
    const response = await rawRequest(Number(new URL(schools.harbour).port), [
      'POST /api/oauth/token HTTP/1.1',
      `Host: ${new URL(schools.harbour).host}`,
      `Authorization: ${sync}`,
      `Authorization: ${sync}`,
      'Content-Type: application/x-www-form-urlencoded',
      'Connection: close',
      `Content-Length: ${body.length}`,
      '',
      body,
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('one Authorization header');
  });

  test('a failure in the form is not answered with a challenge', async () => {
    await start();
    const response = await serviceToken(schools.harbour, { ...syncApp, secret: 'wrong' });
    expectError(response, 401, 'invalid_client');
    expect(response.headers.get('www-authenticate')).toBeNull();
  });
});

test('without the option it is refused, and the form still works', async () => {
  await start({});
  const response = await post('token', sync, service);
  expectError(response, 401, 'invalid_client');
  expect(response.headers.get('www-authenticate')).toBe(`Basic realm="${schools.harbour}"`);
  const code = await getCode(schools.browser('olivia'), schools.harbour, reports);
  expect((await exchange(code)).status).toBe(200);
  expect((await connect(schools.browser('olivia'), schools.harbour, reports)).status).toBe(200);
});
