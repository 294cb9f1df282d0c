import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const keyLength = 32;

/** Returns `salt.key`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, keyLength);
  return `${salt.toString('base64url')}.${key.toString('base64url')}`;
}

/** Takes equally long for an unknown person (`undefined`), so that the time does not reveal who has an account. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [salt = '', expected = ''] = (stored ?? '').split('.');
  const key = await derive(password, Buffer.from(salt, 'base64url'), keyLength);
  const expectedKey = Buffer.from(expected, 'base64url');
  return expectedKey.length === keyLength && timingSafeEqual(key, expectedKey);
}
