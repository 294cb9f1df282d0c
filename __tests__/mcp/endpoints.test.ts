import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mcp, type McpOptions } from '../../lib/mcp/index.ts';
import { getJson } from '../conformance/probes.ts';
import { type JsonResponse, jsonResponse, memberApp, reports } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { accessToken, message, type Params, resultOf, revisions } from './rpc.ts';
import { accessTools } from './tools.ts';

async function send(
  address: string,
  method: string,
  {
    params = {},
    token,
    revision = revisions[0],
  }: { params?: Params; token?: string; revision?: (typeof revisions)[number] } = {},
): Promise<JsonResponse> {
  const { body, headers } = message(revision, method, params);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return jsonResponse(
    await fetch(address, { method: 'POST', headers: { ...headers, ...authorization }, body: JSON.stringify(body) }),
  );
}

function challengeOf({ headers }: JsonResponse): Record<string, string | undefined> {
  const pairs = (headers.get('www-authenticate') ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, value]));
}

function toolsOf({ body }: JsonResponse): Params[] {
  const { tools } = resultOf(body);
  if (!Array.isArray(tools)) throw new Error(JSON.stringify(body));
  return tools;
}

const namesOf = (response: JsonResponse): unknown[] => toolsOf(response).map(({ name }) => name);

const scopesAt = {
  '/mcp/operator': 'openid profile email courses:read courses:write orders:read',
  '/mcp/member': 'openid profile email account:read',
} as const;

describe.each(['/mcp/operator', '/mcp/member'] as const)('%s', (path) => {
  let schools: Schools;
  const tokens = { olivia: '', sam: '' };
  beforeAll(async () => {
    schools = await startSchools({ mcp: { tools: accessTools } });
    tokens.olivia = await accessToken(schools, 'olivia', reports);
    tokens.sam = await accessToken(schools, 'sam', memberApp);
  });
  afterAll(() => schools.close());

  describe.each(revisions)('at revision %s', (revision) => {
    test.each([
      ['initialize', { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'a', version: '1' } }],
      ['server/discover', {}],
      ['ping', {}],
      ['tools/list', {}],
      ['tools/call', { name: 'open', arguments: {} }],
      ['tools/call', { name: 'inbox', arguments: {} }],
      ['tools/call', { name: 'unknown', arguments: {} }],
    ])(
      '%s %j without a token is 401, with all scopes of the tools and the metadata of this address',
      async (method, params) => {
        const response = await send(`${schools.harbour}${path}`, method, { params, revision });
        expectError(response, 401, 'invalid_token');
        const { scope, resource_metadata: metadata = '' } = challengeOf(response);
        expect(scope).toBe(scopesAt[path]);
        const { body } = await getJson(metadata);
        expect(body).toMatchObject({
          resource: `${schools.harbour}${path}`,
          authorization_servers: [schools.harbour],
          scopes_supported: scopesAt[path].split(' '),
        });
      },
    );

    test('with a token it serves what /mcp serves to that token', async () => {
      for (const token of Object.values(tokens)) {
        const here = await send(`${schools.harbour}${path}`, 'tools/list', { token, revision });
        const there = await send(`${schools.harbour}/mcp`, 'tools/list', { token, revision });
        expect(namesOf(here)).toEqual(namesOf(there));
        const params = { name: 'any_token', arguments: {} };
        const called = await send(`${schools.harbour}${path}`, 'tools/call', { params, token, revision });
        expect(resultOf(called.body)['structuredContent']).toMatchObject({ site: 'harbour' });
      }
    });
  });

  test('a token of another school, and one that is no token, are 401 with the same challenge', async () => {
    for (const address of [`${schools.summit}${path}`, `${schools.harbour}${path}`]) {
      const token = address.startsWith(schools.summit) ? tokens.olivia : 'x';
      const response = await send(address, 'tools/list', { token });
      expectError(response, 401, 'invalid_token');
      expect(challengeOf(response)['scope']).toBe(scopesAt[path]);
    }
  });

  test('no tool says that it needs no token', async () => {
    const address = `${schools.harbour}${path}`;
    for (const tool of toolsOf(await send(address, 'tools/list', { token: tokens.olivia }))) {
      expect(JSON.stringify([tool['securitySchemes'], tool['_meta']])).not.toContain('noauth');
    }
    const open = toolsOf(await send(`${schools.harbour}/mcp`, 'tools/list')).find(({ name }) => name === 'open');
    expect(open).toMatchObject({ securitySchemes: [{ type: 'noauth' }] });
  });
});

describe('options', () => {
  async function withMcp<T>(options: McpOptions, run: (schools: Schools) => Promise<T>): Promise<T> {
    const schools = await startSchools({ memberApi: {}, mcp: { tools: accessTools, ...options } });
    try {
      return await run(schools);
    } finally {
      await schools.close();
    }
  }

  test('anonymous: false closes /mcp to requests without a token', () =>
    withMcp({ anonymous: false }, async ({ harbour }) => {
      const response = await send(`${harbour}/mcp`, 'initialize');
      expectError(response, 401, 'invalid_token');
      expect(challengeOf(response)['scope']).toBe(scopesAt['/mcp/operator']);
      const guide = await (await fetch(`${harbour}/auth.md`)).text();
      expect(guide).not.toContain('only for tools that are not public');
      const { body } = await getJson(`${harbour}/openapi.json`);
      expect(JSON.stringify(body)).not.toContain('Without a token, only the public tools');
    }));

  test('the paths of both addresses can be chosen', () =>
    withMcp({ operatorPath: '/assistants', memberPath: '/mcp/me' }, async ({ harbour }) => {
      for (const path of ['/assistants', '/mcp/me']) {
        const response = await send(`${harbour}${path}`, 'tools/list');
        expect(response.status).toBe(401);
        const { body } = await getJson(challengeOf(response)['resource_metadata'] ?? '');
        expect(body['resource']).toBe(`${harbour}${path}`);
      }
      expect((await fetch(`${harbour}/mcp/operator`, { method: 'POST' })).status).toBe(404);
      expect((await fetch(`${harbour}/.well-known/oauth-protected-resource/mcp/operator`)).status).toBe(404);
    }));

  test('false turns an address off', () =>
    withMcp({ operatorPath: false, memberPath: false }, async ({ harbour }) => {
      for (const path of ['/mcp/operator', '/mcp/member']) {
        expect((await fetch(`${harbour}${path}`, { method: 'POST' })).status).toBe(404);
      }
      const { body } = await getJson(`${harbour}/.well-known/oauth-authorization-server`);
      expect(body['protected_resources']).toEqual([harbour, `${harbour}/mcp`, `${harbour}/member/graphql`]);
    }));

  test.each<[string, McpOptions, string]>([
    ['no path', { operatorPath: 'mcp' }, 'mcp.operatorPath must be a path such as'],
    ['a path with a query', { memberPath: '/mcp?a' }, 'mcp.memberPath must be a path such as'],
    ['a path of another endpoint', { operatorPath: '/member/graphql' }, 'mcp.operatorPath must not be at or under'],
    [
      'a path under another endpoint',
      { operatorPath: '/oauth/authorize/x' },
      'mcp.operatorPath must not be at or under',
    ],
    ['one path for both', { operatorPath: '/mcp/a', memberPath: '/mcp/a' }, 'mcp.memberPath must differ from /mcp/a'],
    ['the path of the open address', { operatorPath: '/mcp' }, 'mcp.operatorPath must differ from /mcp'],
  ])('%s is refused', (_what, options, text) => {
    expect(() => mcp(options)).toThrow(TypeError);
    expect(() => mcp(options)).toThrow(text);
  });

  test.each(['/account/apps', '/account', '/developers/oauth-applications/tools'])(
    'a path at, above or under a page, %s, is refused when the campus is created',
    async (operatorPath) => {
      const starting = startSchools({ mcp: { operatorPath } });
      await expect(starting).rejects.toThrow(`${operatorPath} must not be at or under `);
      await expect(starting).rejects.toThrow('mcp.operatorPath');
    },
  );
});
