import { createHash } from 'node:crypto';
import type { RecordKind } from '../../lib/contracts/store.ts';

/** The letter of each kind of record in its key. `docs/storage.md` has the whole list of keys. */
const letters: Readonly<Record<RecordKind, string>> = {
  Session: 's',
  Interaction: 'i',
  Grant: 'g',
  AuthorizationCode: 'a',
  AccessToken: 't',
  RefreshToken: 'r',
  Client: 'c',
  Document: 'd',
};

/** Kinds whose id is a SHA-256; half of it is as good a name. */
const digested: ReadonlySet<RecordKind> = new Set([
  'Session',
  'Interaction',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
]);

/** How much of a SHA-256 in base64url makes a name: 132 bits. */
const nameLength = 22;

/** The names of one site's keys: the only place that knows them, but for what scripts derive from a key given to them. */
export interface SiteKeys {
  /** One record. */
  record(kind: RecordKind, id: string): string;
  /** A record's name within the site, as other values refer to it: the end of its key without the colon. */
  reference(kind: RecordKind, id: string): string;
  /** Codes and tokens of a grant that has very many. */
  manyTokens(grantId: string): string;
  /** The grants of a member. */
  member(memberId: string): string;
  /** The grants of the site. Scripts derive other keys from it, so that it is a single letter. */
  readonly site: string;
  /** The listed clients. */
  readonly clients: string;
  /** The winner's answer to a redemption. */
  replay(kind: RecordKind, id: string): string;
  /** What is counted under a name. */
  counter(name: string): string;
}

/** The keys of a site: all in one slot of a cluster, since its id is their hash tag. */
export function siteKeys(prefix: string, siteId: string): SiteKeys {
  const base = `${prefix}:{${siteId === '' ? '%' : encodeURIComponent(siteId)}}:`;
  return {
    record: (kind, id) => `${base}${letters[kind]}:${nameOf(kind, id)}`,
    reference: (kind, id) => `${letters[kind]}${nameOf(kind, id)}`,
    manyTokens: (grantId) => `${base}o:${nameOf('Grant', grantId)}`,
    member: (memberId) => `${base}m:${encodeURIComponent(memberId)}`,
    site: `${base}x`,
    clients: `${base}l`,
    replay: (kind, id) => `${base}p:${letters[kind]}${nameOf(kind, id)}`,
    counter: (name) => `${base}n:${encodeURIComponent(name)}`,
  };
}

/** The name of a record within its kind: no space, comma, colon or brace in it. */
export function nameOf(kind: RecordKind, id: string): string {
  return digested.has(kind) && /^[\w-]{43}$/.test(id) ? id.slice(0, nameLength) : encodeURIComponent(id);
}

/** A client's name in the lists of grants: itself where it is short, else half of its SHA-256. */
export function tagOf(clientId: string): string {
  const name = encodeURIComponent(clientId);
  return name.length <= nameLength
    ? name
    : `=${createHash('sha256').update(name).digest('base64url').slice(0, nameLength)}`;
}
