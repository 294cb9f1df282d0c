import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { post } from '../mcp/rpc.ts';
import {
  connect,
  introspect,
  jsonResponse,
  postForm,
  refresh,
  reports,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { expectError } from '../helpers/responses.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { frameworks } from './frameworks.ts';

const json = { 'content-type': 'application/json' };

describe.each(Object.entries(frameworks))('%s', (_name, app) => {
  let schools: Schools;
  beforeAll(async () => {
    schools = await startSchools({ ...plugins, app });
  });
  afterAll(() => schools.close());

  test('discovery has the addresses of each school', async () => {
    for (const origin of [schools.harbour, schools.summit]) {
      const { body } = await jsonResponse(await fetch(`${origin}/.well-known/openid-configuration`));
      expect(body).toMatchObject({ issuer: origin, token_endpoint: `${origin}/api/oauth/token` });
    }
  });

  test('a member consents; the code, the tokens, UserInfo and the Member API work', async () => {
    const { harbour } = schools;
    const tokens = await connect(schools.browser('sam'), harbour, webMemberApp);
    expect(tokens).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    const { access_token: token, refresh_token: refreshToken } = tokens.body;
    expect(await userinfo(harbour, token)).toMatchObject({ status: 200, body: { sub: 'sam' } });
    expect(await introspect(harbour, webMemberApp, token)).toMatchObject({ body: { active: true, aud: harbour } });
    expect((await refresh(harbour, webMemberApp, refreshToken)).status).toBe(200);
    const headers = { ...json, authorization: `Bearer ${String(token)}` };
    const body = JSON.stringify({ query: '{ viewer { name } }' });
    const response = await fetch(`${harbour}/member/graphql`, { method: 'POST', headers, body });
    expect(await jsonResponse(response)).toMatchObject({ body: { data: { viewer: { name: 'Sam Student' } } } });
  });

  test('an operator consents', async () => {
    expect(await connect(schools.browser('olivia'), schools.harbour, reports)).toMatchObject({ status: 200 });
  });

  test('/mcp takes a message', async () => {
    const { status, body } = await post(schools.harbour, { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} });
    expect([status, body]).toEqual([200, expect.objectContaining({ id: 7, result: expect.anything() })]);
  });

  test('a field that is sent twice, or with brackets, is refused', async () => {
    const { harbour } = schools;
    const send = async (query: string) =>
      jsonResponse(await fetch(`${harbour}/api/oauth/token`, { method: 'POST', body: new URLSearchParams(query) }));
    const twice = 'grant_type=authorization_code&client_id=web-member-app&client_id=member-app&code=x';
    expectError(await send(twice), 400, 'invalid_request');
    const brackets =
      'grant_type=authorization_code&client_id=web-member-app&client_secret=buddy-secret&code[]=x&redirect_uri[a]=b';
    expectError(await send(brackets), 400, 'invalid_request');
  });

  test('other paths are the host’s, with their bodies, and unknown ones are not found', async () => {
    const { harbour } = schools;
    const courses = await fetch(`${harbour}/courses`);
    expect([courses.status, await courses.text()]).toEqual([200, 'courses']);
    if (!_name.includes('bodies as')) {
      const body = JSON.stringify({ some: ['body'] });
      const echo = await fetch(`${harbour}/echo`, { method: 'POST', headers: json, body });
      expect(await echo.json()).toEqual({ some: ['body'] });
    }
    expect((await fetch(`${harbour}/unknown`)).status).toBe(404);
  });

  test('a request for another host is the host’s', async () => {
    const path = '/.well-known/openid-configuration';
    const lines = [`GET ${path} HTTP/1.1`, 'Host: other.example', 'Connection: close'];
    const response = await rawRequest(Number(new URL(schools.harbour).port), lines);
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(schools.faults.splice(0).map(({ message }) => message)).toEqual([
      'no school was found at http://other.example',
    ]);
  });

  test('a wrong request gets the error of the endpoint, and nothing was a fault', async () => {
    const { harbour } = schools;
    expectError(await postForm(`${harbour}/api/oauth/token`, { grant_type: 'password' }), 400, 'invalid_request');
    const method = await jsonResponse(await fetch(`${harbour}/api/oauth/token`));
    expectError(method, 405, 'invalid_request');
    expect(schools.faults).toEqual([]);
  });
});
