import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import * as z from 'zod';
import { createCampus } from '../../lib/index.ts';
import { defineTool, mcp, type McpOptions, type Tool } from '../../lib/mcp/index.ts';
import { memoryStore } from '../../adapters/memory/index.ts';
import { readInput } from '../../lib/mcp/declare/tool-schemas.ts';
import { signingKey } from '../helpers/keys.ts';

const key = await signingKey('key-1');

const platform = {
  findSite: () => undefined,
  signedInMember: () => undefined,
  signInUrl: () => '',
  findMember: () => undefined,
};
const campusOptions = { platform, store: memoryStore(), keys: { signing: [key], cookies: ['a secret of the tests'] } };

function make(tools: readonly unknown[], options?: McpOptions): ReturnType<typeof mcp> {
  // What plain JavaScript can hand over, whatever the types say.
  return Reflect.apply(mcp, undefined, [{ tools, ...options }]);
}

const tool = { name: 'a', description: 'A tool.', access: 'public', run: () => 'done' };

/** The scopes of a campus are known to `createCampus`. */
const wrongScopes: [string, object, RegExp][] = [
  [
    'scopes that no client has together',
    { ...tool, access: { scopes: ['account:read', 'courses:read'] } },
    /^mcp\.tools\[1\]\.access\.scopes must be scopes that one client can have; account:read courses:read are not all for one kind of client/,
  ],
  [
    'an action that no client that sees the tool can call',
    { ...tool, access: { scopes: ['courses:read'], actions: { argument: 'do', scopes: { read: ['account:read'] } } } },
    /^mcp\.tools\[1\]\.access\.actions\.scopes\.read must be scopes that one client can have/,
  ],
  [
    'an unknown scope',
    { ...tool, access: { scopes: ['courses:eat'] } },
    /^mcp\.tools\[1\]\.access\.scopes\[0\] must be a scope/,
  ],
  [
    'an unknown scope of an action',
    { ...tool, access: { scopes: [], actions: { argument: 'do', scopes: { eat: ['x'] } } } },
    /^mcp\.tools\[1\]\.access\.actions\.scopes\.eat\[0\] must be a scope/,
  ],
];

const wrong: [string, object | null, RegExp][] = [
  ['null', null, /^mcp\.tools\[0\] must be a tool/],
  ['a list of tools', [{ ...tool }], /^mcp\.tools\[0\] must be a tool, not a list of tools; write \.\.\.builtInTools/],
  [
    'a misspelt member',
    { ...tool, inputShema: {} },
    /^unknown option "mcp\.tools\[0\]\.inputShema"; did you mean "mcp\.tools\[0\]\.inputSchema"\?$/,
  ],
  [
    'a misspelt annotation',
    { ...tool, annotations: { readonlyHint: true } },
    /^unknown option "mcp\.tools\[0\]\.annotations\.readonlyHint"; did you mean .*readOnlyHint"\?$/,
  ],
  [
    'a misspelt access',
    { ...tool, access: { scopes: [], action: {} } },
    /^unknown option "mcp\.tools\[0\]\.access\.action"; did you mean .*actions"\?$/,
  ],
  [
    'the members of a zod schema',
    { ...tool, inputSchema: { slug: z.string() } },
    /^mcp\.tools\[0\]\.inputSchema must be a JSON Schema, or a complete schema such as z\.object.*"slug" is not a keyword/,
  ],
  [
    'a misspelt keyword',
    { ...tool, inputSchema: { type: 'object', proprties: {} } },
    /^mcp\.tools\[0\]\.inputSchema.*"proprties" is not a keyword/,
  ],
  ['no name', { ...tool, name: undefined }, /^mcp\.tools\[0\]\.name must be 1 to 128 letters/],
  ['a name with a space', { ...tool, name: 'a b' }, /^mcp\.tools\[0\]\.name must/],
  ['a dash at the end of its name', { ...tool, name: 'a-' }, /^mcp\.tools\[0\]\.name must/],
  ['a name that every object has', { ...tool, name: '__proto__' }, /^mcp\.tools\[0\]\.name must not be/],
  ['a name that is too long', { ...tool, name: 'a'.repeat(129) }, /^mcp\.tools\[0\]\.name must/],
  ['no description', { ...tool, description: '' }, /^mcp\.tools\[0\]\.description must/],
  ['an empty title', { ...tool, title: '' }, /^mcp\.tools\[0\]\.title must/],
  ['no run', { ...tool, run: 'x' }, /^mcp\.tools\[0\]\.run must be a function/],
  [
    'no access',
    { ...tool, access: undefined },
    /^mcp\.tools\[0\]\.access must be "public", or have the scopes, for example \{ scopes/,
  ],
  ['an unknown access', { ...tool, access: 'private' }, /^mcp\.tools\[0\]\.access must/],
  [
    'no action',
    { ...tool, access: { scopes: [], actions: { argument: 'do', scopes: {} } } },
    /^mcp\.tools\[0\]\.access\.actions\.scopes must/,
  ],
  [
    'annotations of the wrong type',
    { ...tool, annotations: { readOnlyHint: 'yes' } },
    /^mcp\.tools\[0\]\.annotations\.readOnlyHint must be true or false/,
  ],
  [
    'a schema of no object',
    { ...tool, inputSchema: { type: 'string' } },
    /^mcp\.tools\[0\]\.inputSchema must describe an object/,
  ],
  [
    'no JSON Schema',
    { ...tool, inputSchema: { type: 'object', required: 'a' } },
    /^mcp\.tools\[0\]\.inputSchema must be a JSON/,
  ],
  [
    'a reference that leads out',
    { ...tool, inputSchema: { $ref: 'https://x.example/' } },
    /^mcp\.tools\[0\]\.inputSchema must be/,
  ],
  [
    'an output schema of no object',
    { ...tool, outputSchema: { type: 'array' } },
    /^mcp\.tools\[0\]\.outputSchema must describe/,
  ],
  [
    'zod that JSON Schema cannot say',
    { ...tool, inputSchema: z.object({ a: z.date() }) },
    /^mcp\.tools\[0\]\.inputSchema must be expressible/,
  ],
  ['zod of no object', { ...tool, inputSchema: z.string() }, /^mcp\.tools\[0\]\.inputSchema must describe an object/],
  [
    'valibot alone',
    { ...tool, inputSchema: v.object({}) },
    /^mcp\.tools\[0\]\.inputJsonSchema must be given: a schema of valibot/,
  ],
  [
    'two JSON Schemas',
    { ...tool, inputSchema: {}, inputJsonSchema: {} },
    /^mcp\.tools\[0\]\.inputJsonSchema must not be given/,
  ],
];

test.each(wrong)('a tool with %s is refused by its path', (_what, given, message) => {
  expect(() => make([given])).toThrow(TypeError);
  expect(() => make([given])).toThrow(message);
});

test.each(wrongScopes)('a tool with %s is refused by its path when the campus is created', (_what, given, message) => {
  const plugin = make([{ ...tool, name: 'b' }, given]);
  expect(() => createCampus({ ...campusOptions, mcp: plugin })).toThrow(TypeError);
  expect(() => createCampus({ ...campusOptions, mcp: plugin })).toThrow(message);
});

test('two tools of one name, and tools that are no list, are refused', () => {
  expect(() => make([tool, { ...tool }])).toThrow(/^mcp\.tools\[1\]\.name must be unique; "a" is duplicated/);
  expect(() => Reflect.apply(make, undefined, ['tools'])).toThrow(/^mcp\.tools must be an array/);
});

test.each<[string, unknown, RegExp]>([
  [
    'an unknown name',
    { seconds: 1 },
    /^unknown option "mcp\.seconds"; valid options: tools, origins, anonymous, operatorPath, memberPath, toolTimeout/,
  ],
  ['a name that is close to one', { timeout: 1 }, /^unknown option "mcp\.timeout"; did you mean "mcp\.toolTimeout"\?$/],
  ['a path in an origin', { origins: ['https://a.example/x'] }, /^mcp\.origins\[0\] must be an origin/],
  ['a trailing slash', { origins: ['https://a.example/'] }, /^mcp\.origins\[0\] must be an origin/],
  ['a star', { origins: ['*'] }, /^mcp\.origins\[0\] must be an origin/],
  ['no timeout', { toolTimeout: 0 }, /^mcp\.toolTimeout must be a number of seconds/],
])('mcp with %s is refused', (_what, options, message) => {
  expect(() => Reflect.apply(make, undefined, [[], options])).toThrow(message);
});

test('limits of calls are checked by their parts', () => {
  expect(() => createCampus({ ...campusOptions, limits: { tokenCalls: { perMember: -1 } } })).toThrow(
    /^limits\.tokenCalls\.perMember must be a whole number per hour, at least 0/,
  );
});

test('a call’s arguments are not changed when defaults are filled in', async () => {
  const nested = { type: 'object', properties: { b: { default: 1 } } };
  const inputSchema = { type: 'object', properties: { a: nested } };
  const { check } = readInput({ name: 'a', description: 'A tool.', access: 'public', inputSchema, run: () => '' }, 'x');
  const given = { a: {} };
  expect(await check(given)).toEqual({ args: { a: { b: 1 } } });
  expect(given).toEqual({ a: {} });
});

test('what was given is not changed', () => {
  const given = Object.freeze({ ...tool, inputSchema: Object.freeze({ properties: Object.freeze({}) }) });
  expect(() => make(Object.freeze([given]))).not.toThrow();
  expect(given.inputSchema).toEqual({ properties: {} });
});

test('defineTool returns what it was given, and infers the arguments', () => {
  const given: Tool<{ n: number }> = {
    name: 'a',
    description: 'A tool.',
    access: 'public',
    inputSchema: z.object({ n: z.number() }),
    run: ({ n }) => String(n + 1),
  };
  expect(defineTool(given)).toBe(given);
  const inferred = defineTool({
    name: 'b',
    description: 'A tool.',
    access: 'public',
    inputSchema: z.object({ n: z.number() }),
    run: ({ n }) => n.toFixed(1),
  });
  expect(() => make([inferred])).not.toThrow();
});
