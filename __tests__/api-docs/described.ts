import { expect } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DescribedResponse, Description, Header } from './description.ts';

/** A response with its body as text. */
interface TextResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function readText(response: Response): Promise<TextResponse> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const fields = ['WWW-Authenticate', 'Retry-After', 'Allow', 'ETag', 'Location'];

/** Where the description has a response, for example `GET /auth.md 200`, and the body. */
interface Match {
  readonly place: string;
  readonly body: unknown;
}

/** Checks that a response conforms to the description: status, headers, content type and schema. */
export function expectDescribed(description: Description, path: string, method: string, response: TextResponse): Match {
  const { status, headers, text } = response;
  const responses = description.paths[path]?.[method.toLowerCase()]?.responses ?? {};
  const key = String(status) in responses ? String(status) : 'default';
  const described = responses[key];
  if (!described) throw new Error(`${method} ${path} ${status} is not described: ${text}`);
  for (const field of fields) expectHeader(description, field, headers.get(field), described.headers?.[field]);
  const place = `${method} ${path} ${key}`;
  const body = bodyOf(response);
  if (body === undefined) return { place, body };
  const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
  expect(Object.keys(described.content ?? {})).toContain(type);
  expectValid(description, closed(described.content?.[type]?.schema ?? {}), body);
  if (type === 'application/json') expectErrorNamed(described, body);
  return { place, body };
}

/** A response has no member that its schema does not have, unless it is any object. */
function closed(schema: object): object {
  return 'type' in schema ? schema : { ...schema, unevaluatedProperties: false };
}

/** The body of a redirect is not described. */
function bodyOf({ status, headers, text }: TextResponse): unknown {
  if (text === '' || headers.has('location')) return undefined;
  expect(status).not.toBe(304);
  return /json/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

/** The description of the response names the error code. */
function expectErrorNamed({ description: text }: DescribedResponse, body: unknown): void {
  const error: unknown = Object(body).error;
  if (typeof error === 'string') expect(text).toContain(`\`${error}\``);
}

function expectHeader(description: Description, field: string, sent: string | null, described?: Header): void {
  const name = /^#\/components\/headers\/(\w+)$/.exec(described?.$ref ?? '')?.[1];
  const { required, schema } = (name === undefined ? described : description.components.headers[name]) ?? {};
  if (sent === null) return expect({ field, required }).toEqual({ field, required: undefined });
  expect({ field, described: schema !== undefined }).toEqual({ field, described: true });
  expectValid(description, schema ?? {}, /^\d+$/.test(sent) ? Number(sent) : sent);
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
/** Schemas refer to components of the description that they are in. */
const compiled = new WeakMap<object, Map<string, ValidateFunction>>();

export function expectValid({ components }: Description, schema: object, value: unknown): void {
  const key = JSON.stringify(schema);
  const known = compiled.get(components) ?? new Map<string, ValidateFunction>();
  compiled.set(components, known);
  const validate = known.get(key) ?? ajv.compile({ ...schema, components });
  known.set(key, validate);
  if (!validate(value)) throw new Error(`${JSON.stringify(validate.errors)}\n${JSON.stringify(value)}`);
}
