import { inParts } from '../../kernel/in-parts.ts';
import { pageOf } from '../../core/clients/paging.ts';
import type { ListPage } from '../../core/clients/listed-client.ts';
import type { Route } from '../../http/route.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import { limitText } from '../kit/limits.ts';
import { activityUnder, targetPath } from '../kit/console.ts';
import { html, type Html, isolated, shortName, type Translator } from '../kit/markup.ts';
import { memberPage, type MemberPageContext } from '../kit/member-page.ts';
import { type MemberPageRequest, memberRoute, type MemberPagesOptions, type PageResult } from '../kit/page-access.ts';
import { csvLink, listingIn, pageLinks } from '../kit/lists.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { csvFile, type CsvFile } from '../kit/csv.ts';
import { emptyState } from '../kit/empty-state.ts';
import { dayIn } from './days.ts';
import { findLog, type Further } from './find-log.ts';
import { type EventKind, eventKinds, filtered, isOfKind, isTechnical, type NamedInFilter } from './events.ts';
import { activityPath, type ActivityQuery, linkedNames } from './links.ts';
import { findNamed, findNames, type FoundNames, maxId } from './names.ts';
import type { ActivitySources } from './recent.ts';
import { capitalized, eventList, secondsOf, sentenceText, type Tools } from './sentences.ts';

export type ActivityOptions = MemberPagesOptions & ActivitySources;

/** Activity, for administrators: what apps and people did, from the host's log. */
export function activityRoute(options: ActivityOptions): Route {
  const kind = { audience: 'administrator', page: 'activity', forbidden: 'forbidden.school' } as const;
  return { ...memberRoute(options, kind, activityUnder, handle), methods: ['GET'] };
}

interface ActivityView {
  readonly query: ActivityQuery;
  readonly list: ListPage<AuditEvent>;
  readonly found: FoundNames;
  readonly named: NamedInFilter;
  readonly further: Further | undefined;
  readonly tools: Tools;
}

async function handle(request: ActivityOptions & MemberPageRequest): Promise<PageResult> {
  const { findEvents, tools, context, call } = request;
  const { site } = context;
  const { person, app, client, reference, kind, from, to, all, page, format, cursor, clientCursor } = call.ctx.query;
  const place = { cursor: cursorIn(cursor), clientCursor: cursorIn(clientCursor) };
  const asked = {
    person: idIn(person),
    app: idIn(app),
    client: idIn(client),
    reference: idIn(reference),
    kind: eventKinds.find((each) => each === kind),
    from: dayIn(from),
    to: dayIn(to),
  };
  const found = findEvents && (await findLog(findEvents, site, { ...asked, ...place }));
  const missing = findEvents ? 'activity.failed' : 'activity.off';
  if (!found)
    return activityPage(context, (t) => emptyState({ icon: 'activity', text: t.html(missing, { school: site.name }) }));
  const { events: log, further } = found;
  const query = { ...asked, ...appIn(log, asked.app, asked.client), ...place, technical: all === 'yes' };
  const named = await findNamed(request, site, log, query);
  const changes = (tool: string): boolean => tools.get(tool)?.changes === true;
  const events = filtered(log, query, named)
    .filter((event) => query.technical || !isTechnical(event))
    .filter((event) => query.kind === undefined || isOfKind(event, query.kind, changes));
  if (format === 'csv') return activityFile(events, await findNames(request, site, events, log), tools);
  const { query: paging } = listingIn({ page }, { path: context.path });
  const list = await pageOf({ keys: events, read: async (some) => some }, paging);
  const view = { query, list, named, further, found: await findNames(request, site, list, log), tools };
  return activityPage(context, (t) => entries(t, context.path, view), list.total > 0 ? query : undefined);
}

/** The entries as they are narrowed, as a table. */
function activityFile(events: readonly AuditEvent[], found: FoundNames, tools: Tools): CsvFile {
  return csvFile('activity', inParts(events), [
    ['activity.time', ({ time }) => time],
    ['activity.what', (event, t) => sentenceText(t, event, found, tools)],
    ['activity.limited', (event, t) => limitText(t, found.limits(event))],
    ['activity.filter.person', ({ memberId }) => (memberId ? (found.person(memberId) ?? memberId) : '')],
    ['activity.filter.app', (event) => found.client(event).name ?? ''],
    ['activity.filter.reference', ({ requestId }) => requestId ?? ''],
  ]);
}

/** The id of a client can be entered as well. */
function appIn(log: readonly AuditEvent[], app: string | undefined, client: string | undefined): ActivityQuery {
  const isClient = app !== undefined && client === undefined && log.some(({ clientId }) => clientId === app);
  return isClient ? { app: undefined, client: app } : { app, client };
}

const maxCursor = 100;

function cursorIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxCursor ? value : undefined;
}

function idIn(value: unknown): string | undefined {
  const id = typeof value === 'string' && value.length <= maxId ? value.trim() : '';
  return id === '' ? undefined : id;
}

/** @param query - what the file has; without one there is none */
function activityPage(context: MemberPageContext, body: (t: Translator) => Html, query?: ActivityQuery): PageBuilder {
  return memberPage(context, {
    title: 'activity.title',
    wide: true,
    header: (t, heading) =>
      html`<div class="head">${heading}${query && csvLink(t, activityPath(context.path, { ...query, format: 'csv' }))}</div>`,
    body,
  });
}

function entries(t: Translator, path: string, view: ActivityView): Html {
  const { query, list, further, found, tools } = view;
  const { technical, kind, ...filter } = query;
  const isAll = Object.values(filter).every((value) => value === undefined);
  const days = Map.groupBy(list, (event) => capitalized(t.nearDay(secondsOf(event.time)), t.language));
  const told = { names: linkedNames(path, found), tools, time: 'clock' } as const;
  return html`${isAll ? html`<p>${t.html('activity.intro')}</p>` : chosen(t, path, view)}
${filterForm(t, path, query)}
${list.length === 0 && !further && emptyState({ icon: 'activity', text: t.html(isAll && kind === undefined ? 'activity.none' : 'activity.none.filtered') })}
${[...days].map(([day, events]) => html`<section><h2>${day}</h2>${eventList(t, { events, ...told })}</section>`)}
${pageLinks(t, (page) => activityPath(path, { ...query, page }), list)}
${further && list.page === list.pages && lookedBack(t, path, query, further)}
<p class="soft">${technical === true ? '' : html`${t.html('activity.hidden')} `}<a href="${activityPath(path, { ...query, technical: !technical })}">${t.html(technical ? 'activity.plain' : 'activity.technical')}</a></p>`;
}

/** How far back the log was looked through, and the way on. */
function lookedBack(t: Translator, path: string, query: ActivityQuery, { query: next, lookedBackTo }: Further): Html {
  const { cursor: _cursor, clientCursor: _clientCursor, page: _page, ...same } = query;
  const date = lookedBackTo && t.nearDate(Math.floor(lookedBackTo.getTime() / 1000));
  return html`<p>${date && html`${t.html('activity.lookedBack', { date })} `}<a rel="next" href="${activityPath(path, { ...same, ...next })}">${t.html('activity.further')}</a></p>`;
}

const filterFields = ['person', 'app', 'reference'] as const;

/** Ids and names can be entered; a choice by a link is in its field. */
function filterForm(t: Translator, path: string, query: ActivityQuery): Html {
  const entered = { ...query, app: query.app ?? query.client };
  const field = (name: (typeof filterFields)[number]): Html =>
    html`<label class="narrow">${t.html(`activity.filter.${name}`)} <input type="search" name="${name}" value="${entered[name] ?? ''}" maxlength="${maxId}" autocomplete="off"></label>`;
  const day = (name: 'from' | 'to'): Html =>
    html`<label class="narrow">${t.html(`activity.filter.${name}`)} <input type="date" name="${name}" value="${query[name] ?? ''}"></label>`;
  const kind = (value: EventKind): Html =>
    html`<option value="${value}"${query.kind === value && html` selected`}>${t.text(`activity.kind.${value}`)}</option>`;
  return html`<form class="search" role="search" method="get" action="${activityPath(path)}">
${query.technical && html`<input type="hidden" name="all" value="yes">`}
<div>${filterFields.map(field)}${day('from')}${day('to')}<label class="narrow">${t.html('activity.kind')} <select name="kind"><option value="">${t.text('activity.kind.all')}</option>${eventKinds.map(kind)}</select></label><button type="submit">${t.html('list.apply')}</button></div>
</form>`;
}

/** What is shown, and the way back to everything. A name is known from the entries. */
function chosen(t: Translator, path: string, { query, list, found, named }: ActivityView): Html {
  const { person, app, client, reference, kind, technical } = query;
  const somebody = person !== undefined && (named.person ? person : found.person(person));
  const one = list.map(found.client).find((each) => each.name !== undefined);
  const only = (name: string | false | undefined, otherwise: 'somebody' | 'app'): Html =>
    name ? t.html('activity.only', { name: isolated(name) }) : t.html(`activity.only.${otherwise}`);
  const target = client === undefined ? app !== undefined && !named.app && { app } : { clientId: client };
  const lines = [
    person !== undefined && only(somebody, 'somebody'),
    named.app && only(app, 'app'),
    target && html`${only(one?.name, 'app')} · <a href="${targetPath(path, target)}">${t.html('activity.app')}</a>`,
    reference !== undefined && t.html('activity.only.reference', { reference: isolated(shortName(reference)) }),
  ].filter((line) => line !== false && line !== undefined);
  return html`${lines.length > 0 && html`<p class="only">${lines.map((line, i) => html`${i > 0 && html`<br>`}${line}`)}</p>`}
<p><a href="${activityPath(path, { technical, kind })}">${t.html('activity.everything')}</a></p>`;
}
