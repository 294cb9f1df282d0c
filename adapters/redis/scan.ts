import { isListed, isRecordKind, type ListedKind, type RecordKind } from '../../lib/records/record.ts';
import { recordKinds } from '../../lib/records/record-kinds.ts';
import type { RedisClient, RedisServer } from './options.ts';

/** Keys that a server looks at in one step. */
export const scanned = 500;

interface ScannedKeys {
  readonly keys: readonly string[];
  /** Where the next step begins: the number of a server and its cursor. */
  readonly next: string | undefined;
}

/**
 * Some of the keys that begin so, on all masters; an empty place is the start. A key can come twice.
 *
 * @param rest - the pattern of what follows
 */
export async function scan(client: RedisClient, start: string, from: string, rest = '*'): Promise<ScannedKeys> {
  const servers: readonly RedisServer[] = client.nodes?.('master') ?? [client];
  const [server = 0, cursor = 0] = from.split(' ').map(Number);
  // A client adds its own prefix to keys, but not to patterns, and does not take it from replies.
  const own = keyPrefixOf(client);
  const pattern = `${(own + start).replace(/[\\*?[\]]/g, '\\$&')}${rest}`;
  const reply = await servers[server]?.call('SCAN', cursor, 'MATCH', pattern, 'COUNT', scanned);
  if (!Array.isArray(reply) || !Array.isArray(reply[1])) throw new Error('unexpected reply of Redis');
  const following = server + 1 < servers.length ? `${server + 1} 0` : undefined;
  return {
    keys: reply[1].map((key) => String(key).slice(own.length)),
    next: String(reply[0]) === '0' ? following : `${server} ${String(reply[0])}`,
  };
}

/** What a client adds to keys. */
export function keyPrefixOf(client: RedisClient): string {
  const options: unknown = Reflect.get(client, 'options');
  const prefix: unknown = Object(options).keyPrefix ?? Object(Object(options).redisOptions).keyPrefix;
  return typeof prefix === 'string' ? prefix : '';
}

const kinds = Object.keys(recordKinds).filter(isRecordKind);
const kindByLetter = new Map(kinds.map((kind) => [recordKinds[kind].key, kind]));
const kindByList = new Map(kinds.filter(isListed).map((kind) => [recordKinds[kind].list ?? '', kind]));

/** What a key says: the record that it has, or the kind of listed records; neither for lists of grants, responses and counters. */
interface KeyParts {
  readonly site: string;
  readonly record?: { readonly kind: RecordKind; readonly name: string } | undefined;
  readonly list?: ListedKind | undefined;
}

export function partsOf(key: string): KeyParts {
  const [, site = '', letter = '', name] = /^[^{]*\{([^}]*)\}:([a-zA-Z])(?::(.*))?$/.exec(key) ?? [];
  if (name === undefined) return { site, list: kindByList.get(letter) };
  const kind = kindByLetter.get(letter);
  return { site, record: kind && { kind, name } };
}
