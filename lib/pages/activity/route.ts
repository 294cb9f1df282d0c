import { pageOf } from '../../core/clients/paging.ts';
import type { ListPage } from '../../core/clients/listed-client.ts';
import type { Route } from '../../http/route.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import { activityUnder, targetPath } from '../kit/console.ts';
import { html, type Html, isolated, shortName, type Translator } from '../kit/markup.ts';
import { memberPage, type MemberPageContext } from '../kit/member-page.ts';
import { type MemberPageRequest, memberRoute, type MemberPagesOptions } from '../kit/page-access.ts';
import { listingIn, pageLinks } from '../kit/lists.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { filtered, isTechnical, type NamedInFilter } from './events.ts';
import { activityPath, type ActivityQuery, linkedNames } from './links.ts';
import { findNamed, findNames, type FoundNames, maxId } from './names.ts';
import type { ActivitySources } from './recent.ts';
import { eventList, secondsOf, type Tools } from './sentences.ts';

export type ActivityOptions = MemberPagesOptions & ActivitySources;

/** Developers ▸ Activity, for administrators: what programs and people did, from the host's log. */
export function activityRoute(options: ActivityOptions): Route {
  const kind = { audience: 'administrator', page: 'activity', forbidden: 'forbidden.school' } as const;
  return { ...memberRoute(options, kind, activityUnder, handle), methods: ['GET'] };
}

interface ActivityView {
  readonly query: ActivityQuery;
  readonly list: ListPage<AuditEvent>;
  readonly found: FoundNames;
  readonly named: NamedInFilter;
  readonly tools: Tools;
}

async function handle(request: ActivityOptions & MemberPageRequest): Promise<PageBuilder> {
  const { findEvents, tools, context, call } = request;
  const { site } = context;
  const { person, program, client, reference, all, page } = call.ctx.query;
  const log = await findEvents?.(site);
  const missing = findEvents ? 'activity.failed' : 'activity.off';
  if (!log) return activityPage(context, (t) => html`<p>${t.html(missing, { school: site.name })}</p>`);
  const query = {
    person: idIn(person),
    ...programIn(log, idIn(program), idIn(client)),
    reference: idIn(reference),
    technical: all === 'yes',
  };
  const named = await findNamed(request, site, log, query);
  const events = filtered(log, query, named).filter((event) => query.technical || !isTechnical(event));
  const { query: paging } = listingIn({ page }, { path: context.path });
  const list = await pageOf({ keys: events, read: async (some) => some }, paging);
  const view = { query, list, named, found: await findNames(request, site, list, log), tools };
  return activityPage(context, (t) => entries(t, context.path, view));
}

/** The id of a client can be entered as well. */
function programIn(
  log: readonly AuditEvent[],
  program: string | undefined,
  client: string | undefined,
): Pick<ActivityQuery, 'program' | 'client'> {
  const isClient = program !== undefined && client === undefined && log.some(({ clientId }) => clientId === program);
  return isClient ? { client: program } : { program, client };
}

function idIn(value: unknown): string | undefined {
  const id = typeof value === 'string' && value.length <= maxId ? value.trim() : '';
  return id === '' ? undefined : id;
}

function activityPage(context: MemberPageContext, body: (t: Translator) => Html): PageBuilder {
  return memberPage(context, { title: 'activity.title', values: { school: context.site.name }, wide: true, body });
}

function entries(t: Translator, path: string, { query, list, found, named, tools }: ActivityView): Html {
  const { technical, ...filter } = query;
  const isAll = Object.values(filter).every((value) => value === undefined);
  const days = Map.groupBy(list, (event) => t.day(secondsOf(event)));
  const told = { names: linkedNames(path, found), tools, time: 'clock' } as const;
  return html`${isAll ? html`<p>${t.html('activity.intro')}</p>` : chosen(t, path, query, { list, found, named })}
${filterForm(t, path, query)}
${list.length === 0 && html`<p class="soft">${t.html(isAll ? 'activity.none' : 'activity.none.filtered')}</p>`}
${[...days].map(([day, events]) => html`<section><h2>${day}</h2>${eventList(t, { events, ...told })}</section>`)}
${pageLinks(t, (page) => activityPath(path, { ...query, page }), list)}
<p><a href="${activityPath(path, { ...query, technical: !technical })}">${t.html(technical ? 'activity.plain' : 'activity.technical')}</a></p>`;
}

const filterFields = ['person', 'program', 'reference'] as const;

/** Ids and names can be entered; a choice by a link is in its field. */
function filterForm(t: Translator, path: string, query: ActivityQuery): Html {
  const entered = { ...query, program: query.program ?? query.client };
  const field = (name: (typeof filterFields)[number]): Html =>
    html`<label class="menu">${t.html(`activity.filter.${name}`)} <input type="search" name="${name}" value="${entered[name] ?? ''}" maxlength="${maxId}" autocomplete="off"></label>`;
  return html`<form class="search" role="search" method="get" action="${activityPath(path)}">
${query.technical && html`<input type="hidden" name="all" value="yes">`}
<div>${filterFields.map(field)}<button class="small" type="submit">${t.html('connected.search.button')}</button></div>
</form>`;
}

/** What is shown, and the way back to everything. A name is known from the entries. */
function chosen(
  t: Translator,
  path: string,
  { person, program, client, reference, technical }: ActivityQuery,
  { list, found, named }: Pick<ActivityView, 'list' | 'found' | 'named'>,
): Html {
  const somebody = person !== undefined && (named.person ? person : found.person(person));
  const one = list.map(found.client).find((each) => each.name !== undefined);
  const only = (name: string | false | undefined, otherwise: 'somebody' | 'program'): Html =>
    name ? t.html('activity.only', { name: isolated(name) }) : t.html(`activity.only.${otherwise}`);
  const target = client === undefined ? program !== undefined && !named.program && { program } : { clientId: client };
  const lines = [
    person !== undefined && only(somebody, 'somebody'),
    named.program && only(program, 'program'),
    target &&
      html`${only(one?.name, 'program')} · <a href="${targetPath(path, target)}">${t.html('activity.program')}</a>`,
    reference !== undefined && t.html('activity.only.reference', { reference: isolated(shortName(reference)) }),
  ].filter((line) => line !== false && line !== undefined);
  return html`<p class="only">${lines.map((line, i) => html`${i > 0 && html`<br>`}${line}`)}</p>
<p><a href="${activityPath(path, { technical })}">${t.html('activity.everything')}</a></p>`;
}
