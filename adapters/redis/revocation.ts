import type { GrantFilter } from '../../lib/records/store.ts';
import { memberOf } from './format.ts';
import { endFamily as endFamilyScript, removeGrants } from './scripts/revocation.ts';
import type { CallRedis, Session } from './session.ts';

/** How many grants one script removes: Redis serves no other call meanwhile. */
const pageSize = 50;

export async function endFamily(session: Session, grantId: string, familyId: string): Promise<boolean> {
  const key = session.keys.record('Grant', grantId);
  const run = (...more: readonly string[]): Promise<unknown> =>
    session.write(endFamilyScript, [key, ...more], [encodeURIComponent(familyId)], (reply) => reply === 1);
  const reply = await run();
  const { keys } = session;
  return (typeof reply === 'string' ? await run(keys.use, ...keys.lists(reply)) : reply) === 1;
}

interface Revocation {
  readonly siteId: string;
  readonly filter: GrantFilter;
  readonly onRemoved: (memberId: string) => void;
}

/** Removes grants, page by page. Each page has its own deadline. */
export async function revoke(call: CallRedis, { siteId, filter, onRemoved }: Revocation): Promise<number> {
  const tell = (members: readonly string[]): number => {
    for (const memberId of members) onRemoved(memberId);
    return members.length;
  };
  if ('memberId' in filter && filter.grantId !== undefined) {
    const { memberId, grantId } = filter;
    return tell(await call(siteId, (session) => removeOne(session, grantId, memberId)));
  }
  let revoked = 0;
  for (;;) {
    const { found, removed } = await call(siteId, (session) => removePage(session, filter));
    revoked += tell(removed);
    if (found < pageSize) return revoked;
  }
}

/** Removes one grant, if it is of this member. Returns whose grant was removed. */
export async function removeOne(session: Session, grantId: string, memberId?: string): Promise<string[]> {
  const { keys } = session;
  const grant = keys.record('Grant', grantId);
  const value = await session.command('GET', grant);
  if (typeof value !== 'string') return [];
  const found = foundGrant(session, grant, value);
  const isWanted = memberId === undefined || memberId === found.memberId;
  return isWanted ? remove(session, [found]) : [];
}

/** Removes grants that have been read. Returns how many existed. */
export async function removeFound(
  session: Session,
  grants: readonly { readonly key: string; readonly value: string }[],
): Promise<number> {
  let removed = 0;
  for (let i = 0; i < grants.length; i += pageSize) {
    const some = grants.slice(i, i + pageSize).map(({ key, value }) => foundGrant(session, key, value));
    removed += (await remove(session, some)).length;
  }
  return removed;
}

function foundGrant({ keys }: Session, grant: string, value: string): RemovedGrant {
  return { grant, lists: keys.lists(value), memberId: memberOf(value) };
}

interface RemovedGrant {
  readonly grant: string;
  readonly lists: readonly string[];
  readonly memberId: string;
}

/** Removes the grants at the start of a list. */
async function removePage(session: Session, filter: GrantFilter): Promise<{ found: number; removed: string[] }> {
  const { keys } = session;
  const list = 'clientId' in filter ? keys.grantee(filter) : keys.member(filter.memberId);
  const names = await session.command('ZRANGE', list, 0, pageSize - 1);
  if (!Array.isArray(names)) throw new Error('unexpected reply of Redis');
  const grants = names.map((name) => keys.named('Grant', String(name)));
  if (grants.length === 0) return { found: 0, removed: [] };
  const values = await Promise.all(grants.map((grant) => session.command('GET', grant)));
  const all = grants.map((grant, i): RemovedGrant => {
    const value = values[i];
    // One that has expired is only taken off this list.
    return typeof value === 'string' ? foundGrant(session, grant, value) : { grant, lists: [list], memberId: '' };
  });
  return { found: grants.length, removed: await remove(session, all) };
}

/** Returns whose grants existed. */
async function remove(session: Session, grants: readonly RemovedGrant[]): Promise<string[]> {
  const keys = [session.keys.use, ...grants.flatMap(({ grant, lists }) => [grant, ...lists])];
  const counts = grants.map(({ lists }) => lists.length);
  const reply = await session.write(removeGrants, keys, counts, (existed) => isFlags(existed) && existed.includes(1));
  if (!isFlags(reply)) throw new Error('unexpected reply of the script that removes grants');
  return grants.flatMap(({ memberId }, i) => (reply[i] === 1 ? [memberId] : []));
}

function isFlags(reply: unknown): reply is unknown[] {
  return Array.isArray(reply);
}
