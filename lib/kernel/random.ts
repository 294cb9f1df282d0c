import { randomFillSync } from 'node:crypto';

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
