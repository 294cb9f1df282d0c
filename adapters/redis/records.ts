import { randomUUID } from 'node:crypto';
import {
  isAlwaysListed,
  isListed,
  isToken,
  lineOf,
  type LineToken,
  nameOf,
  type NewRecord,
  type RecordKind,
  type StoredRecord,
} from '../../lib/records/record.ts';
import { type Grantee, granteeName, hidesId } from '../../lib/records/grantee.ts';
import type { FindOptions, Redemption, RedemptionOutcome } from '../../lib/records/store.ts';
import { grantHead, isValidIn, lifetime, readGrantValue, readTokenValue } from './format.ts';
import { findLine, findToken, removeLine, removeRecord, saveGrant, saveRecord, saveToken } from './scripts/records.ts';
import { redeem as redeemScript } from './scripts/redeem.ts';
import type { Session } from './session.ts';

export async function find(
  session: Session,
  kind: RecordKind,
  id: string,
  { withGrant = false }: FindOptions = {},
): Promise<StoredRecord | undefined> {
  const { keys } = session;
  const key = keys.record(kind, id);
  if (!isToken(kind)) {
    const reading = isAlwaysListed(kind) ? undefined : session.command('GET', key);
    const listing = isListed(kind) ? session.command('HGET', keys.listed(kind), nameOf(kind, id)) : undefined;
    const [own, listed] = await Promise.all([reading, listing]);
    const value = own ?? listed;
    if (typeof value !== 'string') return undefined;
    return kind === 'Grant' ? readGrantValue(value) : { record: value };
  }
  const line = lineOf(kind, id);
  if (line) return findInLine(session, { key, replay: keys.replay(kind, id), ...line }, withGrant);
  const reply = await session.evaluate(findToken, [key], withGrant ? [1] : []);
  if (reply === null) return undefined;
  if (typeof reply === 'string') return readTokenValue(kind, reply).found;
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that finds tokens');
  const [value, known, at]: unknown[] = reply;
  const token = readTokenValue(kind, String(value));
  const found = { ...token.found, ...(typeof at === 'number' && { now: at }) };
  // Without it the grant does not exist, or is on the other node of a cluster that is moving the slot.
  const grant = known ?? (await session.command('GET', keys.named('Grant', token.grant)));
  if (typeof grant !== 'string' || !isValidIn(grant, token)) return undefined;
  return withGrant ? { ...found, grant: readGrantValue(grant) } : found;
}

/** A token of a line: the live one, one that was redeemed just now, or an earlier one. */
async function findInLine(
  session: Session,
  { key, replay, token: name }: LineToken & { readonly key: string; readonly replay: string },
  withGrant: boolean,
): Promise<StoredRecord | undefined> {
  const reply = await session.evaluate(findLine, [key, replay], [name]);
  if (reply === null) return undefined;
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that finds lines');
  const [value, known, redeemed, at]: unknown[] = reply;
  const token = readTokenValue('RefreshToken', String(value));
  // As for other tokens: the grant may be on the other node of a cluster that is moving the slot.
  const grant = known ?? (await session.command('GET', session.keys.named('Grant', token.grant)));
  if (typeof grant !== 'string' || !isValidIn(grant, token)) return undefined;
  const consumed = redeemed !== undefined && { consumed: Number(redeemed), now: Number(at) };
  return { ...token.found, ...consumed, ...(withGrant && { grant: readGrantValue(grant) }) };
}

export async function save(session: Session, entry: NewRecord): Promise<boolean> {
  const {
    kind,
    id,
    record,
    ttl,
    grantId = '',
    familyId = '',
    memberId = '',
    clientId = '',
    app,
    listed = false,
  } = entry;
  const { keys } = session;
  const key = keys.record(kind, id);
  if (isToken(kind)) {
    const args = [encodeURIComponent(familyId), record, lifetime(ttl), nameInLine(kind, id)];
    return (await session.write(saveToken, [key, keys.record('Grant', grantId)], args)) === 1;
  }
  const { replaces } = entry;
  const read = replaces === undefined ? [] : [replaces === null ? '-' : `=${replaces}`];
  if (kind === 'Grant') {
    const ends = entry.endsAccessTokens === true ? 1 : 0;
    const head = grantHead(memberId, clientId, app);
    const hidden = hiddenId(app === undefined ? { clientId } : { app });
    const args = [head, record, lifetime(ttl), ends, hidden?.id ?? '', ...read];
    const ids = hidden ? [keys.idOf(hidden.name)] : [];
    return (await session.write(saveGrant, [key, keys.use, ...keys.lists(head), ...ids], args)) === 1;
  }
  if (listed && ttl !== undefined) throw new TypeError('a listed record lives until it is removed; give it no ttl');
  if (!listed && isAlwaysListed(kind)) throw new TypeError(`a ${kind} is always listed; pass listed: true`);
  const args = [record, lifetime(ttl), isListed(kind) && listed ? 1 : 0, ...read];
  return (await session.write(saveRecord, [key, ...listOf(session, kind)], args)) === 1;
}

/** A name that does not tell the id, and the id. */
function hiddenId(grantee: Grantee): { readonly name: string; readonly id: string } | undefined {
  const name = granteeName(grantee);
  return hidesId(name) ? { name, id: 'app' in grantee ? grantee.app : grantee.clientId } : undefined;
}

/** The name that the record of a line has of its live token, with its mark; empty for other records. */
function nameInLine(kind: RecordKind, id: string): string {
  const line = lineOf(kind, id);
  return line ? `~${line.token}` : '';
}

export async function remove(session: Session, kind: RecordKind, id: string, text?: string): Promise<boolean> {
  const name = nameInLine(kind, id);
  if (name !== '') return (await session.write(removeLine, [session.keys.record(kind, id)], [name])) === 1;
  const keys = [session.keys.record(kind, id), ...listOf(session, kind)];
  return (await session.write(removeRecord, keys, text === undefined ? [] : [text])) === 1;
}

function listOf({ keys }: Session, kind: RecordKind): string[] {
  return isListed(kind) ? [keys.listed(kind)] : [];
}

export async function redeem(session: Session, redemption: Redemption): Promise<RedemptionOutcome> {
  const { kind, id, grantId, epoch = 0, tokens, replay, quota } = redemption;
  const { keys } = session;
  // 32 random bits. A UUID is quick to make: Node caches entropy for UUIDs.
  const attempt = randomUUID().slice(0, 8);
  const written = [
    keys.record(kind, id),
    keys.replay(kind, id),
    keys.record('Grant', grantId),
    keys.counter(quota?.name ?? ''),
    ...tokens.map((token) => keys.record(token.kind, token.id)),
  ];
  const args = [
    attempt,
    replay?.sealed ?? '',
    lifetime(replay?.ttl),
    epoch,
    quota?.limit ?? '',
    lifetime(quota?.window),
    nameInLine(kind, id),
    ...tokens.flatMap((token) => [token.record, lifetime(token.ttl), nameInLine(token.kind, token.id)]),
  ];
  const isDurable = (reply: unknown): boolean => {
    const outcome = readOutcome(reply);
    return outcome.won || outcome.replay !== undefined;
  };
  return readOutcome(await session.write(redeemScript, written, args, isDurable));
}

function readOutcome(reply: unknown): RedemptionOutcome {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the redemption script');
  const [outcome, more] = reply.map((item) => (item === null ? undefined : String(item)));
  if (outcome === 'won') return { won: true };
  if (outcome === 'limited') return { won: false, retryAfter: Math.ceil(Number(more) / 1000) };
  return more === undefined ? { won: false } : { won: false, replay: more };
}
