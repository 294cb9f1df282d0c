import type { Entry, Found, ListedKind, RecordKind } from '../../lib/contracts/store.ts';
import { grantHead, nameOf } from './keys.ts';
import { findToken as findTokenScript } from './scripts/find-token.ts';
import { removeRecord, setRecord } from './scripts/record.ts';
import { saveGrant, saveListed, saveToken } from './scripts/save.ts';
import type { Session } from './session.ts';
import { familyName, hasFamily, isToken, lifetime, readGrantValue, readTokenValue } from './values.ts';

export async function find(session: Session, kind: RecordKind, id: string): Promise<Found | undefined> {
  const key = session.keys.record(kind, id);
  if (isToken(kind)) return findToken(session, key);
  const saved = session.command('GET', key);
  if (isListedKind(kind)) {
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

async function findToken(session: Session, key: string): Promise<Found | undefined> {
  const reply = await session.run({ script: findTokenScript, keys: [key], args: [] });
  if (reply === null) return undefined;
  if (typeof reply === 'string') return readTokenValue(reply).found;
  // The grant does not exist, or is on the other node of a cluster that is moving the slot.
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that finds tokens');
  const { grant, family, found } = readTokenValue(String(reply[0]));
  const value = await session.command('GET', session.keys.grant(grant));
  return typeof value === 'string' && hasFamily(value, family) ? found : undefined;
}

/** Writes an entry with its links. */
export async function save(session: Session, entry: Entry): Promise<void> {
  const { kind, id, record, grantId = '', familyId = '', memberId = '', clientId = '', listed = false } = entry;
  const { keys } = session;
  const key = keys.record(kind, id);
  const milliseconds = lifetime(entry.ttl);
  if (isListedKind(kind)) {
    if (listed && entry.ttl !== undefined)
      throw new TypeError('a listed record lives until it is removed; give it no ttl');
    const args = [record, milliseconds, listed ? 1 : 0];
    await session.run({ script: saveListed, keys: [key, keys.listed(kind)], args });
  } else if (kind === 'Grant') {
    const args = [grantHead(memberId, clientId), record, milliseconds];
    await session.run({ script: saveGrant, keys: [key, keys.member(memberId), keys.client(clientId)], args });
  } else if (isToken(kind)) {
    const args = [familyName(familyId), record, milliseconds, kind === 'RefreshToken' ? 1 : 0];
    await session.run({ script: saveToken, keys: [key, keys.record('Grant', grantId)], args });
  } else {
    await session.run({ script: setRecord, keys: [key], args: [record, milliseconds] });
  }
}

export async function remove(session: Session, kind: RecordKind, id: string): Promise<void> {
  const { keys } = session;
  const lists = isListedKind(kind) ? [keys.listed(kind)] : [];
  await session.run({ script: removeRecord, keys: [keys.record(kind, id), ...lists], args: [] });
}

function isListedKind(kind: RecordKind): kind is ListedKind {
  return kind === 'Client' || kind === 'DocumentReview';
}
