import type { Found } from '../../lib/contracts/store.ts';
import { tagOf } from './keys.ts';

/**
 * What is kept under a key beside the record, in lines before it. Scripts read and write these lines, too:
 *
 * - a code or token: `grant consumed previous`, then the record. `consumed` is when, in base 36, a dot, and by which
 *   attempt. `previous` refers to what it was redeemed from, so that a revocation finds the whole family.
 * - a grant: `member client` and, where it is another word, the client's tag; then its live codes and tokens; then the
 *   record. Each token is eight hexadecimal digits of its last second and its reference; a comma stands between two, and
 *   a lone `+` for a list that has a key of its own.
 *
 * Ids are URI-encoded there, so that none has a space, comma or line end. A carriage return instead of a line feed ends
 * the first line when the record has its own ids replaced by control characters.
 */
export interface TokenValue {
  readonly record: string;
  readonly grantId?: string | undefined;
  readonly previous?: string | undefined;
}

/** The text under the key of a code or token. */
export function tokenValue({ record, grantId, previous }: TokenValue): string {
  const head = grantId === undefined ? '' : encodeURIComponent(grantId);
  return `${previous === undefined ? head : `${head}  ${previous}`}${shortened(record, [grantId])}`;
}

/** A code or token as found. */
export function readTokenValue(value: string): Found {
  const { head, separator, rest } = firstLine(value);
  const [grant = '', consumed = ''] = head.split(' ');
  const record = separator === '\r' ? restored(rest, [decodeURIComponent(grant)]) : rest;
  return consumed === '' ? { record } : { record, consumed: Number.parseInt(consumed, 36) };
}

/** Milliseconds to live; 0 for what has no end, never for what has ended. */
export function lifetime(ttl: number | undefined): number {
  return ttl === undefined ? 0 : Math.max(1, Math.ceil(ttl * 1000));
}

/** When a code or token was redeemed, and by which attempt. */
export function consumedMark(seconds: number, attempt: string): string {
  return `${seconds.toString(36)}.${attempt}`;
}

/** Whose a grant is, and the client it was given to. */
export interface GrantValue {
  readonly record: string;
  readonly memberId?: string | undefined;
  readonly clientId?: string | undefined;
}

/** The first line and the record of a grant; a script puts the list of tokens between them. */
export function grantValue({ record, memberId, clientId }: GrantValue): {
  readonly head: string;
  readonly tail: string;
} {
  const [client, tag] = [encodeURIComponent(clientId ?? ''), tagOf(clientId ?? '')];
  const head = `${encodeURIComponent(memberId ?? '')} ${client}${tag === client ? '' : ` ${tag}`}`;
  const text = shortened(record, [memberId, clientId]);
  return { head: `${head}${text.slice(0, 1)}`, tail: text.slice(1) };
}

/** A grant as found. */
export function readGrantValue(value: string): Found {
  const { head, separator, rest } = firstLine(value);
  const end = rest.indexOf('\n');
  const record = rest.slice(end + 1);
  const refreshUntil = newestRefresh(rest.slice(0, end));
  if (separator !== '\r') return { record, refreshUntil };
  const [memberId = '', clientId = ''] = head.split(' ').map(decodeURIComponent);
  return { record: restored(record, [memberId, clientId]), refreshUntil };
}

/** The last second of the newest refresh token on a grant's list; unknown where there are very many. */
function newestRefresh(list: string): number | undefined {
  const ends = [...list.matchAll(/(?:^|,)([\da-f]{8})r/g)].map(([, last = '']) => Number.parseInt(last, 16));
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** The separator and the record, in which each of these ids is one control character. */
function shortened(record: string, ids: readonly (string | undefined)[]): string {
  const short = ids.reduce(
    (text: string, id, i) => (id !== undefined && id.length > 1 ? text.replaceAll(id, control(i)) : text),
    record,
  );
  const lossless =
    restored(
      short,
      ids.map((id) => id ?? ''),
    ) === record;
  return lossless ? `\r${short}` : `\n${record}`;
}

function restored(text: string, ids: readonly string[]): string {
  return ids.reduceRight((rest, id, i) => rest.replaceAll(control(i), () => id), text);
}

function control(i: number): string {
  return String.fromCharCode(i + 1);
}

function firstLine(value: string): { readonly head: string; readonly separator: string; readonly rest: string } {
  const end = value.search(/[\n\r]/);
  if (end < 0) throw new Error('a value in Redis is not of a form that this store writes');
  return { head: value.slice(0, end), separator: value.slice(end, end + 1), rest: value.slice(end + 1) };
}
