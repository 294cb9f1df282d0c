import type { Route } from '../../http/route.ts';
import type { ErrorReference, Operation, ResponseVariant } from '../operation.ts';
import { type HeaderName, responseHeaders } from '../response-headers.ts';
import { type Example, examplesOf, json, parameterSchema, type RequestBody } from '../schema-parts.ts';
import type { ServiceDescription } from '../service-description.ts';
import { errorContent, errorResponses } from './errors.ts';

/** What the router answers on every route. */
const ofEveryRoute: readonly ErrorReference[] = [['invalid_request', 405], 'server_error', 'temporarily_unavailable'];

/** An operation object of OpenAPI: what is said of a method, and what its route answers in any case. */
export function operationObject(
  service: ServiceDescription,
  { kind, origins }: Route,
  { id, tag, summary, text, parameters, body, security, responses, errors = [], examples = [], extensions }: Operation,
): object {
  const sent = (references: readonly ErrorReference[]): ResponseVariant[] =>
    errorResponses(service, references, errorContent(kind));
  const ofOrigins: readonly ErrorReference[] = origins ? [['access_denied', 403]] : [];
  const all = [...sent(ofEveryRoute), ...responses, ...sent([...errors, ...ofOrigins])];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: text,
    parameters: parameters?.map(({ name, required, text: description, example, ...value }) => ({
      name,
      in: 'query',
      required,
      description,
      schema: parameterSchema(value),
      example,
    })),
    security: security ? [{ oauth: security.scopes }, ...(security.optional === true ? [{}] : [])] : [],
    requestBody: body && requestBody(body, examples),
    responses: responsesOf(all, examples),
    ...extensions,
  };
}

function requestBody({ type, schema, text }: RequestBody, examples: readonly Example[]): object {
  const withRequest = examples.filter(({ request }) => request);
  const shown = examplesOf(withRequest, ({ request }) => request);
  return { description: text, required: true, content: { [type]: { schema, examples: shown } } };
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
  Object.entries(responseHeaders).map(([name, { description, schema }]) => [
    name,
    { description, schema, required: true },
  ]),
);

/** A header belongs to an error, not to a status: other responses with the same status may lack it. */
function responseHeader(name: HeaderName, variants: readonly ResponseVariant[]): readonly [string, object] {
  const { field, description, schema } = responseHeaders[name];
  const having = variants.filter(({ header }) => header === name);
  if (having.length === variants.length && having.every(({ headerWhen }) => headerWhen === undefined)) {
    return [field, { $ref: `#/components/headers/${name}` }];
  }
  const cases = having.map(({ error, headerWhen }) => headerWhen ?? `with \`${error}\``);
  return [field, { description: `${description} Only ${cases.join('; ')}.`, schema }];
}
