import { describe, expect, test } from '@jest/globals';
import { useOnResolve } from '@envelop/on-resolve';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { createInMemoryCache, useResponseCache } from '@graphql-yoga/plugin-response-cache';
import { GraphQLError, type ValidationRule } from 'graphql';
import { type Plugin, useErrorHandler, useExtendContext, useLogger } from 'graphql-yoga';
import type { MemberContext } from '../../../lib/member/index.ts';
import { codesOf, post, tokenOf } from '../graphql.ts';
import { WithPlugins } from './started.ts';

const api = new WithPlugins();

/** A plug-in that writes down every hook. */
function recorder(calls: string[]): Plugin<MemberContext> {
  const note = (name: string): void => void calls.push(name);
  return {
    onYogaInit: () => note('onYogaInit'),
    onPluginInit: () => note('onPluginInit'),
    onSchemaChange: () => note('onSchemaChange'),
    onRequest: () => note('onRequest'),
    onRequestParse: () => {
      note('onRequestParse');
      return { onRequestParseDone: () => note('onRequestParseDone') };
    },
    onParams: ({ params }) => note(`onParams ${params.query}`),
    onEnveloped: () => note('onEnveloped'),
    onParse: () => {
      note('onParse');
      return ({ result }) => note(`parsed ${result && 'kind' in result ? result.kind : ''}`);
    },
    onValidate: () => {
      note('onValidate');
      return ({ valid }) => note(`validated ${valid}`);
    },
    onContextBuilding: ({ context }) => note(`onContextBuilding ${context.viewer.id} at ${context.site.id}`),
    onExecute: () => {
      note('onExecute');
      return { onExecuteDone: () => note('onExecuteDone') };
    },
    onSubscribe: () => note('onSubscribe'),
    onExecutionResult: () => note('onExecutionResult'),
    onResultProcess: () => note('onResultProcess'),
    onResponse: ({ response }) => note(`onResponse ${response.status}`),
  };
}

const atStart = ['onPluginInit', 'onSchemaChange', 'onYogaInit'];
const query = '{ viewer { id } }';

describe('the hooks', () => {
  test('are called in the order of Yoga', async () => {
    const calls: string[] = [];
    await api.start([recorder(calls)]);
    expect(calls.splice(0)).toEqual(atStart);
    expect((await api.ask(query)).body).toEqual({ data: { viewer: { id: 'sam' } } });
    expect(calls).toEqual([
      'onRequest',
      'onRequestParse',
      'onRequestParseDone',
      `onParams ${query}`,
      'onEnveloped',
      'onParse',
      'parsed Document',
      'onValidate',
      'validated true',
      'onContextBuilding sam at harbour',
      'onExecute',
      'onExecuteDone',
      'onExecutionResult',
      'onResultProcess',
      'onResponse 200',
    ]);
  });

  test('are not called without a valid token, nor for GET', async () => {
    const calls: string[] = [];
    await api.start([recorder(calls)]);
    calls.splice(0);
    const { harbour } = api.schools;
    expect((await post(harbour, undefined, { query })).status).toBe(401);
    expect((await post(harbour, 'wrong', { query })).status).toBe(401);
    const headers = { authorization: `Bearer ${await tokenOf(api.schools, harbour)}` };
    for (const accept of ['application/json', 'text/html']) {
      const got = await fetch(`${harbour}/member/graphql?query={viewer{id}}`, { headers: { ...headers, accept } });
      expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
    expect(calls).toEqual([]);
  });

  test('onSubscribe is not called: subscriptions are not served', async () => {
    const calls: string[] = [];
    await api.start([recorder(calls)]);
    const { status, body } = await api.ask('subscription { viewer { id } }');
    expect([status, body.data]).toEqual([200, undefined]);
    expect(calls).not.toContain('onSubscribe');
  });
});

describe('a plug-in', () => {
  test('adds to the context of resolvers', async () => {
    const context = ({ viewer }: MemberContext) => ({ greeting: `Hello ${viewer.name}` });
    await api.start([useExtendContext(context)], {
      typeDefs: 'extend type Viewer { greeting: String }',
      resolvers: { Viewer: { greeting: (_viewer, _args, given) => Reflect.get(given, 'greeting') } },
    });
    expect((await api.ask('{ viewer { greeting } }')).body).toEqual({
      data: { viewer: { greeting: 'Hello Sam Student' } },
    });
  });

  test('adds rules, to a document that is in the cache too', async () => {
    const noEmail: ValidationRule = (context) => ({
      Field: (node) => {
        if (node.name.value === 'email') context.reportError(new GraphQLError('no e-mail today', { nodes: node }));
      },
    });
    let isOn = false;
    await api.start([
      {
        onValidate: ({ addValidationRule }: { addValidationRule: (rule: ValidationRule) => void }) =>
          isOn && addValidationRule(noEmail),
      },
    ]);
    expect((await api.ask('{ viewer { email } }')).body.data).toEqual({ viewer: { email: 'sam@example.com' } });
    isOn = true;
    expect((await api.ask('{ viewer { email } }')).body.errors).toMatchObject([{ message: 'no e-mail today' }]);
  });

  test('changes the result, its extensions and the response', async () => {
    const plugin: Plugin = {
      onExecute: () => ({
        onExecuteDone: ({ result, setResult }) =>
          setResult({ ...result, extensions: { cost: 1, http: { headers: { 'x-cost': '1' } } } }),
      }),
      onResponse: ({ response }) => response.headers.append('server-timing', 'total;dur=1'),
    };
    await api.start([plugin]);
    const { status, headers, body } = await api.ask(query);
    expect([status, body]).toEqual([200, { data: { viewer: { id: 'sam' } }, extensions: { cost: 1 } }]);
    expect([headers.get('x-cost'), headers.get('server-timing')]).toEqual(['1', 'total;dur=1']);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('refuses an operation with a status and headers of its own', async () => {
    const http = { status: 429, headers: { 'retry-after': '60' } };
    await api.start([
      {
        onExecute: () => {
          throw new GraphQLError('too many operations', { extensions: { code: 'RATE_LIMITED', http } });
        },
      },
    ]);
    const result = await api.ask(query);
    expect([result.status, result.headers.get('retry-after')]).toEqual([429, '60']);
    expect(result.body).toEqual({ errors: [{ message: 'too many operations', extensions: { code: 'RATE_LIMITED' } }] });
    expect(api.schools.faults).toEqual([]);
  });

  test('sees what resolvers have thrown, which callers do not', async () => {
    const seen: unknown[] = [];
    const plugin = useErrorHandler(({ errors }) =>
      seen.push(...errors.map((error) => Reflect.get(error, 'originalError'))),
    );
    const cause = new Error('the database password is wrong');
    await api.start([plugin], { resolvers: { Viewer: { schools: () => Promise.reject(cause) } } });
    const { status, body } = await api.ask('{ viewer { id schools { id } } }');
    expect([status, body.data]).toEqual([200, { viewer: { id: 'sam', schools: null } }]);
    expect(JSON.stringify(body)).not.toContain('password');
    expect(seen).toEqual([cause]);
    expect(api.causes).toEqual([cause]);
  });
});

describe('plug-ins from npm', () => {
  test('useLogger of envelop', async () => {
    const events: string[] = [];
    await api.start([useLogger({ logFn: (name) => events.push(name) })]);
    await api.ask(query);
    expect(events).toEqual(['execute-start', 'execute-end']);
  });

  test('@envelop/on-resolve sees every field', async () => {
    const fields: string[] = [];
    await api.start([useOnResolve(({ info }) => void fields.push(info.fieldName))]);
    expect((await api.ask('{ viewer { id name } }')).body.data).toEqual({ viewer: { id: 'sam', name: 'Sam Student' } });
    expect(fields).toEqual(['viewer', 'id', 'name']);
  });

  test('persisted operations: what is not in the list is refused, with or without its text', async () => {
    const operations = new Map([['mine', query]]);
    await api.start([usePersistedOperations({ getPersistedOperation: (key) => operations.get(key) ?? null })]);
    const persisted = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
    expect((await api.ask('', persisted('mine'))).body).toEqual({ data: { viewer: { id: 'sam' } } });
    expect(codesOf(await api.ask('', persisted('other')))).toEqual(['PERSISTED_QUERY_NOT_IN_LIST']);
    expect(codesOf(await api.ask(query))).toEqual(['CANNOT_SEND_PQ_ID_AND_BODY']);
    expect(api.schools.faults).toEqual([]);
  });

  test('a response cache, which cannot give a token what its scopes do not', async () => {
    let calls = 0;
    const session = (_request: unknown, context: object): string => {
      const { site, viewer }: Partial<MemberContext> = context;
      return `${site?.id} ${viewer?.id}`;
    };
    await api.start([useResponseCache({ session, cache: createInMemoryCache() })], {
      resolvers: { Viewer: { unreadNotificationCount: () => ++calls } },
    });
    const count = '{ viewer { unreadNotificationCount } }';
    const expected = { data: { viewer: { unreadNotificationCount: 1 } } };
    expect((await api.ask(count)).body).toEqual(expected);
    expect((await api.ask(count)).body).toEqual(expected);
    expect(calls).toBe(1);
    const refused = await api.ask(count, { scope: 'openid' });
    expect([refused.status, refused.body.error, refused.body.data]).toEqual([403, 'insufficient_scope', undefined]);
    expect(calls).toBe(1);
  });
});
