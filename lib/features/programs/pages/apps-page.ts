import type { ProgramStatus } from '../../../core/clients/client-status.ts';
import type { SchoolRoles } from '../../../core/decisions/school-roles.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import type { AppQuery, SchoolApp, SchoolApps } from '../domain/school-apps.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { emptyState } from '../../../pages/kit/empty-state.ts';
import {
  csvLink,
  foundLine,
  isNarrowed,
  listAddress,
  listForm,
  type Listing,
  listingIn,
  listPages,
} from '../../../pages/kit/lists.ts';
import { statusMark } from '../../../pages/kit/status.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import type { MemberPageRequest } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { appCell, table } from '../../../pages/kit/table.ts';
import { appTile } from '../../../pages/kit/tile.ts';
import { originLine } from './app-origin.ts';
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
  const isEmpty = total === 0 && !isNarrowed(listing);
  const isSearched = isNarrowed(listing) || total >= searched;
  return memberPage(context, {
    title: 'console.apps',
    wide: true,
    header: (t, heading) =>
      html`<div class="head">${heading}<div class="actions">${!isEmpty && csvLink(t, listAddress(listing, { format: 'csv' }))}<a class="button primary" href="${path}?view=allow">${icon('plus')}${t.html('allow.title')}</a></div></div>`,
    body: (t) => html`
${statusMessage(t, view.done)}${unusedDone(t, view.unused)}
${waiting > 0 && html`<p><a class="button" href="${path}?review=waiting">${t.html('school.review', { count: waiting })}</a></p>`}
${isEmpty ? emptyState({ icon: 'apps', text: t.html('apps.none', { school: context.site.name }) }) : statusTabs(t, listing, counts)}
${isSearched && listForm(t, listing)}
${foundLine(t, listing, list)}
${list.length > 0 && appTable(t, path, list, roles)}
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

function appTable(t: Translator, path: string, apps: readonly SchoolApp[], roles: SchoolRoles): Html {
  const columns = [
    { heading: t.html('apps.app') },
    { heading: t.html('list.status') },
    { heading: t.html('apps.who'), kind: 'more' },
    { heading: t.html('school.people'), kind: 'number' },
    { heading: t.html('list.used'), kind: 'number' },
  ] as const;
  return table(
    t.html('console.apps'),
    columns,
    apps.map((app) => row(t, path, app, roles)),
  );
}

function row(t: Translator, path: string, app: SchoolApp, roles: SchoolRoles): Html[] {
  const { clientName, status, people, lastActiveAt, audience } = app;
  return [
    appCell({
      tile: appTile(app, 'small'),
      href: targetPath(path, targetOf(app)),
      name: isolated(shortName(clientName)),
      hint: originLine(t, app),
    }),
    statusMark(t, status),
    whoLine(t, app, roles),
    audience === 'service' ? html`–` : html`${people}`,
    lastActiveAt === undefined ? t.html('list.never') : t.nearDate(lastActiveAt),
  ];
}

/** Who can connect it. */
function whoLine(t: Translator, { status, rule: { roles }, audience }: SchoolApp, known: SchoolRoles): Html {
  if (audience === 'service') return t.html('apps.who.service');
  if (status === 'blocked') return t.html('apps.who.nobody');
  if (status === 'needs_approval') return t.html('apps.who.asked');
  if (roles) return html`${roles.map((role, i) => html`${i > 0 && ', '}${isolated(roleName(known, role))}`)}`;
  return t.html(audience === 'operator' ? 'apps.who.operators' : 'apps.who.everyone');
}
