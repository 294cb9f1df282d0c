import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { keysSchema } from '../../options/keys.ts';
import type { CampusKeys, Jwk } from '../../protocol/keys.ts';
import { isObject, readOptions } from '../../protocol/validate.ts';
import { UsageError } from '../command.ts';

/** A key in a file. The times are ours; RFC 7517 section 4 has readers ignore members that they do not know. */
export interface FileKey extends Jwk {
  readonly kid: string;
  /** Since when clients can know it, ISO 8601. */
  readonly published_at?: string | undefined;
  /** When another key began to sign in its place. */
  readonly retired_at?: string | undefined;
}

/** What is in a file of keys: `keys` of `createCampus`. */
export interface KeyFile extends CampusKeys {
  readonly signing: readonly FileKey[];
  readonly published: readonly FileKey[];
}

/** A new private key, named by its thumbprint (RFC 7638). */
export function newKey(now: Date): FileKey {
  const { x = '', y = '', d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
  return { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid, x, y, d, published_at: now.toISOString() };
}

export function newKeyFile(now: Date): KeyFile {
  return { signing: [newKey(now)], published: [], cookies: [randomBytes(32).toString('base64url')] };
}

export function keyFileText(keys: KeyFile): string {
  return `${JSON.stringify(keys, undefined, 2)}\n`;
}

/** @throws UsageError that does not show what is in the file */
export function readKeyFile(path: string): KeyFile {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // The message of a parser shows what it could not read.
    const { message = '' }: Partial<Error> = Object(error);
    throw new UsageError(`${path} cannot be read: ${error instanceof SyntaxError ? 'it is not JSON' : message}`);
  }
  try {
    const { cookies, ...checked } = readOptions(keysSchema, given, 'keys');
    const timed = (name: 'signing' | 'published'): FileKey[] => {
      const list: unknown = isObject(given) ? given[name] : undefined;
      return checked[name].map((key, i) => ({ ...key, ...timesOf(Array.isArray(list) ? list[i] : undefined) }));
    };
    return { signing: timed('signing'), published: timed('published'), cookies };
  } catch (error) {
    throw new UsageError(`${path} has wrong keys: ${error instanceof Error ? error.message : ''}`);
  }
}

function timesOf(key: unknown): Pick<FileKey, 'published_at' | 'retired_at'> {
  if (!isObject(key)) return {};
  const names = ['published_at', 'retired_at'] as const;
  const known = names.filter((name) => typeof key[name] === 'string' && !Number.isNaN(Date.parse(key[name])));
  return Object.fromEntries(known.map((name) => [name, String(key[name])]));
}

/** Whether others than the owner may read the file. Windows has no such modes. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

/** Writes a file that must not exist yet. */
export function createKeyFile(path: string, keys: KeyFile): void {
  write(
    path,
    keyFileText(keys),
    `${path} exists already; to replace its keys one by one, use: campus-oidc keys rotate ${path}`,
  );
}

/** Replaces the file at once, so that no process reads half of it. Only one command at a time does so. */
export function replaceKeyFile(path: string, change: (keys: KeyFile) => KeyFile): void {
  // A file that cannot be read is refused first. A link stays a link.
  readKeyFile(path);
  const target = realpathSync(path);
  const next = `${target}.next`;
  // The new file is the lock: what it replaces is read while no other command can write.
  write(next, '', `${next} exists: another command is writing, or was interrupted; remove that file if none is`);
  try {
    const text = keyFileText(change(readKeyFile(path)));
    writeAll(openSync(next, 'w', 0o600), text);
    renameSync(next, target);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

function write(path: string, text: string, taken: string): void {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    const { code, message = '' }: NodeJS.ErrnoException = Object(error);
    throw new UsageError(code === 'EEXIST' ? taken : `${path} cannot be written: ${message}`);
  }
  writeAll(file, text);
}

function writeAll(file: number, text: string): void {
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
