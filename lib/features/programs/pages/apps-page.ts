import type { ProgramStatus } from '../../../core/clients/client-status.ts';
import type { SchoolRoles } from '../../../core/decisions/school-roles.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import type { AppQuery, SchoolApp, SchoolApps } from '../domain/school-apps.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { isNarrowed, listAddress, listForm, type Listing, listingIn, listPages } from '../../../pages/kit/lists.ts';
import { statusMark } from '../../../pages/kit/status.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import type { MemberPageRequest } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { appTile, originLine } from './app-tile.ts';
import { targetOf } from './decision-view.ts';
import { roleName } from './roles.ts';
import { unusedDone } from './unused.ts';

interface AppsView {
  readonly apps: SchoolApps;
  /** How many metadata documents wait for a decision. */
  readonly waiting: number;
  readonly listing: Listing;
  readonly roles: SchoolRoles;
  readonly done: TextKey | undefined;
  /** How many unused programs the previous requests have disconnected, of how many. */
  readonly unused: Readonly<Record<'ended' | 'of', string>> | undefined;
}

const pageSize = 20;

/** A shorter list has no search. */
const searched = 10;

/** What the address says of the list. */
export function appListing(
  { path, call }: Pick<MemberPageRequest, 'call'> & { readonly path: string },
  roles: SchoolRoles,
): Listing {
  return listingIn(call.ctx.query, {
    path,
    size: pageSize,
    search: 'apps.search',
    tabs: 'status',
    menus: ['kind', 'used', 'sort'],
    order: 'list.sort.name',
    own: {
      name: 'role',
      label: 'apps.role',
      first: 'apps.role.any',
      values: roles.roles.map(({ role }) => ({ value: role, text: roleName(roles, role) })),
    },
  });
}

/** What is asked for: by name, unless the person has chosen another order. */
export function appQuery({ query, chosen }: Listing): AppQuery {
  return { ...query, sort: query.sort ?? 'name', role: chosen['role'] };
}

/** Everything that people can connect at the school, in one table. */
export function appsPage(context: MemberPageContext, view: AppsView): PageBuilder {
  const { path } = context;
  const { apps, listing, waiting, roles } = view;
  const { list, counts } = apps;
  const total = Object.values(counts).reduce((a, b) => a + b);
  const isSearched = isNarrowed(listing) || total >= searched;
  return memberPage(context, {
    title: 'console.apps',
    wide: true,
    header: (t, heading) =>
      html`<div class="head">${heading}<div class="actions"><a class="button" href="${listAddress(listing, { format: 'csv' })}" aria-label="${t.text('list.csv')}">${icon('download')}CSV</a></div></div>`,
    body: (t) => html`
${statusMessage(t, view.done)}${unusedDone(t, view.unused)}
${waiting > 0 && html`<p><a class="button" href="${path}?review=waiting">${t.html('school.review', { count: waiting })}</a></p>`}
${statusTabs(t, listing, counts)}
${isSearched && listForm(t, listing)}
${isNarrowed(listing) && html`<p role="status">${t.html('list.found', { count: list.total })} <a href="${path}">${t.html('list.reset')}</a></p>`}
${list.length > 0 && table(t, path, list, roles)}
${listPages(t, listing, list)}
${listing.query.unusedDays !== undefined && list.total > 0 && html`<p><a class="button danger" href="${listAddress(listing, { confirm: 'unused' })}">${t.html('unused.end')}</a></p>`}`,
  });
}

const statuses: readonly ProgramStatus[] = ['allowed', 'view_only', 'needs_approval', 'blocked'];

/** The filter by status, with how many each would show. */
function statusTabs(t: Translator, listing: Listing, counts: SchoolApps['counts']): Html {
  const { status: _status, ...chosen } = listing.chosen;
  const total = Object.values(counts).reduce((a, b) => a + b);
  const tab = (status: ProgramStatus | undefined, count: number): Html => {
    const isCurrent = listing.chosen['status'] === status;
    const href = listAddress({ ...listing, chosen }, status && { status });
    return html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${t.html(status ? `status.${status}` : 'list.all')} <span>${count}</span></a></li>`;
  };
  return html`<nav class="tabs" aria-label="${t.text('list.status')}"><ul>${tab(undefined, total)}${statuses.map((status) => tab(status, counts[status]))}</ul></nav>`;
}

function table(t: Translator, path: string, apps: readonly SchoolApp[], roles: SchoolRoles): Html {
  return html`<table class="rows"><thead><tr><th>${t.html('apps.app')}</th><th>${t.html('list.status')}</th><th class="more">${t.html('apps.who')}</th><th class="num more">${t.html('school.people')}</th><th class="num more">${t.html('list.used')}</th></tr></thead>
<tbody>${apps.map((app) => row(t, path, app, roles))}</tbody></table>`;
}

function row(t: Translator, path: string, app: SchoolApp, roles: SchoolRoles): Html {
  const { clientName, status, people, lastActiveAt, audience } = app;
  const isService = audience === 'service';
  return html`<tr><td><div class="app">${appTile(app, true)}<div><a href="${targetPath(path, targetOf(app))}">${isolated(shortName(clientName))}</a> <span class="soft">${originLine(t, app)}</span></div></div></td><td>${statusMark(t, status)}</td><td class="more">${whoLine(t, app, roles)}</td><td class="num more">${isService ? '–' : people}</td><td class="num more">${lastActiveAt === undefined ? t.html('apps.never') : t.date(lastActiveAt)}</td></tr>
`;
}

/** Who can connect it. */
function whoLine(t: Translator, { status, rule: { roles }, audience }: SchoolApp, known: SchoolRoles): Html {
  if (audience === 'service') return t.html('apps.who.service');
  if (status === 'blocked') return t.html('apps.who.nobody');
  if (status === 'needs_approval') return t.html('apps.who.asked');
  if (roles) return html`${roles.map((role, i) => html`${i > 0 && ', '}${isolated(roleName(known, role))}`)}`;
  return t.html(audience === 'operator' ? 'apps.who.operators' : 'apps.who.everyone');
}
