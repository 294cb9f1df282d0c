import { endAgain } from '../../core/grants/replayed-end.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { valueAt } from '../../kernel/validate.ts';
import type { AuditEvent, OnAudit } from '../../observe/audit-event.ts';
import { memberDigest } from '../../observe/member-digest.ts';
import { parseRecord, storedMembers } from '../../records/codec.ts';
import { recordKinds } from '../../records/record-kinds.ts';
import type { RecordKind } from '../../records/record.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { LoggedEvents, Replayed, ReplayOptions } from './method-types.ts';

interface ReplayParts {
  readonly store: RecordStore;
  readonly onAudit: OnAudit;
  readonly replayRule: (event: AuditEvent) => Promise<boolean>;
  readonly eraseAt: (siteId: string, memberId: string) => Promise<void>;
}

type Replay = (events: LoggedEvents, options: ReplayOptions) => Promise<Replayed>;

/** When people were erased, in milliseconds, by their digest. */
type Erased = Map<string, number>;

export function replayer(parts: ReplayParts): Replay {
  return async (events, { since, dryRun = false }) => {
    const replayed = { decisions: 0, connections: 0, devices: 0, people: 0 };
    const erased = new Map<string, Erased>();
    let isBegun = false;
    for await (const event of events) {
      const time = Date.parse(event.time);
      if (!isBegun && time > since.getTime())
        throw new InvalidRequest(
          `the events begin at ${event.time}, after the backup: what happened before is missing`,
        );
      isBegun = true;
      if (time < since.getTime()) continue;
      const { siteId, memberDigest: digest } = event;
      if (event.action === 'member.erased' && digest !== undefined)
        erased.set(siteId, (erased.get(siteId) ?? new Map<string, number>()).set(digest, time));
      else count(replayed, event, dryRun ? 1 : await applyAgain(parts, event));
    }
    if (!isBegun) throw new InvalidRequest('there are no events: what happened after the backup is missing');
    for (const [siteId, at] of erased) {
      const found = dryRun ? [...at.keys()] : await stillStored(parts.store, siteId, at);
      if (!dryRun) for (const memberId of found) await parts.eraseAt(siteId, memberId);
      replayed.people += found.length;
    }
    return replayed;
  };
}

type Counts = { -readonly [K in keyof Replayed]: number };

const counted: Readonly<Partial<Record<AuditEvent['action'], keyof Replayed>>> = {
  'app.decided': 'decisions',
  'connection.ended': 'connections',
  'token.revoked': 'devices',
};

function count(replayed: Counts, { action }: AuditEvent, applied: number): void {
  const name = counted[action];
  if (name) replayed[name] += applied;
}

/** Returns how many decisions, connections or devices that was. */
async function applyAgain({ store, onAudit, replayRule }: ReplayParts, event: AuditEvent): Promise<number> {
  const { action, siteId, connectionId, familyId } = event;
  if (action === 'app.decided') return Number(await replayRule(event));
  if (action === 'connection.ended') return endAgain({ store, onAudit }, event);
  if (action !== 'token.revoked' || connectionId === undefined || familyId === undefined) return 0;
  return Number(await store.endFamily(siteId, connectionId, familyId));
}

/** The people of these digests of whom the store has records, unless they have allowed a connection since. */
async function stillStored(store: RecordStore, siteId: string, erased: Erased): Promise<string[]> {
  if (!store.sweep)
    throw new TypeError('the store cannot do this: it has no method sweep (docs/reference/retention.md)');
  const allowedAt = new Map<string, number>();
  const look = (kind: RecordKind, text: string): boolean => {
    for (const memberId of peopleIn(kind, text)) {
      if (!erased.has(memberDigest(siteId, memberId))) continue;
      allowedAt.set(memberId, Math.max(allowedAt.get(memberId) ?? 0, timeOf(kind, text)));
    }
    return false;
  };
  for (let from: string | null | undefined = ''; typeof from === 'string';) {
    const step: { readonly next?: string | null | undefined } = await store.sweep(siteId, from, look);
    from = step.next;
  }
  const isBefore = (memberId: string, at: number): boolean =>
    at * 1000 <= (erased.get(memberDigest(siteId, memberId)) ?? 0);
  return [...allowedAt].filter(([memberId, at]) => isBefore(memberId, at)).map(([memberId]) => memberId);
}

/** People of whom a record is, and those who have decided or created something. */
const others = ['by', 'campus_created_by', 'campus_changed_by'];

function peopleIn(kind: RecordKind, text: string): string[] {
  try {
    const content = storedMembers(kind, text);
    const { people = [] } = recordKinds[kind];
    const named = [...people, ...others].map((path) => valueAt(content, path.split('.')));
    return named.filter((each): each is string => typeof each === 'string');
  } catch {
    // Nothing can read it, so nothing uses it until it expires.
    return [];
  }
}

/** When a grant was allowed last, in seconds since the epoch; 0 for other records. */
function timeOf(kind: RecordKind, text: string): number {
  if (kind !== 'Grant') return 0;
  const { iat, at = iat } = parseRecord('Grant', text);
  return at;
}
