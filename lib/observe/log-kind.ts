import type { AuditAction, AuditEvent } from './audit-event.ts';

/**
 * The kind of a logged event. Each kind has a separate bound, so frequent events cannot push out important ones. `school`: decisions of
 * administrators. `people`: actions and connections of people. `use`: actions of apps with their tokens, and refusals. `strangers`:
 * requests of unknown callers.
 */
export type LogKind = 'school' | 'people' | 'use' | 'strangers';

/** In the order in which a log that is short of room keeps them. */
export const logKinds: readonly LogKind[] = ['school', 'people', 'use', 'strangers'];

/** Whose act it is. What is not of the school is a stranger's where nobody is known. */
const kindOfAction = {
  'authorization.granted': 'people',
  'authorization.refused': 'people',
  'consent.given': 'people',
  'consent.narrowed': 'people',
  'consent.denied': 'people',
  'token.issued': 'use',
  'token.refreshed': 'use',
  'token.replayed': 'use',
  'token.refused': 'use',
  'token.reused': 'use',
  'token.lost_race': 'use',
  'token.revoked': 'use',
  'token.rejected': 'use',
  'revocation.refused': 'use',
  'introspection.refused': 'use',
  'application.created': 'school',
  'application.changed': 'school',
  'application.secret_rotated': 'school',
  'application.removed': 'school',
  'connection.ended': 'people',
  'connection.narrowed': 'people',
  'connection.widened': 'people',
  'connection.limited': 'people',
  'app.decided': 'school',
  'document.seen': 'people',
  'document.changed': 'school',
  'document.unreachable': 'people',
  'document.withdrawn': 'school',
  'request.made': 'people',
  'request.withdrawn': 'people',
  'request.granted': 'school',
  'request.declined': 'school',
  'registration.admitted': 'people',
  'registration.refused': 'people',
  'quota.exceeded': 'use',
  'tool.called': 'use',
  'message.refused': 'use',
  'session.ended': 'people',
  'logout.refused': 'use',
  'logout.delivered': 'use',
  'logout.undelivered': 'use',
  'member.erased': 'school',
  'school.removed': 'school',
} as const satisfies Record<AuditAction, Exclude<LogKind, 'strangers'>>;

/** A refusal is a person's only where a credential or a session has said who they are: anybody can send a name. */
export function kindOf({ action, memberId, actor }: AuditEvent): LogKind {
  const kind = kindOfAction[action];
  const isUnknown = memberId === undefined && (actor.kind === 'anonymous' || actor.kind === 'client');
  return kind !== 'school' && isUnknown ? 'strangers' : kind;
}

/** Where the events of an action can be. */
export function kindsOf(action: AuditAction): readonly LogKind[] {
  const kind = kindOfAction[action];
  return kind === 'school' ? [kind] : [kind, 'strangers'];
}

/** Events that no log keeps: apps refresh many times a day, and of a school that is removed nothing stays. */
export const notLogged: ReadonlySet<AuditAction> = new Set(['token.refreshed', 'token.replayed', 'school.removed']);
