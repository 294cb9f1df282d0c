import { createHash } from 'node:crypto';
import type { ListedKind, RecordKind } from '../../lib/contracts/record.ts';
import { recordKinds } from '../../lib/contracts/record-kinds.ts';

/** Half of a SHA-256 is unique enough for a name: 132 bits in characters of base64url. */
const nameLength = 22;

/** The keys of a site. Its id is their hash tag, so that all of them are in one slot of a cluster. */
export class SiteKeys {
  /** A key that does not exist. */
  readonly none: string;

  constructor(prefix: string, siteId: string) {
    this.none = `${prefix}:{${siteId === '' ? '%' : encodeURIComponent(siteId)}}:`;
  }

  record(kind: RecordKind, id: string): string {
    return `${this.none}${recordKinds[kind].key}:${nameOf(kind, id)}`;
  }

  /** A grant by its name, as codes, tokens and lists have it. */
  grant(name: string): string {
    return `${this.none}${recordKinds.Grant.key}:${name}`;
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
    return `${this.none}${recordKinds[kind].list ?? ''}`;
  }

  /** The response of the call that won a redemption. */
  replay(kind: RecordKind, id: string): string {
    return `${this.none}p:${recordKinds[kind].key}:${nameOf(kind, id)}`;
  }

  counter(name: string): string {
    return `${this.none}n:${encodeURIComponent(name)}`;
  }
}

/** The name of a record within its kind, without space, comma, equals sign, colon and brace. */
export function nameOf(kind: RecordKind, id: string): string {
  const isDigest = recordKinds[kind].secret === true && /^[\w-]{43}$/.test(id);
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
