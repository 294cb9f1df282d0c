import { hash, randomFillSync, timingSafeEqual } from 'node:crypto';

/** SHA-256, base64url. It has no salt and is fast: a secret needs 128 random bits or more. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Compares in a time that depends on the lengths only. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** To ask the system for a few bytes costs as much as to ask for thousands. */
const stock = Buffer.allocUnsafeSlow(4096);
let used = stock.length;

/** Random bytes. The stock does not keep what it has given. @throws RangeError for more than 4,096 */
export function takeRandom(length: number): Buffer {
  if (length > stock.length) throw new RangeError(`${length} random bytes at once; at most ${stock.length}`);
  if (used + length > stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  const bytes = Buffer.from(stock.subarray(used, used + length));
  stock.fill(0, used, used + length);
  used += length;
  return bytes;
}
