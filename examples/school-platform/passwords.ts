import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const keyLength = 32;

/** `salt.key`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, keyLength);
  return `${salt.toString('base64url')}.${key.toString('base64url')}`;
}

/** Whether this is the password. Takes as long for somebody unknown (`undefined`), so that time tells nothing. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [salt = '', expected = ''] = (stored ?? '').split('.');
  const key = await derive(password, Buffer.from(salt, 'base64url'), keyLength);
  const expectedKey = Buffer.from(expected, 'base64url');
  return expectedKey.length === keyLength && timingSafeEqual(key, expectedKey);
}
