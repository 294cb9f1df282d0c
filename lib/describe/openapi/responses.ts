import { errorCode, type ErrorName, type StatusCode } from '../error-codes.ts';
import { possibleErrors, type ServiceDescription } from '../service-description.ts';
import { type HeaderName, optionalHeader, requiredHeader } from './headers.ts';
import { type Example, examplesOf, json, reference } from './parts.ts';

/** A response of an operation. Several may have the same status. */
export interface ResponseVariant {
  readonly status: number | 'default';
  /** Its error code, if it is one of `errorCodes`. */
  readonly error?: string | undefined;
  /** When it is returned, in Markdown. */
  readonly text: string;
  /** Schemas of the body by media type, if it has a body. */
  readonly content?: Readonly<Record<string, object>> | undefined;
  readonly header?: HeaderName | undefined;
  /** When the header is present, if not always; completes "Only …". */
  readonly headerWhen?: string | undefined;
}

/** An error code, with its status if it has several. */
export type ErrorReference = ErrorName | readonly [ErrorName, number];

/** The errors that every endpoint can return. */
export const commonErrors: readonly ErrorReference[] = [
  ['invalid_request', 405],
  'server_error',
  'temporarily_unavailable',
];

/** RFC 6749 section 5.2. */
export const errorBody: Readonly<Record<string, object>> = { [json]: reference('Error') };

/** The responses for these errors, without those that the service cannot return. */
export function errorResponses(
  service: ServiceDescription,
  references: readonly ErrorReference[],
  content: Readonly<Record<string, object>> = errorBody,
): ResponseVariant[] {
  const codes = references.map((one): StatusCode => (typeof one === 'string' ? errorCode(one) : errorCode(...one)));
  return possibleErrors(codes, service).map(({ error, status, when, header, headerWhen }) => ({
    error,
    status,
    text: `\`${error}\`: ${when}.`,
    content,
    header,
    headerWhen,
  }));
}

export function responsesOf(variants: readonly ResponseVariant[], examples: readonly Example[]): object {
  const byStatus = Map.groupBy(variants, ({ status }) => status);
  const responses = [...byStatus].map(([status, same]) => {
    const shown = examples.filter((example) => example.status === status && example.response !== undefined);
    return [status, responseOf(same, shown)] as const;
  });
  return Object.fromEntries(responses);
}

function responseOf(variants: readonly ResponseVariant[], examples: readonly Example[]): object {
  const types = new Set(variants.flatMap(({ content = {} }) => Object.keys(content)));
  const content = [...types].map((type) => {
    const shown = type === json ? examplesOf(examples, ({ response }) => response) : undefined;
    return [type, { schema: schemaOf(type, variants), examples: shown }] as const;
  });
  const names = new Set(variants.flatMap(({ header }) => header ?? []));
  return {
    description: variants.map(({ text }) => text).join('\n\n'),
    headers:
      names.size > 0 ? Object.assign({}, ...[...names].map((name) => responseHeader(name, variants))) : undefined,
    content: content.length > 0 ? Object.fromEntries(content) : undefined,
  };
}

function schemaOf(type: string, variants: readonly ResponseVariant[]): object | undefined {
  const schemas = variants.flatMap(({ content }) => content?.[type] ?? []);
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return different.length === 1 ? different[0] : { anyOf: different };
}

/** A header belongs to an error, not to a status: other responses with the same status may lack it. */
function responseHeader(name: HeaderName, variants: readonly ResponseVariant[]): object {
  const having = variants.filter(({ header }) => header === name);
  if (having.length === variants.length && having.every(({ headerWhen }) => headerWhen === undefined)) {
    return requiredHeader(name);
  }
  return optionalHeader(
    name,
    having.map(({ error, headerWhen }) => headerWhen ?? `with \`${error}\``),
  );
}
