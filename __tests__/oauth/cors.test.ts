import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eachFeature } from '../api-docs/each-feature.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';

const documents = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-protected-resource/member/graphql',
  '/.well-known/jwks.json',
];
const posted = ['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/introspect'];
const pages = ['/oauth/authorize', '/oauth/authorize/x', '/oauth/interaction/x'];

const routes: [string, string][] = [
  ...documents.map((path): [string, string] => [path, 'GET']),
  ...posted.map((path): [string, string] => [path, 'POST']),
  ['/api/oauth/userinfo', 'GET'],
  ['/api/oauth/userinfo', 'POST'],
];

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools(plugins);
});
afterAll(() => schools.close());

// fetch() adds "Cache-Control: no-cache" to a conditional request, unless there is one already.
const ask = (path: string, method: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${schools.harbour}${path}`, {
    method,
    headers: { 'cache-control': 'max-age=0', ...headers },
    redirect: 'manual',
  });

const origin = 'https://app.example';

describe.each(routes)('%s', (path, method) => {
  test(`a preflight for ${method} succeeds: any origin, these methods and headers, no credentials`, async () => {
    const response = await ask(path, 'OPTIONS', {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization, content-type',
    });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, content-type');
    expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test(`a ${method} is readable by scripts of any origin, success or error`, async () => {
    const response = await ask(path, method, { origin });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

describe.each(pages)('%s', (path) => {
  test('is not readable by scripts of another origin', async () => {
    for (const method of ['GET', 'POST']) {
      const response = await ask(path, method, { origin, accept: 'application/json' });
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('refuses a preflight', async () => {
    const response = await ask(path, 'OPTIONS', { origin, 'access-control-request-method': 'POST' });
    expect(response.status).toBe(405);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

const wrongMethods: [string, string[], string[]][] = [
  ...documents.map((path): [string, string[], string[]] => [
    path,
    ['POST', 'PUT', 'DELETE'],
    ['GET', 'HEAD', 'OPTIONS'],
  ]),
  ...posted.map((path): [string, string[], string[]] => [path, ['GET', 'HEAD', 'PUT', 'DELETE'], ['POST', 'OPTIONS']]),
  ['/api/oauth/userinfo', ['PUT', 'DELETE', 'PATCH'], ['GET', 'HEAD', 'POST', 'OPTIONS']],
  ['/oauth/authorize', ['PUT', 'DELETE'], ['GET', 'HEAD', 'POST']],
  ['/oauth/authorize/x', ['POST', 'PUT', 'DELETE'], ['GET', 'HEAD']],
  ['/oauth/interaction/x', ['PUT', 'DELETE'], ['GET', 'HEAD', 'POST']],
];

test.each(wrongMethods)('%s by %j is 405 with Allow, and may not be cached', async (path, methods, allowed) => {
  for (const method of methods) {
    const response = await ask(path, method, { accept: 'application/json' });
    expect([method, response.status]).toEqual([method, 405]);
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual([...allowed].sort());
    expect(response.headers.get('cache-control')).toBe('no-store');
    if (method !== 'HEAD') expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  }
});

test('OPTIONS of an app, which sends no Origin, says at each path what may be sent, or is refused and named nowhere', async () => {
  const every = await startSchools(eachFeature['everything, with every grant and client authentication']);
  try {
    const { paths } = await (await fetch(`${every.harbour}/openapi.json`)).json();
    const addresses = [...Object.keys(paths), ...pages];
    expect(addresses).toEqual(expect.arrayContaining(['/mcp', '/member/graphql', '/api/oauth/register']));
    for (const path of addresses) {
      const response = await fetch(`${every.harbour}${path.replace('{', '').replace('}', '')}`, { method: 'OPTIONS' });
      const allowed = response.headers.get('allow')?.split(', ') ?? [];
      const isOpen = response.status === 204;
      expect([path, response.status, allowed.includes('OPTIONS')]).toEqual([path, isOpen ? 204 : 405, isOpen]);
      expect([path, await response.text()]).toEqual([path, isOpen ? '' : expect.not.stringContaining('or OPTIONS')]);
      expect(allowed).toEqual(expect.arrayContaining(Object.keys(paths[path] ?? {}).map((each) => each.toUpperCase())));
    }
  } finally {
    await every.close();
  }
});

describe.each(documents)('%s', (path) => {
  test('is JSON that may be kept for a while, with an entity tag', async () => {
    const response = await ask(path, 'GET');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=[1-9]\d*$/);
    expect(response.headers.get('etag')).toMatch(/^(?:W\/)?"[\w-]+"$/);
    expect(await response.json()).toEqual(expect.any(Object));
  });

  test('by HEAD has the same headers and no body', async () => {
    const [get, head] = await Promise.all([ask(path, 'GET'), ask(path, 'HEAD')]);
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'access-control-allow-origin']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  });

  test.each(['GET', 'HEAD'])(
    'by %s is 304 for who has it, readable by scripts, and 200 for who has another',
    async (method) => {
      const etag = (await ask(path, 'GET')).headers.get('etag') ?? '';
      for (const known of [etag, `"other", ${etag}`, '*']) {
        const response = await ask(path, method, { 'if-none-match': known, origin });
        expect([response.status, await response.text()]).toEqual([304, '']);
        expect(response.headers.get('etag')).toBe(etag);
        expect(response.headers.get('cache-control')).toMatch(/^public, /);
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
      }
      expect((await ask(path, method, { 'if-none-match': '"other"' })).status).toBe(200);
    },
  );

  test('is the same document each time, and another one at the other school', async () => {
    const texts = await Promise.all([1, 2].map(async () => (await ask(path, 'GET')).text()));
    expect(texts[0]).toBe(texts[1]);
    const there = await (await fetch(`${schools.summit}${path}`)).text();
    expect(there).not.toContain(schools.harbour);
    expect(there === texts[0]).toBe(path.endsWith('jwks.json'));
  });
});
