import { createHash, scrypt } from 'node:crypto';
import * as z from 'zod';
import type { CheckedKeys } from '../protocol/keys.ts';

/** Fingerprints of the keys that one process has, or several. */
export interface KeySet {
  readonly cookies: readonly string[];
  readonly signing: readonly string[];
  /** When a process with these keys announced them, in seconds. */
  readonly at: number;
}

const prints = z.array(z.string());

/** By a name that follows from the fingerprints. */
export const keySetsSchema: z.ZodType<Readonly<Record<string, KeySet>>> = z.record(
  z.string(),
  z.object({ cookies: prints, signing: prints, at: z.number() }),
);

/**
 * Fingerprints that tell keys apart and nothing else. A cookie secret can be short, and an attacker who reads the store must not find
 * it by trying: each try costs as much as one for a password. The public part of the other keys is enough.
 */
export async function fingerprintsOf(
  { cookies, signing, published }: CheckedKeys,
  salt: string,
): Promise<Omit<KeySet, 'at'>> {
  return {
    cookies: await Promise.all(cookies.map((secret) => slowDigest(secret, `campus-oidc cookies ${salt}`))),
    signing: [...signing, ...published].map(({ x, y }) => short(createHash('sha256').update(`${x}.${y}`).digest())),
  };
}

/** RFC 7914, with the parameters that Node has for passwords: 16 MiB and some 30 ms, beside the event loop. */
function slowDigest(secret: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 8, (error, key) => (error ? reject(error) : resolve(short(key))));
  });
}

/** 64 bits. */
function short(bytes: Buffer): string {
  return bytes.subarray(0, 8).toString('base64url');
}
