import type { RecordKind } from '../contracts/record.ts';
import { digest } from '../runtime/crypto.ts';
import { parsers, type RecordOf } from './kinds.ts';
import { json } from './members.ts';

const currentVersion = 1;

/** The formats that this release reads: the current one and the one before. `docs/storage.md` has the rule. */
const readableVersions: readonly number[] = [currentVersion];

/** Kinds whose id is not a credential. Of a credential a store sees only the digest. */
const publicIds: ReadonlySet<RecordKind> = new Set([
  'Grant',
  'Client',
  'Document',
  'DocumentReview',
  'ClientBlock',
  'ConnectedClient',
  'KeyFingerprints',
]);

export function storedId(kind: RecordKind, id: string): string {
  return publicIds.has(kind) ? id : digest(id);
}

/**
 * The id of a member's grant to a client. There is one for each member and client: consents given at the same moment in
 * two browsers or processes write the same grant. The id is not a credential.
 */
export function grantIdOf(memberId: string, clientId: string): string {
  return digest(JSON.stringify(['grant', memberId, clientId])).slice(0, 22);
}

/**
 * The token family that a code starts: 66 bits of the digest that is its stored id, since a family's id need only be unique
 * within its grant.
 */
export function familyIdOf(storedCodeId: string): string {
  return storedCodeId.slice(0, 11);
}

export function serializeRecord(record: RecordOf<RecordKind>): string {
  return JSON.stringify({ v: currentVersion, ...record });
}

/** @throws Error for a version that this release does not read, or a text that is not a record of this kind */
export function parseRecord<K extends RecordKind>(kind: K, stored: string): RecordOf<K> {
  const record = json({ record: JSON.parse(stored) }, 'record');
  const version = record['v'];
  if (typeof version === 'number' && readableVersions.includes(version)) return parsers[kind](record);
  throw new Error(
    `the record has version ${JSON.stringify(version)}; this release reads version ${readableVersions.join(' and ')}`,
  );
}
