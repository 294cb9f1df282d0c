import type { Log } from '../../core/log/log.ts';
import type { Site } from '../../host/school-platform.ts';
import { type AuditAction, auditOutcomes, type AuditEvent, isAction } from '../../observe/audit-event.ts';
import type { EventPage, EventQuestion } from '../../observe/event-question.ts';

/** Events of a school, newest first: the latest, or those that answer a question. `undefined` if the log could not be read. */
export type FindEvents = (site: Site, question?: EventQuestion) => Promise<EventPage | undefined>;

/** Events that a page reads. */
export const maxEvents = 500;

export function eventsFinder(list: Log['list']): FindEvents | undefined {
  if (!list) return undefined;
  return (site, question) => list(site, { ...question, limit: maxEvents }).catch(() => undefined);
}

/** What apps do to stay connected: so much that it would hide the rest. */
const technical: ReadonlySet<AuditAction> = new Set([
  'token.issued',
  'token.refreshed',
  'token.replayed',
  'token.lost_race',
  'token.rejected',
]);

export function isTechnical({ action }: AuditEvent): boolean {
  return technical.has(action);
}

/** Without the decision that answers a request: the answer says the same. */
export function withoutDoubles(events: readonly AuditEvent[]): readonly AuditEvent[] {
  const answered = new Set(
    events.flatMap(({ action, requestId }) => (action === 'request.granted' && requestId) || []),
  );
  const repeats = ({ action, requestId }: AuditEvent): boolean =>
    action !== 'request.granted' &&
    ['app.decided', 'application.created'].includes(action) &&
    answered.has(requestId ?? '');
  return events.filter((event) => !repeats(event));
}

/** Which events a page shows. */
export interface EventFilter {
  readonly person?: string | undefined;
  /** An app has the clients that are known to be it: from their events, or this one. */
  readonly app?: string | undefined;
  readonly client?: string | undefined;
  /** What the page of a refusal showed. */
  readonly reference?: string | undefined;
  readonly kind?: EventKind | undefined;
  /** The first and the last day, as a date field has them. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What a person can look for. An event can be of two kinds: a decision that somebody was refused. */
export const eventKinds = ['changes', 'connections', 'decisions', 'refused'] as const;

export type EventKind = (typeof eventKinds)[number];

/** How the actions of each kind begin. */
const decisions = ['application.', 'document.', 'app.', 'request.'];
const connected = ['authorization.', 'connection.', 'consent.'];

const actions = Object.keys(auditOutcomes).filter(isAction);

/** The actions that events of a kind can have: what the log is asked for. */
export function actionsOf(kind: EventKind): readonly AuditAction[] {
  if (kind === 'decisions') return actions.filter((action) => isIn(decisions, action));
  if (kind === 'connections') return actions.filter((action) => isIn(connected, action));
  if (kind === 'changes') return ['tool.called'];
  return actions.filter((action) => action === 'tool.called' || auditOutcomes[action] === 'refused');
}

/** @param changes - whether a tool changes data, by its name */
export function isOfKind(event: AuditEvent, kind: EventKind, changes: (tool: string) => boolean): boolean {
  const { action, outcome, tool } = event;
  if (kind === 'decisions') return isIn(decisions, action);
  if (kind === 'connections') return isIn(connected, action);
  if (kind === 'changes') return tool?.outcome === 'succeeded' && changes(tool.name);
  return outcome === 'refused' || tool?.outcome === 'refused';
}

function isIn(groups: readonly string[], action: string): boolean {
  return groups.some((group) => action.startsWith(group));
}

/** Whom a name means that somebody has entered in place of an id. */
export interface NamedInFilter {
  readonly person?: ((memberId: string) => boolean) | undefined;
  readonly app?: ((event: AuditEvent) => boolean) | undefined;
}

export function filtered(
  events: readonly AuditEvent[],
  filter: EventFilter,
  named: NamedInFilter = {},
): readonly AuditEvent[] {
  const { person, app, client, reference } = filter;
  const isPerson = named.person ?? ((id) => id === person);
  const ofApp = events.flatMap((each) => (each.app === app && each.clientId) || []);
  const clients = new Set([client, ...(app === undefined ? [] : ofApp)]);
  const isAny = app === undefined && client === undefined;
  const isApp = named.app ?? ((event) => clients.has(event.clientId ?? '') || (app !== undefined && event.app === app));
  return events.filter(
    (event) =>
      (isAny || isApp(event)) &&
      (reference === undefined || event.requestId === reference) &&
      (person === undefined || peopleOf(event).some((id) => !!id && isPerson(id))),
  );
}

/** Whose connections it is about, and who did it. */
export function peopleOf({ memberId, memberIds, actor }: AuditEvent): readonly (string | null | undefined)[] {
  return [memberId, actor.id, ...(memberIds ?? [])];
}
