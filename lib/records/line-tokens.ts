import { digest, takeRandom } from '../kernel/crypto.ts';
import { lineId } from './record.ts';

/**
 * A refresh token of a line: `handle~secret`, then when it expires, then four characters that follow from all of these.
 *
 * The handle is the same in all tokens of a line, so a store needs one record for them, with the name of the live one. Only a
 * holder, present or past, of a token of the line knows the handle: it is random, and a store has its digest only. So an earlier token is genuine although nothing
 * of it is stored, and its reuse is found. The last characters tell a damaged token, which is unknown, from a stolen one. They are
 * no secret: who can work them out has the handle.
 */
const form = /^[\w-]{22}~[\w-]{22}[\da-z]{7}[\w-]{4}$/;

/** 132 random bits. */
const partLength = 22;
const expiryEnd = 2 * partLength + 8;

/** The last second that has room. */
const lastExpiry = 36 ** 7 - 1;

function randomPart(): string {
  return takeRandom(17).toString('base64url').slice(0, partLength);
}

/** Without its last characters. */
function digestOf(value: string): string {
  return digest(value.slice(0, expiryEnd));
}

function checkIn(whole: string): string {
  return whole.slice(partLength, partLength + 4);
}

/** Whether it looks like such a token; it may be damaged. */
export function isLineToken(value: string): boolean {
  return form.test(value);
}

/** The token that follows this one in its line; the first of a new line without one. `expires` is in seconds since the epoch. */
export function nextLineToken(before: string | undefined, expires: number): string {
  const handle = before?.slice(0, partLength) ?? randomPart();
  const expiry = Math.min(expires, lastExpiry).toString(36).padStart(7, '0');
  const text = `${handle}~${randomPart()}${expiry}`;
  return text + checkIn(digestOf(text));
}

/** When it expires, in seconds since the epoch. A token in which that is changed is another token. */
export function expiryOfLineToken(value: string): number {
  return Number.parseInt(value.slice(2 * partLength + 1, expiryEnd), 36);
}

/**
 * How a store knows such a token; nothing for other texts, and damaged ones. The name of the line is not the digest of the handle, and what is
 * no token of a line has an id of another form: whatever somebody makes of a handle and sends, it leads to no line.
 */
export function idOfLineToken(value: string): string | undefined {
  if (!form.test(value)) return undefined;
  // One hash has both, in different parts: the name of the token, and what shows that it is whole.
  const whole = digestOf(value);
  if (checkIn(whole) !== value.slice(expiryEnd)) return undefined;
  return lineId(digest(`line ${value.slice(0, partLength)}`), whole);
}
