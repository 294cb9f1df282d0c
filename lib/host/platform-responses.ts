import type { DataPage } from '../contracts/member-data.ts';
import type { Member, PlatformSession } from '../contracts/platform.ts';

// A failed check throws a TypeError that names the wrong member and what it must be.

/** Larger values of seconds since the epoch are taken for milliseconds, which would satisfy every `max_age`. */
const latest = 100_000_000_000;

export function checkPlatformSession(session: PlatformSession | undefined): PlatformSession | undefined {
  if (session === undefined) return undefined;
  const { memberId, authTime } = session;
  check(isText(memberId), 'platform.signedInMember', 'memberId', 'a non-empty string', memberId);
  const seconds = authTime === undefined || (Number.isInteger(authTime) && authTime >= 0 && authTime < latest);
  check(seconds, 'platform.signedInMember', 'authTime', 'whole seconds since the epoch', authTime);
  return session;
}

export function checkMember(member: Member | undefined): Member | undefined {
  if (member === undefined) return undefined;
  const { id, name, email, roles } = member;
  check(isText(id), 'platform.findMember', 'id', 'a non-empty string', id);
  check(typeof name === 'string', 'platform.findMember', 'name', 'a string', name);
  check(typeof email === 'string', 'platform.findMember', 'email', 'a string', email);
  const list = Array.isArray(roles) && roles.every((role) => typeof role === 'string');
  check(list, 'platform.findMember', 'roles', 'an array of strings', roles);
  return member;
}

export const cursorCap = 1024;

/** A larger page than the `first` nodes requested would exceed the limits. */
export function checkPage<T>(method: string, first: number, page: DataPage<T>): DataPage<T> {
  check(typeof page === 'object' && page !== null, method, 'page', 'an object with nodes', page);
  const { nodes, totalCount, hasNextPage, endCursor } = page;
  checkList(method, nodes, 'nodes');
  check(nodes.length <= first, method, 'nodes.length', `at most ${first}, the requested number`, nodes.length);
  check(Number.isInteger(totalCount), method, 'totalCount', 'a whole number', totalCount);
  check(typeof hasNextPage === 'boolean', method, 'hasNextPage', 'true or false', hasNextPage);
  const isCursor = endCursor === undefined || (typeof endCursor === 'string' && endCursor.length <= cursorCap);
  check(isCursor, method, 'endCursor', `a string of at most ${cursorCap} characters`, endCursor);
  return page;
}

export function checkList<T>(method: string, list: readonly T[], member = 'list'): readonly T[] {
  check(Array.isArray(list), method, member, 'an array', list);
  return list;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function check(ok: boolean, method: string, member: string, wanted: string, got: unknown): void {
  if (!ok) throw new TypeError(`${method}() returned ${member}: ${JSON.stringify(got)}; it must be ${wanted}`);
}
