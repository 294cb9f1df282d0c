import { createHash, scrypt } from 'node:crypto';
import type { JsonObject } from '../contracts/json.ts';
import type { CheckedKeys } from '../protocol/keys.ts';
import { json, number, text, texts } from './members.ts';

/** Fingerprints of the keys that one process has, or several. */
export interface KeySet {
  readonly cookies: readonly string[];
  readonly signing: readonly string[];
  /** When one of them said so. */
  readonly at: number;
}

/** The keys of the processes that share a store. */
export interface KeyFingerprintsRecord {
  /** Of the fingerprints of secrets. */
  readonly salt: string;
  /** By a name that follows from the fingerprints. */
  readonly sets: Readonly<Record<string, KeySet>>;
}

export function keyFingerprintsRecord(record: JsonObject): KeyFingerprintsRecord {
  const sets = json(record, 'sets');
  const read = (name: string): KeySet => {
    const set = json(sets, name);
    return { cookies: texts(set, 'cookies'), signing: texts(set, 'signing'), at: number(set, 'at') };
  };
  return { salt: text(record, 'salt'), sets: Object.fromEntries(Object.keys(sets).map((name) => [name, read(name)])) };
}

/**
 * Fingerprints that tell keys apart and nothing else. A cookie secret can be short, and who reads the store must not find it by
 * trying: each try costs as much as one for a password. Of the other keys the public part is enough.
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
