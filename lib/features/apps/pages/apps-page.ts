import type { ParsedUrlQuery } from 'node:querystring';
import type { AppStatus } from '../../../core/clients/client-status.ts';
import type { PageNumbers } from '../../../core/clients/listed-client.ts';
import type { SchoolRoles } from '../../../core/access/school-roles.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import type { AppQuery, StatusCounts } from '../domain/all-apps.ts';
import type { SchoolApp } from '../domain/school-apps.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { emptyState } from '../../../pages/kit/empty-state.ts';
import {
  csvLink,
  foundLine,
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
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { appCell, table } from '../../../pages/kit/table.ts';
import { appTile } from '../../../pages/kit/tile.ts';
import { originLine } from './app-origin.ts';
import { targetOf } from './decision-view.ts';
import { roleName } from './roles.ts';
import { unusedDone } from './unused.ts';

/** What a list shows: the apps in use, or a page of all that was asked for. */
export interface ShownApps {
  readonly apps: readonly SchoolApp[];
  /** Absent for the apps in use, of which no more is read than is shown. */
  readonly found?: (PageNumbers & { readonly counts: StatusCounts }) | undefined;
  /** The apps in use: where this page and the next one begin. */
  readonly after?: string | undefined;
  readonly next?: string | undefined;
}

interface AppsView {
  readonly shown: ShownApps;
  /** How many metadata documents wait for a decision. */
  readonly waiting: number;
  readonly listing: Listing;
  readonly roles: SchoolRoles;
  readonly done: TextKey | undefined;
  /** How many unused apps the previous requests have disconnected, of how many. */
  readonly unused: Readonly<Record<'ended' | 'of', string>> | undefined;
}

const pageSize = 20;

/** What the address says of the list of all apps. */
const ofAll = { status: 'all' };

/** What the address says of the list. */
export function appListing(path: string, query: ParsedUrlQuery, roles: SchoolRoles): Listing {
  const listing = listingIn(query, {
    path,
    size: pageSize,
    search: 'apps.search',
    tabs: 'status',
    menus: ['kind', 'used', 'sort'],
    order: 'list.sort.people',
    whole: ofAll,
    own: {
      name: 'role',
      label: 'apps.role',
      first: 'apps.role.any',
      values: roles.roles.map(({ role }) => ({ value: role, text: roleName(roles, role) })),
    },
  });
  return query['status'] === 'all' ? { ...listing, chosen: { ...listing.chosen, ...ofAll } } : listing;
}

/** Whether the address says nothing of it: then those are meant that people have connected. */
export function isOfUsed({ chosen }: Listing): boolean {
  return Object.keys(chosen).length === 0;
}

/** What is asked for among all apps. */
export function appQuery({ query, chosen }: Listing): AppQuery {
  return { ...query, role: chosen['role'] };
}

/** The apps of a school, in one table: those that people have connected first. */
export function appsPage(context: MemberPageContext, view: AppsView): PageBuilder {
  const { path } = context;
  const { shown, listing, waiting, roles } = view;
  const { apps, found, after = '' } = shown;
  const isEmpty = !found && apps.length === 0;
  const csv = listAddress(listing, { ...(!found && ofAll), format: 'csv' });
  return memberPage(context, {
    title: 'console.apps',
    wide: true,
    header: (t, heading) =>
      html`<div class="head">${heading}<div class="actions">${csvLink(t, csv)}<a class="button primary" href="${path}?view=allow">${icon('plus')}${t.html('allow.title')}</a></div></div>`,
    body: (t) => html`
${statusMessage(t, view.done)}${unusedDone(t, view.unused)}
${waiting > 0 && html`<p><a class="button" href="${path}?review=waiting">${t.html('school.review', { count: waiting })}</a></p>`}
${appTabs(t, listing, found?.counts)}
${listForm(t, listing)}
${found && foundLine(t, listing, found)}
${isEmpty && emptyState({ icon: 'apps', text: t.html('apps.none', { school: context.site.name }) })}
${apps.length > 0 && appTable(t, path, apps, roles)}
${found ? listPages(t, listing, found) : usedPages(t, path, { after, next: shown.next })}
${found && listing.query.unusedDays !== undefined && found.total > 0 && html`<p><a class="button danger" href="${listAddress(listing, { confirm: 'unused' })}">${t.html('unused.end')}</a></p>`}`,
  });
}

const statuses: readonly AppStatus[] = ['allowed', 'view_only', 'needs_approval', 'blocked'];

/** The apps in use, and the filter by status among all, with how many each would show where they have been counted. */
function appTabs(t: Translator, listing: Listing, counts: StatusCounts | undefined): Html {
  const { status: current = counts && ofAll.status, ...chosen } = listing.chosen;
  const tab = (text: TextKey, { status, count }: { status?: string; count?: number | undefined }): Html => {
    const href = status === undefined ? listing.path : listAddress({ ...listing, chosen }, { status });
    return html`<li><a href="${href}"${status === current && html` aria-current="page"`}>${t.html(text)}${count !== undefined && html` <span>${count}</span>`}</a></li>`;
  };
  const total = counts && Object.values(counts).reduce((a, b) => a + b);
  const all = statuses.map((status) => tab(`status.${status}`, { status, count: counts?.[status] }));
  return html`<nav class="tabs" aria-label="${t.text('list.status')}"><ul>${tab('apps.used', {})}${tab('list.all', { ...ofAll, count: total })}${all}</ul></nav>`;
}

/** The links to other pages of the apps in use. The store knows where the next one begins, and not how many there are. */
function usedPages(
  t: Translator,
  path: string,
  { after, next }: { after: string; next: string | undefined },
): Html | false {
  if (after === '' && next === undefined) return false;
  const address = (place: string): string => `${path}?${new URLSearchParams({ after: place }).toString()}`;
  return html`<nav class="pages" aria-label="${t.text('pages.label')}">
${after !== '' && html`<a class="button small" href="${path}">${t.html('pages.first')}</a>`}
${next !== undefined && html`<a class="button small" rel="next" href="${address(next)}">${t.html('pages.next')}</a>`}
</nav>`;
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
