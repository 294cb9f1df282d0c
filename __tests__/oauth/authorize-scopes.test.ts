import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allScopes, mayHave } from '../helpers/scopes.ts';
import { getJson } from '../conformance/probes.ts';
import { newTool } from '../conformance/registering.ts';
import {
  authorizeUrl,
  type Changes,
  connect,
  memberApp,
  pkce,
  refresh,
  reports,
  type TestClient,
  webMemberApp,
} from '../helpers/flow.ts';
import { expectError, redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { loopbackClients } from '../../policies/index.ts';
import { accessTools } from '../mcp/tools.ts';
import { testData } from '../member-api/data.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    memberApi: { data: testData().data },
    mcp: { tools: accessTools },
    campus: { registration: [loopbackClients()] },
  });
});
afterAll(() => schools.close());

const wellKnown = '/.well-known/oauth-protected-resource';

async function listed(path: string): Promise<string[]> {
  const { body } = await getJson(`${schools.harbour}${path}`);
  const { scopes_supported: scopes } = body;
  if (!Array.isArray(scopes)) throw new Error(`no scopes at ${path}`);
  return scopes.map(String);
}

/** The scopes that a person is asked for and allows. */
async function granted(person: string, client: TestClient, changes: Changes): Promise<string[]> {
  const { body } = await connect(schools.browser(person), schools.harbour, client, changes);
  return String(body['scope']).split(' ').sort();
}

async function refusal(client: TestClient, changes: Changes): Promise<Record<string, string>> {
  const url = authorizeUrl(schools.harbour, client, pkce(), changes);
  return redirectQuery(await schools.browser().fetch(url), client.redirectUri);
}

describe('scopes_supported of a resource', () => {
  test('is the identity scopes and what its tools or fields take', async () => {
    const identity = ['openid', 'profile', 'email'];
    const operator = [...identity, 'courses:read', 'courses:write', 'orders:read'];
    expect(await listed(`${wellKnown}/mcp`)).toEqual(operator);
    expect(await listed(`${wellKnown}/mcp/operator`)).toEqual(operator);
    expect(await listed(`${wellKnown}/mcp/member`)).toEqual([...identity, 'account:read']);
    expect(await listed(`${wellKnown}/member/graphql`)).toEqual([...identity, 'account:read', 'account:write']);
    expect(await listed(wellKnown)).toEqual([...operator, 'account:read', 'account:write']);
  });

  test('the authorization server lists all scopes and all resources', async () => {
    const { body } = await getJson(`${schools.harbour}/.well-known/oauth-authorization-server`);
    expect(body['scopes_supported']).toEqual(allScopes);
    const paths = ['', '/mcp', '/mcp/operator', '/mcp/member', '/member/graphql'];
    expect(body['protected_resources']).toEqual(paths.map((path) => `${schools.harbour}${path}`));
  });
});

const lists = [
  '/.well-known/oauth-authorization-server',
  ...['', '/mcp', '/mcp/operator', '/mcp/member', '/member/graphql'].map((path) => `${wellKnown}${path}`),
];

describe.each(lists)('a request for exactly the list of %s', (path) => {
  test.each([
    ['as it is', (scopes: string[]) => scopes],
    ['in another order', (scopes: string[]) => scopes.toReversed()],
    ['with offline_access', (scopes: string[]) => [...scopes, 'offline_access']],
    ['with a scope twice', (scopes: string[]) => [...scopes, ...scopes.slice(1, 2)]],
  ])('%s asks for as much as the client may have', async (_how, change) => {
    const scopes = await listed(path);
    const scope = change(scopes).join(' ');
    for (const [person, client] of [
      ['olivia', reports],
      ['sam', webMemberApp],
    ] as const) {
      const allowed = client === reports ? reportsScopes : memberScopes;
      const expected = scopes.filter((each) => allowed.includes(each)).sort();
      expect(await granted(person, client, { scope })).toEqual(expected);
    }
  });

  test('without openid does not get openid', async () => {
    const scopes = (await listed(path)).filter((scope) => scope !== 'openid');
    const changes = { scope: scopes.join(' '), nonce: undefined };
    expect(await granted('olivia', reports, changes)).toEqual(
      scopes.filter((scope) => reportsScopes.includes(scope)).sort(),
    );
  });
});

describe('a request for a list and more', () => {
  test.each([
    ['the list of members’ tools and a scope of operators', ['/mcp/member'], ['courses:write'], ['courses:write']],
    ['two lists', ['/mcp/member', '/mcp/operator'], [], ['courses:read', 'courses:write', 'orders:read']],
    [
      'two lists and one more',
      ['/member/graphql', '/mcp'],
      ['posts:read'],
      ['account:write', 'posts:read', 'courses:read', 'courses:write', 'orders:read'],
    ],
  ])('(%s) is narrowed to what an app that registered itself may have', async (_what, from, more, left) => {
    const asked = [...(await Promise.all(from.map((path) => listed(`${wellKnown}${path}`)))).flat(), ...more];
    expect(asked).toContain('account:read');
    const changes = { scope: asked.join(' '), resource: `${schools.harbour}${from[0]}` };
    expect(await granted('olivia', await newTool(schools.harbour), changes)).toEqual(
      ['email', 'openid', 'profile', ...left].sort(),
    );
  });

  test('is invalid_scope with one that does not exist, and without the whole list', async () => {
    const list = await listed(`${wellKnown}/mcp/member`);
    for (const asked of [
      [...list, 'courses:destroy'],
      [...list.slice(1).filter((scope) => scope !== 'email'), 'courses:write'],
    ]) {
      expect(await refusal(await newTool(schools.harbour), { scope: asked.join(' '), nonce: undefined })).toMatchObject(
        {
          error: 'invalid_scope',
        },
      );
    }
  });
});

const reportsScopes: readonly string[] = ['openid', 'profile', 'email', 'courses:read', 'courses:write', 'orders:read'];
const memberScopes: readonly string[] = ['openid', 'profile', 'email', 'account:read', 'account:write'];

describe('any other request beyond the client', () => {
  test.each([
    ['account:read of an operator client', reports, () => ['openid', 'account:read']],
    ['all that operators may have, without one', reports, () => operatorScopes().slice(0, -1)],
    ['the whole list without its last scope', reports, () => allScopes.slice(0, -1)],
    ['the list of the tools and one more', reports, () => ['openid', 'courses:read', 'orders:read', 'school:read']],
    ['an Admin API scope of a member client', memberApp, () => ['openid', 'courses:read']],
  ])('%s: invalid_scope', async (_what, client, scopes) => {
    expect(await refusal(client, { scope: scopes().join(' ') })).toMatchObject({ error: 'invalid_scope' });
  });

  test('a list of which the client may have nothing: invalid_scope', async () => {
    // The client may have nothing of what the tools for operators take.
    const only = await startSchools({
      mcp: { tools: accessTools },
      campus: {
        clients: [
          {
            clientId: 'reader',
            clientName: 'Reader',
            audience: 'member',
            redirectUris: ['https://reader.example/callback'],
            scopes: ['account:read'],
          },
        ],
      },
    });
    try {
      const client = { id: 'reader', redirectUri: 'https://reader.example/callback', scope: '' };
      const changes = { scope: undefined, nonce: undefined, resource: `${only.harbour}/mcp` };
      const url = authorizeUrl(only.harbour, client, pkce(), changes);
      expect(redirectQuery(await only.browser().fetch(url), client.redirectUri)).toMatchObject({
        error: 'invalid_scope',
      });
    } finally {
      await only.close();
    }
  });

  test('two scope parameters are refused, even if each is a list', async () => {
    const url = authorizeUrl(schools.harbour, reports, pkce(), { scope: allScopes.join(' ') });
    url.searchParams.append('scope', 'openid');
    expect(redirectQuery(await schools.browser().fetch(url), reports.redirectUri)).toMatchObject({
      error: 'invalid_request',
    });
  });
});

function operatorScopes(): string[] {
  return allScopes.filter((scope) => mayHave('operator', scope));
}

describe('a request without a scope', () => {
  test.each([undefined, '', 'offline_access', ' '])('(%j) asks for the list of its resource', async (scope) => {
    const of = async (person: string, client: TestClient, path: string, allowedScopes: readonly string[]) => {
      const expected = (await listed(`${wellKnown}${path}`)).filter((each) => allowedScopes.includes(each)).sort();
      const resource = `${schools.harbour}${path}`;
      expect(await granted(person, client, { scope, resource })).toEqual(expected);
    };
    await of('olivia', reports, '/mcp/operator', reportsScopes);
    await of('olivia', reports, '/mcp/member', reportsScopes);
    await of('sam', webMemberApp, '/mcp/member', memberScopes);
    await of('sam', webMemberApp, '', memberScopes);
  });

  test('or a resource asks for the list of the origin', async () => {
    const changes = { scope: undefined, resource: undefined };
    expect(await granted('olivia', reports, changes)).toEqual([...reportsScopes].sort());
  });
});

describe('at a refresh', () => {
  const connected = async (scope: string): Promise<unknown> =>
    (await connect(schools.browser('olivia'), schools.harbour, reports, { scope })).body['refresh_token'];

  test('a published list is narrowed to what was granted, never widened', async () => {
    const token = await connected('openid courses:read');
    const operator = (await listed(`${wellKnown}/mcp`)).join(' ');
    const { status, body } = await refresh(schools.harbour, reports, token, { scope: operator });
    expect([status, body['scope']]).toEqual([200, 'openid courses:read']);
    const wide = await connected(reports.scope);
    const member = (await listed(`${wellKnown}/mcp/member`)).join(' ');
    const narrow = await refresh(schools.harbour, reports, wide, { scope: `${member} offline_access` });
    expect([narrow.status, narrow.body['scope']]).toEqual([200, 'openid profile email']);
  });

  test('offline_access is ignored, and any other scope beyond the grant refused', async () => {
    const token = await connected('openid courses:read');
    const wider = await refresh(schools.harbour, reports, token, { scope: 'openid courses:read account:read' });
    expectError(wider, 400, 'invalid_scope');
    const { status, body } = await refresh(schools.harbour, reports, token, { scope: 'offline_access' });
    expect([status, body['scope']]).toEqual([200, 'openid courses:read']);
  });

  test('an unknown refresh token with a published list is invalid_grant', async () => {
    const scope = allScopes.join(' ');
    expectError(await refresh(schools.harbour, reports, 'unknown', { scope }), 400, 'invalid_grant');
  });
});
