import type { Connection } from '../../../core/connections/connection.ts';
import type { ListPage } from '../../../core/clients/listed-client.ts';
import { claimedMark, html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { hiddenFields, memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { monogram } from '../../../pages/kit/tile.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import { isNarrowed, listAddress, listForm, type Listing, listPages } from '../../../pages/kit/lists.ts';
import { homePath, type PageBuilder } from '../../../pages/kit/pages.ts';

/** What the previous request has ended: an app by its name, empty if it was no longer connected; or all of them. */
export type Ended = { readonly name: string } | { readonly count: number };

interface ListView {
  readonly list: ListPage<Connection>;
  readonly listing: Listing;
  readonly ended: Ended | undefined;
}

/** Fewer than these are seen at a glance. */
const searchable = 6;

export function listPage(context: MemberPageContext, { list, listing, ended }: ListView): PageBuilder {
  const { page, total } = list;
  const narrowed = isNarrowed(listing);
  const values = { count: total, school: context.site.name, search: listing.query.search ?? '' };
  return memberPage(context, {
    title: 'connected.title',
    wide: true,
    body: (t) => html`
${ended && message(t, ended)}
<p>${t.html(narrowed ? 'connected.found' : 'connected.intro', values)}</p>
${(narrowed || total >= searchable) && listForm(t, listing)}
${narrowed && html`<p><a href="${context.path}">${t.html('connected.back')}</a></p>`}
${
  list.length > 0 &&
  html`<form method="post" action="${listAddress(listing, {}, page)}">
${hiddenFields(context, { action: 'end' })}
<ul class="apps">${list.map((connection) => row(t, context, connection))}</ul>
</form>`
}
${!narrowed && total === 0 && html`<p class="actions"><a class="button" href="${homePath}">${t.html('home')}</a></p>`}
${listPages(t, listing, list)}
${!narrowed && total > 1 && html`<p><a class="button danger small" href="${context.path}?confirm=all">${t.html('connected.end.all')}</a></p>`}`,
  });
}

function message(t: Translator, ended: Ended): Html | false {
  if ('count' in ended) return statusMessage(t, 'connected.ended', { count: ended.count });
  if (ended.name === '') return statusMessage(t, 'connected.ended.before');
  return statusMessage(t, 'connected.ended.one', { client: ended.name });
}

function row(t: Translator, { path }: MemberPageContext, connection: Connection): Html {
  const { id, clientName, host, firstParty, allowedAt, lastUsedAt } = connection;
  const client = shortName(clientName);
  return html`<li>${monogram(clientName, undefined, 'small')}
<div><h2><a href="${path}/${id}">${isolated(client)}</a>${marks(t, connection)}</h2>
<p class="soft">${host !== undefined && html`${isolated(host)} · `}${lastUsedAt === undefined ? t.html('connected.allowed.on', { date: t.date(allowedAt) }) : t.html('connected.active.on', { date: t.date(lastUsedAt) })}${firstParty && html` · ${t.html('connected.firstParty')}`}</p></div>
<button class="danger small" type="submit" name="id" value="${id}" aria-label="${t.text('connected.end.one', { client })}">${t.html('connected.end')}</button></li>
`;
}

/** What a person should know about the name of an app. */
export function marks(t: Translator, { source }: Connection): Html | false {
  const verified = source === 'static' || source === 'application';
  return !verified && claimedMark(t);
}
