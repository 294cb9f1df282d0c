import type { RecordKind, RecordOf, RedeemableKind } from './record.ts';
import type { MemberType } from './record-kind-row.ts';
import { recordKinds } from './record-kinds.ts';
import { boundedCache } from '../kernel/bounded-cache.ts';
import { digest } from '../kernel/crypto.ts';
import { idOfLineToken } from './line-tokens.ts';
import type { JsonMembers } from '../kernel/json.ts';
import { recordForms } from './record-forms.ts';

export type ClientMetadata = RecordOf<'Client'>;
export type ConnectedClientRecord = RecordOf<'ConnectedClient'>;
export type DocumentRecord = RecordOf<'Document'>;
export type DocumentReviewRecord = RecordOf<'DocumentReview'>;
export type GrantRecord = RecordOf<'Grant'>;
export type OneTimeSecretRecord = RecordOf<'OneTimeSecret'>;
export type AppRequestRecord = RecordOf<'AppRequest'>;
export type TokenRecord = RecordOf<RedeemableKind>;

/** A store sees only the digest of an id that is a credential. A damaged token gets a digest that no record has. */
export function storedId(kind: RecordKind, id: string): string {
  if (recordKinds[kind].secret !== true) return id;
  return (kind === 'RefreshToken' ? idOfLineToken(id) : undefined) ?? digest(id);
}

/** One for each member and client, so that consents at the same moment write the same grant. It is not a credential. */
export function grantIdOf(memberId: string, clientId: string): string {
  const grant = JSON.stringify(['grant', memberId, clientId]);
  let id = grantIds.get(grant);
  if (id === undefined) {
    id = digest(grant).slice(0, 22);
    grantIds.set(grant, id);
  }
  return id;
}

/** A request asks several times for the id of one grant. */
const grantIds = boundedCache<string>(1000);

/** The family that a code starts. 66 bits are enough: its id is unique within its grant. */
export function familyIdOf(storedCodeId: string): string {
  return storedCodeId.slice(0, 11);
}

export function serializeRecord(kind: RecordKind, record: JsonMembers): string {
  const [{ version, write }] = recordForms(kind);
  return JSON.stringify({ v: version, ...write(record) });
}

/** The members of a stored record, whichever form it has. @throws Error for a version that this release does not read */
export function storedMembers(kind: RecordKind, stored: string): JsonMembers {
  const parsed: unknown = JSON.parse(stored);
  const { v: version, ...record } = isMembers(parsed) ? parsed : wrong('record', 'an object');
  const forms = recordForms(kind);
  const form = forms.find((each) => each.version === version);
  if (form) return form.read(record);
  const readable = forms.map((each) => each.version).toSorted((a, b) => a - b);
  throw new Error(
    `the record has version ${JSON.stringify(version)}; this release reads version ${readable.join(' and ')}`,
  );
}

/** @throws Error for a version that this release does not read, or a text that is not a record of this kind */
export function parseRecord<K extends RecordKind>(kind: K, stored: string): RecordOf<K> {
  const record = storedMembers(kind, stored);
  const current = readings[kind]?.(record) ?? record;
  checkRecord(kind, current);
  return current;
}

/** How records are read whose stored form is another one. */
const readings: Readonly<Partial<Record<RecordKind, (record: JsonMembers) => JsonMembers>>> = {
  // The audience is stored under a name that tells whether the client is configured in code.
  AccessToken: ({ static: own, ...record }) => ({
    ...record,
    audience: own ?? record['audience'],
    isStatic: own !== undefined,
  }),
};

/** @throws TypeError that names a member that is missing or has another type */
function checkRecord<K extends RecordKind>(kind: K, record: JsonMembers): asserts record is RecordOf<K> & JsonMembers {
  const { members: required, optional: others } = recordKinds[kind];
  for (const name in required) check(record, name, required[name]);
  for (const name in others) if (record[name] !== undefined) check(record, name, others[name]);
}

function check(record: JsonMembers, name: string, type: MemberType | undefined): void {
  const value = record[name];
  if (type === 'object') members(record, name);
  else if (type === 'strings') {
    if (!isStrings(value)) wrong(name, 'an array of strings');
  } else if (type === 'lists') {
    if (!Object.values(members(record, name)).every(isStrings)) wrong(name, 'an object with arrays of strings');
  } else if (typeof type === 'object') {
    if (!type.some((each) => each === value)) wrong(name, type.join(' or '));
  } else if (typeof value !== type) wrong(name, `a ${type}`);
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

// The functions below read one member of an object of unknown origin, and throw if that has another type.

export function text(object: JsonMembers, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : wrong(name, 'a string');
}

export function members(object: JsonMembers, name: string): JsonMembers {
  const value = object[name];
  return isMembers(value) ? value : wrong(name, 'an object');
}

export function optional<T>(
  object: JsonMembers,
  name: string,
  read: (object: JsonMembers, name: string) => T,
): T | undefined {
  return object[name] === undefined ? undefined : read(object, name);
}

function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(name: string, type: string): never {
  throw new TypeError(`${name} must be ${type}`);
}
