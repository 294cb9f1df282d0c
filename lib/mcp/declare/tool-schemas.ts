import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema, StandardIssue, StandardSchema, Tool } from '../../contracts/tools.ts';
import { must } from '../../options/checks.ts';

/** What became of arguments: as the tool gets them, or what is wrong with them. */
export type CheckedArguments = { readonly args: unknown } | { readonly problem: string };

/** The arguments of a tool, as clients see them and as they are checked. */
export interface ToolInput {
  readonly jsonSchema: JsonSchema;
  /** @throws what a Standard Schema of the host throws */
  readonly check: (args: Readonly<Record<string, unknown>>) => Promise<CheckedArguments>;
}

/** Says what is wrong with a tool's structured content, if anything is. */
export type OutputValidator = (structuredContent: unknown) => string | undefined;

// Unknown keywords and formats are for clients. A default of the schema is filled in, so that it can decide on scopes.
const options = { strict: false, useDefaults: true, logger: false, addUsedSchema: false } as const;
const draft07 = new Ajv(options);
const draft2020 = new Ajv2020(options);

/**
 * Reads what a tool says of its arguments.
 *
 * @throws TypeError that names what is wrong, for example `tools[0].inputSchema must be a JSON Schema: …`
 */
export function readInput({ inputSchema = {}, inputJsonSchema }: Tool<unknown>, path: string): ToolInput {
  must(typeof inputSchema === 'object' || typeof inputSchema === 'function', `${path}.inputSchema`, 'be a schema');
  if (isStandard(inputSchema)) return standardInput(inputSchema, inputJsonSchema, path);
  must(inputJsonSchema === undefined, `${path}.inputJsonSchema`, 'not be given: inputSchema is JSON Schema already');
  const jsonSchema = objectSchema(inputSchema, `${path}.inputSchema`);
  const validate = compile(jsonSchema, `${path}.inputSchema`);
  return {
    jsonSchema,
    check: async (given) => {
      const args: unknown = structuredClone(given);
      return validate(args) ? { args } : { problem: problemOf(validate, 'the arguments') };
    },
  };
}

/**
 * Reads what a tool says of its answers.
 *
 * @throws TypeError that names what is wrong
 */
export function readOutput({ outputSchema }: Tool<unknown>, path: string): OutputValidator | undefined {
  if (outputSchema === undefined) return undefined;
  const at = `${path}.outputSchema`;
  const validate = compile(objectSchema(outputSchema, at), at);
  return (content) => (validate(structuredClone(content)) ? undefined : problemOf(validate, 'structuredContent'));
}

function isStandard(schema: JsonSchema | StandardSchema): schema is StandardSchema {
  const standard: unknown = Reflect.get(schema, '~standard');
  return typeof standard === 'object' && standard !== null;
}

function standardInput(schema: StandardSchema, given: JsonSchema | undefined, path: string): ToolInput {
  const standard = schema['~standard'];
  must(typeof standard.validate === 'function', `${path}.inputSchema`, 'be a Standard Schema with a validate function');
  const jsonSchema =
    given === undefined
      ? objectSchema(asJsonSchema(standard, path), `${path}.inputSchema`)
      : shownSchema(given, `${path}.inputJsonSchema`);
  return {
    jsonSchema,
    check: async (args) => {
      const result = await standard.validate(args);
      return result.issues ? { problem: result.issues.map(wordsOf).join('; ') } : { args: result.value };
    },
  };
}

function shownSchema(schema: JsonSchema, path: string): JsonSchema {
  const shown = objectSchema(schema, path);
  compile(shown, path);
  return shown;
}

/** A Standard Schema as it writes itself. */
function asJsonSchema({ vendor, jsonSchema }: StandardSchema['~standard'], path: string): JsonSchema {
  must(
    jsonSchema !== undefined,
    `${path}.inputJsonSchema`,
    `be given: a schema of ${vendor} does not write itself as JSON Schema`,
  );
  try {
    return jsonSchema.input({ target: 'draft-2020-12' });
  } catch (cause) {
    throw new TypeError(`${path}.inputSchema must be one that JSON Schema can say: ${String(cause)}`, { cause });
  }
}

/** MCP wants an object at the root, and says so in words. */
function objectSchema(schema: JsonSchema, path: string): JsonSchema {
  must(typeof schema === 'object' && schema !== null && !Array.isArray(schema), path, 'be a JSON Schema');
  const { type = 'object' } = schema;
  must(type === 'object', path, `describe an object, not ${JSON.stringify(type)}`);
  for (const keyword of Object.keys(schema)) {
    const known = /^(?:\$|x-)/.test(keyword) || draft2020.getKeyword(keyword) !== false;
    must(
      known,
      path,
      `be a JSON Schema, or a whole schema as z.object({ … }); ${JSON.stringify(keyword)} is no keyword`,
    );
  }
  return { ...structuredClone(schema), type };
}

function compile(schema: JsonSchema, path: string): ValidateFunction {
  const { $schema: dialect } = schema;
  try {
    return (typeof dialect === 'string' && dialect.includes('draft-07') ? draft07 : draft2020).compile(schema);
  } catch (cause) {
    throw new TypeError(`${path} must be a JSON Schema: ${String(cause)}`, { cause });
  }
}

/** What is wrong, where, and with which value: what somebody needs to do better. */
function problemOf({ errors }: ValidateFunction, whole: string): string {
  const error = errors?.[0];
  if (!error) return `${whole} are not as they should be`;
  const place = error.instancePath.slice(1).replaceAll('/', '.') || whole;
  return `${place} ${error.message ?? 'is wrong'}${detailOf(error)}`;
}

function detailOf({ keyword, params }: ErrorObject): string {
  const told: Readonly<Record<string, unknown>> = { ...params };
  if (keyword === 'additionalProperties') return `: ${String(told['additionalProperty'])}`;
  return keyword === 'enum' || keyword === 'const'
    ? `: ${JSON.stringify(told['allowedValues'] ?? told['allowedValue'])}`
    : '';
}

function wordsOf({ message, path = [] }: StandardIssue): string {
  const at = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return at === '' ? message : `${at}: ${message}`;
}
