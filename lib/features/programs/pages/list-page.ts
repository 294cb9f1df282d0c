import { statusMark, statusNote } from '../../../pages/kit/marks.ts';
import type { ProgramStatus } from '../../../core/clients/client-status.ts';
import type { ProgramInfo } from '../../../core/clients/client.ts';
import type { ConnectedClient, ListPage } from '../../../core/clients/listed-client.ts';
import type { SeenDocument } from '../../../core/reviews/document-review.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { claimedMark, html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext, statusMessage } from '../../../pages/kit/member-page.ts';
import { isNarrowed, listAddress, listHead, type Listing, listingIn, listPages } from '../../../pages/kit/lists.ts';
import type { MemberPageRequest } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { unusedDone } from './unused.ts';

interface ListView {
  readonly list: ListPage<ConnectedClient>;
  /** How many metadata documents wait for a decision. */
  readonly waiting: number;
  readonly decided: number;
  readonly listing: Listing;
  readonly done: TextKey | undefined;
  /** How many unused programs the previous requests have disconnected, of how many. */
  readonly unused: Readonly<Record<'ended' | 'of', string>> | undefined;
  /** What happened last; absent if the host does not provide its log. */
  readonly recent: ((t: Translator) => Html) | undefined;
}

/** What the address says of the list. */
export function listingOf({ path, call }: Pick<MemberPageRequest, 'call'> & { readonly path: string }): Listing {
  const menus = ['audience', 'kind', 'status', 'used', 'sort'] as const;
  return listingIn(call.ctx.query, { path, menus, order: 'list.sort.active' });
}

/** Everything that people have connected at the school. */
export function listPage(context: MemberPageContext, view: ListView): PageBuilder {
  const { path, site } = context;
  const { list, listing, waiting, decided } = view;
  const values = { school: site.name };
  return memberPage(context, {
    title: 'school.title',
    values,
    wide: true,
    body: (t) => html`
${statusMessage(t, view.done)}${unusedDone(t, view.unused)}
${!isNarrowed(listing) && html`<p>${t.html('school.intro', { ...values, count: list.total })}</p>`}
${waiting > 0 && html`<p><a class="button small" href="${path}?review=waiting">${t.html('school.review', { count: waiting })}</a></p>`}
${decided > 0 && html`<p><a href="${path}?review=decided">${t.html('school.review.decided')}</a></p>`}
${listHead(t, listing, list)}
${list.length > 0 && html`<ul class="cards">${list.map((client) => card(t, path, client))}</ul>`}
${listPages(t, listing, list)}
${listing.query.unusedDays !== undefined && list.total > 0 && html`<p><a class="button danger small" href="${listAddress(listing, { confirm: 'unused' })}">${t.html('unused.end')}</a></p>`}
${view.recent?.(t)}`,
  });
}

function card(t: Translator, path: string, client: ConnectedClient): Html {
  const { clientId, clientName, people, lastActiveAt, blockedAt } = client;
  return html`<li>
<h2><a href="${targetPath(path, { clientId })}">${isolated(shortName(clientName))}</a>${sourceBadges(t, client)}${statusNote(t, client.status)}</h2>
<p class="soft">${sourceLine(t, client)}${client.program && html`<br>${t.html('pair', { name: t.html('school.program'), value: programLine(t, client.program) })}`}<br>
${t.html('school.people.count', { count: people })}${lastActiveAt !== undefined && html` · ${t.html('connected.active.on', { date: t.date(lastActiveAt) })}`}${blockedAt !== undefined && html` · ${t.html('pair', { name: t.html('school.blocked.since'), value: t.date(blockedAt) })}`}</p>
</li>`;
}

/** The program of a client, and who makes it. */
export function programLine(t: Translator, { name, publisher, verified }: ProgramInfo): Html {
  const known =
    publisher === undefined || publisher === name ? isolated(name) : html`${isolated(name)} (${isolated(publisher)})`;
  return html`${known}${!verified && claimedMark(t)}`;
}

type Sourced = Pick<ConnectedClient, 'source' | 'host'>;

export function sourceBadges(t: Translator, client: Sourced & Partial<ConnectedClient>): Html {
  const claimed = client.source === 'registered' || client.source === 'document';
  return html`${claimed && claimedMark(t)}${client.firstParty === true && html` <span class="badge">${t.html('connected.firstParty')}</span>`}`;
}

export function sourceLine(t: Translator, { source, host = '' }: Sourced): Html {
  return t.html(`school.source.${source}`, source === 'document' ? { host } : {});
}

export type ReviewPart = 'waiting' | 'decided';

/** The metadata documents that operators were shown. */
export function reviewsPage(context: MemberPageContext, part: ReviewPart, list: ListPage<SeenDocument>): PageBuilder {
  const { path } = context;
  const listing = { ...listingIn({}, { path }), chosen: { review: part } };
  return memberPage(context, {
    title: part === 'waiting' ? 'school.review.title' : 'school.review.decided',
    wide: true,
    body: (t) => html`
<p><a href="${path}">${t.html('school.back')}</a></p>
${part === 'waiting' && html`<p>${t.html('school.review.intro')}</p>`}
${list.length === 0 ? html`<p class="soft">${t.html('school.review.none')}</p>` : html`<ul class="cards">${list.map((document) => documentCard(t, path, document))}</ul>`}
${listPages(t, listing, list)}`,
  });
}

function documentCard(t: Translator, path: string, { clientId, clientName, status, seenAt }: SeenDocument): Html {
  const host = URL.parse(clientId)?.host ?? clientId;
  return html`<li>
<h2><a href="${targetPath(path, { clientId })}">${isolated(shortName(clientName ?? host))}</a> ${statusMark(t, documentStatus[status])}</h2>
<p class="soft">${sourceLine(t, { source: 'document', host })}<br>${t.html('pair', { name: t.html('review.seen'), value: t.date(seenAt) })}${status === 'changed' && html`<br>${t.html('review.status.changed')}`}</p>
</li>`;
}

/** What the decision on a version makes of a document, in one word. */
export const documentStatus: Readonly<Record<SeenDocument['status'], ProgramStatus>> = {
  unreviewed: 'view_only',
  changed: 'view_only',
  approved: 'allowed',
  rejected: 'blocked',
};
