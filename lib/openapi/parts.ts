import { errorCode, type ErrorName } from '../error-codes.ts';
import type { RequestParameter } from '../request-parameters.ts';

/** A request that is answered as it says: an example, which a test replays. */
export interface Example {
  /** Its name, the same at the request and at the answer. */
  readonly name: string;
  readonly summary: string;
  /** The body of the request, where it has one. */
  readonly request?: object | undefined;
  readonly status: number;
  /** The body of the answer, where it has one. */
  readonly response?: object | string | undefined;
}

/** An answer of an operation that is no error. */
export interface Success {
  readonly status: number;
  readonly text: string;
  /** The media type and its schema, where the answer has a body. */
  readonly content?: { readonly type: string; readonly schema: object } | undefined;
  readonly headers?: object | undefined;
}

/** What an operation is made from. */
export interface OperationParts {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly text?: string | undefined;
  readonly parameters?: readonly object[] | undefined;
  readonly body?: { readonly type: string; readonly schema: object } | undefined;
  readonly success: readonly Success[];
  readonly errors: readonly ErrorName[];
  /** A list of JSON-RPC errors, by their HTTP status. */
  readonly rpcErrors?: Readonly<Record<number, string>> | undefined;
  /** Other answers, by status: what is to be said of them. */
  readonly others?: Readonly<Record<string, string>> | undefined;
  readonly examples?: readonly Example[] | undefined;
  /** Scopes of the token; `optional` where it may be left out; absent where none is wanted. */
  readonly security?: { readonly scopes: readonly string[]; readonly optional?: boolean } | undefined;
}

/** An operation of OpenAPI. */
export function operation(parts: OperationParts): object {
  const { id, tag, summary, text, parameters, body, examples = [], security } = parts;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: text,
    parameters,
    security: security ? [{ oauth: security.scopes }, ...(security.optional === true ? [{}] : [])] : [],
    requestBody: body && {
      required: true,
      content: {
        [body.type]: {
          schema: body.schema,
          examples: examplesOf(
            examples.filter(({ request }) => request),
            ({ request }) => request,
          ),
        },
      },
    },
    responses: responses(parts),
  };
}

function responses({ success, errors, rpcErrors = {}, others = {}, examples = [] }: OperationParts): object {
  const of = (status: number) => examples.filter((example) => example.status === status && example.response);
  const good = success.map(({ status, text, content, headers }) => {
    const shown = content && {
      [content.type]: { schema: content.schema, examples: examplesOf(of(status), ({ response }) => response) },
    };
    return [status, { description: text, headers, content: shown }] as const;
  });
  const statuses = new Set([...errors.map((error) => errorCode(error).status), ...Object.keys(rpcErrors).map(Number)]);
  const bad = [...statuses].map((status) => {
    const codes = errors.filter((error) => errorCode(error).status === status);
    const lines = codes.map((error) => `\`${error}\`: ${errorCode(error).when}.`);
    return [status, errorResponse(status, codes, [...lines, rpcErrors[status] ?? []].flat(), of(status))] as const;
  });
  const more = Object.entries(others).map(([status, description]) => [status, { description }] as const);
  return Object.fromEntries([...good, ...bad, ...more]);
}

function errorResponse(
  status: number,
  codes: readonly ErrorName[],
  lines: readonly string[],
  examples: readonly Example[],
): object {
  const ours = codes.length > 0 ? [{ $ref: '#/components/schemas/Error' }] : [];
  const rpc = codes.length < lines.length ? [{ $ref: '#/components/schemas/JsonRpcError' }] : [];
  const schemas = [...ours, ...rpc];
  return {
    description: lines.join('\n\n'),
    headers: errorHeaders[status],
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        examples: examplesOf(examples, ({ response }) => response),
      },
    },
  };
}

const challenge = { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } };
const later = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
const errorHeaders: Readonly<Record<number, object>> = { 401: challenge, 403: challenge, 429: later, 503: later };

function examplesOf(examples: readonly Example[], value: (example: Example) => unknown): object | undefined {
  if (examples.length === 0) return undefined;
  return Object.fromEntries(
    examples.map((example) => [example.name, { summary: example.summary, value: value(example) }]),
  );
}

/** The example of an error; its words are those of the table, and the server's say more. */
export function errorExample(name: string, error: ErrorName, summary: string, request?: object): Example {
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
