import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256, base64url. Enough for secrets of 128 bits and more, which is all that is ever hashed with it. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Compares two texts in a time that tells nothing but their lengths. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
