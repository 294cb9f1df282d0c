import { requestIdIn } from '../../core/applications/replayed-withdrawal.ts';
import type { AuditAction, AuditEvent } from '../../observe/audit-event.ts';
import type { Replayed } from './method-types.ts';

/** Counts what an event alone cannot bring back. */
interface LeftByHand {
  /** Takes the next event, in their order. */
  note(event: AuditEvent): void;
  counts(): Replayed['byHand'];
}

/** What an event is about that people may have to repeat. */
const subjects: Readonly<Partial<Record<AuditAction, 'application' | 'request' | 'school'>>> = {
  'application.created': 'application',
  'application.changed': 'application',
  'application.secret_rotated': 'application',
  'application.removed': 'application',
  'request.made': 'request',
  'request.granted': 'request',
  'request.declined': 'request',
  'request.withdrawn': 'request',
  'school.removed': 'school',
};

/** After these, nothing is left to repeat. */
const ends = new Set<AuditAction>(['application.removed', 'request.withdrawn']);

export function leftByHand(): LeftByHand {
  const all = new Map<string, Set<AuditAction>>();
  return {
    note(event) {
      const { action, siteId, clientId } = event;
      const subject = subjects[action];
      if (!subject) return;
      const id = subject === 'request' ? requestIdIn(event) : subject === 'application' ? clientId : undefined;
      const key = JSON.stringify([siteId, subject, id]);
      if (ends.has(action)) all.delete(key);
      else all.set(key, (all.get(key) ?? new Set<AuditAction>()).add(action));
    },
    counts() {
      const counts: Partial<Record<AuditAction, number>> = {};
      for (const actions of all.values()) for (const action of actions) counts[action] = (counts[action] ?? 0) + 1;
      return counts;
    },
  };
}
