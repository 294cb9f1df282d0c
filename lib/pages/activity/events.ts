import * as z from 'zod';
import type { Site, MaybePromise } from '../../host/school-platform.ts';
import { faultWrapper } from '../../observe/faults-to-503.ts';
import { brief, checkReturn, wrongReturn } from '../../host/check-returns.ts';
import { appAccesses } from '../../core/access/rule.ts';
import type { AuditAction, AuditEvent } from '../../observe/audit-event.ts';
import type { OnFault } from '../../observe/events.ts';

/** The latest events of a school, newest first, from the host's own log; `undefined` if that could not be read. */
export type FindEvents = (site: Site) => Promise<readonly AuditEvent[] | undefined>;

/** The others that the host returned are not read. */
export const maxEvents = 500;

const words = z.string().nullish();
const texts = z.array(z.string()).nullish();

const eventSchema = z.object({
  time: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'be a time in ISO 8601'),
  action: z.string(),
  outcome: z.enum(['allowed', 'refused']),
  actor: z.object({ kind: z.enum(['member', 'operator', 'administrator', 'client', 'anonymous']), id: words }),
  reason: words,
  clientId: words,
  clientName: words,
  claimed: z.object({ clientId: words, name: words, redirectUris: texts, audiences: texts }).nullish(),
  app: words,
  memberId: words,
  connectionId: words,
  familyId: words,
  address: words,
  requestId: words,
  connections: z.number().nullish(),
  memberIds: z.array(z.string()).nullish(),
  only: z.record(z.string(), z.array(z.string())).nullish(),
  rule: z.object({ access: z.enum(appAccesses), ask: z.boolean().nullish() }).nullish(),
  tool: z.object({ name: z.string(), outcome: z.string(), about: words }).nullish(),
});
const eventsSchema = z.array(eventSchema, 'be an array of audit events');

/** The log of the host: the latest events of a school, the newest first. */
type RecentEvents = (site: Site) => MaybePromise<readonly AuditEvent[]>;

/** A log that cannot be read, or that returns something else than events of the school, is a fault. */
export function eventsFinder(recentEvents: RecentEvents | undefined, onFault: OnFault): FindEvents | undefined {
  if (!recentEvents) return undefined;
  const what = 'pages.recentEvents';
  const find = faultWrapper(onFault)(what, async (site: Site) => {
    const returned = await recentEvents(site);
    const events = Array.isArray(returned) ? returned.slice(0, maxEvents) : returned;
    checkReturn(`${what}()`, eventsSchema, events);
    const wrong = events.findIndex(({ siteId }) => siteId !== site.id);
    if (wrong < 0) return events;
    const rule = `be the id of the requested school, ${brief(site.id)}`;
    throw wrongReturn(`${what}()`, `[${wrong}].siteId`, events[wrong]?.siteId, rule);
  });
  return (site) => find(site).catch(() => undefined);
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

/** Which events a page shows. */
export interface EventFilter {
  readonly person?: string | undefined;
  /** An app has the clients that are known to be it: from their events, or this one. */
  readonly app?: string | undefined;
  readonly client?: string | undefined;
  /** What the page of a refusal showed. */
  readonly reference?: string | undefined;
  readonly kind?: EventKind | undefined;
}

/** What a person can look for. An event can be of two kinds: a decision that somebody was refused. */
export const eventKinds = ['changes', 'connections', 'decisions', 'refused'] as const;

export type EventKind = (typeof eventKinds)[number];

/** How the actions of each kind begin. */
const decisions = ['application.', 'document.', 'app.', 'request.'];
const connected = ['authorization.', 'connection.', 'consent.'];

/** @param changes - whether a tool changes data, by its name */
export function isOfKind(event: AuditEvent, kind: EventKind, changes: (tool: string) => boolean): boolean {
  const { action, outcome, tool } = event;
  const begins = (groups: readonly string[]): boolean => groups.some((group) => action.startsWith(group));
  if (kind === 'decisions') return begins(decisions);
  if (kind === 'connections') return begins(connected);
  if (kind === 'changes') return tool?.outcome === 'succeeded' && changes(tool.name);
  return outcome === 'refused' || tool?.outcome === 'refused';
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
