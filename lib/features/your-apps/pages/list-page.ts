import type { AppRequest } from '../../../core/applications/request.ts';
import type { NamedLimit } from '../../../core/boundaries/limit-choices.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import type { ListPage } from '../../../core/clients/listed-client.ts';
import { ownEntry } from '../../../kernel/own-entry.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { does } from '../../../pages/kit/does.ts';
import { emptyState } from '../../../pages/kit/empty-state.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { plainRow, rowLink, rowList } from '../../../pages/kit/row-link.ts';
import { statusMark } from '../../../pages/kit/status.ts';
import { clientTile, glyphTile, monogram } from '../../../pages/kit/tile.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import { isNarrowed, listForm, type Listing, listPages } from '../../../pages/kit/lists.ts';
import { homePath, type PageBuilder } from '../../../pages/kit/pages.ts';
import type { LeftByRules } from '../domain/left-by-rules.ts';
import { unverifiedMark } from '../../../pages/kit/trust.ts';
import { newsRows, type NewsView } from './news.ts';

interface ListView {
  readonly list: ListPage<Connection>;
  /** What rules leave to each of them now, by its id. */
  readonly left: ReadonlyMap<string, LeftByRules>;
  /** What they are limited to, with names. */
  readonly limits: readonly NamedLimit[];
  /** What is new, on the first page. */
  readonly news: NewsView | undefined;
  /** Whether a connection is over, as what is new says. */
  readonly isOver: (id: string) => boolean;
  readonly listing: Listing;
  /** How many apps the previous request has disconnected. */
  readonly ended: number | undefined;
  /** What the person waits for. */
  readonly waiting: readonly AppRequest[];
  /** Where it says what became of that. */
  readonly requestsPath: string | undefined;
  /** How to connect an assistant, where there are tools. */
  readonly connectPath: string | undefined;
}

/** Fewer than these are seen at a glance. */
const searchable = 6;

/** What can act for the person, and what they wait for. */
export function listPage(context: MemberPageContext, view: ListView): PageBuilder {
  const { listing, ended, connectPath } = view;
  const list = view.list.filter(({ id }) => !view.isOver(id));
  const total = view.list.total - (view.list.length - list.length);
  const narrowed = isNarrowed(listing);
  const isEmpty = !narrowed && total === 0;
  const values = { count: total, school: context.site.name, search: listing.query.search ?? '' };
  const intro = narrowed ? 'connected.found' : 'connected.intro';
  return memberPage(context, {
    title: 'connected.title',
    body: (t) => html`
${ended !== undefined && statusMessage(t, 'connected.ended', { count: ended })}
${view.news && newsRows(t, context, view.news)}
${isEmpty ? nothing(t, view, t.html(intro, values)) : narrowed ? html`<p>${t.html(intro, values)}</p>` : html`<h2>${t.html(intro, values)}</h2>`}
${(narrowed || total >= searchable) && listForm(t, listing)}
${narrowed && html`<p><a href="${context.path}">${t.html('connected.back')}</a></p>`}
${rowList(
  list.map((connection) => row(t, context, connection, view)),
  'apps',
)}
${listPages(t, listing, view.list)}
${waitingRows(t, view)}
${
  !narrowed &&
  total > 0 &&
  html`<div class="actions stack">${connectPath !== undefined && html`<a class="button" href="${connectPath}">${icon('plus')}${t.html('connected.connect')}</a>`}${total > 1 && html`<a class="button danger" href="${context.path}?confirm=all">${t.html('connected.end.all')}</a>`}</div>`
}`,
  });
}

function nothing(t: Translator, { connectPath }: ListView, text: Html): Html {
  const action =
    connectPath === undefined
      ? { text: t.html('home'), href: homePath }
      : { text: t.html('connected.connect'), href: connectPath };
  return emptyState({ icon: 'apps', text, action });
}

/** After so many days without use, a row offers to end it. */
const unusedDays = 90;

function row(t: Translator, { path, site }: MemberPageContext, connection: Connection, view: ListView): Html {
  const { id, clientName, firstParty, allowedAt, lastUsedAt } = connection;
  const isUnused = lastUsedAt !== undefined && lastUsedAt < epochSeconds() - unusedDays * 24 * 60 * 60;
  const used =
    lastUsedAt === undefined
      ? t.html('connected.allowed.on', { date: t.nearDate(allowedAt) })
      : t.html(isUnused ? 'connected.unused' : 'connected.active.on', { date: t.nearDate(lastUsedAt) });
  const limited = limitsOf(connection, view.limits).map((names) => html` · ${isolated(names)}`);
  const parts = {
    tile: clientTile(connection, undefined, 'small'),
    name: html`${isolated(shortName(clientName))}${unverifiedMark(t, { ...connection, known: connection.app })}`,
    hint: html`${firstParty ? t.html('connected.firstParty') : works(t, site.name, connection, view.left.get(id))}${limited} · ${used}`,
  };
  if (!isUnused || firstParty) return rowLink(`${path}/${id}`, parts);
  const name = html`<a class="name" href="${path}/${id}">${parts.name}</a>`;
  const label = t.text('connected.confirm.one.title', { client: shortName(clientName) });
  return plainRow(
    { ...parts, name },
    html`<a class="button danger" href="${path}/${id}?confirm=end" aria-label="${label}">${t.html('connected.end')}</a>`,
  );
}

/** So many names of a limit are in a row. */
const namedItems = 3;

function limitsOf({ only = {} }: Connection, limits: readonly NamedLimit[]): string[] {
  return limits.flatMap(({ type, items }) => {
    const ids = ownEntry(only, type);
    if (!ids) return [];
    const names = items.flatMap(({ id, name }) => (ids.includes(id) && name !== undefined ? name : []));
    const more = ids.length > namedItems ? ', …' : '';
    return names.length > 0 ? [`${names.slice(0, namedItems).join(', ')}${more}`] : [];
  });
}

/** What it can do now, by the rules in force. */
function works(t: Translator, school: string, { scopes }: Connection, left: LeftByRules = { scopes }): Html {
  if (left.refusedBy === 'school') return t.html('connected.row.off', { school });
  if (left.refusedBy) return t.html('connected.row.waits');
  return does(
    t,
    scopes.filter((scope) => left.scopes.includes(scope)),
    'giver',
  );
}

function waitingRows(t: Translator, { waiting, requestsPath }: ListView): Html | false {
  if (waiting.length === 0 || requestsPath === undefined) return false;
  const rows = waiting.map(({ app, clientName, at }) =>
    rowLink(requestsPath, {
      tile: app === 'other' ? monogram(clientName, undefined, 'small') : glyphTile(app, 'small'),
      name: isolated(shortName(clientName)),
      hint: t.html('connected.asked.on', { date: t.nearDate(at) }),
      status: statusMark(t, 'needs_approval'),
    }),
  );
  return html`<section><h2>${t.html('connected.waiting')}</h2>
${rowList(rows)}</section>`;
}
