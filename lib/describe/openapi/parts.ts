import { errorCode, type ErrorName } from '../error-codes.ts';
import type { RequestParameter } from '../request-parameters.ts';

export const json = 'application/json';
export const form = 'application/x-www-form-urlencoded';

export function reference(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** An example of a request and its response. A test replays every example. */
export interface Example {
  /** The key of the example, both at the request and at the response. */
  readonly name: string;
  readonly summary: string;
  /** The request body, if there is one. */
  readonly request?: object | undefined;
  readonly status: number;
  /** The response body, if there is one. */
  readonly response?: object | undefined;
}

/** An OpenAPI `examples` object; `undefined` if there are none. */
export function examplesOf(examples: readonly Example[], value: (example: Example) => unknown): object | undefined {
  if (examples.length === 0) return undefined;
  return Object.fromEntries(
    examples.map((example) => [example.name, { summary: example.summary, value: value(example) }]),
  );
}

/** An error example. It has the general text of `errorCodes`; the server's `error_description` is more specific. */
export function errorExample(name: string, error: ErrorName, summary: string, request: object): Example {
  const { status, when } = errorCode(error);
  return { name, summary, request, status, response: { error, error_description: when } };
}

export function formSchema(
  parameters: readonly RequestParameter[],
  fixed: Readonly<Record<string, string>> = {},
): object {
  const constants = Object.entries(fixed).map(([name, value]) => [name, { type: 'string', const: value }] as const);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([...constants, ...parameters.map((one) => [one.name, parameterSchema(one)])]),
    required: [...Object.keys(fixed), ...required],
  };
}

export function parameterSchema({ text, values }: RequestParameter): object {
  return { type: 'string', description: text, ...(values && { enum: values }) };
}
