import { bodyLimit } from '../http/body.ts';
import { errorCode, type ErrorName } from './error-codes.ts';
import type { RequestParameter } from '../kernel/request-parameter.ts';

export const json = 'application/json';

/** An example of a request and its response. A test replays every example. */
export interface Example {
  /** The key of the example, both at the request and at the response. */
  readonly name: string;
  readonly summary: string;
  readonly request?: object | undefined;
  readonly status: number;
  readonly response?: object | undefined;
}

export function examplesOf(examples: readonly Example[], value: (example: Example) => unknown): object | undefined {
  if (examples.length === 0) return undefined;
  return Object.fromEntries(examples.map((one) => [one.name, { summary: one.summary, value: value(one) }]));
}

/** An error example. It has the general text of `errorCodes`; the server's `error_description` is more specific. */
export function errorExample(name: string, error: ErrorName, summary: string, request: object): Example {
  const { status, when } = errorCode(error);
  return { name, summary, request, status, response: { error, error_description: when } };
}

export interface RequestBody {
  readonly type: string;
  readonly schema: object;
  /** What the schema cannot express. */
  readonly text?: string;
}

export function limitedBody(schema: object, type: string = json): RequestBody {
  return { type, schema, text: `Maximum size: ${bodyLimit / 1024} KiB.` };
}

export function reference(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

export function jsonBody(name: string): Readonly<Record<string, object>> {
  return { [json]: reference(name) };
}

export function objectSchema(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] | undefined = Object.keys(properties),
  description?: string,
): object {
  return { type: 'object', ...(description !== undefined && { description }), properties, required };
}

export function formSchema(parameters: readonly RequestParameter[], grantType?: string): object {
  const properties = Object.fromEntries(parameters.map((one) => [one.name, parameterSchema(one)]));
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  if (grantType === undefined) return objectSchema(properties, required);
  return objectSchema({ grant_type: { type: 'string', const: grantType }, ...properties }, ['grant_type', ...required]);
}

export function parameterSchema({ text, values, maxLength }: Partial<RequestParameter>): object {
  return { type: 'string', description: text, maxLength, ...(values && { enum: values }) };
}

/** A path as the end of an operation's id: `/mcp/operator` becomes `McpOperator`. */
export function pathSuffix(path: string): string {
  const words = path.split(/\W/);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}
