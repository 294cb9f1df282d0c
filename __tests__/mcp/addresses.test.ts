import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  connect,
  exchange,
  getCode,
  introspect,
  jsonResponse,
  type JsonResponse,
  memberApp,
  reports,
} from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { message } from './rpc.ts';
import { accessTools } from './tools.ts';

let schools: Schools;
let closed: Schools;
let token: string;
beforeAll(async () => {
  schools = await startSchools({ memberApi: {}, mcp: { tools: accessTools } });
  closed = await startSchools({ mcp: { tools: accessTools, anonymous: false, operatorPath: '/assistants' } });
  token = String((await connect(schools.browser('sam'), schools.harbour, memberApp)).body['access_token']);
});
afterAll(async () => {
  await schools.close();
  await closed.close();
});

const metadataPath = '/.well-known/oauth-protected-resource';

const post = async (
  address: string,
  headers: Record<string, string> = {},
  method = 'tools/list',
): Promise<JsonResponse> => {
  const sent = message('2025-11-25', method, method === 'tools/call' ? { name: 'inbox', arguments: {} } : {});
  const init = { method: 'POST', headers: { ...sent.headers, ...headers }, body: JSON.stringify(sent.body) };
  return jsonResponse(await fetch(address, init));
};

const metadataNamedBy = ({ headers }: Pick<Response, 'headers'>): string | undefined =>
  /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1];

describe.each(['/mcp', '/mcp/operator', '/mcp/member'])('%s with a slash at its end', (path) => {
  test('serves what the address without it serves', async () => {
    for (const headers of [{}, { authorization: `Bearer ${token}` }, { authorization: 'Bearer x' }]) {
      for (const method of ['tools/list', 'tools/call']) {
        const [bare, slash] = await Promise.all(
          ['', '/'].map((end) => post(`${schools.harbour}${path}${end}`, headers, method)),
        );
        const { _meta: _bare, result: _one, ...one } = bare?.body ?? {};
        const { _meta: _slash, result: _other, ...other } = slash?.body ?? {};
        expect([slash?.status, other]).toEqual([bare?.status, one]);
      }
    }
  });

  test('names metadata of its own, which says the address with the slash', async () => {
    const response = await post(`${schools.harbour}${path}/`, {}, 'tools/call');
    expectError(response, 401, 'invalid_token');
    const address = metadataNamedBy(response);
    expect(address).toBe(`${schools.harbour}${metadataPath}${path}/`);
    const [slash, bare] = await Promise.all(
      [`${path}/`, path].map(async (end) => jsonResponse(await fetch(`${schools.harbour}${metadataPath}${end}`))),
    );
    expect(slash?.body).toEqual({ ...bare?.body, resource: `${schools.harbour}${path}/` });
    expect(bare?.body['resource']).toBe(`${schools.harbour}${path}`);
  });

  test('has one audience with it', async () => {
    const resource = `${schools.harbour}${path}/`;
    const { status, body } = await exchange(
      await getCode(schools.browser('olivia'), schools.harbour, reports, { resource }),
      {
        resource,
      },
    );
    expect(status).toBe(200);
    const known = await introspect(schools.harbour, reports, body['access_token']);
    expect(known.body).toMatchObject({ active: true, aud: schools.harbour });
    for (const end of ['', '/']) {
      const served = await post(`${schools.harbour}${path}${end}`, {
        authorization: `Bearer ${String(body['access_token'])}`,
      });
      expect(served.status).toBe(200);
    }
  });

  test('shows a person how to connect', async () => {
    const init = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(`${schools.harbour}${path}/`, { ...init, method });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    }
  });

  test.each(['//', '/x', '/%2f'])('%s is another address', async (end) => {
    expect((await fetch(`${schools.harbour}${path}${end}`, { method: 'POST' })).status).toBe(404);
  });
});

const doors: [where: string, address: () => string][] = [
  ['/mcp/operator', () => `${schools.harbour}/mcp/operator`],
  ['/mcp/operator/', () => `${schools.harbour}/mcp/operator/`],
  ['/mcp/member', () => `${schools.harbour}/mcp/member`],
  ['/mcp that is closed', () => `${closed.harbour}/mcp`],
  ['a path of your own', () => `${closed.harbour}/assistants`],
];

describe.each(doors)('%s, where every request needs a token', (_where, address) => {
  test.each(['GET', 'HEAD'])('%s without one is 401 with the challenge of a POST', async (method) => {
    const posted = await post(address());
    for (const accept of ['*/*', 'application/json', 'text/event-stream', 'application/json, text/event-stream']) {
      const response = await fetch(address(), { method, headers: { accept } });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(posted.headers.get('www-authenticate'));
      expect(response.headers.get('cache-control')).toBe('no-store');
      if (method === 'GET') expect(await response.json()).toEqual(posted.body);
    }
  });

  test('GET with a token, and other methods, are 405', async () => {
    const authorization = `Bearer ${token}`;
    for (const init of [{ headers: { authorization } }, { method: 'DELETE' }, { method: 'PUT' }]) {
      const response = await fetch(address(), init);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
  });

  test('a browser gets the page', async () => {
    const response = await fetch(address(), { headers: { accept: 'text/html' } });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([200, null]);
  });
});

test('where requests without a token are served, GET is 405', async () => {
  for (const path of ['/mcp', '/mcp/']) expect((await fetch(`${schools.harbour}${path}`)).status).toBe(405);
});
