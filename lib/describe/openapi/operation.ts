import { type ErrorCode, errorCode, type ErrorName, type StatusCode } from '../error-codes.ts';
import { possibleErrors } from '../offered-errors.ts';
import type { ServiceDescription } from '../service-description.ts';
import { type Example, examplesOf, json, jsonBody, type RequestBody } from '../schema-parts.ts';

interface OperationParts {
  readonly summary: string;
  readonly text: string;
  readonly parameters?: readonly object[] | undefined;
  readonly body?: RequestBody | undefined;
  readonly responses: readonly ResponseVariant[];
  readonly examples?: readonly Example[] | undefined;
  /** Scopes of the token; `optional` if the token may be omitted. Absent for an operation without a token. */
  readonly security?: { readonly scopes: readonly string[]; readonly optional?: boolean } | undefined;
}

export function operation(tag: string, id: string, parts: OperationParts): object {
  const { summary, text, parameters, body, responses, examples = [], security } = parts;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: text,
    parameters,
    security: security ? [{ oauth: security.scopes }, ...(security.optional === true ? [{}] : [])] : [],
    requestBody: body && requestBody(body, examples),
    responses: responsesOf(responses, examples),
  };
}

function requestBody({ type, schema, text }: RequestBody, examples: readonly Example[]): object {
  const withRequest = examples.filter(({ request }) => request);
  const shown = examplesOf(withRequest, ({ request }) => request);
  return { description: text, required: true, content: { [type]: { schema, examples: shown } } };
}

const headers = {
  Challenge: {
    field: 'WWW-Authenticate',
    description:
      'A challenge (RFC 6750) with the error, the scopes that the call requires and the address of the metadata.',
    schema: { type: 'string', pattern: '^Bearer ' },
  },
  BasicChallenge: {
    field: 'WWW-Authenticate',
    description: 'The authentication scheme that the client used (RFC 6749 section 5.2).',
    schema: { type: 'string', pattern: '^Basic ' },
  },
  RetryAfter: {
    field: 'Retry-After',
    description: 'How long to wait, in seconds.',
    schema: { type: 'integer', minimum: 1 },
  },
  Allow: { field: 'Allow', description: 'The supported methods.', schema: { type: 'string' } },
  ETag: { field: 'ETag', description: 'The entity tag of the document.', schema: { type: 'string' } },
  Location: {
    field: 'Location',
    description: 'Where the browser continues.',
    schema: { type: 'string', format: 'uri-reference' },
  },
} as const;

type HeaderName = keyof typeof headers;

/** A response of an operation. Several may have the same status. */
export interface ResponseVariant extends Partial<Pick<ErrorCode, 'error' | 'headerWhen'>> {
  readonly status: number;
  /** When it is returned, in Markdown. */
  readonly text: string;
  /** Schemas of the body by media type. */
  readonly content?: Readonly<Record<string, object>> | undefined;
  readonly header?: HeaderName | undefined;
}

/** An error code, with its status if it has several. */
export type ErrorReference = ErrorName | readonly [ErrorName, number] | StatusCode;

export const commonErrors: readonly ErrorReference[] = [
  ['invalid_request', 405],
  'server_error',
  'temporarily_unavailable',
];

/** The responses for these errors, without those that the service cannot return. */
export function errorResponses(
  service: ServiceDescription,
  references: readonly ErrorReference[],
  content: ResponseVariant['content'] = jsonBody('Error'),
): ResponseVariant[] {
  const codes = references.map((one) => {
    if (typeof one === 'string') return errorCode(one);
    return 'error' in one ? one : errorCode(...one);
  });
  return possibleErrors(codes, service).map((code) => ({ ...code, text: `\`${code.error}\`: ${code.when}.`, content }));
}

export const bodyErrors: readonly ErrorReference[] = [...commonErrors, 'invalid_request', ['invalid_request', 413]];

/** What is wrong with a client that a feature looks up. */
export function lookupErrors({ features }: ServiceDescription): ErrorName[] {
  return features.flatMap(({ clients }) => clients?.lookupErrors ?? []);
}

export function clientErrors(service: ServiceDescription, more: readonly ErrorReference[] = []): ResponseVariant[] {
  return errorResponses(service, [...bodyErrors, 'invalid_client', ...lookupErrors(service), ...more]);
}

/** OpenAPI wants a success or a `default`. Where every answer is a redirect or an error, that is the failure that nobody expects. */
function responsesOf(variants: readonly ResponseVariant[], examples: readonly Example[]): object {
  const hasSuccess = variants.some(({ status }) => status >= 200 && status < 300);
  const responses = [...Map.groupBy(variants, ({ status }) => status)].map(([status, same]) => {
    const shown = examples.filter((example) => example.status === status && example.response !== undefined);
    return [status === 500 && !hasSuccess ? 'default' : status, responseOf(same, shown)] as const;
  });
  return Object.fromEntries(responses);
}

function responseOf(variants: readonly ResponseVariant[], examples: readonly Example[]): object {
  const types = new Set(variants.flatMap(({ content = {} }) => Object.keys(content)));
  const content = [...types].map((type) => {
    const shown = type === json ? examplesOf(examples, ({ response }) => response) : undefined;
    return [type, { schema: schemaOf(type, variants), examples: shown }] as const;
  });
  const names = [...new Set(variants.flatMap(({ header }) => header ?? []))];
  return {
    description: variants.map(({ text }) => text).join('\n\n'),
    headers: names.length > 0 ? Object.fromEntries(names.map((name) => responseHeader(name, variants))) : undefined,
    content: content.length > 0 ? Object.fromEntries(content) : undefined,
  };
}

function schemaOf(type: string, variants: readonly ResponseVariant[]): object | undefined {
  const schemas = variants.flatMap(({ content }) => content?.[type] ?? []);
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return different.length === 1 ? different[0] : { anyOf: different };
}

/** Components: a response that refers to one always has the header. */
export const headerComponents: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(headers).map(([name, { description, schema }]) => [name, { description, schema, required: true }]),
);

/** A header belongs to an error, not to a status: other responses with the same status may lack it. */
function responseHeader(name: HeaderName, variants: readonly ResponseVariant[]): readonly [string, object] {
  const { field, description, schema } = headers[name];
  const having = variants.filter(({ header }) => header === name);
  if (having.length === variants.length && having.every(({ headerWhen }) => headerWhen === undefined)) {
    return [field, { $ref: `#/components/headers/${name}` }];
  }
  const cases = having.map(({ error, headerWhen }) => headerWhen ?? `with \`${error}\``);
  return [field, { description: `${description} Only ${cases.join('; ')}.`, schema }];
}
