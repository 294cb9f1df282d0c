import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256, base64url. It has no salt and is fast: a secret needs 128 random bits or more. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Compares in a time that depends on the lengths only. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
