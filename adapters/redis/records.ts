import {
  isListed,
  isToken,
  type NewRecord,
  type RecordKind,
  type StoredRecord,
  type TokenKind,
} from '../../lib/contracts/record.ts';
import type { FindOptions } from '../../lib/contracts/store.ts';
import { grantHead, nameOf } from './keys.ts';
import { findToken as findTokenScript } from './scripts/find-token.ts';
import { removeRecord, saveRecord } from './scripts/record.ts';
import { saveGrant, saveToken } from './scripts/save.ts';
import type { Session } from './session.ts';
import { familyName, isValidIn, lifetime, readGrantValue, readTokenValue } from './values.ts';

export function find(
  session: Session,
  kind: RecordKind,
  id: string,
  { withGrant = false }: FindOptions = {},
): Promise<StoredRecord | undefined> {
  const key = session.keys.record(kind, id);
  return isToken(kind) ? findToken(session, kind, key, withGrant) : findOther(session, kind, id, key);
}

async function findOther(
  session: Session,
  kind: Exclude<RecordKind, TokenKind>,
  id: string,
  key: string,
): Promise<StoredRecord | undefined> {
  const saved = session.command('GET', key);
  if (isListed(kind)) {
    const [own, listed] = await Promise.all([
      saved,
      session.command('HGET', session.keys.listed(kind), nameOf(kind, id)),
    ]);
    const record = own ?? listed;
    return typeof record === 'string' ? { record } : undefined;
  }
  const value = await saved;
  if (typeof value !== 'string') return undefined;
  return kind === 'Grant' ? readGrantValue(value) : { record: value };
}

async function findToken(
  session: Session,
  kind: TokenKind,
  key: string,
  withGrant: boolean,
): Promise<StoredRecord | undefined> {
  const reply = await session.run({ script: findTokenScript, keys: [key], args: withGrant ? [1] : [] });
  if (reply === null) return undefined;
  if (typeof reply === 'string') return readTokenValue(kind, reply).found;
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that finds tokens');
  const [value, there]: unknown[] = reply;
  const token = readTokenValue(kind, String(value));
  // Without it the grant does not exist, or is on the other node of a cluster that is moving the slot.
  const grant = there ?? (await session.command('GET', session.keys.grant(token.grant)));
  if (typeof grant !== 'string' || !isValidIn(grant, token)) return undefined;
  return withGrant ? { ...token.found, grant: readGrantValue(grant) } : token.found;
}

/** Writes an entry with its links. */
export async function save(session: Session, entry: NewRecord): Promise<boolean> {
  const { kind, id, record, grantId = '', familyId = '', memberId = '', clientId = '', listed = false } = entry;
  const { keys } = session;
  const key = keys.record(kind, id);
  const milliseconds = lifetime(entry.ttl);
  if (isToken(kind)) {
    const args = [familyName(familyId), record, milliseconds];
    return written(session.run({ script: saveToken, keys: [key, keys.record('Grant', grantId)], args }));
  }
  const read = asRead(entry.replaces);
  if (kind === 'Grant') {
    const args = [
      grantHead(memberId, clientId),
      record,
      milliseconds,
      entry.endsAccessTokens === true ? 1 : 0,
      ...read,
    ];
    return written(session.run({ script: saveGrant, keys: [key, keys.member(memberId), keys.client(clientId)], args }));
  }
  if (isListed(kind)) {
    if (listed && entry.ttl !== undefined)
      throw new TypeError('a listed record lives until it is removed; give it no ttl');
    const args = [record, milliseconds, listed ? 1 : 0, ...read];
    return written(session.run({ script: saveRecord, keys: [key, keys.listed(kind)], args }));
  }
  return written(session.run({ script: saveRecord, keys: [key], args: [record, milliseconds, 0, ...read] }));
}

/** The last argument of the scripts that write over what was read. */
function asRead(replaces: string | null | undefined): string[] {
  if (replaces === undefined) return [];
  return [replaces === null ? '-' : `=${replaces}`];
}

async function written(reply: Promise<unknown>): Promise<boolean> {
  return (await reply) === 1;
}

export async function remove(session: Session, kind: RecordKind, id: string): Promise<boolean> {
  const { keys } = session;
  const lists = isListed(kind) ? [keys.listed(kind)] : [];
  return written(session.run({ script: removeRecord, keys: [keys.record(kind, id), ...lists], args: [] }));
}
