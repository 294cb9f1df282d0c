import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectWords, redirectQuery } from '../helpers/responses.ts';
import {
  authorizeUrl,
  type Changes,
  connect,
  exchange,
  getCode,
  introspect,
  memberApp,
  pkce,
  reports,
  type TestClient,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools();
});
afterAll(() => schools.close());

const request = (client: TestClient, changes: Changes): URL => authorizeUrl(schools.harbour, client, pkce(), changes);

describe.each([memberApp, webMemberApp, reports])('$id', (client) => {
  test.each([
    ['another school', () => schools.summit],
    ['another school on the same host name', () => 'http://localhost:1'],
    ['the same host with https', () => schools.harbour.replace('http:', 'https:')],
    ['a path of the school', () => `${schools.harbour}/mcp`],
    ['the school with two slashes', () => `${schools.harbour}//`],
    ['the school with a query', () => `${schools.harbour}?a=b`],
    ['the school with a fragment', () => `${schools.harbour}#a`],
    ['the school in capitals', () => schools.harbour.toUpperCase()],
    ['the school with a user', () => schools.harbour.replace('//', '//a@')],
    ['no URI', () => 'school'],
    ['a space', () => ' '],
  ])('resource of %s: invalid_target goes back to the client, before sign-in', async (_name, resource) => {
    const response = await schools.browser().fetch(request(client, { resource: resource() }));
    const query = redirectQuery(response, client.redirectUri);
    expect(query).toMatchObject({ error: 'invalid_target', state: 'the-state', iss: schools.harbour });
    expectWords(query['error_description']);
  });

  test('resource with a trailing slash, at both endpoints, in any mixture, gives a token for the origin', async () => {
    const person = client === reports ? 'olivia' : 'sam';
    for (const first of [schools.harbour, `${schools.harbour}/`]) {
      for (const second of [schools.harbour, `${schools.harbour}/`]) {
        const code = await getCode(schools.browser(person), schools.harbour, client, { resource: first });
        const { status, body } = await exchange(code, { resource: second });
        expect(status).toBe(200);
        const { body: token } = await introspect(schools.harbour, client, body['access_token']);
        expect(token).toMatchObject({ active: true, aud: schools.harbour });
      }
    }
  });
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

test('no scope asks for openid profile email', async () => {
  for (const scope of [undefined, '']) {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp, { scope });
    expect(body['scope']).toBe('openid profile email');
  }
});
