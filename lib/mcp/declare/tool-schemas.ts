import type { ErrorObject, ValidateFunction } from 'ajv';
import type { ClientAudience } from '../../core/clients/client.ts';
import type { JsonSchema, StandardIssue, StandardSchema, Tool } from '../../plugin-contract/tools.ts';
import { isObject, optionError } from '../../kernel/validate.ts';
import { schemaEngines } from './schema-engines.ts';

/** A tool of any arguments, for clients of any audience. */
export type AnyTool = Tool<unknown, ClientAudience>;

/** The arguments as the tool gets them, or what is wrong with them. */
export type CheckedArguments = { readonly args: unknown } | { readonly problem: string };

export interface ToolInput {
  /** As clients see it. */
  readonly jsonSchema: JsonSchema;
  /** Throws what a Standard Schema of the host throws. */
  readonly check: (args: Readonly<Record<string, unknown>>) => Promise<CheckedArguments>;
}

/** Returns what is wrong with structured content, if anything is. */
export type OutputValidator = (structuredContent: unknown) => string | undefined;

export interface ToolOutputSchema {
  /** As clients see it. */
  readonly jsonSchema: JsonSchema;
  readonly check: OutputValidator;
}

/** That of a tool without arguments: some apps drop a tool without `properties`. */
const noArguments: JsonSchema = { type: 'object', properties: {} };

/** @throws TypeError that names what is wrong, for example `tools[0].inputSchema must be a JSON Schema: …` */
export function readInput({ inputSchema = noArguments, inputJsonSchema }: AnyTool, path: string): ToolInput {
  if (isStandard(inputSchema)) return standardInput(inputSchema['~standard'], inputJsonSchema, path);
  if (inputJsonSchema !== undefined) {
    throw optionError(`${path}.inputJsonSchema`, 'not be given: inputSchema is already a JSON Schema');
  }
  const { jsonSchema, validate } = compile(inputSchema, `${path}.inputSchema`);
  return {
    jsonSchema,
    check: async (given) => {
      const args: unknown = structuredClone(given);
      return validate(args) ? { args } : { problem: problemOf(validate, 'the arguments') };
    },
  };
}

export function readOutput({ outputSchema }: AnyTool, path: string): ToolOutputSchema | undefined {
  if (outputSchema === undefined) return undefined;
  const { jsonSchema, validate } = compile(outputSchema, `${path}.outputSchema`);
  return {
    jsonSchema,
    check: (content) => (validate(structuredClone(content)) ? undefined : problemOf(validate, 'structuredContent')),
  };
}

function isStandard(schema: JsonSchema | StandardSchema): schema is StandardSchema {
  const standard: unknown = Reflect.get(schema, '~standard');
  return typeof standard === 'object' && standard !== null;
}

function standardInput(
  standard: StandardSchema['~standard'],
  inputJsonSchema: JsonSchema | undefined,
  path: string,
): ToolInput {
  if (typeof standard.validate !== 'function') {
    throw optionError(`${path}.inputSchema`, 'be a Standard Schema with a validate function');
  }
  return {
    jsonSchema:
      inputJsonSchema === undefined
        ? objectSchema(generatedBy(standard, path), `${path}.inputSchema`)
        : compile(inputJsonSchema, `${path}.inputJsonSchema`).jsonSchema,
    check: async (args) => {
      const result = await standard.validate(args);
      return result.issues ? { problem: result.issues.map(issueText).join('; ') } : { args: result.value };
    },
  };
}

function generatedBy({ vendor, jsonSchema }: StandardSchema['~standard'], path: string): JsonSchema {
  if (jsonSchema === undefined) {
    throw optionError(`${path}.inputJsonSchema`, `be given: a schema of ${vendor} cannot generate its JSON Schema`);
  }
  try {
    return jsonSchema.input({ target: 'draft-2020-12' });
  } catch (cause) {
    throw optionError(`${path}.inputSchema`, `be expressible in JSON Schema: ${String(cause)}`, cause);
  }
}

/** MCP requires an object at the root, with `type` given. */
function objectSchema(schema: JsonSchema, path: string): JsonSchema {
  if (!isObject(schema)) throw optionError(path, 'be a JSON Schema');
  const { type = 'object' } = schema;
  if (type !== 'object') throw optionError(path, `describe an object, not ${JSON.stringify(type)}`);
  const { draft2020 } = schemaEngines();
  for (const keyword of Object.keys(schema)) {
    if (/^(?:\$|x-)/.test(keyword) || draft2020.getKeyword(keyword) !== false) continue;
    const demand = 'be a JSON Schema, or a complete schema such as z.object({ … })';
    throw optionError(path, `${demand}; ${JSON.stringify(keyword)} is not a keyword`);
  }
  return { ...structuredClone(schema), type };
}

function compile(schema: JsonSchema, path: string): { jsonSchema: JsonSchema; validate: ValidateFunction } {
  const jsonSchema = objectSchema(schema, path);
  const { $schema: dialect } = jsonSchema;
  const { draft07, draft2020 } = schemaEngines();
  const ajv = typeof dialect === 'string' && dialect.includes('draft-07') ? draft07 : draft2020;
  try {
    return { jsonSchema, validate: ajv.compile(jsonSchema) };
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
  const allowed = details['allowedValues'] ?? details['allowedValue'];
  return keyword === 'enum' || keyword === 'const' ? `: ${JSON.stringify(allowed)}` : '';
}

function issueText({ message, path = [] }: StandardIssue): string {
  const at = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return at === '' ? message : `${at}: ${message}`;
}
