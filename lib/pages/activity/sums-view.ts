import type { AuditEvent } from '../../observe/audit-event.ts';
import { events as eventRows } from '../kit/events.ts';
import { changedAreas } from '../kit/does.ts';
import type { IconName } from '../kit/icons.ts';
import { emptyState } from '../kit/empty-state.ts';
import { html, type Html, isolated, type Translator } from '../kit/markup.ts';
import { activityPath } from './links.ts';
import type { FoundNames } from './names.ts';
import { before, type Days } from './period.ts';
import { type AppSum, countPeople, type Sums } from './sums.ts';

/** So many people of an app are named. */
export const namedPeople = 3;

/** The events of which a page shows names: one for each app and for each person who is named. */
export function eventsToName({ connected, ended, refused }: Sums): AuditEvent[] {
  return [connected, ended, refused].flatMap((sums) =>
    sums.flatMap(({ event, people }) =>
      people.slice(0, namedPeople).map((memberId) => ({ ...event, memberId, actor: { kind: 'client' } as const })),
    ),
  );
}

interface SumsView {
  readonly path: string;
  readonly sums: Sums;
  readonly days: Days;
  readonly found: FoundNames;
}

/** What people connected, disconnected and were refused, by app. */
export function sumsView(t: Translator, view: SumsView): Html {
  const { path, sums, days } = view;
  const { connected, ended, refused, lookedBackTo } = sums;
  const counts = {
    people: countPeople(connected),
    apps: connected.length,
    ended: countPeople(ended),
    refused: countPeople(refused),
  };
  const isEmpty = connected.length + ended.length + refused.length === 0;
  const earlier = before(days);
  const list = (heading: Html, icon: IconName, rows: readonly AppSum[], isBad = false): Html | false =>
    rows.length > 0 &&
    html`<section><h2>${heading}</h2>
${eventRows(rows.map((sum) => ({ icon, isBad, text: line(t, view, sum), time: spanOf(t, sum) })))}</section>`;
  const since = lookedBackTo && t.nearDate(Math.floor(lookedBackTo.getTime() / 1000));
  return html`${!isEmpty && html`<p class="lead">${t.html('activity.sums', counts)}</p>`}
${isEmpty && !lookedBackTo && emptyState({ icon: 'activity', text: t.html('activity.sums.none') })}
${list(t.html('activity.sums.connected'), 'check', connected)}
${list(t.html('activity.sums.ended'), 'delete', ended)}
${list(t.html('activity.kind.refused'), 'block', refused, true)}
${since && html`<p>${t.html('activity.lookedBack', { date: since })}</p>`}
<p class="soft"><a href="${activityPath(path, { kind: 'connections', ...days })}">${t.html('activity.each')}</a> · <a href="${activityPath(path, { technical: true, ...days })}">${t.html('activity.technical.entries')}</a></p>
${earlier && html`<nav class="pages" aria-label="${t.text('pages.label')}"><a class="button small" rel="prev" href="${activityPath(path, { sums: true, ...earlier })}">${t.html('activity.before')}</a></nav>`}`;
}

/** An app with its people. */
function line(t: Translator, view: SumsView, { event, people, scopes }: AppSum): Html {
  const { path, days, found } = view;
  const { name, app } = found.client(event);
  const href = activityPath(path, { app, client: event.clientId, ...days });
  const client =
    name === undefined ? t.html('event.a.app') : html`<a class="name" href="${href}">${isolated(name)}</a>`;
  const areas = changedAreas(t, scopes);
  return html`${client}: ${peopleLine(t, view, people)}${areas !== undefined && html`. <b>${t.html('activity.sums.changes', { areas })}</b>`}`;
}

/** Some names, and how many there are besides. */
function peopleLine(t: Translator, { path, found }: SumsView, people: readonly string[]): Html {
  const known = people.slice(0, namedPeople).flatMap((id) => {
    const name = found.person(id);
    return name === undefined
      ? []
      : [html`<a class="name" href="${activityPath(path, { person: id })}">${isolated(name)}</a>`];
  });
  const others = people.length - known.length;
  if (known.length === 0) return t.html('activity.sums.people', { count: people.length });
  const names = html`${known.map((name, i) => html`${i > 0 && ', '}${name}`)}`;
  return others === 0 ? names : t.html('activity.sums.more', { names, count: others });
}

/** When the first and the last of them was. */
function spanOf(t: Translator, { first, last }: AppSum): Html {
  const [from, to] = [first, last].map((time) => t.nearDay(Math.floor(time / 1000)));
  return from === to ? t.nearDate(Math.floor(last / 1000)) : html`<time>${from} – ${to}</time>`;
}
