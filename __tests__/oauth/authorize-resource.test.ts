import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, expectWords, redirectQuery } from '../helpers/responses.ts';
import {
  authorizeUrl,
  type Changes,
  exchange,
  getCode,
  introspect,
  memberApp,
  pkce,
  refresh,
  reports,
  type TestClient,
  webMemberApp,
} from '../helpers/flow.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools(plugins);
});
afterAll(() => schools.close());

const request = (client: TestClient, changes: Changes): URL => authorizeUrl(schools.harbour, client, pkce(), changes);

/** A path of the school, or one with its scheme and host in capitals. */
const addressOf = (path: string): string =>
  path.startsWith('CAPITALS') ? path.replace('CAPITALS', schools.harbour.toUpperCase()) : `${schools.harbour}${path}`;

describe.each([memberApp, webMemberApp, reports])('$id', (client) => {
  test.each([
    ['another school', () => schools.summit],
    ['another school on the same host name', () => 'http://localhost:1'],
    ['the same host with https', () => schools.harbour.replace('http:', 'https:')],
    ['a path of the school that takes no token', () => `${schools.harbour}/auth.md`],
    ['a path under a resource', () => `${schools.harbour}/mcp/other`],
    ['a resource of another school', () => `${schools.summit}/mcp`],
    ['a resource in capitals', () => `${schools.harbour}/MCP`],
    ['a resource with an encoded letter', () => `${schools.harbour}/%6dcp`],
    ['a resource with dot segments', () => `${schools.harbour}/x/../mcp`],
    ['a resource with a query', () => `${schools.harbour}/mcp?a=b`],
    ['the school with two slashes', () => `${schools.harbour}//`],
    ['the school with a query', () => `${schools.harbour}?a=b`],
    ['the school with a fragment', () => `${schools.harbour}#a`],
    ['the school with a user', () => schools.harbour.replace('//', '//a@')],
    ['the school with a dot at the end of its name', () => schools.harbour.replace('localhost', 'localhost.')],
    ['the school with an encoded letter in its name', () => schools.harbour.replace('localhost', 'l%6fcalhost')],
    ['another port', () => schools.harbour.replace(/:\d+$/, ':80')],
    ['no port', () => schools.harbour.replace(/:\d+$/, '')],
    ['backslashes', () => schools.harbour.replace('//', '\\\\')],
    ['the school after a space', () => ` ${schools.harbour}`],
    ['no URI', () => 'school'],
    ['a space', () => ' '],
  ])('resource of %s: invalid_target goes back to the client, before sign-in', async (_name, resource) => {
    const response = await schools.browser().fetch(request(client, { resource: resource() }));
    const query = redirectQuery(response, client.redirectUri);
    expect(query).toMatchObject({ error: 'invalid_target', state: 'the-state', iss: schools.harbour });
    expectWords(query['error_description']);
  });

  test.each([
    ['', '/'],
    ['/', ''],
    ['/mcp', '/mcp'],
    ['/mcp/', '/mcp/operator'],
    ['/mcp/operator', '/mcp/operator/'],
    ['/mcp/member', ''],
    ['', '/member/graphql'],
    ['', 'CAPITALS'],
    ['CAPITALS', '/mcp'],
    ['CAPITALS/mcp/', 'CAPITALS/member/graphql'],
  ])('resource %j at authorization and %j afterwards give tokens for the origin', async (first, second) => {
    const person = client === reports ? 'olivia' : 'sam';
    const changes = { resource: addressOf(first) };
    const resource = addressOf(second);
    const code = await getCode(schools.browser(person), schools.harbour, client, changes);
    const { status, body } = await exchange(code, { resource });
    expect(status).toBe(200);
    const { body: refreshed } = await refresh(schools.harbour, client, body['refresh_token'], { resource });
    for (const { access_token: issued } of [body, refreshed]) {
      const { body: token } = await introspect(schools.harbour, client, issued);
      expect(token).toMatchObject({ active: true, aud: schools.harbour });
    }
  });
});

test('a resource of another school is invalid_target at the exchange and at a refresh, and uses up nothing', async () => {
  const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
  for (const path of ['', '/mcp', '/mcp/member', '/member/graphql']) {
    expectError(await exchange(code, { resource: `${schools.summit}${path}` }), 400, 'invalid_target');
  }
  const { body } = await exchange(code);
  const resource = `${schools.summit}/mcp/member`;
  const token = body['refresh_token'];
  expectError(await refresh(schools.harbour, webMemberApp, token, { resource }), 400, 'invalid_target');
  expect((await refresh(schools.harbour, webMemberApp, token)).status).toBe(200);
});

test.each([memberApp, webMemberApp])(
  '$id without a resource: invalid_target that names the one to send',
  async (client) => {
    for (const resource of [undefined, '']) {
      const query = redirectQuery(await schools.browser().fetch(request(client, { resource })), client.redirectUri);
      expect(query).toMatchObject({ error: 'invalid_target', state: 'the-state', iss: schools.harbour });
      expect(query['error_description']).toContain(schools.harbour);
    }
  },
);

test('an operator client without a resource gets a token for the origin', async () => {
  const code = await getCode(schools.browser('olivia'), schools.harbour, reports, { resource: undefined });
  const { body } = await exchange(code, { resource: undefined });
  const { body: token } = await introspect(schools.harbour, reports, body['access_token']);
  expect(token).toMatchObject({ active: true, aud: schools.harbour });
});
