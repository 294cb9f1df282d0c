import { withdrawAgain } from '../../core/applications/replayed-withdrawal.ts';
import { endAgain } from '../../core/grants/replayed-end.ts';
import { losesScopes, takenAway } from '../../core/grants/replayed-narrowing.ts';
import type { ScopeCatalogue } from '../../core/scopes/scopes.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { ownEntry } from '../../kernel/own-entry.ts';
import { valueAt } from '../../kernel/validate.ts';
import type { AuditAction, AuditEvent, OnAudit } from '../../observe/audit-event.ts';
import { memberDigest } from '../../observe/member-digest.ts';
import { parseRecord, storedMembers } from '../../records/codec.ts';
import { recordKinds } from '../../records/record-kinds.ts';
import type { RecordKind } from '../../records/record.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { leftByHand } from './left-by-hand.ts';
import { checkLogged, timeOf } from './logged-event.ts';
import type { LoggedEvents, Replayed, ReplayOptions } from './method-types.ts';

interface ReplayParts {
  readonly store: RecordStore;
  readonly catalogue: ScopeCatalogue;
  readonly onAudit: OnAudit;
  readonly replayRule: (event: AuditEvent) => Promise<boolean>;
  readonly replayApplication: (event: AuditEvent) => Promise<boolean>;
  readonly eraseAt: (siteId: string, memberId: string) => Promise<void>;
}

type Replay = (events: LoggedEvents, options: ReplayOptions) => Promise<Replayed>;

/** When people were erased, in milliseconds, by their digest. */
type Erased = Map<string, number>;

export function replayer(parts: ReplayParts): Replay {
  return async (events, { since, dryRun = false }) => {
    const replayed = { decisions: 0, connections: 0, devices: 0, applications: 0, secrets: 0, requests: 0, people: 0 };
    const erased = new Map<string, Erased>();
    const taken = takenAway(parts);
    const left = leftByHand();
    let number = 0;
    for await (const event of events) {
      number += 1;
      const time = timeOf(event, number);
      if (number === 1 && time > since.getTime())
        throw new InvalidRequest(
          `the events begin at ${event.time}, after the backup: what happened before is missing`,
        );
      if (time < since.getTime()) continue;
      checkLogged(event, number);
      const { siteId, memberDigest: digest } = event;
      if (event.action === 'member.erased' && digest !== undefined)
        erased.set(siteId, (erased.get(siteId) ?? new Map<string, number>()).set(digest, time));
      taken.note(event);
      left.note(event);
      const step = ownEntry(steps, event.action);
      if (step && (step.has?.(event) ?? true)) replayed[step.counts] += dryRun ? 1 : await step.apply(parts, event);
    }
    if (number === 0) throw new InvalidRequest('there are no events: what happened after the backup is missing');
    const narrowed = dryRun ? taken.count() : await taken.apply();
    for (const [siteId, at] of erased) {
      const found = dryRun ? [...at.keys()] : await stillStored(parts.store, siteId, at);
      if (!dryRun) for (const memberId of found) await parts.eraseAt(siteId, memberId);
      replayed.people += found.length;
    }
    return { ...replayed, narrowed, byHand: left.counts() };
  };
}

interface Step {
  readonly counts: Exclude<keyof Replayed, 'narrowed' | 'people' | 'byHand'>;
  /** Whether an event has something to apply again. @default it has */
  readonly has?: (event: AuditEvent) => boolean;
  /** Applies an event again. Returns how many that was. */
  readonly apply: (parts: ReplayParts, event: AuditEvent) => Promise<number>;
}

const ofApplication: Step['apply'] = async ({ replayApplication }, event) => Number(await replayApplication(event));

const steps: Readonly<Partial<Record<AuditAction, Step>>> = {
  'app.decided': { counts: 'decisions', apply: async ({ replayRule }, event) => Number(await replayRule(event)) },
  'connection.ended': { counts: 'connections', apply: endAgain },
  'token.revoked': {
    counts: 'devices',
    has: ({ connectionId, familyId }) => connectionId !== undefined && familyId !== undefined,
    apply: async ({ store }, { siteId, connectionId = '', familyId = '' }) =>
      Number(await store.endFamily(siteId, connectionId, familyId)),
  },
  'application.removed': { counts: 'applications', apply: ofApplication },
  'application.changed': { counts: 'applications', has: losesScopes, apply: ofApplication },
  'application.secret_rotated': { counts: 'secrets', apply: ofApplication },
  'request.withdrawn': { counts: 'requests', apply: async (parts, event) => Number(await withdrawAgain(parts, event)) },
};

/** The people of these digests of whom the store has records, unless they have allowed a connection since. */
async function stillStored(store: RecordStore, siteId: string, erased: Erased): Promise<string[]> {
  if (!store.sweep)
    throw new TypeError('the store cannot do this: it has no method sweep (docs/reference/retention.md)');
  const allowedAt = new Map<string, number>();
  const look = (kind: RecordKind, text: string): boolean => {
    for (const memberId of peopleIn(kind, text)) {
      if (!erased.has(memberDigest(siteId, memberId))) continue;
      allowedAt.set(memberId, Math.max(allowedAt.get(memberId) ?? 0, allowedIn(kind, text)));
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
function allowedIn(kind: RecordKind, text: string): number {
  if (kind !== 'Grant') return 0;
  const { iat, at = iat } = parseRecord('Grant', text);
  return at;
}
