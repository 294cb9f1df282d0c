import type { IncomingMessage } from 'node:http';
import type { JsonObject, JsonValue } from '../contracts/json.ts';
import { collect } from '../http/collect.ts';

/** The largest document, in bytes. draft-ietf-oauth-client-id-metadata-document section 6.6. */
export const maxDocumentBytes: number = 5 * 1024;

/** What is wrong with an answer; the message follows `the metadata document at <url>`. */
export class UnusableDocument extends Error {
  override readonly name = 'UnusableDocument';
}

const jsonType = /^application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)(?:\s*;\s*charset="?utf-8"?)?\s*$/i;

/** Members that would reach an object's prototype when someone copies the document carelessly. */
const forbiddenMembers = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The JSON object that an answer carries.
 *
 * @throws UnusableDocument for another status than 200, a redirect, another content type, a content encoding, more than
 * `maxDocumentBytes`, and what is not a JSON object in UTF-8; another error when the answer breaks off
 */
export async function readDocument(answer: IncomingMessage): Promise<JsonObject> {
  const { statusCode = 0, headers } = answer;
  if (statusCode >= 300 && statusCode < 400) throw new UnusableDocument('answers with a redirect; serve it directly');
  if (statusCode !== 200) throw new UnusableDocument(`answers with status ${statusCode} instead of 200`);
  if (!jsonType.test(headers['content-type'] ?? '')) {
    throw new UnusableDocument('is not served as application/json in UTF-8');
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new UnusableDocument('is compressed although the request asked for it as it is');
  }
  return parse(await readBytes(answer));
}

async function readBytes(response: IncomingMessage): Promise<Buffer> {
  const tooLarge = Number(response.headers['content-length'] ?? 0) > maxDocumentBytes;
  const bytes = tooLarge ? 'too large' : await collect(response, maxDocumentBytes);
  if (bytes === 'too large') throw new UnusableDocument(`is larger than ${maxDocumentBytes} bytes`);
  if (typeof bytes === 'string') throw new Error(`the response is ${bytes}`);
  return bytes;
}

function parse(bytes: Buffer): JsonObject {
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnusableDocument('is not a JSON object');
  }
  return value;
}

function parseJson(bytes: Buffer): JsonValue {
  let forbidden: string | undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), (member, item: JsonValue) => {
      if (forbiddenMembers.has(member)) forbidden = member;
      return item;
    });
  } catch (cause) {
    throw new UnusableDocument('is not JSON in UTF-8', { cause });
  }
  if (forbidden !== undefined) throw new UnusableDocument(`has a member named ${forbidden}`);
  return value;
}
