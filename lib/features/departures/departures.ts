import type { Applications } from '../../core/applications/application.ts';
import type { News } from '../../core/news/news.ts';
import type { LimitNames } from '../../core/boundaries/limit-choices.ts';
import type { Connections } from '../../core/connections/connection.ts';
import type { Members, Removal, SiteRemoval, SiteRemovalOptions, Sites } from './method-types.ts';
import { appRequestId, type AppRequests } from '../../core/applications/request.ts';
import { isRecordKind, type RecordKind, type RecordOf } from '../../records/record.ts';
import { recordKinds } from '../../records/record-kinds.ts';
import type { SweepFilter, RecordCounts } from '../../records/store.ts';
import { allowedPersonId } from '../../core/access/allowed-people.ts';
import type { AppTarget } from '../../core/access/app-rule.ts';
import { ruleTarget, ruleId } from '../../core/access/school-rules.ts';
import { endGrants } from '../../core/grants/changes.ts';
import { valueAt } from '../../kernel/validate.ts';
import { parseRecord, serializeRecord, storedMembers } from '../../records/codec.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';
import { originsOf } from '../../host/origins.ts';
import type { Site } from '../../host/school-platform.ts';
import type { SiteRegister } from '../../host/site-finder.ts';
import type { Log } from '../../core/log/log.ts';
import type { AuditEvent, OnAudit } from '../../observe/audit-event.ts';
import { memberDigest } from '../../observe/member-digest.ts';
import type { RecordStore } from '../../records/record-store.ts';

/** Where a school may still be served. */
export interface DepartingHost {
  readonly platform: HostPlatform;
  readonly findSite: SiteRegister;
}

export interface DepartureOptions {
  readonly store: RecordStore;
  readonly log: Log;
  readonly host: DepartingHost;
  readonly onAudit: OnAudit;
  readonly requests: AppRequests;
  readonly applications: Applications;
  readonly namedLimits: LimitNames;
  readonly news: News;
}

export interface Departures {
  readonly sites: Sites;
  readonly members: Members;
  /** `members.erase` by the id of a school, with all of its steps. */
  readonly eraseAt: (siteId: string, memberId: string) => Promise<void>;
}

const actor = { kind: 'administrator' } as const;

/** A place in the log, as that of a removal. */
const inLog = /^log:(.*)$/s;

/** Events of an export. */
const maxExported = 10_000;

/** What schools and people leave behind, and how it goes. */
export function createDepartures(options: DepartureOptions, connections: Connections): Departures {
  const { store, log, host, requests, applications, namedLimits, news, onAudit } = options;
  const { platform, findSite } = host;

  /** First all records, then the log. */
  async function forget(siteId: string, removes: true | SweepFilter, after: Removal | undefined, memberId?: string) {
    const { stored } = log;
    const [, place] = inLog.exec(after?.next ?? '') ?? [];
    if (place === undefined) {
      const removal = await sweep(siteId, removes, after);
      return removal.next === undefined && stored ? { ...removal, next: 'log:' } : removal;
    }
    const next = await stored?.forget(siteId, memberId, place);
    return { removed: after?.removed ?? {}, ...(next !== undefined && { next: `log:${next}` }) };
  }

  async function sweep(siteId: string, removes: boolean | SweepFilter, after?: Removal): Promise<Removal> {
    if (!store.sweep)
      throw new TypeError(
        'campus.sites and campus.members need a store with the method sweep; see docs/reference/retention.md',
      );
    const { records, next } = await store.sweep(siteId, after?.next ?? '', removes);
    return { removed: sumOf(after?.removed ?? {}, records), ...(typeof next === 'string' && { next }) };
  }

  async function erase(siteId: string, memberId: string, after?: Removal): Promise<Removal> {
    if (!after) {
      await endGrants(options, siteId, { memberId }, { actor, reason: 'member_erased', memberId });
      await forgetCreator(options, siteId, memberId);
      await forgetDecider(options, siteId, memberId);
    }
    const removal = await forget(siteId, (kind, record) => isAbout(kind, record, memberId), after, memberId);
    const digest = memberDigest(siteId, memberId);
    if (removal.next === undefined) onAudit({ action: 'member.erased', siteId, actor, memberDigest: digest });
    return removal;
  }

  /** The newest events of a person; nothing without a log. */
  async function eventsOf(site: Site, member: string): Promise<readonly AuditEvent[] | undefined> {
    if (!log.list) return undefined;
    const events: AuditEvent[] = [];
    for (let cursor: string | undefined; events.length < maxExported;) {
      const page = await log.list(site, { member, limit: 500, ...(cursor !== undefined && { cursor }) });
      events.push(...page.events);
      cursor = page.next ?? undefined;
      if (cursor === undefined) break;
    }
    return events.slice(0, maxExported);
  }

  /** Asks the platform itself: a school that has just left is still known to the process. */
  async function refuseServed(site: Site): Promise<void> {
    const origins = new Set([site, findSite.byId(site.id) ?? site].flatMap(originsOf));
    for (const origin of origins) {
      const found = await platform.findSite(origin);
      if (found?.id === site.id) throw stillServedAt(origin, site);
    }
  }

  return {
    sites: {
      async listRecords({ id: siteId }) {
        let counted = await sweep(siteId, false);
        while (counted.next !== undefined) counted = await sweep(siteId, false, counted);
        return counted.removed;
      },
      async remove(site, after = {}) {
        const { id: siteId } = site;
        const { stillServed = false } = after;
        if (!stillServed) await refuseServed(site);
        const { removed, next } = await forget(siteId, true, isBegun(after) ? after : undefined);
        if (next === undefined) onAudit({ action: 'school.removed', siteId, actor, connections: removed.Grant ?? 0 });
        return { removed, ...(next !== undefined && { next }), ...(stillServed && { stillServed }) };
      },
    },
    members: {
      async export(site, memberId) {
        const [connected, asked, created] = await Promise.all([
          connections.list(site, memberId),
          requests.list(site, { memberId }),
          applications.list(site),
        ]);
        const events = await eventsOf(site, memberId);
        const own = created.filter(({ createdBy }) => createdBy === memberId);
        const named = connected.map(async (each) =>
          each.only ? { ...each, limits: await namedLimits(site, memberId, each.only) } : each,
        );
        return {
          siteId: site.id,
          memberId,
          connections: await Promise.all(named),
          requests: asked,
          news: [...(await news.read(site.id, memberId)).values()],
          applications: own,
          ...(events && { events }),
        };
      },
      erase: (site, memberId, after) => erase(site.id, memberId, after),
    },
    async eraseAt(siteId, memberId) {
      let step = await erase(siteId, memberId);
      while (step.next !== undefined) step = await erase(siteId, memberId, step);
    },
  };
}

function stillServedAt(origin: string, { id }: Site): TypeError {
  return new TypeError(
    `sites.remove: platform.findSite still returns the school ${id} at ${origin}; take it out and wait a minute, or pass { stillServed: true }`,
  );
}

function isBegun(after: SiteRemoval | SiteRemovalOptions): after is SiteRemoval {
  return 'removed' in after;
}

function sumOf(before: RecordCounts, more: RecordCounts): RecordCounts {
  const sum: Partial<Record<RecordKind, number>> = { ...before };
  for (const [kind, count] of Object.entries(more)) if (isRecordKind(kind)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

/** The person who has created an application, or changed it. */
async function forgetCreator(
  { store }: { readonly store: RecordStore },
  siteId: string,
  memberId: string,
): Promise<void> {
  for (const { client_id: id, campus_created_by: creator, campus_changed_by: changer } of await store.list(
    siteId,
    'Client',
  )) {
    if (creator !== memberId && changer !== memberId) continue;
    const found = await store.find(siteId, 'Client', id);
    if (!found) continue;
    const others = {
      campus_created_by: creator === memberId ? undefined : creator,
      campus_changed_by: changer === memberId ? undefined : changer,
    };
    const record = serializeRecord('Client', { ...found.record, ...others });
    const entry = { kind: 'Client', id, record, listed: true, replaces: found.text } as const;
    // Another change came first: once more.
    if (!(await store.save(siteId, entry))) return forgetCreator({ store }, siteId, memberId);
  }
}

/** The decisions of somebody for the school stay, without their name and their words. */
async function forgetDecider(
  { store }: { readonly store: RecordStore },
  siteId: string,
  memberId: string,
): Promise<void> {
  const forgetRule = async (target: AppTarget): Promise<void> => {
    const found = await store.find(siteId, 'AppRule', ruleId(target));
    if (!found || !isRuleOf(found.record, memberId)) return;
    const record = withoutDecider(found.record, memberId);
    // Another change came first: once more.
    const entry = { kind: 'AppRule', id: ruleId(target), record, listed: true, replaces: found.text } as const;
    if (!(await store.save(siteId, entry))) return forgetRule(target);
  };
  const forget = async (kind: 'AllowedPerson' | 'AppRequest', id: string): Promise<void> => {
    const found = await store.find(siteId, kind, id);
    if (found?.record.by !== memberId) return;
    const words = kind === 'AppRequest' ? { answer: undefined } : { note: undefined };
    const record = serializeRecord(kind, { ...found.record, ...words, by: undefined });
    // Another change came first: once more.
    if (!(await store.save(siteId, { kind, id, record, listed: true, replaces: found.text }))) return forget(kind, id);
  };
  const [rules, people, requests] = await Promise.all([
    store.list(siteId, 'AppRule'),
    store.list(siteId, 'AllowedPerson'),
    store.list(siteId, 'AppRequest'),
  ]);
  const isTheirs = ({ by }: { readonly by?: string | undefined }): boolean => by === memberId;
  for (const rule of rules.filter((each) => isRuleOf(each, memberId))) await forgetRule(ruleTarget(rule));
  for (const each of people.filter(isTheirs))
    await forget('AllowedPerson', allowedPersonId(ruleTarget(each), each.member_id));
  for (const { member_id: asker, app, connects } of requests.filter(isTheirs))
    await forget('AppRequest', appRequestId(asker, app, connects));
}

/** Whether somebody has made a rule, or the one that an incident put aside. */
function isRuleOf({ by, before }: RecordOf<'AppRule'>, memberId: string): boolean {
  return by === memberId || (before !== undefined && parseRecord('AppRule', before).by === memberId);
}

function withoutDecider({ by, note, before, ...rule }: RecordOf<'AppRule'>, memberId: string): string {
  const made = by === memberId ? {} : { by, note };
  const below = before === undefined ? undefined : withoutDecider(parseRecord('AppRule', before), memberId);
  return serializeRecord('AppRule', { ...rule, ...made, before: below });
}

/** Whether a record names this person. Grants have ended by then; one that is given meanwhile is a new decision. */
function isAbout(kind: RecordKind, record: string, memberId: string): boolean {
  const { people: paths } = recordKinds[kind];
  if (!paths || kind === 'Grant') return false;
  try {
    const content = storedMembers(kind, record);
    return paths.some((path) => valueAt(content, path.split('.')) === memberId);
  } catch {
    // Nothing can read it, so nothing uses it until it expires.
    return false;
  }
}
