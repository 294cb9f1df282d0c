import { errorCode, type ErrorName } from '../error-codes.ts';
import type { RequestParameter } from '../request-parameters.ts';

/** The media type of most bodies. */
export const json = 'application/json';

/** The media type of forms, which OAuth wants posted. */
export const form = 'application/x-www-form-urlencoded';

/** A reference to a schema. */
export function reference(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** A request that is answered as it says: an example, which a test replays. */
export interface Example {
  /** Its name, the same at the request and at the answer. */
  readonly name: string;
  readonly summary: string;
  /** The body of the request, where it has one. */
  readonly request?: object | undefined;
  readonly status: number;
  /** The body of the answer, where it has one. */
  readonly response?: object | undefined;
}

/** Examples as OpenAPI has them, by name; `undefined` where there are none. */
export function examplesOf(examples: readonly Example[], value: (example: Example) => unknown): object | undefined {
  if (examples.length === 0) return undefined;
  return Object.fromEntries(
    examples.map((example) => [example.name, { summary: example.summary, value: value(example) }]),
  );
}

/** The example of an error; its words are those of the table, and the server's say more. */
export function errorExample(name: string, error: ErrorName, summary: string, request: object): Example {
  const { status, when } = errorCode(error);
  return { name, summary, request, status, response: { error, error_description: when } };
}

/** The schema of a form with these fields. */
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

/** The schema of one parameter. */
export function parameterSchema({ text, values }: RequestParameter): object {
  return { type: 'string', description: text, ...(values && { enum: values }) };
}
