import { errorCode, type ErrorName, type StatusCode } from '../error-codes.ts';
import { occurring, type ServiceDescription } from '../service-description.ts';
import { headerOf, type HeaderName, someHeader } from './headers.ts';
import { type Example, examplesOf, json, reference } from './parts.ts';

/** A way in which an operation answers. There may be several with one status. */
export interface ResponseVariant {
  readonly status: number | 'default';
  /** Its error code, where it is one of the table. */
  readonly error?: string | undefined;
  /** When it is answered, in Markdown. */
  readonly text: string;
  /** Schemas of the body by media type, where there is one. */
  readonly content?: Readonly<Record<string, object>> | undefined;
  readonly header?: HeaderName | undefined;
  /** When the header is there, if not always; follows "Only". */
  readonly headerWhen?: string | undefined;
}

/** An error by its code, and its status where the code has several. */
export type ErrorReference = ErrorName | readonly [ErrorName, number];

/** What every address can answer. */
export const everywhere: readonly ErrorReference[] = [
  ['invalid_request', 405],
  'server_error',
  'temporarily_unavailable',
];

/** The form of an error. RFC 6749 section 5.2. */
export const errorBody: Readonly<Record<string, object>> = { [json]: reference('Error') };

/** The answers that are errors of the table, as far as they can occur. */
export function errorResponses(
  facts: ServiceDescription,
  references: readonly ErrorReference[],
  content: Readonly<Record<string, object>> = errorBody,
): ResponseVariant[] {
  const codes = references.map((one): StatusCode => (typeof one === 'string' ? errorCode(one) : errorCode(...one)));
  return occurring(codes, facts).map(({ error, status, when, header, headerWhen }) => ({
    error,
    status,
    text: `\`${error}\`: ${when}.`,
    content,
    header,
    headerWhen,
  }));
}

/** The responses of an operation: its answers, by status. */
export function responsesOf(answers: readonly ResponseVariant[], examples: readonly Example[]): object {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  const responses = [...byStatus].map(([status, same]) => {
    const shown = examples.filter((example) => example.status === status && example.response !== undefined);
    return [status, responseOf(same, shown)] as const;
  });
  return Object.fromEntries(responses);
}

function responseOf(answers: readonly ResponseVariant[], examples: readonly Example[]): object {
  const types = new Set(answers.flatMap(({ content = {} }) => Object.keys(content)));
  const content = [...types].map((type) => {
    const shown = type === json ? examplesOf(examples, ({ response }) => response) : undefined;
    return [type, { schema: schemaOf(type, answers), examples: shown }] as const;
  });
  const names = new Set(answers.flatMap(({ header }) => header ?? []));
  return {
    description: answers.map(({ text }) => text).join('\n\n'),
    headers: names.size > 0 ? Object.assign({}, ...[...names].map((name) => responseHeader(name, answers))) : undefined,
    content: content.length > 0 ? Object.fromEntries(content) : undefined,
  };
}

function schemaOf(type: string, answers: readonly ResponseVariant[]): object | undefined {
  const schemas = answers.flatMap(({ content }) => content?.[type] ?? []);
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return different.length === 1 ? different[0] : { anyOf: different };
}

/** A header is that of an error, not of a status: of several with one status, not all need have it. */
function responseHeader(name: HeaderName, answers: readonly ResponseVariant[]): object {
  const having = answers.filter(({ header }) => header === name);
  if (having.length === answers.length && having.every(({ headerWhen }) => headerWhen === undefined)) {
    return headerOf(name);
  }
  return someHeader(
    name,
    having.map(({ error, headerWhen }) => headerWhen ?? `with \`${error}\``),
  );
}
