import { isAscii, isUtf8 } from 'node:buffer';

/** A media type in lower case, and its charset if it names one; other parameters say nothing here. */
export interface MediaType {
  readonly type: string;
  readonly charset: string | undefined;
}

/** A parameter, with or without quotes. A quote that nothing closes goes on to the end. */
const parameter = /;\s*([^;="\s]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;"]*))/g;

/** Reads a `Content-Type`. RFC 9110 section 8.3.1. */
export function mediaType(header = ''): MediaType {
  const end = header.indexOf(';');
  if (end === -1) return { type: header.trim().toLowerCase(), charset: undefined };
  const parameters = [...header.slice(end).matchAll(parameter)];
  const [, , quoted, plain = quoted] = parameters.find(([, name]) => name?.toLowerCase() === 'charset') ?? [];
  return { type: header.slice(0, end).trim().toLowerCase(), charset: plain?.trim().toLowerCase() || undefined };
}

/**
 * The text of a form (RFC 6749 appendix B) or of JSON (RFC 8259 section 8.1), without a byte order mark. Both must be UTF-8 and have no charset, and
 * clients name one all the same: what is all ASCII is the same in most. `undefined` for anything else.
 */
export function utf8Text(bytes: Buffer, charset = 'utf-8'): string | undefined {
  const encoding = charset === 'utf-8' ? charset : encodingOf(charset);
  const isText = encoding === 'utf-8' ? isUtf8(bytes) : isAscii(bytes) && encoding !== undefined;
  return isText ? bytes.toString('utf8').replace(/^\uFEFF/, '') : undefined;
}

/** Knows the names of the Encoding Standard, such as `utf8` and `latin1`, except for those in which ASCII is something else. */
function encodingOf(charset: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(charset);
    return /^(?:utf-16|iso-2022)/.test(encoding) ? undefined : encoding;
  } catch {
    return undefined;
  }
}
