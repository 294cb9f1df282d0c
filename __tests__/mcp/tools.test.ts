import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import * as z from 'zod';
import { AccessDenied, InvalidRequest, TemporarilyUnavailable } from '../../lib/index.ts';
import { defineTool, type Tool } from '../../lib/mcp/index.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { callTool, listedTools, message, type Params, resultOf, textOf } from './rpc.ts';

const secret = 'password of the database';
const seen: { aborted?: Promise<unknown>; late?: unknown } = {};
let waiting: () => void = () => undefined;

const common = { description: 'A tool.', access: 'public' } as const;
const range = { type: 'object', properties: { n: { type: 'integer', minimum: 1, default: 3 } } };

const tools: readonly Tool<unknown>[] = [
  defineTool<{ n: number }>({ ...common, name: 'json', inputSchema: range, run: ({ n }) => `${n}` }),
  defineTool<{ n: number }>({
    ...common,
    name: 'draft7',
    inputSchema: { ...range, $schema: 'http://json-schema.org/draft-07/schema#' },
    run: ({ n }) => `${n}`,
  }),
  defineTool({
    ...common,
    name: 'zod',
    inputSchema: z.object({ n: z.int().min(1).default(3) }),
    run: ({ n }) => n.toFixed(0),
  }),
  defineTool({
    ...common,
    name: 'valibot',
    inputSchema: v.object({ n: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 3) }),
    inputJsonSchema: range,
    run: ({ n }) => n.toFixed(0),
  }),
  defineTool({
    ...common,
    name: 'async',
    inputSchema: z
      .object({ n: z.int().default(3) })
      .refine(async ({ n }) => n > 0, { message: 'too small', path: ['n'] }),
    run: ({ n }) => n.toFixed(0),
  }),
  {
    ...common,
    name: 'strict',
    inputSchema: { properties: { n: { type: 'integer' }, kind: { enum: ['a', 'b'] } }, additionalProperties: false },
    run: () => 'done',
  },
  { ...common, name: 'none', run: (args) => JSON.stringify(args) },
  {
    ...common,
    name: 'throws',
    run: () => {
      throw new Error(secret);
    },
  },
  { ...common, name: 'rejects', run: () => Promise.reject(new Error(secret)) },
  { ...common, name: 'throws_null', run: () => Promise.reject(null) },
  {
    ...common,
    name: 'refuses',
    run: () => {
      throw new InvalidRequest('there is no such course');
    },
  },
  { ...common, name: 'denies', run: () => Promise.reject(new AccessDenied('not for students')) },
  { ...common, name: 'fails_for_now', run: () => Promise.reject(new TemporarilyUnavailable(secret)) },
  { ...common, name: 'nothing', run: () => Reflect.get({}, 'nothing') },
  { ...common, name: 'bigint', run: () => ({ structuredContent: { n: 1n } }) },
  { ...common, name: 'no_content', run: () => JSON.parse('{"content":[{"type":"video"}]}') },
  { ...common, name: 'list', run: () => ({ structuredContent: [1, 2] }) },
  { ...common, name: 'other_members', run: () => JSON.parse('{"foo":1}') },
  { ...common, name: 'no_base64', run: () => ({ content: [{ type: 'image', data: '!!', mimeType: 'image/png' }] }) },
  { ...common, name: 'no_text', run: () => JSON.parse('{"content":[{"type":"text","text":5}]}') },
  { ...common, name: 'breaks_its_schema', outputSchema: range, run: () => ({ structuredContent: { n: 0 } }) },
  { ...common, name: 'forgets_its_schema', outputSchema: { required: ['n'] }, run: () => 'a text' },
  { ...common, name: 'keeps_its_schema', outputSchema: range, run: () => ({ structuredContent: { n: 1 } }) },
  {
    ...common,
    name: 'refuses_in_its_own_way',
    outputSchema: range,
    run: () => ({ content: [{ type: 'text', text: 'no' }], isError: true }),
  },
  {
    ...common,
    name: 'never_checked',
    inputSchema: z.object({}).refine(() => new Promise<boolean>(() => undefined)),
    run: () => 'never',
  },
  {
    ...common,
    name: 'validator_throws',
    inputSchema: z.object({}).refine(() => {
      throw new Error(secret);
    }),
    run: () => 'never',
  },
  {
    ...common,
    name: 'all_kinds',
    run: () => ({
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource_link', uri: 'https://harbour.example/', name: 'Harbour' },
      ],
      structuredContent: { at: new Date(0), gone: undefined },
      isError: true,
    }),
  },
  {
    ...common,
    name: 'hangs',
    run: (_args, { signal }) => {
      seen.aborted = new Promise((done) => signal.addEventListener('abort', () => done(signal.reason)));
      waiting();
      return new Promise(() => undefined);
    },
  },
];

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({ mcp: { tools, toolTimeout: 0.15 } });
});
afterAll(() => schools.close());

const call = (name: string, args: Params = {}) => callTool(schools.harbour, name, args);

test.each(['json', 'draft7', 'zod', 'valibot', 'async'])(
  '%s: arguments are checked, and defaults filled in',
  async (name) => {
    expect(textOf((await call(name, { n: 5 })).body)).toBe('5');
    expect(textOf((await call(name)).body)).toBe('3');
    for (const n of [0, 1.5, 'x', null, [1]]) {
      const { status, body } = await call(name, { n });
      expect([status, resultOf(body)['isError']]).toEqual([200, true]);
      expect(textOf(body)).toMatch(new RegExp(`n\\b.* see the input schema of ${name}$`));
    }
    expect(schools.faults).toEqual([]);
  },
);

test('a tool without a schema takes what comes; no arguments are an empty object', async () => {
  expect(textOf((await callTool(schools.harbour, 'none')).body)).toBe('{}');
  expect(textOf((await call('none', { a: 1 })).body)).toBe('{"a":1}');
});

test.each(['json', 'zod', 'valibot'])('%s: clients see the arguments as JSON Schema', async (name) => {
  const listed = (await listedTools(schools.harbour)).find((tool) => tool['name'] === name);
  expect(listed?.['inputSchema']).toMatchObject({ type: 'object', properties: { n: { type: 'integer' } } });
});

test.each([
  'throws',
  'rejects',
  'throws_null',
  'fails_for_now',
  'nothing',
  'bigint',
  'no_content',
  'list',
  'other_members',
  'no_base64',
  'no_text',
  'breaks_its_schema',
  'forgets_its_schema',
  'validator_throws',
])('%s: what goes wrong inside is masked, and told by the event', async (name) => {
  schools.faults.length = 0;
  const { status, body } = await call(name);
  expect([status, resultOf(body)['isError']]).toEqual([200, true]);
  expect(textOf(body)).toBe(`${name} failed unexpectedly; try again, and contact the school if the error persists`);
  expect(JSON.stringify(body)).not.toContain(secret);
  expect(schools.faults.map((fault) => fault.message)).toEqual([`tool ${name} failed`]);
});

test.each([
  ['refuses', 'there is no such course'],
  ['denies', 'not for students'],
])('%s: an error of ours is the caller’s to read, and no fault', async (name, words) => {
  schools.faults.length = 0;
  const { body } = await call(name);
  expect([resultOf(body)['isError'], textOf(body)]).toEqual([true, words]);
  expect(schools.faults).toEqual([]);
});

test('content of every kind and structured content arrive as they are in JSON', async () => {
  const result = resultOf((await call('all_kinds')).body);
  expect(result).toMatchObject({ isError: true, structuredContent: { at: '1970-01-01T00:00:00.000Z' } });
  expect(result['content']).toHaveLength(4);
});

test('a tool with an output schema may return what matches it, or an error', async () => {
  expect(resultOf((await call('keeps_its_schema')).body)['structuredContent']).toEqual({ n: 1 });
  expect(textOf((await call('refuses_in_its_own_way')).body)).toBe('no');
  expect(schools.faults).toEqual([]);
});

test.each(['hangs', 'never_checked'])('%s: what goes on and on is cut off, and told so', async (name) => {
  schools.faults.length = 0;
  const { status, body } = await call(name);
  expect([status, resultOf(body)['isError']]).toEqual([200, true]);
  expect(textOf(body)).toContain('took too long and was stopped');
  if (name === 'hangs') expect(await seen.aborted).toBeInstanceOf(Error);
  expect(schools.faults.map((fault) => fault.message)).toEqual([`tool ${name} took longer than 0.15 seconds`]);
});

test.each([
  [{ n: 5, frist: 5 }, 'must NOT have additional properties: frist'],
  [{ kind: 'c' }, 'kind must be equal to one of the allowed values: ["a","b"]'],
])('what is wrong with %j is said with its value', async (args, words) => {
  expect(textOf((await call('strict', args)).body)).toContain(words);
});

test.each(['__proto__', 'constructor', 'nothing of this name'])('a tool %s is not there', async (name) => {
  const { body } = await call(name);
  expect(body['error']).toMatchObject({ code: -32_602, message: `this school has no tool "${name}"` });
});

test('a caller who goes away aborts the tool, which is no fault', async () => {
  schools.faults.length = 0;
  const { body, headers } = message('2025-11-25', 'tools/call', { name: 'hangs', arguments: {} });
  const started = new Promise<void>((done) => {
    waiting = done;
  });
  const sent = request(`${schools.harbour}/mcp`, { method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.end(JSON.stringify(body));
  await started;
  sent.destroy();
  expect(String(await seen.aborted)).toContain('the caller disconnected');
  expect(schools.faults).toEqual([]);
});
