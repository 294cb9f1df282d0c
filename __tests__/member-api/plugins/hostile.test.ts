import { describe, expect, jest, test } from '@jest/globals';
import { execute, type ExecutionArgs, GraphQLError, parse } from 'graphql';
import { createSchema, type Plugin } from 'graphql-yoga';
import { InvalidRequest } from '../../../lib/index.ts';
import { memberApi, type MemberContext } from '../../../lib/member/index.ts';
import { startSchools } from '../../helpers/schools.ts';
import { codesOf } from '../graphql.ts';
import { WithPlugins } from './started.ts';

const api = new WithPlugins();

const asked = '{ viewer { id } }';
const guarded = '{ viewer { unreadNotificationCount } }';
const deep = `{ viewer { ${'...on Viewer { '.repeat(20)} id ${'}'.repeat(20)} } }`;

/** Plug-ins that have another operation executed than the caller has sent. */
const replacing: readonly (readonly [string, (text: string) => Plugin])[] = [
  ['onParams', (query) => ({ onParams: ({ params, setParams }) => setParams({ ...params, query }) })],
  ['setParsedDocument', (text) => ({ onParse: ({ setParsedDocument }) => setParsedDocument(parse(text)) })],
  ['setParseFn', (text) => ({ onParse: ({ setParseFn }) => setParseFn(() => parse(text, { noLocation: true })) })],
  [
    'setParsedDocument without validation',
    (text) => ({
      onParse: ({ setParsedDocument }) => setParsedDocument(parse(text)),
      onValidate: ({ setResult }) => setResult([]),
    }),
  ],
  [
    'the arguments of onExecute',
    (text) => ({ onExecute: ({ args }) => void Object.assign(args, { document: parse(text) }) }),
  ],
  [
    'setExecuteFn',
    (text) => ({
      onExecute: ({ executeFn, setExecuteFn }) =>
        setExecuteFn((args: ExecutionArgs) => executeFn({ ...args, document: parse(text) })),
    }),
  ],
];

describe('an operation that a plug-in puts in place of another', () => {
  test.each(replacing)('needs its own scopes: %s', async (_hook, plugin) => {
    const count = jest.fn(() => 1);
    await api.start([plugin(guarded)], { resolvers: { Viewer: { unreadNotificationCount: count } } });
    const { status, headers, body } = await api.ask(asked, { scope: 'openid' });
    expect([status, body.error]).toEqual([403, 'insufficient_scope']);
    expect(headers.get('www-authenticate')).toContain('account:read');
    expect(count).not.toHaveBeenCalled();
    expect((await api.ask(asked)).body.data).toEqual({ viewer: { unreadNotificationCount: 1 } });
  });

  test.each(replacing)('is within the limits: %s', async (_hook, plugin) => {
    await api.start([plugin(deep)]);
    const { status, body } = await api.ask(asked);
    expect([status, body.data, codesOf({ status, headers: new Headers(), body })[0]]).toEqual([
      400,
      undefined,
      'LIMIT_EXCEEDED',
    ]);
  });

  test.each(replacing)('is valid: %s', async (_hook, plugin) => {
    await api.start([plugin('{ viewer { nothing } }')]);
    expect((await api.ask(asked)).body).toMatchObject({ errors: [{ message: expect.stringContaining('"nothing"') }] });
  });
});

test('a syntax tree of the cache cannot be changed', async () => {
  await api.start([
    {
      onParse:
        () =>
        ({ result }: { result: object }) =>
          Reflect.get(Object(Reflect.get(result, 'definitions')), 'push').call(Reflect.get(result, 'definitions'), {}),
    },
  ]);
  expect((await api.ask(asked)).status).toBe(500);
  expect(String(api.causes[0])).toContain('not extensible');
});

test.each<[string, Plugin]>([
  ['onParams', { onParams: ({ setResult }) => setResult({ data: { viewer: { unreadNotificationCount: 7 } } }) }],
  [
    'onExecute',
    {
      onExecute: ({ setResultAndStopExecution }) =>
        setResultAndStopExecution({ data: { viewer: { unreadNotificationCount: 7 } } }),
    },
  ],
])('a result without execution needs the scopes of the operation: %s', async (_hook, plugin) => {
  await api.start([plugin]);
  expect((await api.ask(guarded)).body).toEqual({ data: { viewer: { unreadNotificationCount: 7 } } });
  expect((await api.ask(guarded, { scope: 'openid' })).status).toBe(403);
  expect(api.schools.faults).toEqual([]);
});

test('the execute function of graphql runs no resolver', async () => {
  const resolve = jest.fn(() => 'ran');
  await api.start(
    [{ onExecute: ({ setExecuteFn }: { setExecuteFn: (fn: object) => void }) => setExecuteFn(execute) }],
    {
      typeDefs: 'extend type Query { mine: String }',
      resolvers: { Query: { mine: resolve } },
    },
  );
  const { body } = await api.ask('{ mine }');
  expect(body).toMatchObject({ data: { mine: null }, errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] });
  expect(resolve).not.toHaveBeenCalled();
  expect(String(api.causes[0])).toContain('has replaced the execute function');
});

describe('the context', () => {
  const other = { id: 'mia', name: 'Mia', email: 'mia@example.com', roles: ['admin'] };
  const setting = (extension: object): object => ({
    onContextBuilding: ({ extendContext }: { extendContext: (extension: object) => void }) => extendContext(extension),
  });

  test.each(['viewer', 'site', 'token', 'signal', 'data', 'deadline', 'onFault'])('keeps its %s', async (name) => {
    await api.start([setting({ [name]: other })]);
    const { status, body } = await api.ask(asked);
    expect([status, body.error]).toEqual([500, 'server_error']);
    expect(JSON.stringify(body)).not.toContain('mia');
    expect(String(api.causes[0])).toContain(`has replaced context.${name}`);
  });

  test.each<[string, (context: MemberContext) => object]>([
    ['another object', () => ({ viewer: other })],
    ['a copy with more scopes', (context) => ({ ...context, token: { ...context.token, scopes: ['account:read'] } })],
  ])('is not %s', async (_what, contextValue) => {
    const plugin: Plugin<MemberContext> = {
      onExecute: ({ executeFn, setExecuteFn, context }) =>
        setExecuteFn((args: ExecutionArgs) => executeFn({ ...args, contextValue: contextValue(context) })),
    };
    await api.start([plugin]);
    expect((await api.ask(asked, { scope: 'openid' })).status).toBe(500);
    expect(String(api.causes[0])).toContain('has replaced');
  });

  test('may be a copy with more in it', async () => {
    const plugin: Plugin = {
      onExecute: ({ executeFn, setExecuteFn }) =>
        setExecuteFn((args: ExecutionArgs) =>
          executeFn({ ...args, contextValue: { ...Object(args.contextValue), span: 1 } }),
        ),
    };
    await api.start([plugin]);
    expect((await api.ask(asked)).body.data).toEqual({ viewer: { id: 'sam' } });
  });
});

describe('a plug-in that throws', () => {
  const inside = new Error('inside');
  const fails = (): never => {
    throw inside;
  };
  const failing: readonly (readonly [string, object])[] = [
    ['onRequest', { onRequest: fails }],
    ['onRequest, later', { onRequest: async () => fails() }],
    ['onRequestParse', { onRequestParse: fails }],
    ['onParams', { onParams: fails }],
    ['onEnveloped', { onEnveloped: fails }],
    ['onParse', { onParse: fails }],
    ['after onParse', { onParse: () => fails }],
    ['onValidate', { onValidate: fails }],
    ['after onValidate', { onValidate: () => fails }],
    ['onContextBuilding', { onContextBuilding: fails }],
    ['onContextBuilding, later', { onContextBuilding: async () => fails() }],
    ['onExecute', { onExecute: fails }],
    ['onExecute, later', { onExecute: async () => fails() }],
    ['onExecuteDone', { onExecute: () => ({ onExecuteDone: fails }) }],
    ['onExecutionResult', { onExecutionResult: fails }],
    ['onResultProcess', { onResultProcess: fails }],
    ['onResponse', { onResponse: fails }],
  ];

  test.each(failing)('in %s is a fault, and the server goes on', async (_hook, plugin) => {
    let isOn = true;
    const switched = Object.fromEntries(
      Object.entries(plugin).map(([name, hook]) => [name, (...args: unknown[]) => (isOn ? hook(...args) : undefined)]),
    );
    await api.start([switched]);
    const { status, body } = await api.ask(asked);
    expect([status, body.error]).toEqual([500, 'server_error']);
    expect(JSON.stringify(body)).not.toContain('inside');
    expect(api.causes).toEqual([inside]);
    isOn = false;
    expect((await api.ask(asked)).body).toEqual({ data: { viewer: { id: 'sam' } } });
  });

  test.each([
    ['a text', 'inside'],
    ['nothing', undefined],
    ['many errors', new AggregateError([inside, inside], 'inside')],
  ])('%s shows nothing of it', async (_what, thrown) => {
    await api.start([
      {
        onExecute: () => {
          throw thrown;
        },
      },
    ]);
    const { status, body } = await api.ask(asked);
    expect([status, body.error]).toEqual([500, 'server_error']);
    expect(JSON.stringify(body)).not.toContain('inside');
    expect(api.schools.faults).toHaveLength(1);
  });

  test('an error of the package refuses the request', async () => {
    await api.start([
      {
        onParams: () => {
          throw new InvalidRequest('send the header X-Reason');
        },
      },
    ]);
    const { status, body } = await api.ask(asked);
    expect([status, body.errors]).toEqual([
      400,
      [{ message: 'send the header X-Reason', extensions: { code: 'BAD_REQUEST' } }],
    ]);
    expect(api.schools.faults).toEqual([]);
  });

  test.each(['onParse', 'onValidate', 'onEnveloped'])(
    '%s must not be async, and its promise is handled',
    async (name) => {
      const left = Promise.resolve();
      const handled = jest.spyOn(left, 'catch');
      await api.start([{ [name]: () => left }]);
      expect((await api.ask(asked)).status).toBe(500);
      expect(String(api.causes[0])).toContain(`${name} of a memberApi plug-in must not be async`);
      expect(handled).toHaveBeenCalledWith(expect.any(Function));
    },
  );
});

test.each<[string, Plugin]>([
  ['a stream', { onParams: ({ setResult }) => setResult((async function* () {})()) }],
  ['nothing', { onExecute: ({ setExecuteFn }) => setExecuteFn(() => undefined) }],
])('%s is no result', async (_what, plugin) => {
  await api.start([plugin]);
  expect((await api.ask(asked)).status).toBe(500);
  expect(String(api.causes[0])).toContain('a memberApi plug-in');
});

test('a plug-in that never ends gets the time of a request', async () => {
  await api.start([{ onContextBuilding: () => new Promise(() => undefined) }], { timeout: 0.05 });
  const { status, body } = await api.ask(asked);
  expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
});

test('errors of resolvers are masked in whatever result a plug-in makes of them', async () => {
  const cause = new Error('inside');
  const plugin: Plugin = {
    onExecutionResult: (executed) =>
      executed.setResult({ data: null, errors: [new GraphQLError('inside', { originalError: cause })] }),
  };
  await api.start([plugin]);
  const { status, body } = await api.ask(asked);
  expect([status, body.data]).toEqual([200, null]);
  expect(JSON.stringify(body)).not.toContain('inside');
  expect(api.causes).toEqual([cause]);
});

test.each<[string, object]>([
  ['memberApi.plugins must be a list of plug-ins', { plugins: {} }],
  ['memberApi.plugins[0] must be a plug-in of Yoga or envelop', { plugins: ['x'] }],
  [
    'memberApi.plugins must start, but one of them failed: Error: no',
    {
      plugins: [
        {
          onPluginInit: () => {
            throw new Error('no');
          },
        },
      ],
    },
  ],
  [
    'memberApi.plugins must not replace the schema',
    {
      plugins: [
        {
          onPluginInit: ({ setSchema }: { setSchema: (schema: object) => void }) =>
            setSchema(createSchema({ typeDefs: 'type Query { a: Int }' })),
        },
      ],
    },
  ],
])('%s', async (message, options) => {
  const make = async () => startSchools({ campus: { memberApi: Reflect.apply(memberApi, undefined, [options]) } });
  await expect(make()).rejects.toThrow(message);
});

test('a schema that a plug-in sets for a request is not used', async () => {
  const other = createSchema({ typeDefs: 'type Query { a: Int }', resolvers: { Query: { a: () => 1 } } });
  await api.start([{ onEnveloped: ({ setSchema }: { setSchema: (schema: object) => void }) => setSchema(other) }]);
  for (let i = 0; i < 2; i += 1) expect((await api.ask('{ viewer { id } }')).status).toBe(500);
});
