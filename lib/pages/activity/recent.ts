import type { Connection } from '../../core/connections/connection.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import { html, type Html, isolated, shortName, type Translator } from '../kit/markup.ts';
import type { MemberPageContext } from '../kit/member-page.ts';
import { personValues } from '../kit/person.ts';
import { type EventFilter, type FindEvents, isTechnical } from './events.ts';
import { activityPath, linkedNames } from './links.ts';
import type { FoundLimits } from './limits.ts';
import { findNames, type NameSources } from './names.ts';
import { eventList, type Telling, type Tools } from './sentences.ts';

/** What events are read from and told with. */
export interface EventSources {
  /** Absent if the host does not provide its log. */
  readonly findEvents: FindEvents | undefined;
  readonly tools: Tools;
}

export interface ActivitySources extends NameSources, EventSources {}

type Section = (t: Translator) => Html;

const shown = { ofApp: 5, ofMember: 10 };

/** What an app or client did last, for administrators; nothing without a log. */
export async function recentActivity(
  sources: ActivitySources,
  { site, path }: MemberPageContext,
  { app, client }: Pick<EventFilter, 'app' | 'client'>,
): Promise<Section | undefined> {
  const { findEvents, tools } = sources;
  if (!findEvents) return undefined;
  const log = (await findEvents(site, { app, client }))?.events;
  const events = log?.filter((event) => !isTechnical(event)).slice(0, shown.ofApp);
  const names = linkedNames(path, await findNames(sources, site, events ?? [], log ?? []));
  return (t) =>
    section(
      t,
      events,
      { names, tools },
      html`<a class="back" href="${activityPath(path, { app, client })}">${t.html('activity.all')}</a>`,
    );
}

/** What apps did last for one person, for administrators; nothing without a log. */
export async function personActivity(
  sources: ActivitySources,
  { site, path }: MemberPageContext,
  { memberId, name }: { readonly memberId: string; readonly name: string },
): Promise<Section | undefined> {
  const { findEvents, tools } = sources;
  if (!findEvents) return undefined;
  const log = (await findEvents(site, { member: memberId }))?.events;
  const events = log?.filter((event) => !isTechnical(event)).slice(0, shown.ofMember);
  const names = linkedNames(path, await findNames(sources, site, events ?? [], log ?? []));
  const all = activityPath(path, { person: memberId });
  return (t) =>
    section(
      t,
      events,
      { names, tools, heading: t.html('person.did', { name }) },
      html`<a class="back" href="${all}">${t.html('person.did.all', { name })}</a>`,
    );
}

/** The latest events of one connected app. */
export function ownEvents(
  memberId: string,
  clientId: string,
  log: readonly AuditEvent[] | undefined,
): readonly AuditEvent[] {
  const own = log?.filter((event) => event.clientId === clientId && event.memberId === memberId) ?? [];
  return own.filter((event) => !isTechnical(event)).slice(0, shown.ofMember);
}

/** What one connected app did for its person, without the name of anyone else. */
export function ownActivity(
  { member }: MemberPageContext,
  connection: Connection,
  log: readonly AuditEvent[] | undefined,
  { tools, limits }: { readonly tools: Tools; readonly limits: FoundLimits },
): Section {
  const events = log && ownEvents(member.id, connection.clientId, log);
  const names = {
    limits,
    client: () => isolated(shortName(connection.clientName)),
    person: (id: string) => (id === member.id ? isolated(personValues(member).name) : undefined),
  };
  return (t) => section(t, events, { names, tools, isOwn: true });
}

function section(
  t: Translator,
  events: readonly AuditEvent[] | undefined,
  { heading, ...telling }: Telling & { readonly heading?: Html },
  more?: Html,
): Html {
  return html`<section><h2>${heading ?? t.html('activity.recent')}</h2>
${events ? (events.length > 0 ? eventList(t, { events, time: 'nearMoment', ...telling }) : html`<p class="soft">${t.html('activity.none')}</p>`) : html`<p>${t.html('activity.failed')}</p>`}
${more}</section>`;
}
