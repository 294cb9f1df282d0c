import type { IncomingMessage } from 'node:http';
import { collect } from '../../http/body.ts';
import { mediaType } from '../../http/media-type.ts';

/** As a `data:` URL it is a third larger, and part of the page. */
const maxLogoBytes = 48 * 1024;

/** A small file can hold a picture that takes gigabytes to draw. */
const maxSide = 1024;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The size of a picture without movement; `undefined` for anything else. SVG is left out: it can hold scripts and load from
 * elsewhere.
 */
const formats: ReadonlyMap<string, (bytes: Buffer) => Size | undefined> = new Map([
  ['image/png', pngSize],
  ['image/jpeg', jpegSize],
  ['image/webp', webpSize],
]);

/**
 * A logo as a `data:` URL.
 *
 * @throws Error if the response is not a small picture of a raster format
 */
export async function readLogo(response: IncomingMessage): Promise<string> {
  const { statusCode, headers } = response;
  const { type } = mediaType(headers['content-type']);
  const sizeOf = formats.get(type);
  if (statusCode !== 200 || !sizeOf) throw new Error(`no logo: status ${statusCode}, ${type}`);
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') throw new Error('a compressed logo');
  if (Number(headers['content-length'] ?? 0) > maxLogoBytes) throw new Error('a logo that is too large');
  const bytes = await collect(response, maxLogoBytes);
  if (typeof bytes === 'string') throw new Error(`a logo that is ${bytes}`);
  const { width, height } = sizeOf(bytes) ?? { width: 0, height: 0 };
  if (width < 1 || height < 1 || width > maxSide || height > maxSide) throw new Error('a logo of another kind or size');
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** ISO/IEC 15948: the header chunk comes first; `acTL` begins an animation. */
function pngSize(bytes: Buffer): Size | undefined {
  const isPng = bytes.length >= 24 && bytes.toString('latin1', 0, 16).startsWith('\x89PNG\r\n\x1a\n\0\0\0\rIHDR');
  if (!isPng || bytes.includes('acTL')) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** ITU-T T.81: the first frame header has the size. */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (marker < 0xffc0 || marker === 0xffda) return undefined;
  }
  return undefined;
}

/** RFC 9649 section 2. */
function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || !/^RIFF[^]{4}WEBPVP8[ LX]/.test(bytes.toString('latin1', 0, 16))) return undefined;
  const kind = bytes.toString('latin1', 15, 16);
  if (kind === ' ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind === 'L') {
    const sides = bytes.readUInt32LE(21);
    return { width: (sides & 0x3fff) + 1, height: ((sides >> 14) & 0x3fff) + 1 };
  }
  const moves = (bytes.readUInt8(20) & 0x02) !== 0;
  return moves ? undefined : { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}
