import { targetOf } from '../../core/apps/named-app.ts';
import type { Connections } from '../../core/connections/connection.ts';
import { newestFirst } from '../../core/connections/connection-order.ts';
import { nextGrants, type WalkedApp, walkedApp } from '../../core/connections/grant-walk.ts';
import type { AppRuleFinders } from '../../core/access/rule-finders.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';
import { profileOf } from '../../host/member-profile.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import { inParts } from '../../kernel/in-parts.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { GivenGrant } from '../../records/store.ts';
import type { ConnectedPerson, People, PeopleQuery } from '../../core/connections/people.ts';

interface PeopleOptions {
  readonly store: RecordStore;
  readonly platform: HostPlatform;
  readonly rules: AppRuleFinders;
  readonly connections: Connections;
}

declare module '../parts.ts' {
  interface School {
    readonly people: People;
  }
}

/** People on a page, and connections of each. */
const pageSize = 20;

/** Steps through the lists for one page: each reads the people of at most 20 grants. */
const maxSteps = 5;

/** Creates the methods of `campus.people`. */
export function createPeople(options: PeopleOptions): People {
  const { store, platform } = options;
  return {
    async find(site, { search, cursor = '', app: named, role } = {}) {
      const target = named === undefined ? undefined : targetOf(named);
      if (target && 'app' in target) await options.rules.apps.check(site.id, target.app);
      const app = target && (await walkedApp(options, site.id, target));
      const wanted = { app, role };
      if (search !== undefined) return { people: await searched(options, site, search, wanted) };
      const people: ConnectedPerson[] = [];
      let next: string | undefined = cursor;
      for (let steps = 0; steps < maxSteps && people.length < pageSize && next !== undefined; steps += 1) {
        const step = await nextGrants(store, site.id, { app, place: next, limit: pageSize - people.length });
        const found = step.grants.map(async (grant) => {
          const ids = await shownBy(store, site, grant, app);
          const member = ids && (await platform.findMember(site, grant.memberId));
          return ids && hasRole(member, role) ? describe(options, site, { ...grant, member, ids }) : [];
        });
        people.push(...(await Promise.all(found)).flat());
        ({ next } = step);
      }
      return { people, ...(next !== undefined && { next }) };
    },
  };
}

interface Wanted extends Pick<PeopleQuery, 'role'> {
  readonly app: WalkedApp | undefined;
}

async function searched(
  options: PeopleOptions,
  site: Site,
  search: string,
  { app, role }: Wanted,
): Promise<ConnectedPerson[]> {
  const { store, platform } = options;
  if (!platform.searchMembers)
    throw new TypeError('people.find.query.search needs platform.searchMembers, which finds people by name or address');
  const members = await platform.searchMembers(site, search);
  const found = members.map(async (member) => {
    const ids = await connectionIds(store, site, member.id, app);
    const isWanted = hasRole(member, role) && (app === undefined || ids.length > 0);
    return isWanted ? person(options, site, { memberId: member.id, member, ids }) : [];
  });
  return (await Promise.all(found)).flat();
}

function hasRole(member: Member | undefined, role: string | undefined): boolean {
  return role === undefined || member?.roles.includes(role) === true;
}

/** The ids of a person's connections; nothing unless the person has their place at this one, so that each comes once. */
async function shownBy(
  store: RecordStore,
  site: Site,
  { id, memberId }: GivenGrant,
  app: WalkedApp | undefined,
): Promise<readonly string[] | undefined> {
  const ids = await connectionIds(store, site, memberId, app);
  return ids.toSorted()[0] === id ? ids : undefined;
}

/** The connections of a person, or those to an app: first those that live longest. */
async function connectionIds(
  store: RecordStore,
  { id: siteId }: Site,
  memberId: string,
  app: WalkedApp | undefined,
): Promise<readonly string[]> {
  const ids = await store.grantIds(siteId, { memberId });
  if (!app) return ids;
  const toApp: string[] = [];
  for await (const some of inParts(ids)) {
    const grants = await Promise.all(some.map((id) => store.find(siteId, 'Grant', id)));
    toApp.push(...some.filter((_id, i) => grants[i] && app.has(grants[i].record)));
  }
  return toApp;
}

interface FoundPerson {
  readonly memberId: string;
  readonly member: Member | undefined;
  /** The ids of their connections. */
  readonly ids: readonly string[];
}

/** Nothing for a person whose connections have ended meanwhile. */
async function describe(
  options: PeopleOptions,
  site: Site,
  found: FoundPerson,
): Promise<ConnectedPerson | readonly []> {
  const described = await person(options, site, found);
  return described.connections.length > 0 ? described : [];
}

async function person(
  { connections }: PeopleOptions,
  site: Site,
  { memberId, member, ids }: FoundPerson,
): Promise<ConnectedPerson> {
  const found = await Promise.all(ids.slice(0, pageSize).map((id) => connections.find(site, memberId, id)));
  const { name, email } = member ? profileOf(member) : {};
  return {
    memberId,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(member && { roles: member.roles }),
    connections: newestFirst(found),
    total: ids.length,
  };
}
