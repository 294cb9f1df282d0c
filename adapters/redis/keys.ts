import { createHash } from 'node:crypto';
import type { ListedKind, RecordKind } from '../../lib/contracts/store.ts';

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
};

/** The letters of the hashes that have the listed records of a kind. */
const listLetters: Readonly<Record<ListedKind, string>> = { Client: 'l', DocumentReview: 'w' };

/** The id of every other kind is a SHA-256. Half of it is unique enough for a name. */
const undigested: ReadonlySet<RecordKind> = new Set(['Grant', 'Client', 'Document', 'DocumentReview']);

/** Characters of base64url: 132 bits. */
const nameLength = 22;

/** Scripts derive further keys from those that they are given. */
export interface SiteKeys {
  record(kind: RecordKind, id: string): string;
  /** How values refer to a record: the end of its key. */
  reference(kind: RecordKind, id: string): string;
  /** Codes and tokens of a grant that has very many. */
  manyTokens(grantId: string): string;
  member(memberId: string): string;
  /** The grants of the site. It ends in one letter, which scripts cut off to derive other keys. */
  readonly site: string;
  listed(kind: ListedKind): string;
  /** The response of the call that won a redemption. */
  replay(kind: RecordKind, id: string): string;
  counter(name: string): string;
}

/** The keys of a site. Its id is their hash tag, so that all of them are in one slot of a cluster. */
export function siteKeys(prefix: string, siteId: string): SiteKeys {
  const base = `${prefix}:{${siteId === '' ? '%' : encodeURIComponent(siteId)}}:`;
  return {
    record: (kind, id) => `${base}${reference(kind, id)}`,
    reference,
    manyTokens: (grantId) => `${base}o:${nameOf('Grant', grantId)}`,
    member: (memberId) => `${base}m:${encodeURIComponent(memberId)}`,
    site: `${base}x`,
    listed: (kind) => `${base}${listLetters[kind]}`,
    replay: (kind, id) => `${base}p:${reference(kind, id)}`,
    counter: (name) => `${base}n:${encodeURIComponent(name)}`,
  };
}

function reference(kind: RecordKind, id: string): string {
  return `${letters[kind]}:${nameOf(kind, id)}`;
}

/** The name of a record within its kind, without space, comma, equals sign, colon and brace. */
export function nameOf(kind: RecordKind, id: string): string {
  const isDigest = !undigested.has(kind) && /^[\w-]{43}$/.test(id);
  return isDigest ? id.slice(0, nameLength) : encodeURIComponent(id);
}

/** A client's name in the lists of grants; half of its SHA-256 if it is long. */
export function tagOf(clientId: string): string {
  const name = encodeURIComponent(clientId);
  if (name.length <= nameLength) return name;
  return `=${createHash('sha256').update(name).digest('base64url').slice(0, nameLength)}`;
}
