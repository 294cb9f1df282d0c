import type { IncomingMessage } from 'node:http';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { collect } from '../../http/body.ts';
import { mediaType, utf8Text } from '../../http/media-type.ts';
import { isObject } from '../../kernel/validate.ts';
import { illFormedAt } from '../../kernel/well-formed.ts';

/** The message completes `the metadata document at <url> …`. */
export class UnusableDocument extends Error {
  override readonly name = 'UnusableDocument';
}

/** The response says nothing about the document. The message completes the same sentence. */
export class UnreachableDocument extends Error {
  override readonly name = 'UnreachableDocument';
}

/** Statuses, beside 5xx, of firewalls and of servers that are busy. */
const passingStatuses: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

const jsonType = /^application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)$/;

/** Members that could change a prototype when code copies the document. */
const forbiddenMembers = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * @throws UnusableDocument if the response is not a small JSON object in UTF-8; UnreachableDocument if it says nothing about
 * the document; another error if the connection fails
 */
export async function readDocument(response: IncomingMessage, maxBytes: number): Promise<JsonObject> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400) {
    throw new UnusableDocument('responds with a redirect; serve it without a redirect');
  }
  if (statusCode >= 500 || passingStatuses.has(statusCode)) {
    throw new UnreachableDocument(`cannot be fetched at the moment: its server responds with status ${statusCode}`);
  }
  if (statusCode !== 200) throw new UnusableDocument(`responds with status ${statusCode} instead of 200`);
  const { type, charset } = mediaType(headers['content-type']);
  if (!jsonType.test(type)) throw new UnusableDocument('is not served as application/json');
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new UnusableDocument('is compressed; serve it uncompressed if the request has Accept-Encoding: identity');
  }
  const tooLarge = Number(headers['content-length'] ?? 0) > maxBytes;
  const bytes = tooLarge ? 'too large' : await collect(response, maxBytes);
  if (bytes === 'too large') throw new UnusableDocument(`is larger than ${maxBytes} bytes`);
  if (typeof bytes === 'string') throw new Error(`the response is ${bytes}`);
  const value = parseJson(utf8Text(bytes, charset));
  if (!isObject(value)) throw new UnusableDocument('is not a JSON object');
  return value;
}

function parseJson(text: string | undefined): JsonValue {
  if (text === undefined) throw new UnusableDocument('is not JSON in UTF-8');
  let forbidden: string | undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text, (member, item: JsonValue) => {
      if (forbiddenMembers.has(member)) forbidden = member;
      return item;
    });
  } catch (cause) {
    throw new UnusableDocument('is not JSON in UTF-8', { cause });
  }
  if (illFormedAt(value)) throw new UnusableDocument('has half of a surrogate pair, such as \\ud800, in a text');
  if (forbidden !== undefined) throw new UnusableDocument(`has a member named ${forbidden}, which is not allowed`);
  return value;
}

const minSeconds = 30;
const maxSeconds = 24 * 60 * 60;
const unspecifiedSeconds = 5 * 60;

/**
 * How long a document may be cached, in seconds, according to `Cache-Control` and `Age`: 30 seconds to 24 hours, or
 * 5 minutes without `max-age`. RFC 9111 section 5.2.2.
 */
export function freshness(cacheControl: string | undefined, age: string | undefined): number {
  const directives = new Map(
    (cacheControl ?? '').split(',').map((directive) => {
      const [name = '', value = ''] = directive.split('=', 2);
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', '')] as const;
    }),
  );
  if (directives.has('no-store') || directives.has('no-cache')) return minSeconds;
  const maxAge = directives.get('max-age');
  if (maxAge === undefined) return unspecifiedSeconds;
  const seconds = Number(maxAge) - (/^\d+$/.test(age ?? '') ? Number(age) : 0);
  return /^\d+$/.test(maxAge) ? Math.min(Math.max(seconds, minSeconds), maxSeconds) : minSeconds;
}
