import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as one from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as z from 'zod';
import { portabilityProblems } from '../../lib/mcp/declare/portable-schema.ts';
import { defineTool } from '../../lib/mcp/index.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const properties = { a: { type: 'string' } };
const common = { description: 'A tool.', access: 'public' } as const;

const cases: [string, Readonly<Record<string, unknown>>, string[]][] = [
  ['ordinary arguments', { type: 'object', properties, additionalProperties: false }, []],
  ['combinators below the root', { properties: { a: { oneOf: [{ type: 'string' }, { type: 'null' }] } } }, []],
  ['arguments with the names of keywords', { properties: { $ref: {}, $defs: {}, oneOf: {}, definitions: {} } }, []],
  ['values that look like keywords', { properties: { a: { const: { $ref: 'x' }, default: { $defs: 1 } } } }, []],
  ...['oneOf', 'anyOf', 'allOf'].map((keyword): [string, Readonly<Record<string, unknown>>, string[]] => [
    `${keyword} at the root`,
    { type: 'object', properties, [keyword]: [{ required: ['a'] }] },
    [`${keyword} at the root: write one object`],
  ]),
  ['not at the root', { properties, not: { required: ['a'] } }, ['not at the root: write one object']],
  ['a condition', { properties, if: { required: ['a'] }, else: {} }, ['if at the root: write one object']],
  [
    'definitions',
    { properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { type: 'string' } } },
    ['$ref: write each definition', '$defs: write each definition'],
  ],
  [
    'a reference deep in it',
    { properties: { a: { type: 'array', items: { properties: { b: { anyOf: [{ $ref: '#' }] } } } } } },
    ['$ref: write each definition'],
  ],
  ['no properties', { type: 'object', additionalProperties: true }, ['no properties: write the arguments']],
];

test.each(cases)('%s', (_what, schema, problems) => {
  const found = [...portabilityProblems(schema)];
  expect(found).toEqual(problems.map((problem) => expect.stringContaining(problem)));
});

const range = { properties: { n: { type: 'number' } }, required: ['n'] };
const rooted = { type: 'object', properties, anyOf: [{ required: ['a'] }, { maxProperties: 0 }] };
const recursive = z.object({
  name: z.string(),
  get children() {
    return z.array(recursive);
  },
});

const tools = [
  defineTool({ ...common, name: 'no_type', outputSchema: range, run: () => ({ structuredContent: { n: 1 } }) }),
  defineTool({ ...common, name: 'no_arguments', run: () => 'done' }),
  defineTool({ ...common, name: 'rooted', inputSchema: rooted, run: () => 'done' }),
  defineTool({ ...common, name: 'recursive', inputSchema: recursive, run: () => 'done' }),
];

let schools: Schools;
beforeAll(async () => (schools = await startSchools({ mcp: { tools } })));
afterAll(() => schools.close());

test('an outputSchema without a type is one of an object, for the SDK that otherwise refuses the whole list', async () => {
  const client = new one.Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${schools.harbour}/mcp`)));
  const { tools: listed } = await client.listTools();
  expect(listed.find(({ name }) => name === 'no_type')?.outputSchema).toEqual({ type: 'object', ...range });
  expect(listed.find(({ name }) => name === 'no_arguments')?.inputSchema).toEqual({ type: 'object', properties: {} });
  expect((await client.callTool({ name: 'no_type', arguments: {} })).structuredContent).toEqual({ n: 1 });
  await client.close();
});

test('what is written is served as it is', async () => {
  const client = new one.Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${schools.harbour}/mcp`)));
  const { tools: listed } = await client.listTools();
  expect(listed.find(({ name }) => name === 'rooted')?.inputSchema).toEqual(rooted);
  await client.close();
});

test('the operator is told at the start, and the campus starts', async () => {
  const starting = await startSchools({ mcp: { tools } });
  const { events } = starting.campus;
  const faults: string[] = [];
  events.on('fault', ({ message, cause }) => faults.push(`${message}: ${String(cause)}`));
  await once(events, 'fault');
  await starting.close();
  expect(faults).toEqual([
    expect.stringMatching(/^apps may drop the tool rooted: TypeError: its inputSchema has anyOf at the root: write/),
    expect.stringMatching(/^apps may drop the tool recursive: TypeError: its inputSchema has \$ref: write/),
  ]);
});
