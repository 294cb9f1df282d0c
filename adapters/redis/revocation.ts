import type { GrantFilter } from '../../lib/records/store.ts';
import { endFamily as endFamilyScript, removeGrants } from './scripts/revocation.ts';
import type { CallRedis, Session } from './session.ts';

/** How many grants one script removes: Redis serves no other call meanwhile. */
const pageSize = 50;

export async function endFamily(session: Session, grantId: string, familyId: string): Promise<boolean> {
  const key = session.keys.record('Grant', grantId);
  const run = (lists: readonly string[]): Promise<unknown> =>
    session.write(endFamilyScript, [key, ...lists], [encodeURIComponent(familyId)], (reply) => reply === 1);
  const reply = await run([]);
  return (typeof reply === 'string' ? await run(session.keys.lists(reply)) : reply) === 1;
}

/** Removes grants, page by page. Each page has its own deadline. */
export async function revoke(call: CallRedis, siteId: string, filter: GrantFilter): Promise<number> {
  if ('memberId' in filter && filter.grantId !== undefined) {
    const { memberId, grantId } = filter;
    return call(siteId, (session) => removeOne(session, grantId, memberId));
  }
  let revoked = 0;
  for (;;) {
    const { found, removed } = await call(siteId, (session) => removePage(session, filter));
    revoked += removed;
    if (found < pageSize) return revoked;
  }
}

/** Removes one grant, if it is of this member. */
export async function removeOne(session: Session, grantId: string, memberId?: string): Promise<number> {
  const { keys } = session;
  const key = keys.record('Grant', grantId);
  const value = await session.command('GET', key);
  if (typeof value !== 'string') return 0;
  const lists = keys.lists(value);
  return memberId === undefined || lists[0] === keys.member(memberId) ? remove(session, [key, ...lists]) : 0;
}

/** Removes the grants at the start of a list. */
async function removePage(session: Session, filter: GrantFilter): Promise<{ found: number; removed: number }> {
  const { keys } = session;
  const list = 'clientId' in filter ? keys.client(filter.clientId) : keys.member(filter.memberId);
  const names = await session.command('ZRANGE', list, 0, pageSize - 1);
  if (!Array.isArray(names)) throw new Error('unexpected reply of Redis');
  const grants = names.map((name) => keys.named('Grant', String(name)));
  if (grants.length === 0) return { found: 0, removed: 0 };
  const values = await Promise.all(grants.map((grant) => session.command('GET', grant)));
  const all = grants.flatMap((grant, i) => {
    const value = values[i];
    // One that has expired is only taken off this list.
    return [grant, ...(typeof value === 'string' ? keys.lists(value) : [list, list])];
  });
  return { found: grants.length, removed: await remove(session, all) };
}

async function remove(session: Session, keys: readonly string[]): Promise<number> {
  return Number(await session.write(removeGrants, keys, [], (reply) => Number(reply) > 0));
}
