import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema, StandardIssue, StandardSchema, Tool } from '../../contracts/tools.ts';
import { isObject, optionError } from '../../protocol/validate.ts';

/** The arguments as the tool gets them, or what is wrong with them. */
export type CheckedArguments = { readonly args: unknown } | { readonly problem: string };

/** How the arguments of a tool are described to clients, and how they are checked. */
export interface ToolInput {
  readonly jsonSchema: JsonSchema;
  /** Throws what a Standard Schema of the host throws. */
  readonly check: (args: Readonly<Record<string, unknown>>) => Promise<CheckedArguments>;
}

/** Returns what is wrong with structured content, if anything is. */
export type OutputValidator = (structuredContent: unknown) => string | undefined;

// Unknown keywords and formats are for clients. Defaults are filled in first, because they can decide on scopes.
const options = { strict: false, useDefaults: true, logger: false, addUsedSchema: false } as const;
const draft07 = new Ajv(options);
const draft2020 = new Ajv2020(options);

/**
 * Reads the input schema of a tool.
 *
 * @throws TypeError that names what is wrong, for example `tools[0].inputSchema must be a JSON Schema: …`
 */
export function readInput({ inputSchema = {}, inputJsonSchema }: Tool<unknown>, path: string): ToolInput {
  if (isStandard(inputSchema)) return standardInput(inputSchema, inputJsonSchema, path);
  if (inputJsonSchema !== undefined) {
    throw optionError(`${path}.inputJsonSchema`, 'not be given: inputSchema is already a JSON Schema');
  }
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
 * Reads the output schema of a tool.
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
  if (typeof standard.validate !== 'function') {
    throw optionError(`${path}.inputSchema`, 'be a Standard Schema with a validate function');
  }
  const jsonSchema =
    given === undefined
      ? objectSchema(asJsonSchema(standard, path), `${path}.inputSchema`)
      : shownSchema(given, `${path}.inputJsonSchema`);
  return {
    jsonSchema,
    check: async (args) => {
      const result = await standard.validate(args);
      return result.issues ? { problem: result.issues.map(issueText).join('; ') } : { args: result.value };
    },
  };
}

function shownSchema(schema: JsonSchema, path: string): JsonSchema {
  const shown = objectSchema(schema, path);
  compile(shown, path);
  return shown;
}

/** The JSON Schema that a Standard Schema generates. */
function asJsonSchema({ vendor, jsonSchema }: StandardSchema['~standard'], path: string): JsonSchema {
  if (jsonSchema === undefined) {
    throw optionError(`${path}.inputJsonSchema`, `be given: a schema of ${vendor} cannot generate its JSON Schema`);
  }
  try {
    return jsonSchema.input({ target: 'draft-2020-12' });
  } catch (cause) {
    throw optionError(`${path}.inputSchema`, `be one that JSON Schema can express: ${String(cause)}`, cause);
  }
}

/** MCP requires an object at the root, with `type` given. */
function objectSchema(schema: JsonSchema, path: string): JsonSchema {
  if (!isObject(schema)) throw optionError(path, 'be a JSON Schema');
  const { type = 'object' } = schema;
  if (type !== 'object') throw optionError(path, `describe an object, not ${JSON.stringify(type)}`);
  for (const keyword of Object.keys(schema)) {
    if (/^(?:\$|x-)/.test(keyword) || draft2020.getKeyword(keyword) !== false) continue;
    const demand = 'be a JSON Schema, or a complete schema such as z.object({ … })';
    throw optionError(path, `${demand}; ${JSON.stringify(keyword)} is not a keyword`);
  }
  return { ...structuredClone(schema), type };
}

function compile(schema: JsonSchema, path: string): ValidateFunction {
  const { $schema: dialect } = schema;
  try {
    return (typeof dialect === 'string' && dialect.includes('draft-07') ? draft07 : draft2020).compile(schema);
  } catch (cause) {
    throw optionError(path, `be a JSON Schema: ${String(cause)}`, cause);
  }
}

function problemOf({ errors }: ValidateFunction, whole: string): string {
  const error = errors?.[0];
  if (!error) return `${whole} do not match the schema`;
  const place = error.instancePath.slice(1).replaceAll('/', '.') || whole;
  return `${place} ${error.message ?? 'is wrong'}${detailOf(error)}`;
}

function detailOf({ keyword, params }: ErrorObject): string {
  const details: Readonly<Record<string, unknown>> = { ...params };
  if (keyword === 'additionalProperties') return `: ${String(details['additionalProperty'])}`;
  return keyword === 'enum' || keyword === 'const'
    ? `: ${JSON.stringify(details['allowedValues'] ?? details['allowedValue'])}`
    : '';
}

function issueText({ message, path = [] }: StandardIssue): string {
  const at = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return at === '' ? message : `${at}: ${message}`;
}
