import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loopbackClients } from '../../policies/index.ts';
import { newTool } from '../conformance/registering.ts';
import { authorizeUrl, connect, memberApp, pkce, type TestClient } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { accessTools } from './tools.ts';

let schools: Schools;
let tool: TestClient;
let scope: string;
beforeAll(async () => {
  schools = await startSchools({ mcp: { tools: accessTools }, campus: { registration: [loopbackClients()] } });
  tool = await newTool(schools.harbour);
  const response = await fetch(`${schools.harbour}/.well-known/oauth-protected-resource/mcp/member`);
  const { scopes_supported: scopes } = Object(await response.json());
  scope = String(scopes.join(' '));
});
afterAll(() => schools.close());

const help = (): string => `${schools.harbour}/mcp/member`;

function request(client: TestClient, path: string, changes: Record<string, string> = {}): URL {
  return authorizeUrl(schools.harbour, client, pkce(), { scope, resource: `${schools.harbour}${path}`, ...changes });
}

const denied = () => ({ error: 'access_denied', error_uri: help(), state: 'the-state', iss: schools.harbour });

describe('an app that registered itself, at the address for members', () => {
  test('reads in the 401 which apps can be used there', async () => {
    const ask = async (path: string): Promise<string> => {
      const response = await fetch(`${schools.harbour}${path}`, { method: 'POST' });
      expect(response.status).toBe(401);
      const { error_description: text } = Object(await response.json());
      expect(response.headers.get('www-authenticate')).toContain(`error_description="${text}"`);
      return String(text);
    };
    expect(await ask('/mcp/member')).toContain('applications that the school has created for its members');
    expect(await ask('/mcp/operator')).not.toContain('members');
  });

  test('gets access_denied at its redirect URI at once, with a page for the person, if a student is signed in', async () => {
    const { url } = await schools.browser('sam').follow(request(tool, '/mcp/member'));
    expect(`${url.origin}${url.pathname}`).toBe(tool.redirectUri);
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject(denied());
    expect(query['error_description']).toContain('members connect with a client_id for members');
    expect(query['error_description']).toContain(help());
  });

  test('gets it as well after the student has signed in, and after a start again', async () => {
    const browser = schools.browser();
    const { url: signIn } = await browser.follow(request(tool, '/mcp/member'));
    browser.platformCookie('person', 'sam');
    const { url } = await browser.follow(signIn.searchParams.get('return_to') ?? '');
    expect(Object.fromEntries(url.searchParams)).toMatchObject(denied());
    const again = request(tool, '', { campus_address: '/mcp/member' });
    expect(Object.fromEntries((await browser.follow(again)).url.searchParams)).toMatchObject(denied());
  });

  test('connects if an operator is signed in, with what it may have of the list', async () => {
    const changes = { scope, resource: help() };
    const { body } = await connect(schools.browser('olivia'), schools.harbour, tool, changes);
    expect(body['scope']).toBe('openid profile email');
  });
});

test('an application for members connects there for a student', async () => {
  const { status } = await connect(schools.browser('sam'), schools.harbour, memberApp, { resource: help() });
  expect(status).toBe(200);
});

test.each(['', '/mcp', '/mcp/operator'])(
  'a student reads who is signed in at %j, where another account may be the right one',
  async (path) => {
    const response = await schools.browser('sam').fetch(request(tool, path));
    expect([response.status, response.headers.get('location')]).toEqual([403, null]);
    expect(await response.text()).toContain('Sign in as someone else');
  },
);

test('a person without a role at the school reads so, whatever the address is', async () => {
  const response = await schools.browser('stranger').fetch(request(tool, '/mcp/member'));
  expect(response.status).toBe(403);
});

test('a value that is not such an address changes nothing', async () => {
  for (const campus_address of ['/mcp/operator', '/', 'https://evil.example/', 'x'.repeat(100)]) {
    const response = await schools.browser('sam').fetch(request(tool, '/mcp/operator', { campus_address }));
    expect([response.status, response.headers.get('location')]).toEqual([403, null]);
  }
});

test('the guide and the page of the address say which apps can be used there', async () => {
  const guide = await (await fetch(`${schools.harbour}/auth.md`)).text();
  expect(guide).toContain('an application that an administrator has created for members');
  const page = await (await schools.browser('sam').fetch(help())).text();
  expect(readPage(page).text).toContain('Claude needs school approval');
  // It registers itself, unless it is given a client ID.
  expect(page).not.toContain('npx mcp-remote');
  const operators = await (await schools.browser('olivia').fetch(`${schools.harbour}/mcp/operator?app=other`)).text();
  expect(operators).toContain('npx mcp-remote');
});
