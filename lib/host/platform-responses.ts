import type { DataPage } from '../contracts/member-data.ts';
import type { Member, PlatformSession } from '../contracts/platform.ts';

/** The latest moment that seconds since the epoch name; what is larger was meant as milliseconds. */
const latest = 100_000_000_000;

/**
 * What `platform.signedInMember` answered, checked: a wrong unit here would satisfy every `max_age`.
 *
 * @throws TypeError that says what the platform has to change
 */
export function checkPlatformSession(answer: PlatformSession | undefined): PlatformSession | undefined {
  if (answer === undefined) return undefined;
  const { memberId, authTime } = answer;
  demand(isText(memberId), 'platform.signedInMember', 'memberId', 'a non-empty string', memberId);
  const seconds = authTime === undefined || (Number.isInteger(authTime) && authTime >= 0 && authTime < latest);
  demand(seconds, 'platform.signedInMember', 'authTime', 'whole seconds since the epoch', authTime);
  return answer;
}

/**
 * What `platform.findMember` answered, checked.
 *
 * @throws TypeError that says what the platform has to change
 */
export function checkMember(answer: Member | undefined): Member | undefined {
  if (answer === undefined) return undefined;
  const { id, name, email, roles } = answer;
  demand(isText(id), 'platform.findMember', 'id', 'a non-empty string', id);
  demand(typeof name === 'string', 'platform.findMember', 'name', 'a string', name);
  demand(typeof email === 'string', 'platform.findMember', 'email', 'a string', email);
  const list = Array.isArray(roles) && roles.every((role) => typeof role === 'string');
  demand(list, 'platform.findMember', 'roles', 'an array of strings', roles);
  return answer;
}

/** The longest cursor, in characters. */
export const cursorCap = 1024;

/**
 * A page that the platform answered, checked: too large a one would go past every limit.
 *
 * @param method - the method that answered, for example `data.notifications`
 * @param most - how many nodes were asked for
 * @throws TypeError that says what the platform has to change
 */
export function checkPage<T>(method: string, most: number, page: DataPage<T>): DataPage<T> {
  demand(typeof page === 'object' && page !== null, method, 'no page', 'an object with nodes', page);
  const { nodes, totalCount, hasNextPage, endCursor } = page;
  checkList(method, nodes, 'nodes');
  demand(nodes.length <= most, method, 'nodes.length', `at most the ${most} that were asked for`, nodes.length);
  demand(Number.isInteger(totalCount), method, 'totalCount', 'a whole number', totalCount);
  demand(typeof hasNextPage === 'boolean', method, 'hasNextPage', 'true or false', hasNextPage);
  const isCursor = typeof endCursor === 'string' && endCursor.length <= cursorCap;
  demand(
    endCursor === undefined || isCursor,
    method,
    'endCursor',
    `a string of at most ${cursorCap} characters`,
    endCursor,
  );
  return page;
}

/**
 * A list that the platform answered, checked.
 *
 * @throws TypeError that says what the platform has to change
 */
export function checkList<T>(method: string, list: readonly T[], member = 'a list'): readonly T[] {
  demand(Array.isArray(list), method, member, 'an array', list);
  return list;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function demand(ok: boolean, method: string, member: string, wanted: string, got: unknown): void {
  if (!ok) throw new TypeError(`${method}() answered ${member}: ${JSON.stringify(got)}; it must be ${wanted}`);
}
