import type { Store } from '../../lib/store.ts';
import { familyIdOf, grantIdOf, storedId } from '../../lib/records/codec.ts';
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

/** The names of the connection with this number; all numbers together use so many schools. */
export function namesOf(number: number, schools: number, clientId: string): Names {
  const site = `school-${number % schools}`;
  const secret = (kind: string): string => digest(`${kind} ${number}`);
  return {
    siteId: site,
    origin: `http://${site}.test`,
    memberId: `member-${number}`,
    clientId,
    code: secret('code'),
    accessToken: secret('access'),
    refreshToken: secret('refresh'),
  };
}

/** Writes a connection by the calls that wrote another one, under its own names. */
export async function repeatCalls({ store, calls }: Notes, from: Names, to: Names): Promise<void> {
  const [before, after] = [storedNames(from), storedNames(to)];
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string')
      return before.reduce((text, name, i) => text.replaceAll(name, after[i] ?? ''), value);
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, renamed(member)]));
  };
  for (const { method, args } of calls) await Reflect.apply(Reflect.get(store, method), store, args.map(renamed));
}

/** Longer names first: the id of a family is the beginning of that of its code. */
function storedNames({ siteId, origin, memberId, clientId, code, accessToken, refreshToken }: Names): string[] {
  const codeId = storedId('AuthorizationCode', code);
  return [
    codeId,
    storedId('AccessToken', accessToken),
    storedId('RefreshToken', refreshToken),
    grantIdOf(memberId, clientId),
    familyIdOf(codeId),
    origin,
    memberId,
    siteId,
  ];
}
