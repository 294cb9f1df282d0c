import { bodyParser } from '@koa/bodyparser';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { type MemberSchools, post, startMemberSchools, tokenOf } from './graphql.ts';

let schools: MemberSchools;
let token: string;
beforeAll(async () => {
  schools = await startMemberSchools();
  token = await tokenOf(schools, schools.harbour);
});
afterAll(() => schools.close());

const address = () => `${schools.harbour}/member/graphql`;
const me = '{ viewer { id } }';

describe('methods', () => {
  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])(
    '%s is 405 with Allow, with a token and without',
    async (method) => {
      for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
        const response = await fetch(`${address()}?query={viewer{id}}`, { method, headers });
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
      }
    },
  );

  test('a preflight succeeds for scripts of any origin, and no cookie is requested', async () => {
    const response = await fetch(address(), {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, content-type');
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  test('a page to try queries is not there unless asked for', async () => {
    const response = await fetch(address(), { headers: { accept: 'text/html' } });
    expect(response.status).toBe(405);
    expect(await response.text()).not.toContain('<html');
  });
});

describe('media types', () => {
  test.each([
    ['text/plain'],
    ['text/plain; application/json'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/graphql'],
    ['application/jsonp'],
    ['application/json-patch+json'],
    [';'],
  ])('a body of %s is 415', async (type) => {
    const { status, body } = await post(schools.harbour, token, { query: me }, { 'content-type': type });
    expect([status, body.errors?.[0]?.extensions]).toEqual([415, { code: 'BAD_REQUEST' }]);
  });

  test.each([
    ['application/json; charset=utf-8', 200],
    ['APPLICATION/JSON;charset="UTF-8"', 200],
    ['application/json; charset=utf-16', 400],
  ])('a body of %s is %i', async (type, status) => {
    expect((await post(schools.harbour, token, { query: me }, { 'content-type': type })).status).toBe(status);
  });

  test('a compressed body is refused', async () => {
    expect((await post(schools.harbour, token, { query: me }, { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  const json = 'application/json; charset=utf-8';
  const graphql = 'application/graphql-response+json; charset=utf-8';
  test.each([
    ['*/*', json],
    ['application/*', json],
    ['application/json', json],
    ['application/graphql-response+json', graphql],
    ['application/graphql-response+json, application/json;q=0.9', graphql],
    ['application/json;q=0.5, application/graphql-response+json', graphql],
    ['application/json, application/graphql-response+json;q=0.1', json],
    ['text/html, */*;q=0.1', json],
    ['application/json; charset=utf-8', json],
    ['application/graphql-response+json;charset=UTF-8', graphql],
    ['application/graphql-response+json; charset=utf-8, application/json; charset=utf-8', graphql],
  ])('Accept: %s is served as %s', async (accept, type) => {
    const { status, headers } = await post(schools.harbour, token, { query: me }, { accept });
    expect([status, headers.get('content-type')]).toEqual([200, type]);
  });

  test.each([
    'text/html',
    'application/json;q=0',
    'application/json; charset=utf-16',
    'text/event-stream, multipart/mixed',
  ])('Accept: %s is 406, and nothing is run', async (accept) => {
    schools.calls.length = 0;
    const mutation = 'mutation { markAllNotificationsRead { markedCount } }';
    expect((await post(schools.harbour, token, { query: mutation }, { accept })).status).toBe(406);
    expect(schools.calls).toEqual([]);
  });

  test('no response may be cached', async () => {
    const { headers } = await post(schools.harbour, token, { query: me });
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('parameters', () => {
  test.each<[string, unknown]>([
    ['a list of requests', [{ query: me }]],
    ['an empty list', []],
    ['a text', '"{ viewer { id } }"'],
    ['null', 'null'],
    ['a number', '1'],
    ['nothing', ''],
    ['broken JSON', '{"query": "{ viewer'],
    ['no query', {}],
    ['an empty query', { query: '' }],
    ['a query that is no text', { query: { kind: 'Document' } }],
    ['an operation name that is no text', { query: me, operationName: 1 }],
    ['variables in a list', { query: me, variables: [1] }],
    ['variables as text', { query: me, variables: '{}' }],
    ['extensions as text', { query: me, extensions: 'x' }],
  ])('%s is 400', async (_name, body) => {
    const { status, body: result } = await post(schools.harbour, token, body);
    expect([status, Object.keys(result), result.errors?.[0]?.extensions]).toEqual([
      400,
      ['errors'],
      { code: 'BAD_REQUEST' },
    ]);
    expect(result.errors?.[0]?.message).toMatch(/\w \S/);
  });

  test('no body at all is said to be empty', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(address(), { method: 'POST', headers });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('the body must be application/json, not empty'),
    ]);
  });

  test('a text that came with a hash is not kept for others', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    expect((await post(schools.harbour, token, { query: me, extensions })).status).toBe(200);
    expect((await post(schools.harbour, token, { extensions })).status).toBe(400);
  });

  test('one operation of several is run by its name', async () => {
    const query = 'query A { viewer { id } } query B { viewer { name } }';
    const named = await post(schools.harbour, token, { query, operationName: 'B' });
    expect(named.body).toEqual({ data: { viewer: { name: 'Sam Student' } } });
    for (const operationName of [undefined, null, 'C', '']) {
      const { status, body } = await post(
        schools.harbour,
        token,
        { query, operationName },
        { accept: 'application/graphql-response+json' },
      );
      expect([status, body.errors?.[0]?.extensions?.['code']]).toEqual([400, 'OPERATION_RESOLUTION_FAILURE']);
    }
  });

  test('a fragment alone is no operation', async () => {
    const { body } = await post(schools.harbour, token, { query: 'fragment A on Viewer { id }' });
    expect(body.data).toBeUndefined();
  });

  test('members that are not known are left aside', async () => {
    expect((await post(schools.harbour, token, { query: me, id: 7, __proto__: { a: 1 } })).status).toBe(200);
  });
});

describe('behind a body parser of the host', () => {
  let hosted: MemberSchools;
  let key: string;
  beforeAll(async () => {
    hosted = await startMemberSchools({
      app: (campus) => {
        const app = new Koa();
        app.silent = true;
        app.use(bodyParser());
        app.use(campus.middleware());
        return app;
      },
    });
    key = await tokenOf(hosted, hosted.harbour);
  });
  afterAll(() => hosted.close());

  test('a request is read as ever', async () => {
    expect((await post(hosted.harbour, key, { query: me })).body).toEqual({ data: { viewer: { id: 'sam' } } });
    expect((await post(hosted.harbour, key, [{ query: me }])).status).toBe(400);
    expect((await post(hosted.harbour, key, { query: me }, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('the schema', () => {
  test('can be read without a token, with its scopes, and is not sent twice', async () => {
    const response = await fetch(`${address()}/schema.graphql`);
    const sdl = await response.text();
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(sdl).toContain('unreadNotificationCount: Int @requiresScopes(scopes: ["account:read"])');
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${address()}/schema.graphql`, {
      headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
  });

  test('can be read by introspection, with a token', async () => {
    const query = '{ __schema { queryType { name } } __type(name: "Viewer") { fields { name } } }';
    expect((await post(schools.harbour, token, { query })).body.data).toMatchObject({
      __schema: { queryType: { name: 'Query' } },
    });
    expect((await post(schools.harbour, undefined, { query })).status).toBe(401);
  });

  test('has no order, coupon, refund or invoice', async () => {
    const sdl = await (await fetch(`${address()}/schema.graphql`)).text();
    expect(sdl).not.toMatch(/order(?!ed)|coupon|refund|invoice|price|amount/i);
  });
});
