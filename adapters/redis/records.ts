import type { Entry, Found, ListedKind, RecordKind } from '../../lib/contracts/store.ts';
import { nameOf } from './keys.ts';
import { saveGrant, saveListed, saveToken } from './scripts/save.ts';
import type { Session } from './session.ts';
import { grantHead, isToken, lifetime, readGrantValue, readTokenValue, tokenValue } from './values.ts';

export async function find(session: Session, kind: RecordKind, id: string): Promise<Found | undefined> {
  const saved = session.command('GET', session.keys.record(kind, id));
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
  if (kind === 'Grant') return readGrantValue(value);
  return isToken(kind) ? readTokenValue(value) : { record: value };
}

/** Writes an entry with its links, by a script if it can have any. */
export async function save(session: Session, entry: Entry): Promise<void> {
  const { kind, id, record, grantId, memberId, clientId, listed = false } = entry;
  const { keys } = session;
  const key = keys.record(kind, id);
  const milliseconds = lifetime(entry.ttl);
  if (isListedKind(kind)) {
    if (listed && entry.ttl !== undefined)
      throw new TypeError('a listed record lives until it is removed; give it no ttl');
    const args = [record, milliseconds, listed ? 1 : 0];
    await session.run({ script: saveListed, keys: [key, keys.listed(kind)], args });
  } else if (kind === 'Grant') {
    const lists = memberId === undefined ? [keys.site] : [keys.site, keys.member(memberId)];
    const args = [grantHead(memberId, clientId), record, milliseconds];
    await session.run({ script: saveGrant, keys: [key, keys.manyTokens(id), ...lists], args });
  } else if (isToken(kind) && grantId !== undefined) {
    const grant = [keys.record('Grant', grantId), keys.manyTokens(grantId)];
    await session.run({
      script: saveToken,
      keys: [key, ...grant],
      args: [tokenValue(record, grantId), milliseconds],
    });
  } else {
    const value = isToken(kind) ? tokenValue(record) : record;
    await session.command('SET', key, value, ...(milliseconds > 0 ? ['PX', milliseconds] : []));
  }
}

export async function remove(session: Session, kind: RecordKind, id: string): Promise<void> {
  const removed = session.command('DEL', session.keys.record(kind, id));
  if (!isListedKind(kind)) await removed;
  else await Promise.all([removed, session.command('HDEL', session.keys.listed(kind), nameOf(kind, id))]);
}

function isListedKind(kind: RecordKind): kind is ListedKind {
  return kind === 'Client' || kind === 'DocumentReview';
}
