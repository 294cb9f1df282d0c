import { appName, clientName, type Grantee, granteeName } from '../../lib/records/grantee.ts';
import {
  lineOf,
  type ListedKind,
  nameOf,
  type RecordKind,
  type StoredDevice,
  type StoredRecord,
  type TokenKind,
} from '../../lib/records/record.ts';
import { recordKinds } from '../../lib/records/record-kinds.ts';

/** The names of the keys of a school in Redis. The name of the school is their hash tag: all of them are in one slot of a cluster. */
export class RedisKeys {
  /** What all of them begin with. No key is just this, so commands that only need the node of the school can name it. */
  readonly prefix: string;

  constructor(prefix: string, site: string) {
    this.prefix = `${prefix}:{${site}}:`;
  }

  record(kind: RecordKind, id: string): string {
    return this.named(kind, nameOf(kind, id));
  }

  /** A line has one key for all its tokens, which no other id leads to: names have no equals sign. */
  named(kind: RecordKind, name: string): string {
    const { line } = lineOf(kind, name) ?? {};
    return `${this.prefix}${recordKinds[kind].key}:${line === undefined ? name : `=${line}`}`;
  }

  /** The list of a member's grants. */
  member(memberId: string): string {
    return `${this.prefix}m:${encodeURIComponent(memberId)}`;
  }

  /** The list of the grants to a client or app. */
  grantee(grantee: Grantee): string {
    return this.granteeNamed(granteeName(grantee));
  }

  granteeNamed(name: string): string {
    return `${this.prefix}x:${name}`;
  }

  /** All lists of a grant, from its value or first line: that of the member, that of the client, and that of the app if it has one. */
  lists(value: string): string[] {
    const [member = '', names = ''] = value.split(/[ \n]/, 2);
    const grantees = namesIn(names).filter((name) => name !== undefined);
    return [`${this.prefix}m:${member}`, ...grantees.map((name) => this.granteeNamed(name))];
  }

  /** The clients and apps in the order of their grants. */
  get use(): string {
    return `${this.prefix}X:use`;
  }

  /** The id of a client or app whose name does not tell it. */
  idOf(name: string): string {
    return `${this.prefix}X:${name}`;
  }

  listed(kind: ListedKind): string {
    return `${this.prefix}${recordKinds[kind].list ?? ''}`;
  }

  /** The response of the call that won a redemption. */
  replay(kind: RecordKind, id: string): string {
    return `${this.prefix}p:${recordKinds[kind].key}:${lineOf(kind, id)?.token ?? nameOf(kind, id)}`;
  }

  counter(name: string): string {
    return `${this.prefix}n:${encodeURIComponent(name)}`;
  }
}

/** The first line of a grant. */
export function grantHead(memberId: string, clientId: string, app: string | undefined): string {
  return `${encodeURIComponent(memberId)} ${clientName(clientId)}${app === undefined ? '' : appName(app)}`;
}

/** The names of a client and of its app, if it has one. */
function namesIn(word: string): readonly [client: string, app?: string] {
  const at = word.indexOf('@');
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at)];
}

/** Whose grant it is, from its value or first line. */
export function memberOf(value: string): string {
  return decodeURIComponent(value.split(/[ \n]/, 1)[0] ?? '');
}

/**
 * A code, token or grant has lines for the scripts in front of its record:
 *
 * - line of refresh tokens: `grant family ~token`: the name of the live one. All others of the line were redeemed; without a name, all. Its
 *   stored responses begin with the second of the redemption by the server's clock, and a space.
 * - code, or refresh token without a line: `grant family consumed`. `consumed` is the second of the redemption by the server's clock, a dot and the name of the
 *   attempt; absent if it was not redeemed.
 * - access token: `grant family epoch`: the epoch of its grant. Absent if that is 0.
 * - grant: `member client epoch`: how often its access tokens have ended; absent if never. The name of the client is followed by that of its app,
 *   which begins with an at sign, if it has one. The next line lists the live families, separated by commas: each is its name, `=`, its last
 *   second and, if it has a refresh token, `=` and the last second of the newest one.
 *
 * Names are URI-encoded, so they have no space, comma, equals sign or line feed.
 */
interface TokenValue {
  readonly grant: string;
  readonly family: string;
  /** The epoch of an access token. */
  readonly epoch: number | undefined;
  /** The name of the live token of a line. */
  readonly live: string | undefined;
  readonly found: StoredRecord;
}

export function readTokenValue(kind: TokenKind, value: string): TokenValue {
  const [head, record] = cut(value);
  const [grant = '', family = '', word = ''] = head.split(' ');
  const found = { record, familyId: decodeURIComponent(family) };
  if (kind === 'AccessToken') return { grant, family, epoch: Number(word), live: undefined, found };
  if (word.startsWith('~')) return { grant, family, epoch: undefined, live: word.slice(1), found };
  const consumed = word === '' ? undefined : Number.parseInt(word, 10);
  return { grant, family, epoch: undefined, live: undefined, found: { ...found, consumed } };
}

export function readGrantValue(value: string): StoredRecord {
  const { record, epoch } = grantLines(value);
  return { record, epoch };
}

/** The devices on which a grant is used. */
export function devicesIn(value: string): StoredDevice[] {
  const { families } = grantLines(value);
  const all = [...families.matchAll(/(?<=^|,)([^,=]+)=\d+=(\d+)/g)].map(([, name = '', end]) => ({
    familyId: decodeURIComponent(name),
    refreshUntil: Number(end),
  }));
  return all.filter(({ refreshUntil }) => refreshUntil * 1000 > Date.now());
}

/** Whether the token's family is on the grant's list, and its epoch is the grant's. */
export function isValidIn(grantValue: string, token: TokenValue): boolean {
  const { families, epoch } = grantLines(grantValue);
  return `,${families}`.includes(`,${token.family}=`) && (token.epoch ?? epoch) === epoch;
}

/** The last second of a family that does not end. */
export const endless = 4_294_967_295;

interface GrantLines extends Readonly<Record<'member' | 'client' | 'families' | 'record', string>> {
  readonly app: string | undefined;
  readonly epoch: number;
}

export function grantLines(value: string): GrantLines {
  const [head, rest] = cut(value);
  const [families, record] = cut(rest);
  const [member = '', names = '', epoch = 0] = head.split(' ');
  const [client, app] = namesIn(names);
  return { member, client, app, families, record, epoch: Number(epoch) };
}

function cut(value: string): readonly [firstLine: string, rest: string] {
  const end = value.indexOf('\n');
  if (end < 0) throw new Error('a value in Redis does not have the form that this store writes');
  return [value.slice(0, end), value.slice(end + 1)];
}

/** Milliseconds to live; 0 means no end. A lifetime that is over becomes the shortest one instead. */
export function lifetime(ttl: number | undefined): number {
  return ttl === undefined ? 0 : Math.max(1, Math.ceil(ttl * 1000));
}
