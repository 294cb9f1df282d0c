import { type Grantee, granteeNamed, hidesId } from '../../lib/records/grantee.ts';
import type { GivenGrant, PageQuery, StorePage, UsedGrantee } from '../../lib/records/store.ts';
import { pageOf, type Place, placeIn, sizeOf } from '../shared/places.ts';
import { memberOf } from './format.ts';
import { countLists, findPage, recountLists } from './scripts/use.ts';
import type { Session } from './session.ts';

/** The scores of grants that have not expired. */
export function notExpired(): string {
  return `(${Math.floor(Date.now() / 1000)}`;
}

export async function countGrants(session: Session, lists: readonly string[]): Promise<number[]> {
  if (lists.length === 0) return [];
  const reply = await session.evaluate(countLists, lists, [notExpired()]);
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that counts grants');
  return reply.map(Number);
}

/** Reads the order, and the lists of those on the page: what has expired since is counted out, and the order corrected. */
export async function clientsByUse(session: Session, query: PageQuery): Promise<StorePage<UsedGrantee>> {
  const { keys } = session;
  const places = await placesIn(session, keys.use, query);
  const lists = places.map(({ name }) => keys.granteeNamed(name));
  const counts = await countGrants(session, lists);
  const stale = lists.filter((_, i) => counts[i] !== places[i]?.number);
  if (stale.length > 0) await session.write(recountLists, [keys.use, ...stale], []);
  const used = places.flatMap(({ name }, i) => ((counts[i] ?? 0) > 0 ? [{ name, grants: counts[i] ?? 0 }] : []));
  const entries = await Promise.all(
    used.map(async ({ name, grants }) => {
      const id = hidesId(name) ? await session.command('GET', keys.idOf(name)) : undefined;
      return { ...granteeNamed(name, id), grants };
    }),
  );
  return pageOf(
    entries.sort((a, b) => b.grants - a.grants),
    places,
    sizeOf(query),
  );
}

export async function grantsOf(session: Session, query: Grantee & PageQuery): Promise<StorePage<GivenGrant>> {
  const { keys } = session;
  const now = Math.floor(Date.now() / 1000);
  const places = (await placesIn(session, keys.grantee(query), query)).filter(({ number }) => number > now);
  const values = await Promise.all(places.map(({ name }) => session.command('GET', keys.named('Grant', name))));
  const entries = places.flatMap(({ name }, i) => {
    const value = values[i];
    return typeof value === 'string' ? [{ id: decodeURIComponent(name), memberId: memberOf(value) }] : [];
  });
  return pageOf(entries, places, sizeOf(query));
}

async function placesIn(session: Session, key: string, query: PageQuery): Promise<Place[]> {
  const place = placeIn(query);
  const after = place ? [scoreOf(place.number), place.name] : [];
  const reply = await session.evaluate(findPage, [key], [sizeOf(query), ...after]);
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that finds a page');
  const words = reply.map(String);
  return Array.from({ length: words.length / 2 }, (_, i) => {
    const score = words[2 * i + 1];
    return { name: words[2 * i] ?? '', number: score === 'inf' ? Infinity : Number(score) };
  });
}

/** Redis has other words for what does not end. */
function scoreOf(number: number): string {
  return Number.isFinite(number) ? String(number) : number > 0 ? '+inf' : '-inf';
}
