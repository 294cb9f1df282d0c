import { isDeepStrictEqual } from 'node:util';
import type { AdapterPayload } from 'oidc-provider';
import { digest } from '../runtime/crypto.ts';
import { allScopes, splitScope } from '../protocol/scopes.ts';

/** Kinds of which a live connection has one or more; the others are few or short-lived, and kept as they are. */
export type CompactKind = 'Grant' | 'AccessToken' | 'RefreshToken';

type Members = Readonly<Record<string, unknown>>;

/**
 * What stands where in a compact record. Records outlive releases: a new member goes to the end, and none moves.
 * Members that are not here follow in an object, under their names.
 */
const places: Readonly<Record<CompactKind, readonly string[]>> = {
  Grant: ['accountId', 'clientId', 'granted', 'origin', 'iat', 'exp', 'refused'],
  AccessToken: ['accountId', 'clientId', 'grantId', 'scope', 'aud', 'iat', 'exp', 'gty', 'audience'],
  RefreshToken: ['accountId', 'clientId', 'grantId', 'scope', 'resource', 'iat', 'exp', 'gty'],
};

/**
 * What is not kept. The engine copies these from token to token for sessions that tokens would die with, for ID tokens
 * at a refresh, and for rules about rotation: none of which there is here.
 */
const dropped: Readonly<Record<CompactKind, readonly string[]>> = {
  Grant: [],
  AccessToken: ['sessionUid'],
  RefreshToken: ['sessionUid', 'nonce', 'acr', 'amr', 'authTime', 'iiat', 'rotations'],
};

const catalogue: readonly string[] = allScopes;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const grantTypes = ['authorization_code', 'authorization_code refresh_token'];
const audiences = ['operator', 'member'];

/** A short name of an origin, in its records: whether they are of this origin is all that is asked of it. */
function markOf(origin: string): string {
  return digest(origin).slice(0, 4);
}

/** Each scope as one character, by its place in the catalogue; a list with others in it stays as it is. */
function packScopes(scope: string): string {
  const packed = splitScope(scope)
    .map((name) => alphabet[catalogue.indexOf(name)] ?? ' ')
    .join('');
  return unpackScopes(packed) === scope ? packed : ` ${scope}`;
}

function unpackScopes(packed: string): string {
  if (packed.startsWith(' ')) return packed.slice(1);
  return Array.from(packed, (character) => catalogue[alphabet.indexOf(character)] ?? '').join(' ');
}

/** A member's value in its short form; `undefined` when it has none, so that it is kept under its name. */
function pack(member: string, value: unknown, all: Members, origin: string): string | number | undefined {
  switch (member) {
    case 'accountId':
    case 'clientId':
    case 'grantId':
      return typeof value === 'string' ? value : undefined;
    case 'scope':
    case 'granted':
    case 'refused':
      return typeof value === 'string' ? packScopes(value) : undefined;
    case 'aud':
    case 'resource':
    case 'origin':
      return value === origin ? markOf(origin) : undefined;
    case 'iat':
      return typeof value === 'number' ? value : undefined;
    case 'exp':
      return typeof value === 'number' && typeof all['iat'] === 'number' ? value - all['iat'] : undefined;
    case 'gty':
      return placeIn(grantTypes, value);
    case 'audience':
      return placeIn(audiences, value);
    default:
      throw new Error(`no short form for ${member}`);
  }
}

function placeIn(values: readonly string[], value: unknown): number | undefined {
  const place = values.findIndex((known) => known === value);
  return place < 0 ? undefined : place;
}

function unpack(member: string, value: unknown, all: Members, origin: string): unknown {
  switch (member) {
    case 'scope':
    case 'granted':
    case 'refused':
      return unpackScopes(String(value));
    case 'aud':
    case 'resource':
    case 'origin':
      // The mark of another origin is no origin, so nothing that is bound to it passes here.
      return value === markOf(origin) ? origin : value;
    case 'exp':
      return Number(all['iat']) + Number(value);
    case 'gty':
      return grantTypes[Number(value)];
    case 'audience':
      return audiences[Number(value)];
    default:
      return value;
  }
}

/** The record of a payload that has lost `jti` and `kind`. */
export function toCompact(kind: CompactKind, payload: AdapterPayload, origin: string): string {
  const members: Record<string, unknown> = folded(kind, payload, origin);
  const values = places[kind].map((member) => pack(member, members[member], members, origin));
  const known = new Set([...dropped[kind], ...places[kind].filter((_member, i) => values[i] !== undefined)]);
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  const rest = Object.entries(members).filter(([member, value]) => !known.has(member) && value !== undefined);
  return JSON.stringify(rest.length > 0 ? [...values, Object.fromEntries(rest)] : values);
}

/** The payload of a compact record. */
export function fromCompact(kind: CompactKind, record: string, origin: string): AdapterPayload {
  const values: unknown[] = JSON.parse(record);
  const last = values.at(-1);
  const rest = typeof last === 'object' && last !== null ? values.pop() : undefined;
  const members: Record<string, unknown> = {};
  places[kind].forEach((member, i) => {
    const value = values[i];
    if (value !== undefined && value !== null) members[member] = unpack(member, value, members, origin);
  });
  return unfolded(kind, Object.assign(members, rest), origin);
}

/** What the engine writes twice or deep down, once and on top; unless it is not of the form in which we write it. */
function folded(kind: CompactKind, payload: AdapterPayload, origin: string): Members {
  if (kind === 'AccessToken') {
    const { extra, ...members } = payload;
    const audience = extra?.['client_audience'];
    return extra && Object.keys(extra).length === 1 && audience ? { ...members, audience } : payload;
  }
  if (kind !== 'Grant') return payload;
  const { openid, resources, rejected, ...members } = payload;
  const granted = onlyScope({ openid, resources }, origin);
  const refused = onlyScope(rejected, origin);
  if (granted === undefined || (rejected !== undefined && refused === undefined)) return payload;
  return { ...members, granted, refused, origin };
}

function unfolded(kind: CompactKind, members: Record<string, unknown>, origin: string): AdapterPayload {
  const { audience, granted, refused, origin: mark = origin, ...payload } = members;
  if (kind === 'AccessToken')
    return audience === undefined ? payload : { ...payload, extra: { client_audience: audience } };
  if (kind !== 'Grant' || granted === undefined) return payload;
  return {
    ...payload,
    ...scopeOf(granted, mark),
    ...(refused !== undefined && { rejected: scopeOf(refused, mark) }),
  };
}

/** The scope of a grant that gives the same to the engine and to the one resource there is. */
function onlyScope(given: unknown, origin: string): string | undefined {
  const scope = isMembers(given) && isMembers(given['resources']) ? given['resources'][origin] : undefined;
  return typeof scope === 'string' && isDeepStrictEqual(given, scopeOf(scope, origin)) ? scope : undefined;
}

function scopeOf(scope: unknown, origin: unknown): Members {
  return { openid: { scope }, resources: { [String(origin)]: scope } };
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}
