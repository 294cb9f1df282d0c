import { createHash } from 'node:crypto';
import type { ListedKind, RecordKind } from '../../lib/contracts/record.ts';

/** The letter of each kind of record in its key. `docs/storage.md` lists all keys. */
const letters: Readonly<Record<RecordKind, string>> = {
  Session: 's',
  Interaction: 'i',
  Grant: 'g',
  AuthorizationCode: 'a',
  AccessToken: 't',
  RefreshToken: 'r',
  Client: 'c',
  Document: 'd',
  DocumentReview: 'v',
  ClientBlock: 'b',
  ConnectedClient: 'u',
  OneTimeSecret: 'o',
  KeyFingerprints: 'f',
};

/** The letters of the hashes that have the listed records of a kind. */
const listLetters: Readonly<Record<ListedKind, string>> = {
  Client: 'l',
  DocumentReview: 'w',
  ClientBlock: 'k',
  ConnectedClient: 'y',
};

export function isListedKind(kind: RecordKind): kind is ListedKind {
  return Object.hasOwn(listLetters, kind);
}

/** The id of every other kind is a SHA-256. Half of it is unique enough for a name. */
const undigested: ReadonlySet<RecordKind> = new Set([
  'Grant',
  'Client',
  'Document',
  'DocumentReview',
  'ClientBlock',
  'ConnectedClient',
  'KeyFingerprints',
]);

/** Characters of base64url: 132 bits. */
const nameLength = 22;

/** The keys of a site. Its id is their hash tag, so that all of them are in one slot of a cluster. */
export class SiteKeys {
  /** A key that does not exist. */
  readonly none: string;

  constructor(prefix: string, siteId: string) {
    this.none = `${prefix}:{${siteId === '' ? '%' : encodeURIComponent(siteId)}}:`;
  }

  record(kind: RecordKind, id: string): string {
    return `${this.none}${letters[kind]}:${nameOf(kind, id)}`;
  }

  /** A grant by its name, as codes, tokens and lists have it. */
  grant(name: string): string {
    return `${this.none}${letters.Grant}:${name}`;
  }

  /** The list of a member's grants. */
  member(memberId: string): string {
    return `${this.none}m:${encodeURIComponent(memberId)}`;
  }

  /** The list of the grants to a client. */
  client(clientId: string): string {
    return `${this.none}x:${clientName(clientId)}`;
  }

  /** Both lists of a grant, from its first line. */
  lists(head: string): readonly [member: string, client: string] {
    const [member = '', client = ''] = head.split(' ');
    return [`${this.none}m:${member}`, `${this.none}x:${client}`];
  }

  listed(kind: ListedKind): string {
    return this.none + listLetters[kind];
  }

  /** The response of the call that won a redemption. */
  replay(kind: RecordKind, id: string): string {
    return `${this.none}p:${letters[kind]}:${nameOf(kind, id)}`;
  }

  counter(name: string): string {
    return `${this.none}n:${encodeURIComponent(name)}`;
  }
}

/** The name of a record within its kind, without space, comma, equals sign, colon and brace. */
export function nameOf(kind: RecordKind, id: string): string {
  const isDigest = !undigested.has(kind) && /^[\w-]{43}$/.test(id);
  return isDigest ? id.slice(0, nameLength) : encodeURIComponent(id);
}

/** A client's name in the key of its list of grants; half of its SHA-256 if it is long. */
function clientName(clientId: string): string {
  const name = encodeURIComponent(clientId);
  if (name.length <= nameLength) return name;
  return `=${createHash('sha256').update(name).digest('base64url').slice(0, nameLength)}`;
}

/** The first line of a grant. */
export function grantHead(memberId: string, clientId: string): string {
  return `${encodeURIComponent(memberId)} ${clientName(clientId)}`;
}
