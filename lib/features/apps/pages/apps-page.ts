import type { ParsedUrlQuery } from 'node:querystring';
import type { PageNumbers } from '../../../core/clients/listed-client.ts';
import type { SchoolRoles } from '../../../core/access/school-roles.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import type { AppCounts, AppQuery } from '../domain/all-apps.ts';
import type { SchoolApp } from '../domain/school-apps.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { reviewsPath } from '../../../pages/kit/review-row.ts';
import { does } from '../../../pages/kit/does.ts';
import { icon, type IconName } from '../../../pages/kit/icons.ts';
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
import { originLine } from '../../../pages/kit/trust.ts';
import { targetOf } from './decision-view.ts';
import { roleName } from '../../../pages/kit/role-name.ts';
import { unusedDone } from './unused.ts';

/** What a list shows: the apps in use, or a page of all that was asked for. */
export interface ShownApps {
  readonly apps: readonly SchoolApp[];
  /** Absent for the apps in use, of which no more is read than is shown. */
  readonly found?: (PageNumbers & { readonly counts: AppCounts }) | undefined;
  /** The apps in use: where this page and the next one begin. */
  readonly after?: string | undefined;
  readonly next?: string | undefined;
}

/** What waits for an administrator. */
export interface Attention {
  /** How many metadata documents wait for a decision. */
  readonly waiting: number;
  /** How many apps with people were last used more than 90 days ago. */
  readonly unused: number;
  /** Where people's requests are, if the school has them. */
  readonly requestsPath: string | undefined;
}

interface AppsView {
  readonly shown: ShownApps;
  /** Above the apps in use. */
  readonly attention: Attention | undefined;
  readonly listing: Listing;
  readonly roles: SchoolRoles;
  readonly done: TextKey | undefined;
  /** How many unused apps the previous requests have disconnected, of how many. */
  readonly unused: Readonly<Record<'ended' | 'of', string>> | undefined;
}

const pageSize = 20;

/** The lists beside that of the apps in use. */
const shows = ['all', 'changes', 'decided'] as const;

/** What the address says of the list of all apps. */
const ofAll = { show: 'all' };

/** What the address says of the list. */
export function appListing(path: string, query: ParsedUrlQuery, roles: SchoolRoles): Listing {
  const show = shows.find((each) => each === query['show']);
  const listing = listingIn(query, {
    path,
    size: pageSize,
    search: 'apps.search',
    linked: ['kind', 'used'],
    menus: ['status', 'sort'],
    order: 'list.sort.people',
    whole: show === undefined ? ofAll : { show },
    own: {
      name: 'role',
      label: 'apps.role',
      first: 'apps.role.any',
      values: roles.roles.map(({ role }) => ({ value: role, text: roleName(roles, role) })),
    },
  });
  return show === undefined ? listing : { ...listing, chosen: { ...listing.chosen, show } };
}

/** Whether the address says nothing of it: then those are meant that people have connected. */
export function isOfUsed({ chosen }: Listing): boolean {
  return Object.keys(chosen).length === 0;
}

/** What is asked for among all apps. */
export function appQuery({ query, chosen }: Listing): AppQuery {
  const { role, show } = chosen;
  return { ...query, role, only: show === 'changes' || show === 'decided' ? show : undefined };
}

/** The apps of a school, in one table: those that people have connected first. */
export function appsPage(context: MemberPageContext, view: AppsView): PageBuilder {
  const { path } = context;
  const { shown, listing } = view;
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
${view.attention && attention(t, context, view.attention)}
${appTabs(t, listing, found?.counts)}
${listForm(t, listing)}
${found && foundLine(t, listing, found)}
${isEmpty && emptyState({ icon: 'apps', text: t.html('apps.none', { school: context.site.name }) })}
${apps.length > 0 && appTable(t, path, apps)}
${found ? listPages(t, listing, { ...found, length: apps.length }) : usedPages(t, path, { after, next: shown.next })}
${found && listing.query.unusedDays !== undefined && found.total > 0 && html`<p><a class="button danger" href="${listAddress(listing, { confirm: 'unused' })}">${t.html('unused.end')}</a></p>`}`,
  });
}

/** What waits for an administrator, each with the way there. */
function attention(
  t: Translator,
  { path, console }: MemberPageContext,
  { waiting, unused, requestsPath }: Attention,
): Html | false {
  const chip = (name: IconName, href: string, key: TextKey, count: number): readonly Html[] =>
    count > 0 ? [html`<a href="${href}">${icon(name)}${t.html(key, { count })}</a>`] : [];
  const chips = [
    ...(requestsPath === undefined ? [] : chip('inbox', requestsPath, 'apps.attention.requests', console.openRequests)),
    ...chip('shield', reviewsPath(path), 'school.review', waiting),
    ...chip('clock', `${path}?used=unused`, 'apps.attention.unused', unused),
  ];
  return chips.length > 0 && html`<div class="attention">${chips}</div>`;
}

/** The apps in use, and the lists among all, with how many each would show where they have been counted. */
function appTabs(t: Translator, listing: Listing, counts: AppCounts | undefined): Html {
  const { show, status, ...chosen } = listing.chosen;
  const current = show ?? (status === 'blocked' ? status : counts && ofAll.show);
  const tab = (name: keyof AppCounts, text: TextKey, address: Readonly<Record<string, string>>): Html =>
    html`<li><a href="${listAddress({ ...listing, chosen }, address)}"${name === current && html` aria-current="page"`}>${t.html(text)}${counts && html` <span>${counts[name]}</span>`}</a></li>`;
  return html`<nav class="tabs" aria-label="${t.text('console.apps')}"><ul><li><a href="${listing.path}"${current === undefined && html` aria-current="page"`}>${t.html('apps.used')}</a></li>
${tab('changes', 'apps.changing', { show: 'changes' })}${tab('decided', 'apps.decided.tab', { show: 'decided' })}${tab('blocked', 'status.blocked', { status: 'blocked' })}${tab('all', 'list.all', ofAll)}</ul></nav>`;
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
${next !== undefined && html`<a class="button small" rel="next" href="${address(next)}" aria-label="${t.text('pages.next')}">${icon('next')}</a>`}
</nav>`;
}

function appTable(t: Translator, path: string, apps: readonly SchoolApp[]): Html {
  const columns = [
    { heading: t.html('apps.app') },
    { heading: t.html('list.status') },
    { heading: t.html('apps.does'), kind: 'more' },
    { heading: t.html('school.people'), kind: 'number' },
    { heading: t.html('list.used'), kind: 'moreNumber' },
  ] as const;
  return table(
    t.html('console.apps'),
    columns,
    apps.map((app) => row(t, path, app)),
  );
}

function row(t: Translator, path: string, app: SchoolApp): Html[] {
  const { clientName, status, people, lastActiveAt, audience } = app;
  return [
    appCell({
      tile: appTile(app, 'small'),
      href: targetPath(path, targetOf(app)),
      name: isolated(shortName(clientName)),
      hint: isNew(app) ? withNew(t, originLine(t, app)) : originLine(t, app),
    }),
    statusMark(t, status),
    doesCell(t, app),
    audience === 'service' ? html`–` : peopleCell(t, people),
    lastActiveAt === undefined ? t.html('list.never') : t.nearDate(lastActiveAt),
  ];
}

const newSeconds = 7 * 24 * 60 * 60;

function isNew({ connectedAt = 0 }: SchoolApp): boolean {
  return connectedAt > epochSeconds() - newSeconds;
}

function withNew(t: Translator, origin: Html): Html {
  return html`${origin.text !== '' && html`${origin} · `}<b>${t.html('apps.new')}</b>`;
}

/** What it can do at most; what changes data stands out. */
function doesCell(t: Translator, { status, canGet }: SchoolApp): Html {
  if (status === 'blocked') return html`–`;
  const text = does(t, canGet);
  return canGet.some((scope) => t.catalogue.row(scope)?.access === 'write') ? html`<b>${text}</b>` : text;
}

/** A number says on a phone, where the table has no headings, what it counts. */
function peopleCell(t: Translator, count: number): Html {
  return html`${count}<span class="unit"> ${t.html('apps.people.unit', { count })}</span>`;
}
