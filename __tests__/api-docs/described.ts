import { expect } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Described, Description, Header } from './description.ts';

/** An answer, read. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Reads an answer. */
export async function answered(response: Response): Promise<Answered> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const fields = ['WWW-Authenticate', 'Retry-After', 'Allow', 'ETag', 'Location'];

/** An answer as it was found in the description: its place there, and its body. */
export interface Found {
  readonly place: string;
  readonly body: unknown;
}

/** Checks that an answer is one that the description tells of. */
export function expectDescribed(description: Description, path: string, method: string, answer: Answered): Found {
  const { status, headers, text } = answer;
  const responses = description.paths[path]?.[method.toLowerCase()]?.responses ?? {};
  const key = String(status) in responses ? String(status) : 'default';
  const described = responses[key];
  if (!described) throw new Error(`${method} ${path} ${status} is not described: ${text}`);
  for (const field of fields) expectHeader(description, field, headers.get(field), described.headers?.[field]);
  const place = `${method} ${path} ${key}`;
  const body = bodyOf(answer);
  if (body === undefined) return { place, body };
  const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
  expect(Object.keys(described.content ?? {})).toContain(type);
  expectValid(description, described.content?.[type]?.schema ?? {}, body);
  if (type === 'application/json') expectNamed(described, body);
  return { place, body };
}

/** The body of a redirect is nobody's business. */
function bodyOf({ status, headers, text }: Answered): unknown {
  if (text === '' || headers.has('location')) return undefined;
  expect(status).not.toBe(304);
  return /json/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

/** An error is told of by its code. */
function expectNamed({ description: text }: Described, body: unknown): void {
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
const compiled = new Map<string, ValidateFunction>();

/** Checks a value against a schema of a description. */
export function expectValid({ components }: Description, schema: object, value: unknown): void {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile({ ...schema, components });
  compiled.set(key, validate);
  if (!validate(value)) throw new Error(`${JSON.stringify(validate.errors)}\n${JSON.stringify(value)}`);
}
