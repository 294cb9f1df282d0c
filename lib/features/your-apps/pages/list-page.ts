import type { AppRequest } from '../../../core/applications/request.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import type { ListPage } from '../../../core/clients/listed-client.ts';
import { does } from '../../../pages/kit/does.ts';
import { emptyState } from '../../../pages/kit/empty-state.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { rowLink, rowList } from '../../../pages/kit/row-link.ts';
import { statusMark } from '../../../pages/kit/status.ts';
import { clientTile, glyphTile, monogram } from '../../../pages/kit/tile.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import { isNarrowed, listForm, type Listing, listPages } from '../../../pages/kit/lists.ts';
import { homePath, type PageBuilder } from '../../../pages/kit/pages.ts';
import type { LeftByRules } from '../domain/left-by-rules.ts';
import { uncheckedMark } from './trust.ts';

interface ListView {
  readonly list: ListPage<Connection>;
  /** What rules leave to each of them now, by its id. */
  readonly left: ReadonlyMap<string, LeftByRules>;
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
  const { list, listing, ended, connectPath } = view;
  const { total } = list;
  const narrowed = isNarrowed(listing);
  const isEmpty = !narrowed && total === 0;
  const values = { count: total, school: context.site.name, search: listing.query.search ?? '' };
  const intro = narrowed ? 'connected.found' : 'connected.intro';
  return memberPage(context, {
    title: 'connected.title',
    body: (t) => html`
${ended !== undefined && statusMessage(t, 'connected.ended', { count: ended })}
${isEmpty ? nothing(t, view, t.html(intro, values)) : html`<p>${t.html(intro, values)}</p>`}
${(narrowed || total >= searchable) && listForm(t, listing)}
${narrowed && html`<p><a href="${context.path}">${t.html('connected.back')}</a></p>`}
${rowList(
  list.map((connection) => row(t, context, connection, view.left.get(connection.id))),
  'apps',
)}
${listPages(t, listing, list)}
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

function row(
  t: Translator,
  { path, site }: MemberPageContext,
  connection: Connection,
  left: LeftByRules | undefined,
): Html {
  const { id, clientName, firstParty, allowedAt, lastUsedAt } = connection;
  const used =
    lastUsedAt === undefined
      ? t.html('connected.allowed.on', { date: t.nearDate(allowedAt) })
      : t.html('connected.active.on', { date: t.nearDate(lastUsedAt) });
  return rowLink(`${path}/${id}`, {
    tile: clientTile(connection, undefined, 'small'),
    name: html`${isolated(shortName(clientName))}${uncheckedMark(t, connection)}`,
    hint: html`${firstParty ? t.html('connected.firstParty') : works(t, site.name, connection, left)} · ${used}`,
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
