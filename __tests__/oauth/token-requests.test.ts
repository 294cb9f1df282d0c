import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../helpers/responses.ts';
import { connect, getCode, type JsonResponse, jsonResponse, pkce, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const paths = ['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/introspect'];
const form = 'application/x-www-form-urlencoded';

let schools: Schools;
/** A valid body for each endpoint, except that the code or token is unknown. */
let right: URLSearchParams;
beforeAll(async () => {
  schools = await startSchools();
  right = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'unknown',
    redirect_uri: webMemberApp.redirectUri,
    code_verifier: pkce().verifier,
    resource: schools.harbour,
    client_id: webMemberApp.id,
    client_secret: webMemberApp.secret ?? '',
    token: 'unknown',
  });
});
afterAll(() => schools.close());

async function post(
  path: string,
  body: RequestInit['body'],
  headers: Record<string, string> = {},
): Promise<JsonResponse> {
  const init = { method: 'POST', headers, duplex: 'half' } as const;
  return jsonResponse(await fetch(`${schools.harbour}${path}`, body === undefined ? init : { ...init, body }));
}

/** A body that redeems a code. */
async function redeemable(): Promise<URLSearchParams> {
  const { code, verifier } = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
  return new URLSearchParams({ ...Object.fromEntries(right), code, code_verifier: verifier });
}

/** A body of unknown length. */
function streamed(bytes: number): ReadableStream<Uint8Array> {
  let left = Math.ceil(bytes / 1024);
  return new ReadableStream({
    pull: (controller) => {
      left -= 1;
      if (left >= 0) controller.enqueue(new Uint8Array(1024).fill(97));
      else controller.close();
    },
  });
}

const json = (): string => JSON.stringify(Object.fromEntries(right));

describe.each(paths)('POST %s', (path) => {
  test.each<[string, () => RequestInit['body'], Record<string, string>]>([
    ['text/plain', () => right.toString(), { 'content-type': 'text/plain' }],
    ['application/json', json, { 'content-type': 'application/json' }],
    ['multipart/form-data', () => right.toString(), { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a content type that is none', () => right.toString(), { 'content-type': ';;;' }],
    ['no content type', () => Buffer.from(right.toString()), {}],
    ['no body and no content type', () => undefined, {}],
    ['an empty body', () => '', { 'content-type': form }],
    ['another charset', () => right.toString(), { 'content-type': `${form}; charset=utf-16` }],
    ['an unknown charset', () => right.toString(), { 'content-type': `${form}; charset=klingon` }],
    ['gzip', () => gzipSync(right.toString()), { 'content-type': form, 'content-encoding': 'gzip' }],
    ['an encoding that is not there', () => right.toString(), { 'content-type': form, 'content-encoding': 'gzip' }],
    ['an unknown encoding', () => right.toString(), { 'content-type': form, 'content-encoding': 'br, x' }],
    ['bytes that are no UTF-8', () => Buffer.from([0xff, 0xfe, 0x00, 0x80]), { 'content-type': form }],
    [
      'one byte too many that is no UTF-8',
      () => Buffer.from(`${right.toString()}&a=\xff`, 'latin1'),
      { 'content-type': form },
    ],
    ['percent signs that mean nothing', () => 'grant_type=%&token=%zz&client_id=%ff%fe', { 'content-type': form }],
    ['JSON that claims to be a form', json, { 'content-type': form }],
    ['names of every object', () => '__proto__=a&constructor=b&toString=c&hasOwnProperty=d', { 'content-type': form }],
    ['separators only', () => '&&&===&=&', { 'content-type': form }],
    ['brackets', () => 'client_id[]=web-member-app&token[a]=b', { 'content-type': form }],
    [
      'a thousand fields before the right ones',
      () => `${'a=b&'.repeat(1000)}${right.toString()}`,
      { 'content-type': form },
    ],
  ])('with %s is a 400 that helps', async (_name, body, headers) => {
    const response = await post(path, body(), headers);
    expect([400, 401]).toContain(response.status);
    expectError(response, response.status, response.status === 401 ? 'invalid_client' : 'invalid_request');
    expect(schools.faults).toEqual([]);
  });

  test.each<[string, () => RequestInit['body']]>([
    ['of known length', () => `x=${'a'.repeat(64 * 1024)}`],
    ['of a megabyte', () => `x=${'a'.repeat(1024 * 1024)}`],
    ['of unknown length', () => streamed(65 * 1024)],
  ])('with a body %s that is too large is 413', async (_name, body) => {
    expectError(await post(path, body(), { 'content-type': form }), 413, 'invalid_request');
  });

  // Resource servers introspect with HTTP Basic; a request has its secret once.
  const basic =
    path === '/api/oauth/introspect'
      ? ({ status: 400, error: 'invalid_request', challenge: null } as const)
      : { status: 401, error: 'invalid_client', challenge: expect.stringMatching(/^Basic realm="/) };
  test(`with HTTP Basic and a secret in the form, in any case, is ${basic.status} ${basic.error}`, async () => {
    const credentials = Buffer.from('web-member-app:buddy-secret').toString('base64');
    for (const authorization of [`Basic ${credentials}`, `basic ${credentials}`, 'Basic', 'Basic =']) {
      const response = await post(path, right.toString(), { 'content-type': form, authorization });
      expectError(response, basic.status, basic.error);
      expect(response.headers.get('www-authenticate')).toEqual(basic.challenge);
    }
  });

  test.each(['Bearer abc', 'Digest a=b', 'garbage', ',,,', 'Basicx', '"'])(
    'with Authorization: %s is refused, not a fault',
    async (authorization) => {
      const response = await post(path, right.toString(), { 'content-type': form, authorization });
      expect([400, 401]).toContain(response.status);
      expectError(response, response.status, response.status === 401 ? 'invalid_client' : 'invalid_request');
    },
  );

  test('responds in JSON to a browser that prefers HTML', async () => {
    expectError(await post(path, 'a=b', { 'content-type': form, accept: 'text/html' }), 400, 'invalid_request');
  });

  test.each(['client_id', 'client_secret'])('with %s twice is invalid_request', async (name) => {
    const body = new URLSearchParams(right);
    body.append(name, right.get(name) ?? '');
    const response = await post(path, body);
    expectError(response, 400, 'invalid_request');
    expect(response.body['error_description']).toContain(name);
  });
});

test.each(['grant_type', 'code', 'redirect_uri', 'code_verifier'])('a second %s is invalid_request', async (name) => {
  for (const value of [right.get(name) ?? '', 'another', '']) {
    const body = new URLSearchParams(right);
    body.append(name, value);
    expectError(await post('/api/oauth/token', body), 400, 'invalid_request');
  }
});

test.each(['refresh_token', 'scope', 'grant_type', 'client_id', 'client_secret'])(
  'a second %s at a refresh is invalid_request, and the refresh token stays valid',
  async (name) => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const fields = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: String(body['refresh_token']),
      client_id: webMemberApp.id,
      client_secret: webMemberApp.secret ?? '',
      scope: 'openid',
    });
    const twice = new URLSearchParams(fields);
    twice.append(name, fields.get(name) ?? '');
    expectError(await post('/api/oauth/token', twice), 400, 'invalid_request');
    expect((await post('/api/oauth/token', fields)).status).toBe(200);
  },
);

test('parameters in the query are ignored', async () => {
  const query = (await redeemable()).toString();
  expectError(await post(`/api/oauth/token?${query}`, '', { 'content-type': form }), 400, 'invalid_request');
  const fields = new URLSearchParams(query);
  fields.delete('client_secret');
  const response = await post('/api/oauth/token?client_secret=buddy-secret', fields);
  expectError(response, 401, 'invalid_client');
});

test('a second resource is invalid_target or invalid_request', async () => {
  for (const value of [schools.harbour, `${schools.harbour}/`, 'https://evil.example', '']) {
    const body = await redeemable();
    body.append('resource', value);
    const response = await post('/api/oauth/token', body);
    expectError(response, 400, response.body['error'] === 'invalid_request' ? 'invalid_request' : 'invalid_target');
  }
});

test.each(['/api/oauth/revoke', '/api/oauth/introspect'])(
  'a second token or hint at %s is invalid_request',
  async (path) => {
    for (const name of ['token', 'token_type_hint']) {
      const body = new URLSearchParams(right);
      body.append(name, 'one');
      if (name === 'token_type_hint') body.append(name, 'two');
      expectError(await post(path, body), 400, 'invalid_request');
    }
  },
);

test.each([
  ['a charset in capitals', { 'content-type': `${form};charset=UTF-8` }],
  ['a quoted charset', { 'content-type': `${form}; charset="utf-8"` }],
  ['a content type in capitals', { 'content-type': form.toUpperCase() }],
  ['Content-Encoding: identity', { 'content-type': form, 'content-encoding': 'identity' }],
  ['Content-Encoding: Identity', { 'content-type': form, 'content-encoding': 'Identity' }],
])('%s is accepted', async (_name, headers) => {
  const response = await post('/api/oauth/token', (await redeemable()).toString(), headers);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
});
