import { pageOf } from '../../core/clients/listing.ts';
import type { ListPage } from '../../core/clients/client-lists.ts';
import type { Route } from '../../http/route.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import { activityUnder, targetPath } from '../kit/console.ts';
import { html, type Html, isolated, type Translator } from '../kit/markup.ts';
import { memberPage, type MemberPageContext } from '../kit/member-page.ts';
import { type MemberPageRequest, memberRoute, type MemberPagesOptions } from '../kit/page-access.ts';
import { listingIn, pageLinks } from '../kit/lists.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { filtered, isTechnical } from './events.ts';
import { activityPath, type ActivityQuery, linkedNames } from './links.ts';
import { findNames, type FoundNames, maxId } from './names.ts';
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
  readonly tools: Tools;
}

async function handle(request: ActivityOptions & MemberPageRequest): Promise<PageBuilder> {
  const { findEvents, tools, context, call } = request;
  const { site } = context;
  const { person, program, client, all, page } = call.ctx.query;
  const log = await findEvents?.(site);
  const missing = findEvents ? 'activity.failed' : 'activity.off';
  if (!log) return activityPage(context, (t) => html`<p>${t.html(missing, { school: site.name })}</p>`);
  const query = { person: idIn(person), program: idIn(program), client: idIn(client), technical: all === 'yes' };
  const events = filtered(log, query).filter((event) => query.technical || !isTechnical(event));
  const { query: paging } = listingIn({ page }, { path: context.path });
  const list = await pageOf({ keys: events, read: async (some) => some }, paging);
  const view = { query, list, found: await findNames(request, site, list, log), tools };
  return activityPage(context, (t) => entries(t, context.path, view));
}

function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxId ? value : undefined;
}

function activityPage(context: MemberPageContext, body: (t: Translator) => Html): PageBuilder {
  return memberPage(context, { title: 'activity.title', values: { school: context.site.name }, wide: true, body });
}

function entries(t: Translator, path: string, { query, list, found, tools }: ActivityView): Html {
  const { technical, ...filter } = query;
  const isAll = Object.values(filter).every((value) => value === undefined);
  const days = Map.groupBy(list, (event) => t.day(secondsOf(event)));
  const told = { names: linkedNames(path, found), tools, time: 'clock' } as const;
  return html`${isAll ? html`<p>${t.html('activity.intro')}</p>` : chosen(t, path, query, { list, found })}
${list.length === 0 && html`<p class="soft">${t.html(isAll ? 'activity.none' : 'activity.none.filtered')}</p>`}
${[...days].map(([day, events]) => html`<section><h2>${day}</h2>${eventList(t, { events, ...told })}</section>`)}
${pageLinks(t, (page) => activityPath(path, { ...query, page }), list)}
<p><a href="${activityPath(path, { ...query, technical: !technical })}">${t.html(technical ? 'activity.plain' : 'activity.technical')}</a></p>`;
}

/** What is shown, and the way back to everything. A name is known from the entries. */
function chosen(
  t: Translator,
  path: string,
  { person, program, client, technical }: ActivityQuery,
  { list, found }: Pick<ActivityView, 'list' | 'found'>,
): Html {
  const somebody = person !== undefined && found.person(person);
  const one = list.map(found.client).find((each) => each.name !== undefined);
  const only = (name: string | false | undefined, otherwise: 'somebody' | 'program'): Html =>
    name ? t.html('activity.only', { name: isolated(name) }) : t.html(`activity.only.${otherwise}`);
  const target = client === undefined ? program !== undefined && { program } : { clientId: client };
  return html`<p class="only">${person !== undefined && only(somebody, 'somebody')}${person !== undefined && target && html`<br>`}${target && html`${only(one?.name, 'program')} · <a href="${targetPath(path, target)}">${t.html('activity.program')}</a>`}</p>
<p><a href="${activityPath(path, { technical })}">${t.html('activity.everything')}</a></p>`;
}
