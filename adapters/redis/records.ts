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
  type TokenKind,
} from '../../lib/records/record.ts';
import { type Grantee, granteeName, hidesId } from '../../lib/records/grantee.ts';
import type { FindOptions, RecordName, Redemption, RedemptionOutcome } from '../../lib/records/store.ts';
import { devicesIn, grantHead, isValidIn, lifetime, readGrantValue, readTokenValue, type RedisKeys } from './format.ts';
import { findLine, findToken, removeLine, removeRecord, saveGrant, saveRecord, saveToken } from './scripts/records.ts';
import { redeem as redeemScript } from './scripts/redeem.ts';
import type { Session } from './session.ts';

export async function find(
  session: Session,
  kind: RecordKind,
  id: string,
  options: FindOptions = {},
): Promise<StoredRecord | undefined> {
  if (!isToken(kind)) return findWithOthers(session, kind, id, options);
  const line = lineOf(kind, id);
  const { keys } = session;
  const key = keys.record(kind, id);
  const asked = { withGrant: options.withGrant ?? false, also: options.also && placesOf(keys, options.also) };
  return line
    ? findInLine(session, { key, replay: keys.replay(kind, id), ...line }, asked)
    : findOutsideLines(session, kind, key, asked);
}

/** All commands are sent at the same time. */
async function findWithOthers(
  session: Session,
  kind: RecordKind,
  id: string,
  { also }: FindOptions,
): Promise<StoredRecord | undefined> {
  const others = also && Promise.all(also.map((other) => findValue(session, other.kind, other.id)));
  const [value, known] = await Promise.all([
    findValue(session, kind, id),
    // The caller asks again, and learns why.
    others?.catch(() => undefined),
  ]);
  if (value === undefined) return undefined;
  return {
    ...readValue(kind, value),
    // Only pages look at them.
    ...(kind === 'Grant' && { devices: devicesIn(value) }),
    ...(also && known && { also: also.map((other, i) => readFound(other.kind, known[i])) }),
  };
}

async function findValue(session: Session, kind: RecordKind, id: string): Promise<string | undefined> {
  const { keys } = session;
  const reading = isAlwaysListed(kind) ? undefined : session.command('GET', keys.record(kind, id));
  const listing = isListed(kind) ? session.command('HGET', keys.listed(kind), nameOf(kind, id)) : undefined;
  const [own, listed] = await Promise.all([reading, listing]);
  const value = own ?? listed;
  return typeof value === 'string' ? value : undefined;
}

function readValue(kind: RecordKind, value: string): StoredRecord {
  return kind === 'Grant' ? readGrantValue(value) : { record: value };
}

function readFound(kind: RecordKind, value: unknown): StoredRecord | undefined {
  return typeof value === 'string' ? readValue(kind, value) : undefined;
}

/** Where a script finds a record: in a key, or in a field of one. */
interface RecordPlace {
  readonly kind: RecordKind;
  readonly key: string;
  /** Empty if it is not in a hash. */
  readonly field: string;
}

/** Nothing if one of them can be in two places. */
function placesOf(keys: RedisKeys, names: readonly RecordName[]): readonly RecordPlace[] | undefined {
  if (names.some(({ kind }) => isListed(kind) && !isAlwaysListed(kind))) return undefined;
  return names.map(({ kind, id }) =>
    isListed(kind)
      ? { kind, key: keys.listed(kind), field: nameOf(kind, id) }
      : { kind, key: keys.record(kind, id), field: '' },
  );
}

/** What is asked for with a code or token. */
interface AskedWith {
  readonly withGrant: boolean;
  readonly also: readonly RecordPlace[] | undefined;
}

/** The others that a script has found. */
function othersIn(reply: unknown, { also }: AskedWith): Pick<StoredRecord, 'also'> {
  if (!also || !Array.isArray(reply)) return {};
  const values: readonly unknown[] = reply;
  return { also: also.map(({ kind }, i) => readFound(kind, values[i])) };
}

async function findOutsideLines(
  session: Session,
  kind: TokenKind,
  key: string,
  asked: AskedWith,
): Promise<StoredRecord | undefined> {
  const { withGrant, also = [] } = asked;
  const isPlain = !withGrant && also.length === 0;
  const args = isPlain ? [] : [withGrant ? 1 : 0, ...also.map(({ field }) => field)];
  const reply = await session.evaluate(findToken, [key, ...also.map((other) => other.key)], args);
  if (reply === null) return undefined;
  if (typeof reply === 'string') return readTokenValue(kind, reply).found;
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that finds tokens');
  const [value, known, at, others]: unknown[] = reply;
  const token = readTokenValue(kind, String(value));
  const found = { ...token.found, ...(typeof at === 'number' && { now: at }), ...othersIn(others, asked) };
  // Without it the grant does not exist, or is on the other node of a cluster that is moving the slot.
  const grant = known ?? (await session.command('GET', session.keys.named('Grant', token.grant)));
  if (typeof grant !== 'string' || !isValidIn(grant, token)) return undefined;
  return withGrant ? { ...found, grant: readGrantValue(grant) } : found;
}

/** A token of a line: the live one, one that was redeemed just now, or an earlier one. */
async function findInLine(
  session: Session,
  { key, replay, token: name }: LineToken & { readonly key: string; readonly replay: string },
  asked: AskedWith,
): Promise<StoredRecord | undefined> {
  const { withGrant, also = [] } = asked;
  const keys = [key, replay, ...also.map((other) => other.key)];
  const reply = await session.evaluate(findLine, keys, [name, ...also.map(({ field }) => field)]);
  if (reply === null) return undefined;
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that finds lines');
  const [value, known, others, redeemed, at]: unknown[] = reply;
  const token = readTokenValue('RefreshToken', String(value));
  // As for other tokens: the grant may be on the other node of a cluster that is moving the slot.
  const grant = known ?? (await session.command('GET', session.keys.named('Grant', token.grant)));
  if (typeof grant !== 'string' || !isValidIn(grant, token)) return undefined;
  const consumed = redeemed !== undefined && { consumed: Number(redeemed), now: Number(at) };
  const found = { ...token.found, ...consumed, ...othersIn(others, asked) };
  return withGrant ? { ...found, grant: readGrantValue(grant) } : found;
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
