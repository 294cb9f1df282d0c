import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { AccessDenied } from '../../lib/index.ts';
import type { MemberApiOptions, MemberData } from '../../lib/member/index.ts';
import { testData } from './data.ts';
import { type GraphqlResult, type MemberSchools, post, startMemberSchools, tokenOf } from './graphql.ts';

let schools: MemberSchools;
afterEach(() => schools.close());

const secret = 'relation "members" does not exist at 10.0.0.7:5432';

/** Starts the schools with some data replaced; returns the function that sends a query. */
async function start(
  data: Partial<MemberData>,
  memberApi: MemberApiOptions = {},
): Promise<(query: string) => Promise<GraphqlResult>> {
  schools = await startMemberSchools({
    memberApi: { data: { ...testData().data, ...data }, ...memberApi },
  });
  const token = await tokenOf(schools, schools.harbour);
  return (query) => post(schools.harbour, token, { query });
}

const thrown: [string, () => never][] = [
  ['an Error', () => fail(new Error(secret))],
  ['a GraphQLError', () => fail(new GraphQLError(secret))],
  ['an error of ours', () => fail(new AccessDenied(secret))],
  ['a text', () => fail(secret)],
  ['nothing', () => fail(undefined)],
];
function fail(error: unknown): never {
  throw error;
}

describe('data that fails', () => {
  test.each(thrown)('with %s is a field error with a fixed text; the rest is served', async (_what, schoolsFail) => {
    const ask = await start({ schools: schoolsFail });
    const { status, body } = await ask('{ viewer { id schools { id } enrolledCourses { totalCount } } }');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { viewer: { id: 'sam', schools: null, enrolledCourses: { totalCount: 25 } } },
      errors: [
        {
          message: 'the service is temporarily unavailable; try again in a moment',
          path: ['viewer', 'schools'],
          locations: [{ line: 1, column: 15 }],
          extensions: { code: 'TEMPORARILY_UNAVAILABLE' },
        },
      ],
    });
    expect(schools.faults).toMatchObject([{ message: 'memberApi.data.schools failed' }]);
  });

  test('in a mutation is a field error too', async () => {
    const ask = await start({ markAllNotificationsRead: async () => fail(new Error(secret)) });
    const { body } = await ask('mutation { markAllNotificationsRead { markedCount } }');
    expect(body.data).toEqual({ markAllNotificationsRead: null });
    expect(JSON.stringify(body)).not.toContain('relation');
  });

  test.each<[string, Partial<MemberData>, string]>([
    ['no page', { enrolledCourses: () => Object(undefined) }, 'enrolledCourses { totalCount }'],
    ['null', { enrolledCourses: () => Object.create(null) }, 'enrolledCourses { nodes { slug } }'],
    [
      'more nodes than were asked for',
      { digitalProducts: () => pageWith({ id: '1' }, { id: '2' }) },
      'digitalProducts(first: 1) { nodes { id } }',
    ],
    [
      'a date that is none',
      { eventRegistrations: () => pageWith({ id: '1', slug: 's', name: secret, startsAt: secret }) },
      'eventRegistrations { nodes { startsAt } }',
    ],
    [
      'nodes that are no array',
      { digitalProducts: () => Object({ ...pageWith(), nodes: new Set([1, 2, 3]) }) },
      'digitalProducts(first: 1) { nodes { id } }',
    ],
    [
      'a list that is a text',
      { notificationSubscriptions: () => Object(secret) },
      'notificationSubscriptions { topic }',
    ],
    ['schools that are none', { schools: () => Object(secret) }, 'schools { id }'],
    ['nodes without what they must have', { digitalProducts: () => pageWith({}) }, 'digitalProducts { nodes { id } }'],
  ])('by returning %s is masked, and reported', async (_what, data, field) => {
    const ask = await start(data);
    const { status, body } = await ask(`{ viewer { id ${field} } }`);
    expect(status).toBe(200);
    expect(body.errors).toMatchObject([
      {
        message: 'the service failed unexpectedly; try again, and contact the school if the error persists',
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('relation');
    expect(schools.faults[0]?.message).toMatch(/^the Member API failed at viewer\./);
  });
});

/** A page as a host without types might return it. */
function pageWith(...nodes: readonly object[]) {
  return JSON.parse(JSON.stringify({ nodes, totalCount: nodes.length, hasNextPage: false }));
}

describe('a resolver of the host that fails', () => {
  const typeDefs = 'extend type Viewer { own: String }';
  const failing = (error: unknown): MemberApiOptions => ({
    typeDefs,
    resolvers: { Viewer: { own: () => fail(error) } },
  });

  test('is masked, and told with its place', async () => {
    const ask = await start({}, failing(new Error(secret)));
    const { body } = await ask('{ viewer { id own } }');
    expect(body.data).toEqual({ viewer: { id: 'sam', own: null } });
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR' });
    expect(JSON.stringify(body)).not.toContain('relation');
    expect(schools.faults).toMatchObject([
      { message: 'the Member API failed at viewer.own', cause: { message: secret } },
    ]);
  });

  test.each<[string, () => unknown]>([
    ['throws', () => fail(new GraphQLError('closed'))],
    ['rejects', async () => fail(new GraphQLError('closed'))],
    ['returns', () => new GraphQLError('closed')],
    ['returns later', async () => new GraphQLError('closed')],
    ['returns in a list', () => [new GraphQLError('closed')]],
    ['returns later in a list', async () => [Promise.reject(new GraphQLError('closed'))]],
  ])('is the caller’s to read where a resolver %s a GraphQLError', async (_how, own) => {
    const ask = await start({}, { typeDefs: 'extend type Viewer { own: [String] }', resolvers: { Viewer: { own } } });
    const { body } = await ask('{ viewer { own } }');
    expect(body.errors?.map(({ message }) => message)).toEqual(['closed']);
    expect(schools.faults).toEqual([]);
  });

  test('leaves nothing running once the response is sent', async () => {
    const begun: string[] = [];
    const later = Promise.withResolvers<object>();
    const told = Promise.withResolvers<unknown>();
    const ask = await start(
      {},
      {
        typeDefs: 'extend type Viewer { boom: Int! slow: Slow } type Slow { next: Int }',
        resolvers: {
          Viewer: {
            boom: async () => fail(new Error(secret)),
            slow: (_viewer, _args, { signal }) => {
              signal.addEventListener('abort', () => told.resolve(signal.reason));
              return later.promise;
            },
          },
          Slow: { next: () => begun.push('next') },
        },
      },
    );
    expect((await ask('{ viewer { slow { next } boom } }')).body.data).toBeNull();
    expect(String(await told.promise)).toContain('the request is complete');
    later.resolve({});
    await new Promise(setImmediate);
    expect(begun).toEqual([]);
  });

  test('is masked in development too', async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'development';
    try {
      const ask = await start({}, failing(new Error(secret)));
      expect(JSON.stringify((await ask('{ viewer { own } }')).body)).not.toMatch(/relation|stack|\.ts:/);
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });

  test.each<[string, string, MemberApiOptions['resolvers'], string]>([
    [
      'a text for a list',
      'extend type Viewer { own: [String] }',
      { Viewer: { own: () => secret } },
      '{ viewer { own } }',
    ],
    [
      'nothing that says its type',
      'interface Node { id: ID } type Leaf implements Node { id: ID } extend type Viewer { own: Node }',
      { Viewer: { own: () => ({ id: secret }) } },
      '{ viewer { own { id } } }',
    ],
    [
      'another type than there is',
      'interface Node { id: ID } type Leaf implements Node { id: ID } extend type Viewer { own: Node }',
      { Viewer: { own: () => ({ __typename: secret }) } },
      '{ viewer { own { id } } }',
    ],
    ['a text for a number', 'extend type Viewer { own: Int }', { Viewer: { own: () => secret } }, '{ viewer { own } }'],
    [
      'null where there must be a value',
      'extend type Viewer { own: Int! }',
      { Viewer: { own: () => null } },
      '{ viewer { own } }',
    ],
  ])('by returning %s is masked, and reported', async (_what, sdl, resolvers, query) => {
    const ask = await start({}, { typeDefs: sdl, resolvers });
    const { body } = await ask(query);
    expect(body.errors?.map(({ extensions }) => extensions)).toEqual([{ code: 'INTERNAL_SERVER_ERROR' }]);
    expect(JSON.stringify(body)).not.toMatch(/relation|Iterable|resolve|non-null/);
    expect(schools.faults.map(({ message }) => message)).toEqual(['the Member API failed at viewer.own']);
  });

  test('speaks to the caller with a GraphQLError, or an error of ours', async () => {
    const ask = await start({}, failing(new GraphQLError('come back on Monday', { extensions: { code: 'CLOSED' } })));
    expect((await ask('{ viewer { own } }')).body.errors).toMatchObject([
      { message: 'come back on Monday', extensions: { code: 'CLOSED' } },
    ]);
    await schools.close();
    const other = await start({}, failing(new AccessDenied('not for students')));
    expect((await other('{ viewer { own } }')).body.errors).toMatchObject([
      { message: 'not for students', extensions: { code: 'ACCESS_DENIED' } },
    ]);
    expect(schools.faults).toEqual([]);
  });
});

describe('what hangs is cut off', () => {
  const never = () => new Promise<never>(() => {});

  test('a call of the data: its field fails, the rest is served, the signal is aborted', async () => {
    const signals: AbortSignal[] = [];
    const ask = await start(
      {
        schools: (_viewer, _site, { signal }) => {
          signals.push(signal);
          return never();
        },
      },
      { timeout: 0.05 },
    );
    const { status, body } = await ask('{ viewer { id schools { id } enrolledCourses { totalCount } } }');
    expect([status, body.data]).toEqual([
      200,
      { viewer: { id: 'sam', schools: null, enrolledCourses: { totalCount: 25 } } },
    ]);
    expect(body.errors).toMatchObject([
      {
        message: 'this took longer than 0.05 seconds; try again in a moment',
        path: ['viewer', 'schools'],
        extensions: { code: 'TEMPORARILY_UNAVAILABLE' },
      },
    ]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(schools.faults.map(({ message }) => message)).toEqual([
      'memberApi.data.schools took longer than 0.05 seconds',
    ]);
  });

  test('a call that ends by the signal is reported once', async () => {
    const ask = await start(
      {
        schools: (_viewer, _site, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
      },
      { timeout: 0.05 },
    );
    await ask('{ viewer { schools { id } } }');
    expect(schools.faults).toHaveLength(1);
  });

  test('what comes after it in a mutation is not begun', async () => {
    const done: string[] = [];
    const memberApi: MemberApiOptions = {
      timeout: 0.05,
      typeDefs: 'extend type Mutation { own: Int }',
      resolvers: { Mutation: { own: () => done.push('own') } },
    };
    const markAll = () => done.push('all');
    const ask = await start({ markNotificationRead: never, markAllNotificationsRead: markAll }, memberApi);
    const { status, body } = await ask(
      'mutation { a: markNotificationRead(id: "1") { userErrors { code } } b: markAllNotificationsRead { markedCount } c: own }',
    );
    expect([status, body.data, done]).toEqual([200, { a: null, b: null, c: null }, []]);
    expect(body.errors?.map(({ extensions }) => extensions?.['code'])).toEqual(
      Array.from({ length: 3 }, () => 'TEMPORARILY_UNAVAILABLE'),
    );
  });

  test('a resolver of the host: 503', async () => {
    const memberApi: MemberApiOptions = {
      typeDefs: 'extend type Viewer { own: String }',
      resolvers: { Viewer: { own: never } },
      timeout: 0.05,
    };
    const ask = await start({}, memberApi);
    const { status, body, headers } = await ask('{ viewer { id own } }');
    expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'temporarily_unavailable', '1']);
    expect(headers.has('www-authenticate')).toBe(false);
    expect(schools.faults.map(({ message }) => message)).toEqual(['a resolver took longer than 0.05 seconds']);
    expect((await ask('{ viewer { id } }')).status).toBe(200);
  });

  test('what a caller who has gone had asked', async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    await start({
      schools: (_viewer, _site, { signal }) => {
        asked.resolve(signal);
        return never();
      },
    });
    const token = await tokenOf(schools, schools.harbour);
    const body = JSON.stringify({ query: '{ viewer { schools { id } } }' });
    const { hostname, port } = new URL(schools.harbour);
    const socket = openSocket(Number(port), '127.0.0.1');
    socket.write(
      `POST /member/graphql HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const signal = await asked.promise;
    socket.destroy();
    if (!signal.aborted) await once(signal, 'abort');
    expect(signal.aborted).toBe(true);
    expect(schools.faults).toEqual([]);
  });
});

test('a body that breaks off in the middle is not reported as a fault', async () => {
  const ask = await start({});
  const token = await tokenOf(schools, schools.harbour);
  const { host, port } = new URL(schools.harbour);
  const socket = openSocket(Number(port), '127.0.0.1');
  const head = ['POST /member/graphql HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${token}`];
  socket.write([...head, 'Content-Type: application/json', 'Content-Length: 100', '', '{"query"'].join('\r\n'));
  await once(socket, 'ready');
  socket.resetAndDestroy();
  expect((await ask('{ viewer { id } }')).status).toBe(200);
  expect(schools.faults).toEqual([]);
});
