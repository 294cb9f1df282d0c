import type { LimitChoices, NamedLimit } from '../../core/boundaries/limit-choices.ts';
import type { Only } from '../../core/boundaries/boundary.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';

/** What an app was limited to by an event, with the names of now. */
export type FoundLimits = (event: AuditEvent) => readonly NamedLimit[];

export interface LimitSources {
  readonly platform: HostPlatform;
  readonly limits: LimitChoices;
}

/** Each person of the events is looked up once, with all of their items together. What fails is a fault, and without names. */
export async function findLimits(
  { platform, limits }: LimitSources,
  site: Site,
  events: readonly AuditEvent[],
): Promise<FoundLimits> {
  const byPerson = Map.groupBy(
    events.filter(({ memberId, only }) => memberId && Object.keys(only ?? {}).length > 0),
    ({ memberId = '' }) => memberId,
  );
  const found = new Map<string, readonly NamedLimit[]>();
  const look = async (memberId: string, own: readonly AuditEvent[]): Promise<void> => {
    const member: Member | undefined = await platform.findMember(site, memberId).catch(() => undefined);
    if (member) found.set(memberId, await limits.named(site, member, allOf(own)).catch(() => []));
  };
  await Promise.all([...byPerson].map(([memberId, own]) => look(memberId, own)));
  return ({ memberId = '', only }) =>
    Object.entries(only ?? {}).map(([type, ids]) => {
      const known = found.get(memberId)?.find((each) => each.type === type);
      const items = ids.map((id) => known?.items.find((item) => item.id === id) ?? { id });
      return { type, name: known?.name ?? type, names: known?.names, items };
    });
}

/** The ids of all events, by type. */
function allOf(events: readonly AuditEvent[]): Only {
  const all = new Map<string, Set<string>>();
  for (const { only } of events)
    for (const [type, ids] of Object.entries(only ?? {})) {
      const known = all.get(type) ?? new Set();
      all.set(type, known);
      for (const id of ids) known.add(id);
    }
  return Object.fromEntries([...all].map(([type, ids]) => [type, [...ids]]));
}
