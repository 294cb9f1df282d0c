import { generateKeyPairSync, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { keysSchema } from '../../core/keys/options.ts';
import type { CampusKeys, IdTokenAlgorithm, Jwk } from '../../core/keys/keys.ts';
import { isObject, readOptions } from '../../kernel/validate.ts';
import { digest } from '../../kernel/crypto.ts';
import { UsageError } from '../command.ts';

/** A key in a file. The times are ours; RFC 7517 section 4 has readers ignore members that they do not know. */
export interface FileKey extends Jwk, KeyTimes {
  readonly kid: string;
}

/** When a key was published and retired. */
interface KeyTimes {
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

type Content = { readonly keys: KeyFile };

/** A new private key, named by its thumbprint (RFC 7638). */
export function newKey(now: Date, alg: IdTokenAlgorithm): FileKey {
  const published_at = now.toISOString();
  if (alg === 'RS256') {
    const {
      n = '',
      e = '',
      ...secret
    }: Jwk = generateKeyPairSync('rsa', { modulusLength }).privateKey.export({
      format: 'jwk',
    });
    const kid = digest(JSON.stringify({ e, kty: 'RSA', n }));
    return { ...secret, kty: 'RSA', alg, use: 'sig', kid, n, e, published_at };
  }
  const { x = '', y = '', d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const kid = digest(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }));
  return { kty: 'EC', crv: 'P-256', alg, use: 'sig', kid, x, y, d, published_at };
}

/** All clients can verify this length, and it signs four times as fast as 4096 bits. */
const modulusLength = 2048;

export function newKeyFile(now: Date, algorithms: readonly IdTokenAlgorithm[]): KeyFile {
  return {
    signing: algorithms.map((alg) => newKey(now, alg)),
    published: [],
    cookies: [randomBytes(32).toString('base64url')],
  };
}

export function keyFileText(keys: KeyFile): string {
  return `${JSON.stringify(keys, undefined, 2)}\n`;
}

/** @throws UsageError that does not show what is in the file */
export function readKeyFile(path: string): KeyFile {
  let given: unknown;
  try {
    given = JSON.parse(fs.readFileSync(path, 'utf8'));
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

function timesOf(key: unknown): KeyTimes {
  if (!isObject(key)) return {};
  const names = ['published_at', 'retired_at'] as const;
  const known = names.filter((name) => typeof key[name] === 'string' && !Number.isNaN(Date.parse(key[name])));
  return Object.fromEntries(known.map((name) => [name, String(key[name])]));
}

/** Whether others than the owner may read the file. Windows has no such modes. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (fs.statSync(path).mode & 0o077) !== 0;
}

/** Writes a file that must not exist yet. */
export function createKeyFile(path: string, keys: KeyFile): void {
  const taken = `${path} already exists; to replace its keys one by one, run: campus-oidc keys rotate ${path}`;
  fill(open(path, taken), () => ({ keys }));
}

/**
 * Replaces the file at once, so that no process reads half of it, and keeps its owner, group and mode. Only one command at a time
 * does so.
 *
 * @throws UsageError that says what to do; then nothing has changed
 */
export function replaceKeyFile<C extends Content>(path: string, change: (keys: KeyFile) => C): C {
  // A file that cannot be read is refused first. A link stays a link.
  readKeyFile(path);
  const target = fs.realpathSync(path);
  const next = `${target}.next`;
  // The new file is the lock: what it replaces is read while no other command can write.
  const file = open(
    next,
    `${next} exists: another command is writing, or was interrupted; remove the file if no command is running`,
    '. New keys are first written to the same folder: let this user write to that folder, and mount the folder, not the file',
  );
  try {
    const changed = fill(file, () => {
      keepAccess(file, target);
      return change(readKeyFile(path));
    });
    fs.renameSync(next, target);
    return changed;
  } catch (error) {
    fs.rmSync(next, { force: true });
    throw error instanceof Error && 'syscall' in error
      ? new UsageError(`${target} cannot be replaced: ${error.message}; the file is unchanged`)
      : error;
  }
}

/** The user that runs the application reads the file, and is seldom the one that rotates its keys. */
function keepAccess(file: number, target: string): void {
  const [given, old] = [fs.fstatSync(file), fs.statSync(target)];
  if (given.uid !== old.uid || given.gid !== old.gid) {
    try {
      fs.fchownSync(file, old.uid, old.gid);
    } catch {
      throw new UsageError(
        `${target} belongs to user ${old.uid} and group ${old.gid}, which this user cannot keep; run the command as that user: sudo -u '#${old.uid}' campus-oidc keys rotate ${target}`,
      );
    }
  }
  // After the owner: a change of owner takes rights away.
  fs.fchmodSync(file, old.mode & 0o7777);
}

function open(path: string, taken: string, advice = ''): number {
  try {
    return fs.openSync(path, 'wx', 0o600);
  } catch (error) {
    const { code, message = '' }: NodeJS.ErrnoException = Object(error);
    throw new UsageError(code === 'EEXIST' ? taken : `${path} cannot be written: ${message}${advice}`);
  }
}

function fill<C extends Content>(file: number, contentOf: () => C): C {
  try {
    const content = contentOf();
    fs.writeFileSync(file, keyFileText(content.keys));
    fs.fsyncSync(file);
    return content;
  } finally {
    fs.closeSync(file);
  }
}
