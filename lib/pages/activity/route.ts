import type { ParsedUrlQuery } from 'node:querystring';
import { inParts } from '../../kernel/in-parts.ts';
import { pageOf } from '../../core/clients/paging.ts';
import type { ListPage } from '../../core/clients/listed-client.ts';
import type { Route } from '../../http/route.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import { limitText } from '../kit/limits.ts';
import { activityUnder, peoplePath, targetPath } from '../kit/console.ts';
import { html, type Html, isolated, shortName, type Translator } from '../kit/markup.ts';
import { memberPage, type MemberPageContext } from '../kit/member-page.ts';
import { type MemberPageRequest, memberRoute, type MemberPagesOptions, type PageResult } from '../kit/page-access.ts';
import { icon } from '../kit/icons.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { knownApps } from '../../core/known-apps/known-apps.ts';
import { csvLink, listingIn, pageLinks } from '../kit/lists.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { csvFile, type CsvFile } from '../kit/csv.ts';
import { emptyState } from '../kit/empty-state.ts';
import { dayIn } from './days.ts';
import { findLog, type Further } from './find-log.ts';
import { daysOf, periods } from './period.ts';
import { findSums } from './sums.ts';
import { eventsToName, sumsView } from './sums-view.ts';
import {
  eventKinds,
  filtered,
  type FindEvents,
  isOfKind,
  isTechnical,
  type NamedInFilter,
  withoutDoubles,
} from './events.ts';
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

type ActivityRequest = ActivityOptions & MemberPageRequest;

async function handle(request: ActivityRequest): Promise<PageResult> {
  const { findEvents, context, call } = request;
  const { site, path } = context;
  if (!findEvents) return activityPage(context, (t) => nothing(t, 'activity.off', site.name));
  const { q } = call.ctx.query;
  const typed = idIn(q);
  if (typed !== undefined) return activityPath(path, await meantBy(request, findEvents, typed));
  const query = queryOf(call.ctx.query, site.timeZone ?? 'UTC');
  return isSummedUp(query) ? showSums(request, findEvents, query) : showEntries(request, findEvents, query);
}

function nothing(t: Translator, key: 'activity.off' | 'activity.failed', school: string): Html {
  return emptyState({ icon: 'activity', text: t.html(key, { school }) });
}

/** What the address asks for. */
function queryOf(given: ParsedUrlQuery, timeZone: string): ActivityQuery {
  const { person, app, client, reference, kind, when, sums, all, page, cursor, clientCursor } = given;
  const period = periods.find((each) => each === when);
  const days = { from: dayIn(given['from']), to: dayIn(given['to']) };
  return {
    person: idIn(person),
    app: idIn(app),
    client: idIn(client),
    reference: idIn(reference),
    kind: eventKinds.find((each) => each === kind),
    ...(period === undefined || period === 'dates' ? days : daysOf(period, timeZone)),
    when: period,
    everything: kind === 'all',
    sums: sums === 'yes',
    technical: all === 'yes',
    cursor: cursorIn(cursor),
    clientCursor: cursorIn(clientCursor),
    page: typeof page === 'string' && /^\d{1,6}$/.test(page) ? Number(page) : 1,
  };
}

/** Without a filter, connections are summed up by app. */
function isSummedUp({
  person,
  app,
  client,
  reference,
  kind,
  everything,
  technical,
  sums,
  ...days
}: ActivityQuery): boolean {
  if (sums) return true;
  const isNarrowed = [person, app, client, reference, kind].some((each) => each !== undefined);
  const isOfDays = days.when !== undefined || (days.from === undefined && days.to === undefined);
  return !isNarrowed && !everything && !technical && days.cursor === undefined && isOfDays;
}

/** Whom or what somebody means who has typed a name, an id or a reference. */
async function meantBy(request: ActivityRequest, findEvents: FindEvents, typed: string): Promise<ActivityQuery> {
  const { kit, context } = request;
  const { site, member } = context;
  // It looks through the log and asks the platform.
  kit.limitPages(site, member.id, 2);
  const { when, kind, from, to } = queryOf(request.call.ctx.query, site.timeZone ?? 'UTC');
  const also = { kind, ...(when === 'dates' && { from, to }), ...(when !== undefined && { when }) };
  const [ofReference, people] = await Promise.all([
    findEvents(site, { reference: typed }),
    kit.platform.searchMembers?.(site, typed) ?? [],
  ]);
  if (ofReference?.events.some(({ requestId }) => requestId === typed)) return { reference: typed, ...also };
  const [one] = people;
  if (one && people.length === 1) return { person: one.id, ...also };
  const known = knownApps.find(({ name, id }) => [name.toLowerCase(), id].includes(typed.toLowerCase()));
  if (known) return { app: known.id, ...also };
  const log = (await findEvents(site))?.events ?? [];
  const named = await findNamed(request, site, log, { app: typed });
  const isApp = log.some((event) => (named.app ? named.app(event) : event.app === typed));
  return isApp ? { app: typed, ...also } : { person: typed, ...also };
}

async function showSums(request: ActivityRequest, findEvents: FindEvents, query: ActivityQuery): Promise<PageResult> {
  const { context, call } = request;
  const { site, path } = context;
  const { from, to } = query.from === undefined ? daysOf('week', site.timeZone ?? 'UTC') : query;
  const days = { from, to };
  const sums = await findSums(findEvents, site, days);
  if (!sums) return activityPage(context, (t) => nothing(t, 'activity.failed', site.name));
  if (call.ctx.query['format'] === 'csv')
    return showEntries(request, findEvents, { ...query, ...days, kind: 'connections' });
  const events = eventsToName(sums);
  const found = await findNames(request, site, events, events);
  return activityPage(
    context,
    (t) => html`${filterForm(t, path, query)}
${sumsView(t, { path, sums, days, found })}`,
    { kind: 'connections', ...days },
  );
}

async function showEntries(
  request: ActivityRequest,
  findEvents: FindEvents,
  asked: ActivityQuery,
): Promise<PageResult> {
  const { tools, context, call } = request;
  const { site } = context;
  const found = await findLog(findEvents, site, asked);
  if (!found) return activityPage(context, (t) => nothing(t, 'activity.failed', site.name));
  const { events: log, further } = found;
  const query = { ...asked, ...appIn(log, asked.app, asked.client) };
  const named = await findNamed(request, site, log, query);
  const changes = (tool: string): boolean => tools.get(tool)?.changes === true;
  const events = filtered(query.technical ? log : withoutDoubles(log), query, named)
    .filter((event) => query.technical || !isTechnical(event))
    .filter((event) => query.kind === undefined || isOfKind(event, query.kind, changes));
  if (call.ctx.query['format'] === 'csv')
    return activityFile(events, await findNames(request, site, events, log), tools);
  const { query: paging } = listingIn({ page: `${query.page ?? 1}` }, { path: context.path });
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
    ['activity.code', ({ reason }) => reason ?? ''],
    ['activity.address', ({ claimed }) => claimed?.redirectUris?.[0] ?? claimed?.audiences?.[0] ?? ''],
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
  const { technical, kind, person, app, client, reference } = query;
  const isAll = [person, app, client, reference].every((value) => value === undefined);
  const isWhole = isAll && kind === undefined && query.from === undefined && query.to === undefined;
  const days = Map.groupBy(list, (event) => capitalized(t.nearDay(secondsOf(event.time)), t.language));
  const isDetailed = technical === true || reference !== undefined;
  const told = { names: linkedNames(path, found), tools, time: 'clock', isDetailed } as const;
  return html`${!isAll && chosen(t, path, view)}
${filterForm(t, path, query)}
${list.length === 0 && !further && emptyState({ icon: 'activity', text: t.html(isWhole ? 'activity.none' : 'activity.none.filtered') })}
${[...days].map(([day, events]) => html`<section><h2>${day}</h2>${eventList(t, { events, ...told })}</section>`)}
${pageLinks(t, (page) => activityPath(path, { ...query, page }), list)}
${further && list.page === list.pages && lookedBack(t, path, query, further)}
<p class="soft">${technical === true ? '' : html`${t.html('activity.hidden')} `}<a href="${activityPath(path, { ...query, technical: !technical, everything: true })}">${t.html(technical ? 'activity.plain' : 'activity.technical')}</a></p>
<p><a href="${activityPath(path)}">${t.html('activity.sums.back')}</a></p>`;
}

/** How far back the log was looked through, and the way on. */
function lookedBack(t: Translator, path: string, query: ActivityQuery, { query: next, lookedBackTo }: Further): Html {
  const { cursor: _cursor, clientCursor: _clientCursor, page: _page, ...same } = query;
  const date = lookedBackTo && t.nearDate(Math.floor(lookedBackTo.getTime() / 1000));
  return html`<p>${date && html`${t.html('activity.lookedBack', { date })} `}<a rel="next" href="${activityPath(path, { ...same, ...next })}">${t.html('activity.further')}</a></p>`;
}

/** One field for a name, an id or a reference; what was chosen by a link stays chosen. */
function filterForm(t: Translator, path: string, query: ActivityQuery): Html {
  const { from, to, when, kind, technical } = query;
  const kept = { person: query.person, app: query.app, client: query.client, reference: query.reference };
  const hidden = Object.entries({ ...kept, ...(technical && { all: 'yes' }) }).flatMap(([name, value]) =>
    value === undefined ? [] : html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const hasDays = from !== undefined || to !== undefined;
  const period = when ?? (hasDays ? 'dates' : undefined);
  const isSum = isSummedUp({ ...query, sums: false });
  const first = isSum ? 'activity.when.week' : 'activity.when.any';
  const option = (value: string, text: TextKey, isChosen: boolean): Html =>
    html`<option value="${value}"${isChosen && html` selected`}>${t.text(text)}</option>`;
  const day = (name: 'from' | 'to'): Html =>
    html`<label class="narrow">${t.html(`activity.filter.${name}`)} <input type="date" name="${name}" value="${query[name] ?? ''}"></label>`;
  return html`<form class="search" role="search" method="get" action="${activityPath(path)}">
${hidden}<label class="hide" for="q">${t.html('activity.search')}</label>
<div>${icon('search')}<input type="search" id="q" name="q" maxlength="${maxId}" autocomplete="off" placeholder="${t.text('activity.search')}"><label class="narrow"><span class="hide">${t.html('activity.kind')}</span><select name="kind">${option('', isAnyFilter(query) ? 'activity.kind.all' : 'activity.kind.connections', false)}${option('all', 'activity.kind.all', query.everything === true)}${eventKinds.filter((each) => each !== 'connections' || kind === each).map((each) => option(each, `activity.kind.${each}`, kind === each))}</select></label><label class="narrow"><span class="hide">${t.html('activity.when')}</span><select name="when">${option('', first, false)}${periods.filter((each) => !(isSum && each === 'week')).map((each) => option(each, `activity.when.${each}`, period === each))}</select></label><button type="submit">${t.html('list.apply')}</button></div>
${period === 'dates' && html`<div>${day('from')}${day('to')}</div>`}
</form>`;
}

function isAnyFilter({ person, app, client, reference }: ActivityQuery): boolean {
  return [person, app, client, reference].some((each) => each !== undefined);
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
    person !== undefined &&
      html`${only(somebody, 'somebody')}${!named.person && html` · <a href="${peoplePath(path, person)}">${t.html('activity.person')}</a>`}`,
    named.app && only(app, 'app'),
    target && html`${only(one?.name, 'app')} · <a href="${targetPath(path, target)}">${t.html('activity.app')}</a>`,
    reference !== undefined && t.html('activity.only.reference', { reference: isolated(shortName(reference)) }),
  ].filter((line) => line !== false && line !== undefined);
  return html`${lines.length > 0 && html`<p class="only">${lines.map((line, i) => html`${i > 0 && html`<br>`}${line}`)}</p>`}
<p><a href="${activityPath(path, { technical, kind, everything: true })}">${t.html('activity.everything')}</a></p>`;
}
