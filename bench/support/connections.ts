import type { Store } from '../../lib/store.ts';
import { nameOf, siteName } from '../../lib/records/record.ts';
import type { CopiedRecord, StoreTransfer } from '../../lib/records/store-copy.ts';
import { familyIdOf, grantIdOf, storedId } from '../../lib/records/codec.ts';
import { idOfLineToken } from '../../lib/records/line-tokens.ts';
import { digest } from '../../lib/kernel/crypto.ts';

/** A call of the store. */
interface NotedCall {
  readonly method: string | symbol;
  readonly args: readonly unknown[];
}

/** What the connection of one member at one school has for a name. */
export interface Names {
  readonly siteId: string;
  readonly origin: string;
  readonly memberId: string;
  readonly clientId: string;
  readonly code: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

const unrelated = new Set(['Session', 'Interaction']);

/** The calls of a store that write a connection. */
export interface Notes {
  readonly store: Store;
  readonly calls: readonly NotedCall[];
}

/** A store whose calls can be noted. */
interface WatchedStore {
  readonly watched: Store;
  /** Notes the calls that `make` leads to and that concern a grant, a code or a token. */
  readonly noteDuring: <T>(make: () => Promise<T>) => Promise<{ readonly made: T; readonly notes: Notes }>;
}

function isOfConnection(entry: unknown): boolean {
  const kind: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'kind') : undefined;
  return typeof kind === 'string' && !unrelated.has(kind);
}

/** Watches a store. Nothing is kept of the calls at other times: a benchmark would make its own load expensive. */
export function watchStore(store: Store): WatchedStore {
  let calls: NotedCall[] | undefined;
  const watched = new Proxy(store, {
    get: (target, name): unknown => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (calls && isOfConnection(args[1])) calls.push({ method: name, args });
        return Reflect.apply(member, target, args);
      };
    },
  });
  return {
    watched,
    noteDuring: async (make) => {
      const noted: NotedCall[] = [];
      calls = noted;
      const made = await make();
      calls = undefined;
      return { made, notes: { store, calls: noted } };
    },
  };
}

/** In seconds since the epoch: when the refresh tokens of numbered connections expire. */
const expires = Math.floor(Date.now() / 1000) + 30 * 86_400;

/** The names of the connection with this number. */
export function connectionOf(number: number, siteId: string, clientId: string): Names {
  return {
    siteId,
    origin: `http://${siteId}.test`,
    memberId: `member-${number}`,
    clientId,
    code: digest(`code ${number}`),
    accessToken: digest(`access ${number}`),
    refreshToken: refreshTokenOf(number, 0),
  };
}

/** A token of the line of a connection, after so many refreshes. */
function refreshTokenOf(number: number, time: number): string {
  const [handle, secret] = [digest(`handle ${number}`), digest(`secret ${number} ${time}`)].map((text) =>
    text.slice(0, 22),
  );
  const text = `${handle}~${secret}${expires.toString(36).padStart(7, '0')}`;
  const token = text + digest(text).slice(22, 26);
  if (idOfLineToken(token) === undefined) throw new Error('tokens of lines have another form now');
  return token;
}

/** Repeats the calls that wrote a connection, under other names. */
export type Repeat = (to: Names) => Promise<void>;

/** Writes connections by the calls that wrote another one. */
export function repeatedCalls(notes: Notes, from: Names): Repeat {
  const repeat = repeated(notes, storedNames(from));
  return (to) => repeat(storedNames(to));
}

/** The tokens of a refresh. */
export type NextTokens = Pick<Names, 'accessToken' | 'refreshToken'>;

/** Refreshes connections, for this time, by the calls of the first refresh of another one. The access token of before is removed, as if it had expired. */
export function repeatedRefresh(notes: Notes, from: Names, next: NextTokens) {
  const repeat = repeated(notes, [...tokenNames(next), ...storedNames(from)]);
  return async (to: Names, number: number, time: number): Promise<void> => {
    const access = (at: number): string => (at === 0 ? to.accessToken : digest(`access ${number} ${at}`));
    const before = { ...to, refreshToken: refreshTokenOf(number, time - 1) };
    const after = { accessToken: access(time), refreshToken: refreshTokenOf(number, time) };
    await repeat([...tokenNames(after), ...storedNames(before)]);
    await notes.store.remove(to.siteId, 'AccessToken', storedId('AccessToken', access(time - 1)));
  };
}

/** Gives a value the names after in place of those before. They are looked for once: a benchmark repeats calls some million times. */
function renamed<T>(value: T, before: readonly string[]): (after: readonly string[]) => T {
  const anyName = new RegExp(`(${before.map((name) => name.replaceAll(/\W/g, '\\$&')).join('|')})`);
  const parts = JSON.stringify(value)
    .split(anyName)
    .map((part) => ({ part, name: before.indexOf(part) }));
  return (after) => JSON.parse(parts.map(({ part, name }) => after[name] ?? part).join(''));
}

function repeated({ store, calls }: Notes, before: readonly string[]): (after: readonly string[]) => Promise<void> {
  const prepared = calls.map(({ method, args }) => ({ method, argsFor: renamed(args, before) }));
  return async (after) => {
    for (const { method, argsFor } of prepared) {
      const args = argsFor(after);
      const result: unknown = await Reflect.apply(Reflect.get(store, method), store, args);
      if (method === 'redeem' && Reflect.get(Object(result), 'won') !== true) throw new Error('a redemption lost');
    }
  };
}

/** What is stored of the connection of a school that has no other, once its code has expired. */
export async function recordsOf(store: Store, { siteId }: Names): Promise<readonly CopiedRecord[]> {
  const transfer = transferOf(store);
  const all: CopiedRecord[] = [];
  for (let from: string | undefined = ''; from !== undefined;) {
    const { records, next } = await transfer.page(from);
    all.push(...records);
    from = next;
  }
  const passing = new Set<string>([...unrelated, 'AuthorizationCode']);
  return all.filter(({ site, kind }) => site === siteName(siteId) && !passing.has(kind));
}

function transferOf(store: Store): StoreTransfer {
  const transfer = store.transfer?.();
  if (!transfer) throw new Error('this store cannot be copied');
  return transfer;
}

/**
 * Writes connections as `store copy` writes them: what is stored of one, under other names, many of them in each call. That is about ten
 * times as fast as the calls of a sign-in, and leaves the same records.
 */
export function copiedConnections(store: Store, records: readonly CopiedRecord[], from: Names) {
  const transfer = transferOf(store);
  // JSON has no infinity.
  const prepared = records.map((record) => ({
    isOfSchool: !['Grant', 'RefreshToken', 'AccessToken'].includes(record.kind),
    recordFor: renamed({ ...record, expires: Math.min(record.expires, Number.MAX_VALUE) }, copiedNames(from)),
  }));
  return async (all: readonly Names[], isFirstOfSchool: (at: number) => boolean): Promise<void> => {
    const copies = all.flatMap((to, at) => {
      const names = copiedNames(to);
      const wanted = prepared.filter(({ isOfSchool }) => !isOfSchool || isFirstOfSchool(at));
      return wanted.map(({ recordFor }) => recordFor(names));
    });
    const lasting = copies.map((copy) => (copy.expires === Number.MAX_VALUE ? { ...copy, expires: Infinity } : copy));
    await transfer.put(lasting);
  };
}

/** The names in records, which are shorter than those in calls. */
function copiedNames(names: Names): string[] {
  const [, access = '', refresh = '', ...others] = storedNames(names);
  return [refresh, nameOf('AccessToken', access), ...others];
}

function tokenNames({ accessToken, refreshToken }: Pick<Names, 'accessToken' | 'refreshToken'>): string[] {
  return [storedId('AccessToken', accessToken), storedId('RefreshToken', refreshToken)];
}

/** Longer names first: the id of a family is the beginning of that of its code. */
function storedNames({ siteId, origin, memberId, clientId, code, accessToken, refreshToken }: Names): string[] {
  const codeId = storedId('AuthorizationCode', code);
  return [
    codeId,
    ...tokenNames({ accessToken, refreshToken }),
    grantIdOf(memberId, clientId),
    familyIdOf(codeId),
    origin,
    memberId,
    siteId,
  ];
}
