import type { DecisionEffect } from '../../../core/apps/apps.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import { endAccessTokens } from '../../../core/grants/judged-grants.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { RecentResults } from '../../../kernel/recent-results.ts';
import type { RequestTime } from '../../../kernel/request-time.ts';
import type { EventDetails } from '../../../observe/audit-event.ts';
import {
  type JudgedConnection,
  judgedConnections,
  type JudgeOptions,
  maxJudged,
  peopleConnected,
} from './judged-connections.ts';
import { type AppsOptions, clientsOf, stored } from './listed-apps.ts';

/** What a decision reaches. */
export interface Reached {
  readonly target: AppTarget;
  /** Nobody keeps it: it is blocked, or people get another name for it. */
  readonly refusesAll: boolean;
  readonly details: Omit<EventDetails, 'clientId' | 'memberId' | 'connectionId'>;
}

/** Whom a rule would reach. */
export interface ReachedPeople {
  readonly total: number;
  /** Absent if there are too many to look at, or some could not be looked up in time. */
  readonly counted?: { readonly lose: PeopleCount; readonly keep: PeopleCount } | undefined;
}

/** People, by the first of their roles that the school has. The empty text is for people without a role. */
export type PeopleCount = ReadonlyMap<string, number>;

/** The people of an app by role, or why they are not counted: there are too many, or some could not be looked up in time. */
export type CountedPeople = PeopleCount | 'many' | 'late';

export interface RuleReach {
  /**
   * Ends the connections that the rule in force refuses, and the access tokens of all others. It can be repeated after a failure. A refresh
   * or consent at the same moment sees the rule, or what it gave ends here.
   */
  readonly end: (site: Site, reached: Reached) => Promise<DecisionEffect>;
  /** Looks up whom a rule would refuse if it were in force. */
  readonly preview: (
    site: Site,
    target: AppTarget,
    asked: { readonly rule: AppRule; readonly roles: readonly string[] },
  ) => Promise<ReachedPeople>;
  /** Counts those who are connected, of whom there are `total`. It may be a minute old, unless that number has changed. */
  readonly count: (
    site: Site,
    target: AppTarget,
    asked: { readonly total: number; readonly roles: readonly string[] },
  ) => Promise<CountedPeople>;
}

interface ReachOptions extends AppsOptions {
  readonly judging: JudgeOptions;
  readonly storeTime: RequestTime;
}

export function ruleReach(options: ReachOptions): RuleReach {
  const { judging, storeTime } = options;
  const counts = new RecentResults<PeopleCount>({ seconds: 60, names: 1000 });
  return {
    async end(site, { target, refusesAll, details }) {
      const clientIds = await reachedClients(options, site, target);
      let [ended, atRefresh] = [0, 0];
      if (refusesAll) {
        for (const clientId of clientIds)
          ended += await endGrants(options, site.id, { clientId }, { ...details, clientId });
        return { ended, atRefresh };
      }
      const isJudged = (await countOf(options, site, clientIds)) <= maxJudged;
      for await (const some of judgedConnections(judging, site, { clientIds, isJudged })) {
        const act = (): Promise<readonly DecisionEffect[]> =>
          Promise.all(some.map((each) => endOne(options, site, each, details)));
        // A few have the time of one request. However many there are, each step has as much.
        const done = isJudged ? await act() : await storeTime.runApart(act);
        for (const each of done) [ended, atRefresh] = [ended + each.ended, atRefresh + each.atRefresh];
      }
      return { ended, atRefresh };
    },
    async preview(site, target, { rule, roles }) {
      const clientIds = await reachedClients(options, site, target);
      const total = await countOf(options, site, clientIds);
      if (total > maxJudged) return { total };
      const [lose, keep] = [new Map<string, number>(), new Map<string, number>()];
      for await (const some of judgedConnections(judging, site, { clientIds, isJudged: true, rule })) {
        for (const { found } of some) {
          if (!found) return { total };
          const { judgement, member } = found;
          // A person who has left the school, for example, neither loses it by this rule nor keeps it.
          if (judgement === 'waiting') continue;
          addTo(judgement === 'refused' ? lose : keep, member, roles);
        }
      }
      return { total, counted: { lose, keep } };
    },
    async count(site, target, asked) {
      if (asked.total > maxJudged) return 'many';
      const name = JSON.stringify([site.id, target, asked]);
      return counts.get(name, () => countByRole(options, site, target, asked.roles)).catch(() => 'late' as const);
    },
  };
}

function addTo(counts: Map<string, number>, member: Member | undefined, roles: readonly string[]): void {
  const role = roles.find((each) => member?.roles.includes(each)) ?? '';
  counts.set(role, (counts.get(role) ?? 0) + 1);
}

/** @throws Error if somebody could not be looked up in time */
async function countByRole(
  options: ReachOptions,
  site: Site,
  target: AppTarget,
  roles: readonly string[],
): Promise<PeopleCount> {
  const counts = new Map<string, number>();
  const clientIds = await reachedClients(options, site, target);
  for await (const some of peopleConnected(options.judging, site, clientIds)) {
    for (const { found } of some) {
      if (!found) throw new Error('people could not be looked up in time');
      if (found.member) addTo(counts, found.member, roles);
    }
  }
  return counts;
}

/** The clients of an app that have no rule of their own, or one client. */
async function reachedClients(options: AppsOptions, site: Site, target: AppTarget): Promise<readonly string[]> {
  if ('clientId' in target) return [target.clientId];
  return clientsOf(options, await stored(options, site), [target]).flat();
}

async function countOf({ store }: AppsOptions, { id: siteId }: Site, clientIds: readonly string[]): Promise<number> {
  const counts = await store.countGrants(
    siteId,
    clientIds.map((clientId) => ({ clientId })),
  );
  return counts.reduce((sum, each) => sum + each, 0);
}

async function endOne(
  { store, onAudit }: AppsOptions,
  { id: siteId }: Site,
  { id, memberId, clientId, found }: JudgedConnection,
  details: Reached['details'],
): Promise<DecisionEffect> {
  if (found?.judgement === 'refused') {
    const parties = { clientId, memberId, connectionId: id };
    const ended = await endGrants({ store, onAudit }, siteId, { memberId, grantId: id }, { ...details, ...parties });
    return { ended, atRefresh: 0 };
  }
  const isLeft = found === undefined;
  await endAccessTokens(store, siteId, id, isLeft ? epochSeconds() : undefined);
  return { ended: 0, atRefresh: isLeft ? 1 : 0 };
}
